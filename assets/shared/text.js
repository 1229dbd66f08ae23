// Characters, bytes and graphemes of a text. Offsets are UTF-16 units, as in every JavaScript string.

export const utf8 = new TextEncoder();
const units = new TextDecoder("latin1", { ignoreBOM: true });
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

const CONTROL_NAMES = {
  0x00: "NUL", 0x07: "BEL", 0x08: "BS", 0x0b: "VT", 0x0c: "FF", 0x0d: "CR", 0x1b: "ESC", 0x7f: "DEL",
  0x85: "NEL", 0xa0: "NBSP", 0xad: "SHY", 0x034f: "CGJ", 0x061c: "ALM", 0x180e: "MVS",
  0x2002: "EN SP", 0x2003: "EM SP", 0x2009: "THIN SP", 0x200a: "HAIR SP", 0x200b: "ZWSP",
  0x200c: "ZWNJ", 0x200d: "ZWJ", 0x200e: "LRM", 0x200f: "RLM", 0x2028: "LS", 0x2029: "PS",
  0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO", 0x202f: "NNBSP",
  0x2060: "WJ", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xfe0e: "VS15",
  0xfe0f: "VS16", 0xfeff: "BOM",
};

// What would be invisible, or would reorder its neighbours: drawn as a chip that names it.
const INVISIBLE =
  "[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{Zl}\\p{Zp}\\u00a0\\u034f\\u115f\\u1160\\u2000-\\u200a\\u202f\\u205f" +
  "\\u3164\\uffa0]";
// Joiners, selectors and tags that do their visible work inside an emoji keep doing it.
const EMOJI_SEQUENCE =
  "\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\ufe0f?(?:\\u200d\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\ufe0f?)+" +
  "|\\u{1f3f4}[\\u{e0020}-\\u{e007f}]+";
// Groups: spaces, line feed, tab, emoji sequence, invisible character, wide space, anything else.
export const RUNS = new RegExp(
  `( +)|(\\n)|(\\t)|(${EMOJI_SEQUENCE})|(${INVISIBLE})|(\\u3000)|((?:(?!${EMOJI_SEQUENCE}|${INVISIBLE})[^ \\n\\t\\u3000])+)`, "gu");
const EVERY_INVISIBLE = new RegExp(INVISIBLE, "gu");
export const PLAIN = /^ ?[\x21-\x7e]+$/;
export const MARKS = /^\p{M}+$/u;
export const ONTO_A_LETTER = /^[\p{M}\u0e33\u0eb3]+$/u; // Thai and Lao AM have a ring over the letter before them
const MAY_JOIN = /[\p{M}\p{Emoji_Modifier}\p{Regional_Indicator}\u200c-\u200d\u1100-\u11ff\u{e0020}-\u{e007f}]/u;

export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}

export function bytesOfHex(hexed) {
  return Uint8Array.from(hexed ? hexed.split(" ") : [], (byte) => parseInt(byte, 16));
}

/** A string with a unit for each byte, in which bytes can be searched. */
export function unitPerByte(bytes) { return units.decode(bytes); }

export function codePointName(codePoint) {
  return "U+" + codePoint.toString(16).toUpperCase().padStart(4, "0");
}

/** The name of an invisible character on its chip: "ZWJ", "NUL", "tag A", else "U+2061". */
export function invisibleName(character) {
  const codePoint = character.codePointAt(0);
  if (codePoint >= 0xe0020 && codePoint < 0xe007f) return `tag ${String.fromCharCode(codePoint - 0xe0000).replace(" ", "␣")}`;
  if (codePoint >= 0xfe00 && codePoint < 0xfe10) return `VS${codePoint - 0xfe00 + 1}`;
  if (codePoint >= 0xe0100 && codePoint < 0xe01f0) return `VS${codePoint - 0xe0100 + 17}`;
  return CONTROL_NAMES[codePoint] ?? codePointName(codePoint);
}

const SIGNS = { " ": "␣", "\n": "↵", "\t": "→" };

/** A text with signs for what would not be seen: ␣world, ↵, [ZWJ]. */
export function visibleText(text) {
  return text.replaceAll(" ", "␣").replace(EVERY_INVISIBLE, (character) => SIGNS[character] ?? `[${invisibleName(character)}]`);
}

/** A short text that shows one character alone: a mark on a dotted circle, a name for the invisible. */
export function visibleCharacter(character) {
  if (character in SIGNS) return SIGNS[character];
  if (CONTROL_NAMES[character.codePointAt(0)] || new RegExp(`^${INVISIBLE}$`, "u").test(character)) {
    return invisibleName(character);
  }
  return ONTO_A_LETTER.test(character) ? "◌" + character : character;
}

/** [{text, start, byteStart, byteSize}] of the characters of a text; a lone surrogate is a U+FFFD. */
export function charactersOf(text) {
  const characters = [];
  let start = 0;
  let byteStart = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0);
    const byteSize = codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
    characters.push({ text: character, start, byteStart, byteSize });
    start += character.length;
    byteStart += byteSize;
  }
  return characters;
}

/** How many characters a text has. */
export function characterCount(text) {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The lowest of 0..n-1 for which `holds` is true, as it is for all that follow; n if there is none. */
export function partitionPoint(n, holds) {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Lengths of the common prefix and, of what is left, the common suffix of two strings. */
export function commonEndLengths(a, b) {
  const shorter = Math.min(a.length, b.length);
  let prefix = 0;
  // Whole slices are compared by the engine at memory speed; only the slice that differs is walked.
  const STEP = 4096;
  while (prefix + STEP <= shorter && a.slice(prefix, prefix + STEP) === b.slice(prefix, prefix + STEP)) prefix += STEP;
  while (prefix < shorter && a.charCodeAt(prefix) === b.charCodeAt(prefix)) prefix++;
  const rest = shorter - prefix;
  let suffix = 0;
  while (suffix + STEP <= rest &&
    a.slice(a.length - suffix - STEP, a.length - suffix) === b.slice(b.length - suffix - STEP, b.length - suffix)) suffix += STEP;
  while (suffix < rest && a.charCodeAt(a.length - suffix - 1) === b.charCodeAt(b.length - suffix - 1)) suffix++;
  return { prefix, suffix };
}

/** Whether a grapheme (one character as a reader sees it) continues across this offset. */
export function continuesGrapheme(text, offset) {
  if (offset <= 0 || offset >= text.length) return false;
  const before = text.charCodeAt(offset - 1);
  const after = text.charCodeAt(offset);
  if (before < 0x300 || after < 0x300) return after >= 0x300 && MARKS.test(String.fromCodePoint(text.codePointAt(offset)));
  const from = Math.max(0, offset - 2);
  if (!MAY_JOIN.test(text.slice(from, offset + 2)) && !(before >= 0xd800 && before < 0xdc00)) return false;
  return graphemeAt(text, offset).start < offset;
}

/** Whether an offset is inside a grapheme, strictly; for `continuesGrapheme`, letters like ำ begin their own. */
export function cutsGrapheme(text, offset) {
  return offset > 0 && offset < text.length && graphemeAt(text, offset).start < offset;
}

/** The grapheme that covers an offset, as {start, end}. */
export function graphemeAt(text, offset) {
  // A window is enough: graphemes are short, and segmenting a long text again costs milliseconds.
  // It starts at a character that is sure to begin a grapheme, if there is one.
  let from = Math.max(0, offset - 64);
  if (from > 0) {
    for (let i = offset - 1; i > from; i--) {
      const unit = text.charCodeAt(i);
      if (unit < 0x300 && unit !== 0x0d) { from = i; break; }
    }
    const unit = text.charCodeAt(from);
    if (unit >= 0xdc00 && unit < 0xe000) from--;
  }
  const found = graphemes.segment(text.slice(from, offset + 64)).containing(offset - from);
  if (!found) return { start: offset, end: offset };
  return { start: from + found.index, end: from + found.index + found.segment.length };
}
