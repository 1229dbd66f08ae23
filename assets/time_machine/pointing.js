// What is pointed at in the text. The token is described below the text. Beside a boundary that is pointed at, tapped, or
// reached with the arrow keys, words say why the two tokens are not one.

import { NEVER } from "./history.js";
import { tokenChip } from "../shared/chips.js";
import { hex, visibleCharacter } from "../shared/text.js";
import { mergeNumberText } from "../shared/words.js";

const EDGE_PIXELS = 6; // from the edge of a token, within which one points at the boundary
export const POINT_HINT = "Solid: just merged. Dashed: next. Press a word to zoom in.";
export const GUESS_HINT = "Solid: just merged.";

export class Boundary {
  /** `machine` has the history, the step and the text, and asks the server why a boundary never closes. */
  constructor(machine) {
    this.machine = machine;
    this.pane = machine.root.querySelector(".pane.tokens");
    this.tip = machine.root.querySelector(".why-apart");
    this.byte = null; // that begins the token after the boundary
    this.known = new Map(); // why boundaries of this history never close, by their bytes
    const { scroller } = machine.panel;
    for (const kind of ["pointermove", "click"]) scroller.addEventListener(kind, (event) => this.point(event));
    for (const kind of ["pointerleave", "blur", "scroll"]) scroller.addEventListener(kind, () => this.hide());
    scroller.addEventListener("keydown", (event) => this.walk(event));
  }

  /** The boundary to ask about, one that never closes and is not explained yet; or null. */
  get asked() {
    return this.byte !== null && this.machine.history.closedBy[this.byte] === NEVER && !this.known.has(this.byte) ? this.byte : null;
  }

  /** Forget the explanations, which belong to another history. */
  forget() {
    this.known.clear();
    this.hide();
  }

  hide() {
    this.byte = null;
    this.tip.hidden = true;
  }

  point(event) {
    const { panel } = this.machine;
    const token = panel.tokenAt(event.target);
    const chip = token && event.target.closest("[data-i]");
    const byte = chip && boundaryAt(chip.getBoundingClientRect(), event.clientX, panel.bytesOf(chip), token);
    if (byte) this.show(byte, chip.getBoundingClientRect(), byte === token.start);
    else this.hide();
  }

  /** The arrow keys go from boundary to boundary if the text has the focus. */
  walk(event) {
    const { history, k, panel, data } = this.machine;
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") this.hide();
    if (!direction || data.presenting || !history) return;
    const byte = nextBoundary(history, k, this.byte ?? 0, direction);
    if (byte === null) return;
    event.preventDefault();
    panel.revealByte(byte);
    const chip = panel.chipAt(byte);
    if (chip) this.show(byte, chip.getBoundingClientRect(), true);
  }

  /** Say why the tokens on both sides of a boundary are apart; `box` is that of the token after or before it. */
  show(byte, box, isAfter) {
    const { machine } = this;
    if (machine.prediction.isAsking) { // it could give the next merge away
      this.hide();
      return;
    }
    this.byte = byte;
    this.box = box;
    this.x = isAfter ? box.left : box.right;
    this.draw();
    if (this.asked !== null) machine.questions.ask();
  }

  /** Take the server's words for why a boundary never closes. */
  take({ byte, why }) {
    this.known.set(byte, why);
    if (this.byte === byte) this.draw();
  }

  draw() {
    const { tip, pane } = this;
    const words = boundaryText(this.machine.history.closedBy[this.byte], this.known.get(this.byte));
    tip.hidden = !words;
    if (!words) return;
    tip.textContent = words;
    const frame = pane.getBoundingClientRect();
    tip.style.left = `${Math.max(0, Math.min(this.x - frame.left, frame.width - tip.offsetWidth - 4))}px`;
    tip.style.top = `${this.box.bottom - frame.top + 6}px`;
  }
}

/** The boundary that a pointer at `x` is at, on the chip of the bytes start..end-1 of a token; null for none. */
export function boundaryAt(box, x, [start, end], token) {
  const near = Math.min(EDGE_PIXELS, (box.right - box.left) / 2);
  if (start === token.start && start > 0 && x - box.left <= near) return start;
  return end === token.end && !token.isLast && box.right - x <= near ? end : null;
}

/** The next boundary at step k after a byte (1) or before it (-1), null at an end of the text. */
export function nextBoundary(history, k, from, direction) {
  for (let i = from + direction; i > 0 && i < history.bytes.length; i += direction) if (!history.isClosed(i, k)) return i;
  return null;
}

/** Why a boundary is there: the rank of the merge that closes it later, or what the server says about one that stays. */
export function boundaryText(closedBy, why) {
  if (closedBy !== NEVER) return `Not merged yet: merge ${mergeNumberText(closedBy)} will join them.`;
  return why ? `Never merged: ${why}.` : "";
}

/** What the first bytes are that step k shows in place of a character, in words; "" if all characters are whole. */
export function bytesText(history, k) {
  const { bytes } = history;
  const isInside = (i) => (bytes[i] & 0xc0) === 0x80;
  let start = 0;
  for (let i = 1; i < bytes.length; i++) {
    if (!isInside(i)) start = i;
    else if (!history.isClosed(i, k)) {
      let end = i + 1;
      while (end < bytes.length && isInside(end)) end++;
      const character = visibleCharacter(history.string(start, end));
      return `Each code is one byte: ${character} takes ${end - start} (${hex(bytes.subarray(start, end))}), an English letter 1.`;
    }
  }
  return "";
}

/** Describe a token of a history. */
export function describeToken(target, token, history) {
  const { start, end, id } = token;
  const bytes = history.bytes.subarray(start, end);
  target.replaceChildren(tokenChip({ bytes, id }), ` id ${id}, ${originText(history, start, end)}, bytes ${hex(bytes)}`);
}

/** How the token of the bytes start..end-1 came to be. */
function originText(history, start, end) {
  if (history.special.has(start)) return "a special token, whole from the start";
  const unusual = history.unusualAt(start, end);
  if (unusual?.isWhole) return "made by no merge: a pretoken that is a token is taken whole";
  let rank = unusual?.rank ?? NEVER;
  if (!unusual) for (let i = start + 1; i < end; i++) rank = Math.max(rank, history.closedBy[i]);
  if (rank !== NEVER) return `made by merge ${mergeNumberText(rank)}`;
  return end - start > 1 ? "a character, whole from the start" : "a single byte";
}
