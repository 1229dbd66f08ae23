// A view for each place on the page that a component is mounted at, kept over all replies to it.

import { element } from "./pieces.js";

const MOUNTED = new WeakMap();
const LATE_MS = 8_000;
const LATE = "The server does not answer. If this lasts, a proxy in between may not pass on the websocket at /live.";

/** Show a component's data in the view at its place, which is made where there is none yet. */
export function mounted(View, component) {
  const root = component.parentElement;
  let view = MOUNTED.get(root);
  if (!view) {
    MOUNTED.set(root, (view = new View(root, component.data)));
    setTimeout(sayLate, LATE_MS, root);
  }
  view.receive(component);
  return () => {
    if (root.host?.isConnected) return;
    view.leave();
    MOUNTED.delete(root);
  };
}

/** Say why there is nothing to see where a view still waits for its text, until that comes. */
function sayLate(root) {
  const view = root.querySelector(".unready");
  if (!view || !root.host?.isConnected) return;
  const note = element("p", "late", LATE);
  view.before(note);
  const seen = new MutationObserver(() => {
    if (view.classList.contains("unready")) return;
    note.remove();
    seen.disconnect();
  });
  seen.observe(view, { attributeFilter: ["class"] });
}
