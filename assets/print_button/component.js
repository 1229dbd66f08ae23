// A button that prints the page.

import { revealView } from "../shared/view.js";

export default function render({ parentElement }) {
  parentElement.querySelector("button").onclick = () => print();
  revealView(parentElement.querySelector(".view"));
}
