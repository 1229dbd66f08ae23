// An editor that the page removes under somebody's hands, and soon draws anew: the caret and the keys are kept for it.
//
// Streamlit drops what a fragment has drawn if a run of the whole page ends just as a run of the fragment begins, and
// the browser takes the fragment away until it has been drawn again.

const COMES_BACK_MS = 1_000;

let left = null; // {name, start, end, keys, timer} of the document that was being edited

/** An editor was removed while somebody typed in it. */
export function leaveEditor(name, area) {
  forget();
  left = { name, start: area.selectionStart, end: area.selectionEnd, keys: "", timer: setTimeout(forget, COMES_BACK_MS) };
  addEventListener("keydown", keep, true);
}

/** An editor has the text of this document: go on in it, if nobody has gone elsewhere. */
export function takeUpEditor(name, area) {
  if (left?.name !== name) return;
  const { start, end, keys } = left;
  forget();
  if (document.activeElement !== document.body) return;
  area.focus({ preventScroll: true });
  area.setSelectionRange(start, end);
  if (!keys) return;
  area.setRangeText(keys, start, end, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Keep a character that was meant for the editor, and would be a shortcut of the page. */
function keep(event) {
  const isCharacter = [...event.key].length === 1 && !event.isComposing;
  const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
  if (!isCharacter || isCommand || document.activeElement !== document.body) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  left.keys += event.key;
}

function forget() {
  clearTimeout(left?.timer);
  left = null;
  removeEventListener("keydown", keep, true);
}
