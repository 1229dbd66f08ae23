// The code of a page's components, by their names: it comes once, and whatever shows one waits for it.

/** What is known of the code of a name: a promise of it, and how it is given. */
function codeOf(name) {
  const all = (globalThis.tokvizCode ??= new Map());
  if (!all.has(name)) {
    const entry = {};
    entry.promise = new Promise((resolve) => (entry.resolve = resolve));
    all.set(name, entry);
  }
  return all.get(name);
}

/** Hand over the code of a component: its markup, its style sheet, and a function that returns how it is shown. */
function hand(name, html, css, scope) {
  const entry = codeOf(name);
  if (entry.given) return; // by another page of this tab
  entry.given = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  entry.resolve({ html, sheet, render: scope() });
}
