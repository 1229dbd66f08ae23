// The tokens of a text as flat arrays, how a reply changes them, and how they follow the typing.

import { colourOf, NONE, SPECIAL } from "./colours.js";
import { bytesOfHex, charactersOf, commonEndLengths, hex, continuesGrapheme, partitionPoint, utf8 } from "./text.js";

export const PENDING = -1; // the id of text that is typed, but not yet tokenized

/** @typedef {Int32Array | Uint8Array | Uint16Array} Numbers */

export class Tokens {
  /**
   * starts has one entry more than there are tokens: where the tokenized text ends. Between two tokens there
   * may be text that belongs to neither, and a token may be empty.
   * @param {string} text
   * @param {Numbers} ids
   * @param {Numbers} sizes of their bytes
   * @param {Int32Array} starts in UTF-16 units
   * @param {Numbers} widths in UTF-16 units
   */
  constructor(text, ids, sizes, starts, widths) {
    this.text = text;
    this.ids = ids;
    this.sizes = sizes;
    this.starts = starts;
    this.widths = widths;
    this.count = ids.length;
    this.isWhole = false; // whether the text begins with the first of them
    /** @type {ArrayLike<number> | undefined} their colours, where these are not those of their bytes */
    this.colours = undefined;
    /** @type {Set<number> | undefined} the ids of special tokens */
    this.special = undefined;
    /** @type {Map<number, string> | undefined} the bytes, in hex, of tokens whose text does not show them */
    this.raw = undefined;
    this.placed = false; // whether the bytes of the tokens may not add up to the text
    this.normalizes = false; // whether that is because the text is changed before it is split
    /** @type {Map<number, string> | undefined} how the vocabulary writes ids */
    this.labels = undefined;
    /** @type {number | undefined} the id of the unknown token */
    this.unknown = undefined;
    /** @type {import("./hidden_marks.js").HiddenMarks | undefined} what hides in the text */
    this.hidden = undefined;
    /** @type {[number, number, boolean][] | undefined} of a chat: [first token, whose, whether it is content] */
    this.runs = undefined;
    /** @type {Set<number> | undefined} the messages that are not shown */
    this.folded = undefined;
  }

  end(i) { return this.starts[i] + this.widths[i]; }

  /** Where the text begins that is drawn with token i; before the first one that may be text of no token. */
  textStart(i) { return i === 0 && this.isWhole ? 0 : this.starts[i]; }

  /** The text after the last token that belongs to none. */
  get tail() { return this.count ? this.text.slice(this.end(this.count - 1), this.starts[this.count]) : ""; }

  /** Where the token before i ends; from there to token i the text belongs to none. */
  gapStart(i) { return i === 0 ? 0 : Math.min(this.end(i - 1), this.starts[i]); }

  /** How the vocabulary writes a token that the text does not show: an unknown, empty, or normalised one; else null. */
  written(i) {
    const name = this.labels?.get(this.ids[i]);
    if (name === undefined) return null;
    if (this.normalizes) return name === this.string(i) && !this.isPartial(i) ? null : name;
    return this.ids[i] === this.unknown || !this.widths[i] || (this.isPartial(i) && !this.place(i).valid) ? name : null;
  }

  /** Take what a reply says about a tokenizer that is not byte-level. */
  describe({ placed, normalizes, labels, unknown }) {
    return placed ? Object.assign(this, { placed, normalizes, labels: new Map(labels), unknown }) : this;
  }

  /** Whether the text of a token was changed before it was split. */
  isChanged(i) { return this.normalizes && this.widths[i] > 0 && this.written(i) !== null; }

  /** In a chat: the message that a token belongs to, below 0 for none, and whether it holds some of its content. */
  partOf(i) {
    const run = this.runs?.[partitionPoint(this.runs.length, (at) => this.runs[at][0] > i)];
    return run ? { owner: run[1], isContent: run[2] } : null;
  }

  isScaffolding(i) { return Boolean(this.runs) && this.partOf(i)?.isContent === false; }

  /** Whether a token is hidden with the message it belongs to; the scaffolding around what one says stays. */
  isFolded(i) {
    if (!this.folded?.size) return false;
    const part = this.partOf(i);
    return part !== null && this.folded.has(part.owner) && (part.isContent || part.owner < 0);
  }

  string(i) { return this.text.slice(this.starts[i], this.end(i)); }

  /** Whether the token begins inside a character that the token before it shares. */
  splitsBefore(i) { return i > 0 && i < this.count && this.starts[i] < this.end(i - 1); }

  /** Whether the token holds a part of a character that a neighbour holds the rest of. */
  isPartial(i) { return this.splitsBefore(i) || this.splitsBefore(i + 1); }

  /** The token that covers a UTF-16 offset, or the last one. */
  at(offset) {
    return partitionPoint(this.count - 1, (i) => this.end(i) > offset);
  }

  /** A token's place: the characters of its segment, and which of their bytes it holds. */
  place(i) {
    let first = i;
    while (this.splitsBefore(first)) first--;
    let last = i;
    while (this.splitsBefore(last + 1)) last++;
    let byteStart = 0;
    let total = 0;
    for (let j = first; j <= last; j++) {
      if (j < i) byteStart += this.sizes[j];
      total += this.sizes[j];
    }
    const text = this.text.slice(this.starts[first], this.end(last));
    const characters = charactersOf(text);
    const end = characters.at(-1);
    // Bytes that are not valid UTF-8 show as U+FFFD, so the text does not say what they are.
    const valid = end !== undefined && end.byteStart + end.byteSize === total;
    return { start: this.starts[first], text, characters, byteStart, byteEnd: byteStart + this.sizes[i], valid };
  }

  /** The token's bytes; for bytes that are not valid UTF-8, those the server sent. */
  bytes(i) {
    if (this.raw?.has(i)) return bytesOfHex(this.raw.get(i));
    if (this.normalizes && this.written(i) !== null) return utf8.encode(this.written(i));
    if (!this.isPartial(i)) return utf8.encode(this.string(i));
    const place = this.place(i);
    return utf8.encode(place.text).subarray(place.byteStart, place.byteEnd);
  }

  hex(i) { return hex(this.bytes(i)); }

  colour(i) {
    if (this.colours) return this.colours[i];
    if (this.ids[i] === PENDING) return NONE;
    return this.special?.has(this.ids[i]) ? SPECIAL : colourOf(this.bytes(i));
  }

  /** [{text, from, to, of, start}] of the characters a token touches; from-to count its bytes from 1. */
  parts(i) {
    const place = this.place(i);
    if (!place.valid) return [];
    return place.characters
      .filter((c) => c.byteStart < place.byteEnd && c.byteStart + c.byteSize > place.byteStart)
      .map((c) => ({
        text: c.text,
        start: place.start + c.start,
        from: Math.max(place.byteStart - c.byteStart, 0) + 1,
        to: Math.min(place.byteEnd - c.byteStart, c.byteSize),
        of: c.byteSize,
      }));
  }
}

export const NO_TOKENS = new Tokens("", new Int32Array(0), new Int32Array(0), new Int32Array(1), new Int32Array(0));

/**
 * Numbers sent as [bytes per number, base64 of little-endian unsigned numbers].
 * @returns {Numbers}
 */
export function unpackedNumbers([width, base64]) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  const Kind = { 1: Uint8Array, 2: Uint16Array, 4: Int32Array }[width];
  return new Kind(bytes.buffer);
}

/** An array of the kind of the old one, with `removed` numbers from `at` on replaced by others. */
export function splicedArray(old, at, removed, added) {
  const array = new old.constructor(old.length - removed + added.length);
  array.set(old.subarray(0, at));
  array.set(added, at);
  array.set(old.subarray(at + removed), at + added.length);
  return array;
}

/** The tokens after the changes in a reply; a whole reply changes NO_TOKENS. */
export function tokensAfterReply(base, { at, removed, from, shift, ...reply }) {
  const [ids, sizes, widths] = ["ids", "sizes", "widths"].map((name) =>
    splicedArray(base[name], at, removed, unpackedNumbers(reply[name])));
  const advances = unpackedNumbers(reply.advances);
  const starts = new Int32Array(ids.length + 1);
  starts.set(base.starts.subarray(0, at));
  let start = from;
  for (let i = 0; i < advances.length; i++) starts[at + i] = start += advances[i];
  for (let i = at + removed, j = at + advances.length; j < ids.length; i++, j++) starts[j] = base.starts[i] + shift;
  starts[ids.length] = reply.end;
  return Object.assign(new Tokens("", ids, sizes, starts, widths), { isWhole: true });
}

/**
 * Tokens laid on a text that has changed since: what the change touches becomes one PENDING token. Also the change of the
 * tokens, null if the text has not changed.
 */
export function laidTokensAndChange(tokens, text, change) {
  const { ids, sizes, starts, widths, special, raw, placed, normalizes, labels, unknown, runs, folded, count } = tokens;
  const named = { isWhole: true, special, raw, placed, normalizes, labels, unknown, runs, folded };
  if (!change) return { laid: Object.assign(new Tokens(text, ids, sizes, starts, widths), named), changed: null };
  const shift = change.newStop - change.oldStop;
  const oldLength = text.length - shift;
  const covered = starts[count];
  let kept = count === 0 ? 0 : tokens.at(change.start);
  if (kept === count - 1 && tokens.end(kept) <= change.start) kept = count;
  while (kept > 0 && (tokens.splitsBefore(kept) || continuesGrapheme(text, starts[kept]))) kept--;
  let after = Math.max(kept, count === 0 ? 0 : tokens.at(change.oldStop));
  while (after < count && (starts[after] < change.oldStop || tokens.splitsBefore(after))) after++;
  const from = tokens.gapStart(kept);
  // A text beyond the limit is covered only in part, and typing there changes nothing on view.
  let to = starts[after] + shift;
  if (after === count && covered < oldLength) to = Math.min(text.length, Math.max(from, covered));
  const pending = to > from ? [PENDING] : [];
  const next = kept + pending.length;
  const now = new Int32Array(count - (after - kept) + pending.length + 1);
  now.set(starts.subarray(0, kept + 1));
  now[kept] = from;
  for (let i = after, j = next; j < now.length; i++, j++) now[j] = starts[i] + shift;
  now[next] = to;
  const laid = Object.assign(new Tokens(
    text,
    splicedArray(ids, kept, after - kept, pending),
    splicedArray(sizes, kept, after - kept, pending.map(() => 0)),
    now,
    splicedArray(widths, kept, after - kept, pending.map(() => to - from)),
  ), named);
  return { laid, changed: { start: kept, oldStop: after, newStop: next } };
}

/** The tokens that a change of their text touches, as a change of the tokens in which nothing takes their place. */
export function touchedTokens(tokens, { start, oldStop }) {
  const first = partitionPoint(tokens.count, (i) => tokens.end(i) > start);
  const stop = Math.max(first, partitionPoint(tokens.count, (i) => tokens.starts[i] >= oldStop));
  return { start: first, oldStop: stop };
}

/** The change from some tokens to others; around it, both have the same, text included. Pending ones are never the same. */
export function tokensChange(old, now) {
  const shorter = Math.min(old.count, now.count);
  const ends = commonEndLengths(old.text, now.text);
  // In equal texts everything is a prefix; tokens at the end are the same all the same.
  const suffix = old.text === now.text ? old.text.length : ends.suffix;
  let front = 0;
  while (front < shorter && old.starts[front] === now.starts[front] && old.ids[front] === now.ids[front] && old.widths[front] === now.widths[front] &&
    now.ids[front] !== PENDING && old.starts[front + 1] === now.starts[front + 1] && old.sizes[front] === now.sizes[front] &&
    old.end(front) <= ends.prefix) front++;
  const sharedFrom = now.text.length - suffix;
  const oldSharedFrom = old.text.length - suffix;
  let back = 0;
  while (back < shorter - front) {
    const i = old.count - 1 - back;
    const j = now.count - 1 - back;
    if (now.ids[j] === PENDING || old.ids[i] !== now.ids[j] || old.widths[i] !== now.widths[j] || old.sizes[i] !== now.sizes[j] ||
      old.text.length - old.starts[i] !== now.text.length - now.starts[j] ||
      old.starts[i] < oldSharedFrom || now.starts[j] < sharedFrom) break;
    back++;
  }
  return { start: front, oldStop: old.count - back, newStop: now.count - back };
}
