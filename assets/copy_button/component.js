// A large button that copies a text to the clipboard.

import { copiesOnClick } from "../shared/clipboard.js";
import { appear } from "../shared/view.js";

const TEXTS = new WeakMap(); // what the button at a place copies, which may change while it is there

export default function render({ data, parentElement }) {
  const view = parentElement.querySelector(".view");
  const button = parentElement.querySelector(".action");
  if (!data) return;
  if (!TEXTS.has(parentElement)) {
    button.textContent = data.label;
    copiesOnClick(button, () => TEXTS.get(parentElement), view);
  }
  TEXTS.set(parentElement, data.text);
  appear(view);
}
