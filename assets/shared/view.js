// What every view does: appear in the theme around it, show or hide the signs for spaces, make its elements and fill them.

import { store, stored } from "./storage.js";

/** Show a view in the theme around it; it is unseen until its code is here. */
export function appear(view) {
  followTheme(view);
  view.classList.remove("unready");
}

/** Tell the style sheet whether the theme around is dark, which light letters mean. */
export function followTheme(view) {
  if (!view.isConnected) return; // it has no colours
  const [r, g, b] = getComputedStyle(view).color.match(/[\d.]+/g).map(Number); // given as rgb(r, g, b)
  view.classList.toggle("dark", 0.2126 * r + 0.7152 * g + 0.0722 * b > 140);
}

/** Have a switch show or hide the signs for spaces and line ends; the tab keeps the choice, for every view. */
export function switchGlyphs(view, toggle) {
  const show = () => view.classList.toggle("glyphs", toggle.checked);
  toggle.checked = stored("view")?.glyphs !== false;
  toggle.addEventListener("change", () => {
    show();
    store("view", { ...stored("view"), glyphs: toggle.checked });
  });
  show();
}

export function element(name, className, text) {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

/** Put a text into a node; the same text once more would be laid out once more. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
