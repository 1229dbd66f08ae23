// A large button that copies a text to the clipboard or, without one, prints the page or a part of it.

import { copyOnClick } from "../shared/clipboard.js";
import { revealView } from "../shared/view.js";

/** Print what the page's style sheet shows of it while the part is named. */
function printPart(part) {
  const page = document.documentElement;
  page.dataset.printed = part;
  addEventListener("afterprint", () => { delete page.dataset.printed; }, { once: true });
  print();
}

export default function render({ data, parentElement }) {
  const view = parentElement.querySelector(".view");
  const button = parentElement.querySelector("button");
  if (!button.textContent) {
    button.textContent = data.label;
    button.classList.toggle("main", data.part !== "answers"); // what is for students comes first
    if (data.text === undefined) button.addEventListener("click", () => printPart(data.part));
    else copyOnClick(button, () => button.value, view);
  }
  button.value = data.text; // which may change while it is there
  revealView(view);
}
