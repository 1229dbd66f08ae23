// A large button that copies a text to the clipboard or, without one, prints the page.

import { copyOnClick } from "../shared/clipboard.js";
import { revealView } from "../shared/view.js";

export default function render({ data, parentElement }) {
  const view = parentElement.querySelector(".view");
  const button = parentElement.querySelector("button");
  if (!button.textContent) {
    button.textContent = data.label;
    if (data.text === undefined) button.addEventListener("click", () => print());
    else copyOnClick(button, () => button.value, view);
  }
  button.value = data.text; // which may change while it is there
  revealView(view);
}
