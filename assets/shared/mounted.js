// A view for each place where a component is mounted on the page, kept over all replies to it.

import { element } from "./view.js";

const MOUNTED = new WeakMap();
const LATE_MS = 8_000;
const LATE = "The server is not answering. If this lasts, a proxy in between may be blocking the WebSocket at /live.";

/** Show a component's data in the view at its place, making one if there is none yet. */
export function mounted(View, component) {
  const root = component.parentElement;
  let view = MOUNTED.get(root);
  if (!view) MOUNTED.set(root, (view = new View(root, component.data)));
  const isConnected = Boolean(view.connection);
  view.receive(component);
  if (view.connection && !isConnected) sayLate(root, view);
  return () => {
    if (root.host?.isConnected) return;
    view.leave();
    MOUNTED.delete(root);
  };
}

/** If the server has not said a word to this page, say why there may be nothing to see, until it does. */
function sayLate(root, view) {
  let isLate = true;
  view.connection.firstWord.then(() => { isLate = false; });
  setTimeout(() => {
    if (!isLate || !root.host?.isConnected) return;
    const note = element("p", "late", LATE);
    note.setAttribute("role", "status");
    root.querySelector(".view").before(note);
    view.connection.firstWord.then(() => note.remove());
  }, LATE_MS);
}
