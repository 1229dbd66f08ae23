// What is hidden in a text, as the server says: stretches of the text, each with the number of its kind.

import { composedChange } from "./change.js";
import { partitionPoint } from "./text.js";
import { unpackedNumbers, splicedArray } from "./tokens.js";

/** @typedef {{start: number, end: number, text: string, kind: ?number}} Piece */

// Numbers of kinds; lower numbers are invisible characters, the first two here are letters.
export const LOOK_ALIKE = 5;
const STACK = 6;
export const FORM = 7; // a normal form other than C, in which nothing is hidden

export class HiddenMarks {
  /**
   * @param {import("./tokens.js").Numbers} gaps between the marks, in UTF-16 units
   * @param {import("./tokens.js").Numbers} widths
   * @param {import("./tokens.js").Numbers} kinds
   */
  constructor(gaps, widths, kinds) {
    this.gaps = gaps;
    this.widths = widths;
    this.kinds = kinds;
    this.count = kinds.length;
    this.starts = new Int32Array(this.count);
    for (let i = 0, end = 0; i < this.count; i++) {
      this.starts[i] = end + gaps[i];
      end = this.starts[i] + widths[i];
    }
  }

  end(i) { return this.starts[i] + this.widths[i]; }

  /** The marks after what a reply says has changed. */
  afterReply({ at, removed, ...packed }) {
    const [gaps, widths, kinds] = ["gaps", "widths", "kinds"].map((name) =>
      splicedArray(this[name], at, removed, Int32Array.from(unpackedNumbers(packed[name]))));
    return new HiddenMarks(gaps, widths, kinds);
  }

  /** The marks after a change of the text, without those that the change touches. */
  movedBy(change) {
    if (!change || !this.count) return this;
    const first = partitionPoint(this.count, (i) => this.end(i) > change.start);
    const after = Math.max(first, partitionPoint(this.count, (i) => this.starts[i] >= change.oldStop));
    const gaps = splicedArray(this.gaps, first, after - first, []);
    if (after < this.count) {
      const before = first > 0 ? this.end(first - 1) : 0;
      gaps[first] = this.starts[after] + change.newStop - change.oldStop - before;
    }
    return new HiddenMarks(gaps, splicedArray(this.widths, first, after - first, []), splicedArray(this.kinds, first, after - first, []));
  }

  /**
   * The text from..to-1 in pieces, each marked or not.
   * @returns {Piece[]}
   */
  pieces(text, from, to) {
    const found = [];
    let at = from;
    for (let i = partitionPoint(this.count, (mark) => this.end(mark) > from); i < this.count && this.starts[i] < to; i++) {
      const start = Math.max(this.kinds[i] === STACK ? characterBefore(text, this.starts[i]) : this.starts[i], at);
      const end = Math.min(this.end(i), to);
      if (start > at) found.push({ start: at, end: start, text: text.slice(at, start), kind: null });
      found.push({ start, end, text: text.slice(start, end), kind: this.kinds[i] });
      at = end;
    }
    if (to > at) found.push({ start: at, end: to, text: text.slice(at, to), kind: null });
    return found;
  }

  /** Where the marks differ from the old ones, as {from, to} in the new text; null for nowhere. Lengths are in units. */
  changedRange(old, oldLength, length) {
    const shorter = Math.min(old.count, this.count);
    let front = 0;
    while (front < shorter && old.gaps[front] === this.gaps[front] && this.isSame(front, old, front)) front++;
    let back = 0;
    while (back < shorter - front && this.isSame(this.count - 1 - back, old, old.count - 1 - back) &&
      length - this.end(this.count - 1 - back) === oldLength - old.end(old.count - 1 - back)) back++;
    if (front + back === this.count && this.count === old.count) return null;
    const changed = [[this, length], [old, oldLength]].filter(([marks]) => front < marks.count - back);
    const from = Math.min(...changed.map(([marks]) => marks.starts[front]));
    const behind = Math.min(...changed.map(([marks, size]) => size - marks.end(marks.count - 1 - back)));
    return { from, to: length - behind };
  }

  isSame(i, other, j) { return this.widths[i] === other.widths[j] && this.kinds[i] === other.kinds[j]; }
}

/** Where the character before an offset begins: the one that a stack of marks belongs to. */
function characterBefore(text, offset) {
  const before = text.charCodeAt(offset - 1);
  return Math.max(offset - (before >= 0xdc00 && before < 0xe000 ? 2 : 1), 0);
}

export const NO_MARKS = new HiddenMarks(new Int32Array(0), new Int32Array(0), new Int32Array(0));

/** The marks after a reply, in which `null` means no change, or no marks if it is a whole reply. */
export function marksAfterReply(marks, { hidden, tokenizer }) {
  if (tokenizer) marks = NO_MARKS;
  return hidden ? marks.afterReply(hidden) : marks;
}

/** A change of tokens extended to those whose marks have changed, which are drawn again too. */
export function withChangedMarks(change, tokens, old) {
  const range = tokens.hidden.changedRange(old.hidden ?? NO_MARKS, old.text.length, tokens.text.length);
  if (!range || !tokens.count) return change;
  const start = tokens.at(range.from);
  const stop = tokens.at(Math.max(range.to - 1, range.from)) + 1;
  return composedChange(change, { start, oldStop: stop, newStop: stop });
}
