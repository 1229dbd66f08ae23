// What browsers and keyboards expect of a header: a landmark, links that open in new tabs, and a key that goes to the text.

const LINK = "a[data-testid^=stPageLink]";
let isListening = false;

export default function render({ parentElement }) {
  const go = () => firstEditor(document)?.focus();
  parentElement.querySelector("button").onclick = go;
  const { host } = parentElement.getRootNode();
  const header = host?.closest(".st-key-header");
  header?.setAttribute("role", "navigation");
  header?.setAttribute("aria-label", "Pages and tools");
  if (isListening) return;
  isListening = true;
  addEventListener("keydown", (event) => {
    const [target] = event.composedPath();
    const isModified = event.ctrlKey || event.metaKey;
    if (event.key !== (isModified ? "v" : "/") || event.altKey || isTypedInto(target)) return;
    if (!isModified) event.preventDefault(); // a paste goes where the focus has gone
    go();
  });
  for (const type of ["pointerover", "focusin"]) addEventListener(type, giveAddress, true);
  addEventListener("click", leaveToBrowser, true);
}

/** The first page has an empty address in Streamlit's links, which a browser takes for the page that it is on. */
function giveAddress(event) {
  const link = event.target.closest?.(LINK);
  if (link?.getAttribute("href") === "") link.setAttribute("href", "./");
}

/** A link that is pressed with a key for a new tab or window is the browser's; Streamlit would open it in this one. */
function leaveToBrowser(event) {
  if ((event.ctrlKey || event.metaKey || event.shiftKey) && event.target.closest?.(LINK)) event.stopImmediatePropagation();
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
