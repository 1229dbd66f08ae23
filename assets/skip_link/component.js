// For the keyboard: the key / goes to the editor, as does a paste that would go nowhere, and a button that is hidden
// until it has the focus.

let isListening = false;

export default function render({ parentElement }) {
  const go = () => firstEditor(document)?.focus();
  parentElement.querySelector("button").onclick = go;
  if (isListening) return;
  isListening = true;
  addEventListener("keydown", (event) => {
    const [target] = event.composedPath();
    const isModified = event.ctrlKey || event.metaKey;
    if (event.key !== (isModified ? "v" : "/") || event.altKey || isTypedInto(target)) return;
    if (!isModified) event.preventDefault();
    go();
  });
}

function isTypedInto(node) {
  return node.isContentEditable || node.matches?.("input, textarea, select, [role=combobox], [role=grid], canvas");
}

/** The first visible editor of a document; those of components are in trees of their own. */
function firstEditor(root) {
  for (const node of root.querySelectorAll("*")) {
    if (node.matches("textarea, input[name=query]") && node.checkVisibility()) return node;
    const inner = node.shadowRoot && firstEditor(node.shadowRoot);
    if (inner) return inner;
  }
  return null;
}
