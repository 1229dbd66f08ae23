// A button for the keyboard, the first on a page and unseen until it is reached: it goes on to where one types.

export default function render({ parentElement }) {
  parentElement.querySelector("button").onclick = () => firstEditor(document)?.focus();
}

/** The first editor of a document that is in sight; those of components stand in trees of their own. */
function firstEditor(root) {
  for (const node of root.querySelectorAll("*")) {
    if (node.matches("textarea, input:not([type]), input[type=text]") && node.checkVisibility()) return node;
    const inner = node.shadowRoot && firstEditor(node.shadowRoot);
    if (inner) return inner;
  }
  return null;
}
