// A large button that copies a text to the clipboard or, without one, prints the page.

import { copyOnClick } from "../shared/clipboard.js";
import { revealView } from "../shared/view.js";

const TEXTS = new WeakMap(); // what the button at a place copies, which may change while it is there

export default function render({ data, parentElement }) {
  const view = parentElement.querySelector(".view");
  const button = parentElement.querySelector("button");
  if (!TEXTS.has(parentElement)) {
    button.textContent = data.label;
    if (data.text === undefined) button.addEventListener("click", () => print());
    else copyOnClick(button, () => TEXTS.get(parentElement), view);
  }
  TEXTS.set(parentElement, data.text);
  revealView(view);
}
