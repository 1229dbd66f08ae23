// A vocabulary in the browser: its tokens as flat arrays, and which of them a search finds.
//
// All texts are joined in one string, and all bytes in another with a character for each byte: the engine finds something
// in a string of a million characters within a millisecond.

import { colourOf, SPECIAL } from "../shared/colours.js";
import { bytesOfHex, hex, partitionPoint, unitPerByte } from "../shared/text.js";
import { unpackedNumbers } from "../shared/tokens.js";

const KEPT_VOCABULARIES = 4;
export const VOCABULARIES = new Map(); // fingerprint -> Vocabulary, null while it is unpacked; outlives a change of page
const PREPARE_AFTER_MS = 200;
const HEX_BYTES = 100;
// A text that is bytes: "e0 b8", "0xe0b8"; not "ab", which may be meant as letters.
const BYTES_IN_HEX = /^\s*(0x|\\x|[\da-f]{2}[\s,])((0x|\\x|[\s,])*[\da-f]{2})+\s*$/i;
const WORDS = ["letters", "space + letters"]; // kinds
export const PART = 1; // the kind of a token that holds a part of a character; its text is empty here

class Vocabulary {
  /**
   * `buffer` holds the lengths of all tokens, then their kinds, their scripts, two columns of findings (if there was an
   * audit), and then their bytes.
   */
  constructor({ count, width, ids, kind_names, script_names, finding_names, finding_labels }, buffer) {
    const Lengths = { 1: Uint8Array, 2: Uint16Array, 4: Int32Array }[width];
    this.count = count;
    this.starts = offsetsOf(new Lengths(buffer, 0, count));
    this.kinds = new Uint8Array(buffer, count * width, count);
    this.scripts = new Uint8Array(buffer, count * (width + 1), count);
    this.findingNames = finding_names;
    this.findingLabels = finding_labels;
    this.findings = finding_names.length ? [2, 3].map((column) => new Uint8Array(buffer, count * (width + column), count)) : [];
    this.bytes = new Uint8Array(buffer, count * (width + 2 + this.findings.length));
    this.kindNames = kind_names;
    this.scriptNames = script_names;
    this.ids = idsFromRuns(ids, count);
    this.text = ""; // of all tokens
    this.textStarts = null; // in UTF-16 units
    this.nChars = new Int32Array(count); // characters of each token
    this.foldedText = this.byteString = null; // made when a search needs them
    this.orders = {};
    this.readTexts();
  }

  /** Lay out the texts in one string, in UTF-16 units, and count their characters; nothing for bytes that are not UTF-8. */
  readTexts() {
    const { bytes, starts, kinds, count } = this;
    const valid = new Uint8Array(bytes.length);
    const units = new Int32Array(count);
    let end = 0;
    for (let i = 0; i < count; i++) {
      if (kinds[i] === PART) continue;
      for (let at = starts[i]; at < starts[i + 1]; at++) {
        const byte = bytes[at];
        valid[end++] = byte;
        if ((byte & 0xc0) === 0x80) continue; // inside a character
        this.nChars[i]++;
        units[i] += byte >= 0xf0 ? 2 : 1;
      }
    }
    this.text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(valid.subarray(0, end));
    this.textStarts = offsetsOf(units);
  }

  string(i) { return this.text.slice(this.textStarts[i], this.textStarts[i + 1]); }

  colour(i, special) {
    return special.has(this.ids[i]) ? SPECIAL : colourOf(this.bytes.subarray(this.starts[i], this.starts[i + 1]));
  }

  /** Whether a token has a finding of the audit, by its number. */
  hasFinding(i, finding) { return Boolean((this.findings[finding >> 3]?.[i] ?? 0) >> (finding & 7) & 1); }

  /** How many tokens have a finding. */
  nTokensWithFinding(finding) {
    const column = this.findings[finding >> 3];
    let number = 0;
    for (let i = 0; i < column.length; i++) number += column[i] >> (finding & 7) & 1;
    return number;
  }

  /** The findings of a token, in words. */
  findingsOf(i) { return this.findingLabels.filter((_, finding) => this.hasFinding(i, finding)); }

  /** The bytes of a token in hex, only the first of a very long one. */
  hex(i) {
    const end = Math.min(this.starts[i + 1], this.starts[i] + HEX_BYTES);
    return hex(this.bytes.subarray(this.starts[i], end)) + (end < this.starts[i + 1] ? " …" : "");
  }

  /** The index of a token by its id, or -1. */
  indexOf(id) {
    const i = partitionPoint(this.count, (at) => this.ids[at] >= id);
    return i < this.count && this.ids[i] === id ? i : -1;
  }

  /** All texts in small letters; no letter changes its length, so that the starts hold. */
  get folded() { return (this.foldedText ??= foldedCase(this.text)); }

  /** All bytes, a character for each. */
  get byteText() { return (this.byteString ??= unitPerByte(this.bytes)); }

  /** The indexes in an order: "id", "long" (longest first), "short", or "words", the longest words before all else. */
  indexesInOrder(order) {
    if (!this.orders[order]) {
      const indexes = new Int32Array(this.count).map((_, i) => i);
      const { nChars, kinds } = this;
      const sign = order === "short" ? 1 : -1;
      const rest = order === "words" ? kinds.map((kind) => (WORDS.includes(this.kindNames[kind]) ? 0 : 1)) : new Uint8Array(this.count);
      if (order !== "id") indexes.sort((a, b) => rest[a] - rest[b] || sign * (nChars[a] - nChars[b]) || a - b);
      this.orders[order] = indexes;
    }
    return this.orders[order];
  }

  /**
   * The indexes of the tokens that a search finds, in its order; or words that say what is wrong with it. `hex`: the bytes
   * that a text is taken for, since they are written in hex and no token has that text.
   */
  find(search) {
    const found = this.matches(search);
    if (typeof found === "string") return { wrong: found, indexes: new Int32Array(0) };
    if (search.how === "text" && BYTES_IN_HEX.test(search.query) && !found.includes(1)) {
      return { ...this.find({ ...search, how: "hex" }), hex: digitsOf(search.query).match(/../g).join(" ") };
    }
    // What is most like the query, or if there is none, what is most worth seeing.
    const ordered = this.indexesInOrder(search.order || (search.query ? "short" : "words"));
    const fits = this.tokenFilter(search);
    if (!found && !fits) return { indexes: ordered };
    const indexes = new Int32Array(this.count);
    let n = 0;
    for (const i of ordered) if ((!found || found[i]) && (!fits || fits(i))) indexes[n++] = i;
    return { indexes: indexes.subarray(0, n) };
  }

  /** Whether a token has the kind, script, id, length and leading space asked for; null if none is. */
  tokenFilter({ kind, script, finding, from, to, shortest, longest, space }) {
    if (![kind, script, finding, from, to, shortest, longest, space].some(Boolean)) return null;
    const { kinds, scripts, nChars, ids, bytes, starts } = this;
    const wantedKind = this.kindNames.indexOf(kind);
    const wantedScript = this.scriptNames.indexOf(script);
    const wantedFinding = this.findingNames.indexOf(finding);
    const [firstId, lastId] = [numberOr(from, -Infinity), numberOr(to, Infinity)];
    const [fewest, most] = [numberOr(shortest, -Infinity), numberOr(longest, Infinity)];
    return (i) => (wantedKind < 0 || kinds[i] === wantedKind) && (wantedScript < 0 || scripts[i] === wantedScript) &&
      (wantedFinding < 0 || this.hasFinding(i, wantedFinding)) &&
      ids[i] >= firstId && ids[i] <= lastId && nChars[i] >= fewest && nChars[i] <= most &&
      (!space || (bytes[starts[i]] === 32) === (space === "with"));
  }

  /** 1 for each token that the query matches; null if there is no query, words if it is wrong. */
  matches({ query, how, where, caseless }) {
    if (query === "" || (how !== "text" && !query.trim())) return null;
    if (how === "id") return this.matchesOfIds(query);
    if (how === "text") {
      return caseless ? this.matchesOfPart(foldedCase(query), this.folded, this.textStarts, where)
        : this.matchesOfPart(query, this.text, this.textStarts, where);
    }
    const digits = digitsOf(query);
    if (/[^0-9a-f]/i.test(digits)) return "Bytes in hex are written with 0 to 9 and a to f, such as e0 b8.";
    // A byte that is half typed is not searched for yet.
    const bytes = digits.match(/../g) ?? [];
    if (!bytes.length) return null;
    return this.matchesOfPart(unitPerByte(bytesOfHex(bytes.join(" "))), this.byteText, this.starts, where);
  }

  matchesOfIds(query) {
    const given = query.match(/\d+/g);
    if (!given || /[^\d\s,;[\]]/.test(query)) return "An id is a number; separate several with commas.";
    const found = new Uint8Array(this.count);
    for (const id of given) {
      const i = this.indexOf(Number(id));
      if (i >= 0) found[i] = 1;
    }
    return found;
  }

  /** 1 for each token that holds a part: anywhere, at its beginning or end, or nothing else. A leading space may be left out. */
  matchesOfPart(part, text, starts, where) {
    const found = new Uint8Array(this.count);
    let token = 0;
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at)) {
      while (starts[token + 1] <= at) token++;
      const fits = at + part.length <= starts[token + 1];
      const begins = at === starts[token] || (at === starts[token] + 1 && text.charCodeAt(starts[token]) === 32);
      const ends = at + part.length === starts[token + 1];
      if (fits && ((where !== "begin" && where !== "whole") || begins) && ((where !== "end" && where !== "whole") || ends)) {
        found[token] = 1;
        at = starts[token + 1];
      } else at++;
    }
    return found;
  }
}

/** The digits of bytes in hex. */
function digitsOf(query) { return query.replace(/0x|\\x|[\s,]/gi, "").toLowerCase(); }

/** Lower case, for letters that stay as long as they were. */
function foldedCase(text) {
  return text.replaceAll("\u0130", "i").toLowerCase().replaceAll("\u03c2", "\u03c3");
}

function numberOr(value, otherwise) {
  return value ? Number(value) : otherwise;
}

/** Where each of the pieces of these lengths starts, and at the end where the last one ends. */
function offsetsOf(lengths) {
  const ends = new Int32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) ends[i + 1] = ends[i] + lengths[i];
  return ends;
}

/** Ids from the runs they form: [index, id] where each run begins. */
function idsFromRuns(runs, count) {
  const ids = new Int32Array(count);
  runs.forEach(([first, id], run) => {
    const end = runs[run + 1]?.[0] ?? count;
    for (let i = first; i < end; i++) ids[i] = id + i - first;
  });
  return ids;
}

/** Unpack a vocabulary and keep it for as long as the tab lives; the oldest of many makes room. */
export async function unpackAndKeepVocabulary(fingerprint, columns) {
  VOCABULARIES.set(fingerprint, null); // on its way
  const packed = new Blob([unpackedNumbers([1, columns.packed])]).stream().pipeThrough(new DecompressionStream("deflate"));
  const vocabulary = new Vocabulary(columns, await new Response(packed).arrayBuffer());
  VOCABULARIES.set(fingerprint, vocabulary);
  if (VOCABULARIES.size > KEPT_VOCABULARIES) VOCABULARIES.delete(VOCABULARIES.keys().next().value);
  // What a first key would wait for is made, and compiled, while nobody types.
  const prepare = [
    () => vocabulary.folded, () => vocabulary.byteText.indexOf("\uffff"),
    () => vocabulary.find({ query: "e", how: "text", where: "inside", caseless: true, order: "" }),
  ];
  for (const make of prepare) setTimeout(make, PREPARE_AFTER_MS);
}
