// The sections of a long page, to jump to.

import { button, element, revealView } from "../shared/view.js";

export default function render({ parentElement }) {
  const view = parentElement.querySelector(".view");
  const headings = [...document.querySelectorAll("[data-testid=stMain] :is(h2, h3)")].filter((heading) => heading.checkVisibility());
  view.hidden = headings.length < 2;
  view.querySelector("ul").replaceChildren(...headings.map((heading) => element("li", "", button("", heading.textContent, () => jump(heading)))));
  revealView(view);
}

/** Close the menu, and go to a heading. */
function jump(heading) {
  document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, composed: true }));
  heading.scrollIntoView({ behavior: "smooth" });
}
