// Keeps the caret, and what is typed meanwhile, when an editor in use loses the focus and soon gets it back.
//
// Streamlit drops what a fragment has drawn if a run of the whole page ends just as a run of the fragment begins, and
// the browser removes the fragment until it is redrawn. If the server does not answer, Streamlit says so in a dialog that
// takes the focus and gives it to nobody when it closes.

const COMES_BACK_MS = 4_000; // a busy server takes seconds, and a long text is put into its editor two seconds late

let held = null; // {area, name, dialog, start, end, erased, keys, timer}; the name is known once the editor is removed

/** Give the focus back to a text field that loses it to a dialog nobody asked for. */
export function guardFocus() { addEventListener("focusout", holdIfTakenByDialog, { capture: true }); }

/** An editor was removed while somebody typed in it. */
export function holdTyping(name, area) {
  if (held?.area !== area) startHolding(area);
  held.name = name;
  if (!held.dialog) forgetHeldLater();
}

/** An editor has the text of this document: go on typing in it, if nobody has gone elsewhere. */
export function resumeTyping(name, area) {
  if (held?.name !== name && held?.area !== area) return;
  held.area = area; // which takes the place of one that was removed
  if (!held.dialog) resumeHeldTyping();
}

/** Whether an editor has lost the focus, but only for a while. */
export function isHeld(area) { return held?.area === area; }

function holdIfTakenByDialog(event) {
  const [area] = event.composedPath();
  const dialog = event.relatedTarget;
  if (area.selectionStart == null || !dialog?.matches("[role=dialog]") || event.composedPath().includes(dialog)) return;
  if (document.querySelector(":active")) return; // somebody has clicked in it
  startHolding(area, dialog);
  held.closing = new MutationObserver(() => { if (!dialog.isConnected) resumeAfterDialog(); });
  held.closing.observe(document, { childList: true, subtree: true });
}

function resumeAfterDialog() {
  held.closing.disconnect();
  held.dialog = null;
  forgetHeldLater();
  if (held.area.isConnected && !held.area.readOnly) resumeHeldTyping(); // else once it has its text
}

function resumeHeldTyping() {
  if (document.activeElement !== document.body) return;
  const { area, start, end, erased, keys } = held;
  area.focus({ preventScroll: true });
  if (area.getRootNode().activeElement !== area) return; // it cannot be seen
  forgetHeld();
  area.setSelectionRange(start, end);
  // As if typed: it can be undone, and keeps to maxlength.
  for (let n = 0; n < erased; n++) document.execCommand("delete");
  if (keys) document.execCommand("insertText", false, keys);
}

/** Keep a character meant for the editor; the page would take it for a shortcut. */
function keepKey(event) {
  const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
  const isElsewhere = document.activeElement !== (held.dialog ?? document.body);
  if (isCommand || isElsewhere || event.isComposing) return;
  const { key } = event;
  if (key === "Enter") held.keys += held.area.matches(".one-line, input") ? "" : "\n";
  else if (key === "Backspace" && !held.keys) held.erased++;
  else if (key === "Backspace") held.keys = [...held.keys].slice(0, -1).join("");
  else if (key && [...key].length === 1) held.keys += key;
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function startHolding(area, dialog = null) {
  forgetHeld();
  held = { area, dialog, start: area.selectionStart, end: area.selectionEnd, erased: 0, keys: "" };
  addEventListener("keydown", keepKey, { capture: true });
  addEventListener("pointerdown", forgetUnlessDialog, { capture: true });
}

/** Somebody clicks on the page, or on the dialog to close it. */
function forgetUnlessDialog() {
  if (!held.dialog) forgetHeld();
}

function forgetHeldLater() {
  clearTimeout(held.timer);
  held.timer = setTimeout(forgetHeld, COMES_BACK_MS);
}

function forgetHeld() {
  clearTimeout(held?.timer);
  held?.closing?.disconnect();
  held = null;
  removeEventListener("keydown", keepKey, { capture: true });
  removeEventListener("pointerdown", forgetUnlessDialog, { capture: true });
}
