// The code of a page's components, by their names: it comes once, and whatever shows one waits for it.

/** What is known of the code of a name: a promise of how to show the component, and how it is given. */
function codeOf(name) {
  const all = (globalThis.tokvizCode ??= new Map());
  if (!all.has(name)) {
    const entry = {};
    entry.promise = new Promise((resolve) => (entry.resolve = resolve));
    all.set(name, entry);
  }
  return all.get(name);
}
