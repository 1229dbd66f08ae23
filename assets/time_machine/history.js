// The whole history of a text: for every gap between two bytes the merge that closes it. Text, marks and
// curve at any step are read from this one array, so scrubbing asks the server nothing. A special token, or a
// character that merging begins with, is whole at every step: its gaps are closed from the start.
//
// Ranks count from 0. Step k comes after the first k merges, so the merge of rank k is the next one there.

import { colourOf, SPECIAL } from "../shared/colours.js";
import { cutsGrapheme, partitionPoint, unitPerByte, utf8 } from "../shared/text.js";
import { unpackedNumbers, splicedArray, Tokens } from "../shared/tokens.js";

export const NEVER = -1;
const FROM_START = -2;
const SHIFT = 2; // added to the ranks that are sent, which are unsigned
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A history as it is sent: the bytes of the text, the gap after each, the sizes of the pretokens, the special tokens, the
 * tokenizer, and the ids of what the merge of each rank makes and of characters. These never change, so the maps only grow.
 */
const emptyHistory = (tokenizer) => ({ bytes: new Uint8Array(0), gaps: new Int32Array(0), sizes: new Int32Array(0), ids: new Map(), characters: new Map(), tokenizer });

/** The history after a reply that changes `sent` or contains all of it; null if there is nothing to change. */
export function historyAfterReply(sent, { at, removed, text, gaps, ranks, ids, characters = [], pretokens, special, unusual, tokenizer }) {
  const old = tokenizer ? emptyHistory(tokenizer) : sent;
  if (!old) return null; // the change is of what an earlier view was sent; all of it comes next
  const made = unpackedNumbers(ids);
  unpackedNumbers(ranks).forEach((rank, i) => old.ids.set(rank, made[i]));
  for (const [character, id] of characters) old.characters.set(character, id);
  return {
    ...old,
    bytes: splicedArray(old.bytes, at, removed, utf8.encode(text)),
    gaps: splicedArray(old.gaps, at, removed, unpackedNumbers(gaps)),
    sizes: splicedArray(old.sizes, pretokens.at, pretokens.removed, unpackedNumbers(pretokens.sizes)),
    special,
    unusual,
  };
}

export class MergeHistory {
  constructor({ bytes, gaps, sizes, ids, characters = new Map(), special, unusual = [], tokenizer }, hidden = undefined) {
    this.text = decoder.decode(bytes);
    this.hidden = hidden; // what is hidden in it
    this.bytes = bytes;
    this.nMerges = tokenizer.n_merges;
    this.across = tokenizer.across ?? null; // the rank from which merges reach across words
    this.languages = tokenizer.languages?.names ?? [];
    this.languageNumbers = tokenizer.languages ? unpackedNumbers(tokenizer.languages.of) : [];
    this.byteIds = unpackedNumbers(tokenizer.byte_ids);
    this.characterIds = characters;
    this.special = new Map(special); // the first byte of each special token, and its id
    this.specialIds = new Set(this.special.values());
    // unitStart[i] and unitEnd[i]: where in UTF-16 units the character that holds byte i begins and ends.
    this.unitStart = new Int32Array(bytes.length);
    this.unitEnd = new Int32Array(bytes.length);
    this.layOutBytes();
    // closedBy[i]: the rank that closes the gap before byte i; the first byte has none before it.
    this.closedBy = new Int32Array(bytes.length).fill(NEVER);
    for (let i = 1; i < bytes.length; i++) this.closedBy[i] = gaps[i - 1] - SHIFT;
    this.atStart = this.closedBy.reduce((n, rank) => n - (rank === FROM_START), bytes.length);
    // The closed gaps in the order of their ranks, so that the gaps between two steps are a slice.
    const order = orderedGaps(this.closedBy);
    this.places = Int32Array.from(order, (key) => key % 2 ** 24);
    this.ranks = Int32Array.from(order, (key) => Math.floor(key / 2 ** 24));
    this.madeIds = new Int32Array(bytes.length); // the id that the merge at each gap makes
    for (let i = 0; i < this.ranks.length; i++) this.madeIds[this.places[i]] = ids.get(this.ranks[i]);
    this.recordUnusual(unusual);
    let end = 0;
    this.pretokenEnds = Int32Array.from(sizes, (size) => (end += size));
  }

  /** The text with a unit for each byte. */
  get unitPerByte() { return this.searched ??= unitPerByte(this.bytes); }

  /**
   * Note tokens that are not made by one merge of two tokens of lower rank, as [start, middle, end, id, rank]: one that is
   * taken whole has no middle, and closes several gaps at its rank; the others close the gap before the byte `middle` at
   * the rank of a merge that makes another token.
   */
  recordUnusual(unusual) {
    this.unusual = new Map();
    this.whole = new Map(); // those taken whole, by their ranks
    this.others = new Map(); // how many gaps of a rank are not closed by the merge of that rank
    this.apart = new Set(); // the bytes after those gaps
    const setApart = (byte) => {
      if (this.apart.has(byte)) return;
      this.apart.add(byte);
      this.others.set(this.closedBy[byte], (this.others.get(this.closedBy[byte]) ?? 0) + 1);
    };
    for (const [start, middle, end, id, rank] of unusual) {
      this.unusual.set(spanKey(start, end), { id, rank, isWhole: middle === null });
      if (middle !== null) setApart(middle);
      else {
        this.whole.set(rank, [...this.whole.get(rank) ?? [], { start, end }]);
        for (let i = start + 1; i < end; i++) if (this.closedBy[i] === rank) setApart(i);
      }
    }
  }

  /** The token that is taken whole at this rank, as bytes with its id; null for none. */
  wholeOf(rank) {
    const [first] = this.whole.get(rank) ?? [];
    return first ? this.part(first.start, first.end) : null;
  }

  layOutBytes() {
    const { bytes } = this;
    let unit = 0;
    for (let i = 0; i < bytes.length;) {
      const lead = bytes[i];
      const size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      const end = unit + (size === 4 ? 2 : 1);
      this.unitStart.fill(unit, i, i + size);
      this.unitEnd.fill(end, i, i + size);
      unit = end;
      i += size;
    }
  }

  /** How many gaps merges of a rank below this one close. */
  closedBelow(rank) {
    return partitionPoint(this.ranks.length, (i) => this.ranks[i] >= rank);
  }

  tokenCount(k) { return this.atStart - this.closedBelow(k); }

  /** How often the merge of this rank is made in this text. */
  times(rank) {
    const closed = this.closedBelow(rank + 1) - this.closedBelow(rank);
    return closed - (this.others.get(rank) ?? 0) + (this.whole.get(rank)?.length ?? 0);
  }

  /** The next step (1) or the one before (-1) whose last merge changes the bytes from..to-1; null for none. */
  stepOfNextChange(k, direction, from = 0, to = this.bytes.length) {
    const inside = (i) => this.places[i] > from && this.places[i] < to;
    if (direction > 0) {
      let i = this.closedBelow(k);
      while (i < this.ranks.length && !inside(i)) i++;
      return i < this.ranks.length ? this.ranks[i] + 1 : null;
    }
    let i = this.closedBelow(k - 1) - 1;
    while (i >= 0 && !inside(i)) i--;
    return i >= 0 ? this.ranks[i] + 1 : k > 0 ? 0 : null;
  }

  /** The language that the merge of a rank was chosen for, or null. */
  languageOf(rank) { return this.languages[this.languageNumbers[rank] - 1] ?? null; }

  /** The two parts that the merge of a rank joins, as bytes with their ids, or null if this text does not make it. */
  parts(rank) {
    let at = this.closedBelow(rank);
    while (this.ranks[at] === rank && this.apart.has(this.places[at])) at++;
    if (this.ranks[at] !== rank) return null;
    const place = this.places[at];
    // Merges of lower rank made the parts; the nearest gap that closes later bounds them.
    const earlier = (i) => this.isClosed(i, rank);
    let start = place - 1;
    while (earlier(start)) start--;
    let end = place + 1;
    while (end < this.bytes.length && earlier(end)) end++;
    return { left: this.part(start, place), right: this.part(place, end), made: this.part(start, end) };
  }

  part(start, end) {
    return { bytes: this.bytes.subarray(start, end), id: this.idOf(start, end) };
  }

  /** What is unusual about the token start..end-1: its rank, and whether it is taken whole; undefined for most. */
  unusualAt(start, end) { return this.unusual.get(spanKey(start, end)); }

  /** The id of the token start..end-1: made by the last merge inside it, or its own as a byte, character or special token. */
  idOf(start, end) {
    if (this.special.has(start)) return this.special.get(start);
    if (this.unusual.size && this.unusualAt(start, end)) return this.unusualAt(start, end).id;
    let last = -1;
    let rank = NEVER;
    for (let i = start + 1; i < end; i++) if (this.closedBy[i] > rank) rank = this.closedBy[(last = i)];
    if (last >= 0) return this.madeIds[last];
    return end - start > 1 ? this.characterIds.get(this.string(start, end)) : this.byteIds[this.bytes[start]];
  }

  /** Whether the gap before a byte is closed after k merges; those inside what is whole from the start always are. */
  isClosed(i, k) { return this.closedBy[i] !== NEVER && this.closedBy[i] < k; }

  /**
   * The tokens of the bytes from..to-1 at step k. With a pinned step they are cut wherever either step cuts, each part
   * with the id and colour of the token it belongs to; `flags` has the marks of each. `next` is the rank of the merge whose
   * parts are marked as joined next, null for none.
   */
  tokensAt(from, to, k, pinned, next = k) {
    const colours = [];
    const finest = pinned === null ? k : Math.min(k, pinned);
    const byteStarts = [];
    const ids = [];
    const flags = [];
    for (let start = from; start < to;) {
      let end = start + 1;
      let last = NEVER;
      while (end < to && this.isClosed(end, k)) last = Math.max(last, this.closedBy[end++]);
      const id = this.idOf(start, end);
      const colour = this.specialIds.has(id) ? SPECIAL : colourOf(this.bytes.subarray(start, end));
      const made = last !== NEVER && last === k - 1 ? MADE : 0;
      const soon = this.closedBy[start] === next || (end < this.bytes.length && this.closedBy[end] === next) ? SOON : 0;
      for (let i = start; i < end; i++) {
        if (i > start && this.isClosed(i, finest)) continue;
        const only = pinned === null || i === 0 ? 0 : i > start ? PINNED_ONLY : this.isClosed(i, pinned) ? NOW_ONLY : 0;
        byteStarts.push(i);
        ids.push(id);
        colours.push(colour);
        flags.push(made | soon | only);
      }
      start = end;
    }
    return Object.assign(this.asTokens(byteStarts, to, ids), { colours, flags, byteStarts });
  }

  asTokens(byteStarts, to, ids) {
    const count = ids.length;
    const starts = new Int32Array(count + 1);
    const widths = new Int32Array(count);
    const sizes = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      const end = i + 1 < count ? byteStarts[i + 1] : to;
      starts[i] = this.unitStart[byteStarts[i]];
      widths[i] = this.unitEnd[end - 1] - starts[i];
      sizes[i] = end - byteStarts[i];
    }
    starts[count] = this.unitEnd[to - 1];
    return Object.assign(new Tokens(this.text, ids, sizes, starts, widths), { hidden: this.hidden });
  }

  /** The pretoken that holds a byte, as {start, end} in bytes. */
  pretokenAt(byte) {
    const place = partitionPoint(this.pretokenEnds.length - 1, (i) => this.pretokenEnds[i] > byte);
    return { start: place ? this.pretokenEnds[place - 1] : 0, end: this.pretokenEnds[place] };
  }

  /** The pretoken with the same text as one of another history, the nearest to its place; or null. */
  samePretoken(pretoken, other) {
    const text = other.string(pretoken.start, pretoken.end);
    let found = null;
    let start = 0;
    for (const end of this.pretokenEnds) {
      if (found && start - pretoken.start > Math.abs(found.start - pretoken.start)) break;
      if (this.string(start, end) === text) found = { start, end };
      start = end;
    }
    return found;
  }

  /** The characters that hold the bytes start..end-1. */
  string(start, end) {
    return this.text.slice(this.unitStart[start], this.unitEnd[end - 1]);
  }

  /** Whether a line or a run of chips may end before this byte: nothing is ever joined or shared across it. */
  mayCut(byte) {
    return this.closedBy[byte] === NEVER && (this.bytes[byte] & 0xc0) !== 0x80 &&
      !cutsGrapheme(this.text, this.unitStart[byte]);
  }
}

function spanKey(start, end) { return start * 2 ** 24 + end; }

export const MADE = 1; // the last merge made this token
export const SOON = 2; // the next merge takes this token
export const NOW_ONLY = 4; // a boundary now, before this token, that the pinned step does not have
export const PINNED_ONLY = 8; // one that only the pinned step has

/** The places of the closed gaps, each with its rank above the lowest 24 bits, ascending. */
function orderedGaps(closedBy) {
  const byRank = [];
  for (let i = 1; i < closedBy.length; i++) if (closedBy[i] >= 0) byRank.push(closedBy[i] * 2 ** 24 + i);
  return Float64Array.from(byRank).sort();
}
