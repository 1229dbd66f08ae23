// The buttons over an editor: bring back a text of one's own that something else replaced, and empty the editor.

import { element } from "../shared/view.js";

/** Show the buttons behind a label. */
export function textButtons(label, typing) {
  const [own, clear] = ["Your text", "Clear"].map((words) => {
    const button = element("button", "plain", words);
    button.type = "button";
    return button;
  });
  own.title = "Bring back what you typed";
  own.hidden = true;
  own.addEventListener("click", () => typing.bringBack());
  clear.addEventListener("click", () => typing.clear());
  typing.onReplaced = () => { own.hidden = typing.own.next(typing.shown) === undefined; };
  const buttons = element("span", "texts");
  buttons.append(own, clear);
  label.after(buttons);
}
