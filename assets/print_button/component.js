// A button that prints the page.

import { revealView } from "../shared/view.js";

export default function render({ parentElement }) {
  parentElement.querySelector(".action").onclick = () => print();
  revealView(parentElement.querySelector(".view"));
}
