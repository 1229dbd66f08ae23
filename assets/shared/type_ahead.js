// Keeps the caret, and what is typed meanwhile, of an editor that the page removes under somebody's hands and soon
// redraws.
//
// Streamlit drops what a fragment has drawn if a run of the whole page ends just as a run of the fragment begins, and
// the browser removes the fragment until it is redrawn.

const COMES_BACK_MS = 4_000; // a busy server takes seconds, and a long text is put into its editor two seconds late

let held = null; // {name, start, end, keys, timer} of the document that was being edited

/** An editor was removed while somebody typed in it. */
export function holdTyping(name, area) {
  forget();
  held = { name, start: area.selectionStart, end: area.selectionEnd, keys: "", timer: setTimeout(forget, COMES_BACK_MS) };
  addEventListener("keydown", keep, { capture: true });
  addEventListener("pointerdown", forget, { capture: true });
}

/** An editor has the text of this document: go on typing in it, if nobody has gone elsewhere. */
export function resumeTyping(name, area) {
  if (held?.name !== name || document.activeElement !== document.body) return;
  area.focus({ preventScroll: true });
  if (area.getRootNode().activeElement !== area) return; // it cannot be seen
  const { start, end, keys } = held;
  forget();
  area.setSelectionRange(start, end);
  if (keys) document.execCommand("insertText", false, keys); // as if typed: it can be undone, and keeps to maxlength
}

/** Keep a character meant for the editor; the page would take it for a shortcut. */
function keep(event) {
  const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
  if (isCommand || event.isComposing || document.activeElement !== document.body) return;
  const { key } = event;
  if (key === "Enter") held.keys += "\n";
  else if (key === "Backspace") held.keys = [...held.keys].slice(0, -1).join("");
  else if (key && [...key].length === 1) held.keys += key;
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function forget() {
  clearTimeout(held?.timer);
  held = null;
  removeEventListener("keydown", keep, { capture: true });
  removeEventListener("pointerdown", forget, { capture: true });
}
