// A button that prints the page.

import { appear } from "../shared/view.js";

export default function render({ parentElement }) {
  parentElement.querySelector(".action").onclick = () => print();
  appear(parentElement.querySelector(".view"));
}
