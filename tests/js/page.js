// A page of nothing but events, in place of the one that tests of another module have made.

/** Make a page, and what else of a browser's globals a module under test uses. */
export function newPage(globals) {
  const page = new EventTarget();
  const addEventListener = page.addEventListener.bind(page);
  const removeEventListener = page.removeEventListener.bind(page);
  Object.assign(globalThis, { addEventListener, removeEventListener, ...globals });
  return page;
}
