// Hands over the code of components to the loaders that wait for it.

/** Hand over the code of a component: its markup, its style sheet, and a function that returns how its data is shown. */
function hand(name, html, css, scope) {
  const entry = codeOf(name);
  if (entry.given) return; // by another page of this tab
  entry.given = true;
  const furnished = new WeakSet(); // the places that have the markup
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  const render = scope();
  entry.resolve(({ data, parentElement: place, ...rest }) => {
    if (!furnished.has(place)) {
      furnished.add(place);
      place.adoptedStyleSheets = [sheet];
      place.replaceChildren(document.createRange().createContextualFragment(html));
    }
    return render({ data: JSON.parse(new TextDecoder().decode(data)), parentElement: place, ...rest });
  });
}
