// Tokens drawn as chips, a run of them or a single one: also those that share a character, spaces, and what is invisible.

import { colourOf, NONE, SPECIAL } from "./colours.js";
import { FORM, LOOK_ALIKE } from "./hidden_marks.js";
import {
  bytesOfHex, codePointName, graphemeAt, hex, continuesGrapheme, invisibleName, ONTO_A_LETTER, PLAIN, RUNS, visibleCharacter, visibleText, utf8,
} from "./text.js";
import { PENDING } from "./tokens.js";
import { element } from "./view.js";

const PENDING_UNITS_MAX = 5_000;
const fatalUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const TYPED_SHOWN = 8; // code points
// Where a line would break in a token: in Thai, Lao, Burmese and Khmer, too, and in the few Chinese characters of one.
const BREAKS = /^ \S|-.|.\n|^[\p{P}\p{S}]{2,}$|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff].|^[\u2e80-\uffef]{2,8}$/u;
const WHOLE_UNITS = 20; // of a token in which no line breaks there

function labelledElement(className, text, label) {
  const node = element("i", className, text || null);
  // The label is drawn by CSS, so that neither selecting nor copying ever picks it up.
  node.dataset.label = label;
  return node;
}

/** Append a text to a chip; white space and invisible characters get elements that CSS makes visible. */
export function appendText(chip, text) {
  if (text.length <= WHOLE_UNITS && BREAKS.test(text)) chip.classList.add("whole");
  if (PLAIN.test(text)) {
    if (text.charCodeAt(0) === 32) chip.classList.add("lead");
    chip.append(text);
    return;
  }
  for (const [run, spaces, newline, tab, , invisible] of text.matchAll(RUNS)) {
    const sign = spaces ? "s" : newline ? "nl" : tab ? "tab" : run === "\u3000" ? "wide" : null;
    if (invisible) chip.append(labelledElement("k", run, invisibleName(run)));
    else chip.append(sign ? element("i", sign, run) : run);
  }
}

/** An element with a text whose white space and invisible characters are visible. */
export function visibleElement(name, className, text) {
  const node = element(name, className);
  appendText(node, text);
  return node;
}

/** Append a stretch of the text to a chip, and mark what is hidden in it. */
function appendStretch(chip, tokens, from, to) {
  const { hidden, text } = tokens;
  if (!hidden?.count) {
    appendText(chip, text.slice(from, to));
    return;
  }
  for (const piece of hidden.pieces(text, from, to)) {
    const target = piece.kind === null && chip.childNodes.length === 0 ? chip : element("i", piece.kind === null ? "" : piece.kind === FORM ? "hides form" : "hides");
    if (piece.kind !== null && piece.kind < LOOK_ALIKE) {
      for (const character of piece.text) target.append(labelledElement("k", character, invisibleName(character)));
    } else appendText(target, piece.text);
    if (target !== chip) chip.append(target);
  }
}

/** Have CSS put a chip whose text begins with a mark on a dotted circle: the letter is another token's. */
export function putOnCircle(chip, text, from = 0) {
  if (!(text.charCodeAt(from) >= 0x300)) return;
  const character = String.fromCodePoint(text.codePointAt(from));
  if (ONTO_A_LETTER.test(character) && visibleCharacter(character) !== invisibleName(character)) chip.classList.add("onto");
}

/** The classes of a chip that has a colour of `colours.js`. */
export function chipClass(colour) {
  if (colour === NONE) return "t pending";
  return colour === SPECIAL ? "t special" : `t c${colour}`;
}

/**
 * The stretches that are drawn at once, with a small chip for each token, as {start, end}: graphemes that tokens end
 * inside of and that cannot be drawn token by token, with all that these tokens hold beside, so that each is drawn once.
 */
function sharedStretches(tokens, first, end) {
  const shared = [];
  for (let i = first + 1; i < end; i++) {
    const at = tokens.starts[i];
    if (at < shared.at(-1)?.end) continue;
    const splits = tokens.splitsBefore(i);
    if (!splits && !continuesGrapheme(tokens.text, at)) continue;
    const grapheme = graphemeAt(tokens.text, at);
    if (splits || !canBeApart(tokens, i, grapheme)) shared.push(stretchOfSharers(tokens, i, first, end, grapheme));
  }
  return shared;
}

/** All that the tokens of a grapheme hold, of which token i is not the first; where the last of them ends inside another, that as well. */
function stretchOfSharers(tokens, i, first, end, grapheme) {
  let { start, end: stop } = grapheme;
  for (let j = i - 1; j >= first && tokens.end(j) > start; j--) start = Math.min(start, tokens.starts[j]);
  for (let j = i; j < end && tokens.starts[j] < stop; j++) {
    stop = Math.max(stop, tokens.end(j));
    if (continuesGrapheme(tokens.text, stop)) stop = graphemeAt(tokens.text, stop).end;
  }
  return { start, end: stop };
}

/** Whether every token of a grapheme, from token i on, has whole characters of it, and all after its first one are marks. */
function canBeApart(tokens, i, { start, end }) {
  while (i < tokens.count && tokens.starts[i] < end) if (tokens.splitsBefore(i++)) return false;
  const rest = tokens.text.slice(start, end).replace(/^./su, "");
  return ONTO_A_LETTER.test(rest) && !/[\ufe0e\ufe0f]/.test(rest);
}

/** The label of a small chip after a shared character: the characters that the token holds whole, the bytes of others. */
function partLabel(tokens, i) {
  const parts = tokens.parts(i);
  if (!parts.length) return visibleText(tokens.written(i) ?? tokens.hex(i));
  const bytes = tokens.hex(i).split(" ");
  let at = 0;
  let label = "";
  let followsWhole = false;
  for (const { text, from, to, of } of parts) {
    const size = to - from + 1;
    const isWhole = size === of;
    const shown = isWhole ? visibleCharacter(text) : bytes.slice(at, at + size).join(" ");
    // Several marks share one dotted circle.
    if (isWhole && shown.startsWith("◌") && label.includes("◌")) label += text;
    else label += (label && !(isWhole && followsWhole) ? " " : "") + shown;
    followsWhole = isWhole;
    at += size;
  }
  return label;
}

/** Text that belongs to no token. */
function gapElement(tokens, from, to) {
  const gap = element("span", "gap");
  appendStretch(gap, tokens, from, to);
  return gap;
}

/** Draw tokens first..end-1, and the text between them, into a fragment. `data-i` counts from `origin`. */
export function drawTokens(tokens, first, end, origin = first) {
  const out = document.createDocumentFragment();
  const shared = sharedStretches(tokens, first, end);
  let next = 0;
  let drawn = tokens.textStart(first);
  for (let i = first; i < end; i++) {
    const [start, stop] = [tokens.starts[i], tokens.end(i)];
    if (tokens.isFolded(i)) {
      i = appendFoldedSign(out, tokens, i, end, origin);
      drawn = Math.max(drawn, tokens.end(i));
      continue;
    }
    while (shared[next]?.end <= start) next++;
    const isShared = start < stop && shared[next]?.start < stop;
    if (isShared && shared[next].end <= drawn) continue;
    if (start > drawn) out.append(gapElement(tokens, drawn, start));
    if (isShared) out.append(sharedElement(tokens, i, origin, end, shared[next]));
    else out.append(start === stop ? emptyChip(tokens, i, origin) : textChip(tokens, i, origin));
    drawn = Math.max(drawn, isShared ? shared[next].end : stop);
  }
  if (end > first && tokens.starts[end] > drawn) out.append(gapElement(tokens, drawn, tokens.starts[end]));
  return out;
}

/**
 * Append what takes the place of the tokens that are folded away from `first` on, and return the last of them. It holds
 * their text unseen, for selections to count.
 */
function appendFoldedSign(out, tokens, first, end, origin) {
  let last = first;
  while (last + 1 < end && tokens.isFolded(last + 1)) last++;
  const chip = labelledElement("t plain folded", "", "⋯");
  chip.append(element("span", "", tokens.text.slice(tokens.starts[first], tokens.end(last))));
  chip.dataset.i = first - origin;
  out.append(chip);
  return last;
}

/** Call a function with each chip in a node, and with the number that it carries. */
export function forEachChip(node, call) {
  for (const chip of node.querySelectorAll("[data-i]")) call(chip, Number(chip.dataset.i));
}

/** The classes of the chip of a token in its text: that of scaffolding has no colour of its own. */
function tokenClass(tokens, i) {
  return chipClass(tokens.colour(i)) + (tokens.isScaffolding(i) ? " scaffolding" : "");
}

/** The chip of a token that holds no text, such as the space that SentencePiece puts before it. */
function emptyChip(tokens, i, origin) {
  const chip = labelledElement(tokenClass(tokens, i) + " part none", "", visibleText(tokens.written(i) ?? "∅"));
  chip.dataset.i = i - origin;
  return chip;
}

function textChip(tokens, i, origin) {
  const [from, to] = [tokens.starts[i], tokens.end(i)];
  const chip = element("span", tokenClass(tokens, i));
  chip.dataset.i = i - origin;
  // While a long paste is on its way to the server, its beginning is enough.
  if (tokens.ids[i] === PENDING && to - from > PENDING_UNITS_MAX) {
    chip.textContent = tokens.text.slice(from, from + PENDING_UNITS_MAX) + "…";
  } else appendStretch(chip, tokens, from, to);
  putOnCircle(chip, tokens.text, from);
  if (tokens.isChanged(i)) {
    chip.classList.add("changed");
    const name = tokens.written(i);
    // Where only the code points differ, nobody sees a difference between the two.
    if (name.normalize("NFC") !== tokens.string(i).normalize("NFC")) chip.append(labelledElement("k", "", visibleText(name)));
  }
  if (tokens.ids[i] === tokens.unknown) {
    chip.classList.add("unknown");
    const name = tokens.written(i);
    if (name !== null) chip.append(labelledElement("k", "", name));
  }
  return chip;
}

/** The tokens that have a part of a stretch; `first` is the first of them. */
function sharersOf(tokens, first, end, stretch) {
  const sharers = [];
  for (let j = first; j < end && tokens.starts[j] < stretch.end; j++) if (tokens.widths[j]) sharers.push(j);
  return sharers;
}

/** A stretch that several tokens share: its text once, and a small chip for each token. */
function sharedElement(tokens, i, origin, end, stretch) {
  const sharers = sharersOf(tokens, i, end, stretch);
  return element("span", "shared", sharedGlyph(tokens, stretch, sharers.length), ...sharers.map((j) => smallChip(tokens, j, origin)));
}

/** The text of such a stretch, with the number of its tokens. */
function sharedGlyph(tokens, stretch, count) {
  const glyph = element("span", "glyph");
  glyph.dataset.count = count;
  appendStretch(glyph, tokens, stretch.start, stretch.end);
  if (stretch.end - stretch.start <= WHOLE_UNITS) glyph.classList.add("whole");
  return glyph;
}

/** Draw every token by itself, as [glyph, chip]: before the first that shares a stretch its text, else null. */
export function drawTokensApart(tokens) {
  const glyphs = new Map();
  for (const stretch of sharedStretches(tokens, 0, tokens.count)) {
    const sharers = sharersOf(tokens, tokens.starts.findIndex((_, i) => tokens.end(i) > stretch.start), tokens.count, stretch);
    sharers.forEach((i, nth) => glyphs.set(i, nth ? null : sharedGlyph(tokens, stretch, sharers.length)));
  }
  return Array.from({ length: tokens.count }, (_, i) =>
    [glyphs.get(i) ?? null, glyphs.has(i) ? smallChip(tokens, i, 0) : drawListChips(tokens, i, i + 1, "text", 0)]);
}

/** What the small chips after the first shared grapheme of a text are; empty if tokens share none. */
export function sharingText(tokens) {
  let first = 0;
  while (first < tokens.count && !tokens.splitsBefore(first + 1)) first++;
  if (first >= tokens.count) return "";
  const stretch = stretchOfSharers(tokens, first + 1, 0, tokens.count, graphemeAt(tokens.text, tokens.starts[first + 1]));
  while (first > 0 && tokens.end(first - 1) > stretch.start) first--;
  const { length } = sharersOf(tokens, first, tokens.count, stretch);
  const shared = tokens.text.slice(stretch.start, stretch.end).trim();
  return `Small codes are bytes: ${shared} is ${utf8.encode(shared).length} bytes, in ${length} tokens; an English letter is 1 byte.`;
}

function smallChip(tokens, j, origin) {
  const chip = labelledElement(tokenClass(tokens, j) + " part", "", partLabel(tokens, j));
  chip.dataset.i = j - origin;
  return chip;
}

/** "bytes 1–2 of 3 of 你" for each character the token holds a part of, else "". */
export function partialText(tokens, i) {
  if (!tokens.isPartial(i)) return "";
  const parts = tokens.parts(i);
  if (!parts.length) return tokens.written(i) === null ? "bytes that are not valid UTF-8" : "part of the normalised form of a character";
  return parts.filter((part) => part.to - part.from + 1 < part.of)
    .map((part) => `${part.from === part.to ? `byte ${part.from}` : `bytes ${part.from}–${part.to}`} of ${part.of} of ${visibleCharacter(part.text)}`)
    .join(", ");
}

/** The token as plain words or signs, for a label: ␣world, ↵, <e4 bd>. */
export function visibleToken(tokens, i) {
  if (tokens.written(i) !== null) return visibleText(tokens.written(i));
  if (tokens.isPartial(i) || tokens.raw?.has(i)) return `<${tokens.hex(i)}>`;
  return visibleText(tokens.string(i));
}

/** The code points of the text that became a token, such as "U+0065 U+0301"; the first of many. */
export function typedText(tokens, i) {
  const names = [...tokens.string(i)].map((c) => codePointName(c.codePointAt(0)));
  return names.slice(0, TYPED_SHOWN).join(" ") + (names.length > TYPED_SHOWN ? " …" : "");
}

/** "bytes 20 77", at most `most`, for a tooltip; for a token that the text does not show, its name in the vocabulary. */
export function bytesOrNameText(tokens, i, most = Infinity) {
  if (tokens.isChanged(i)) return `${visibleText(tokens.written(i))}, normalized from ${typedText(tokens, i)}`;
  if (tokens.written(i) !== null) return visibleText(tokens.written(i));
  const bytes = tokens.bytes(i);
  return `bytes ${hex(bytes.subarray(0, most))}${bytes.length > most ? " …" : ""}`;
}

/** The chips of the list: ids, texts or bytes of the same tokens. */
export function drawListChips(tokens, first, end, mode, origin = first) {
  const out = document.createDocumentFragment();
  for (let i = first; i < end; i++) {
    if (tokens.isFolded(i)) {
      i = appendFoldedSign(out, tokens, i, end, origin);
      continue;
    }
    const id = tokens.ids[i];
    const chip = element("span", tokenClass(tokens, i));
    chip.dataset.i = i - origin;
    if (id === PENDING) chip.textContent = "…";
    else if (mode === "ids") chip.textContent = id;
    else if (tokens.written(i) !== null) {
      chip.classList.add("written");
      appendText(chip, tokens.written(i));
    } else if (mode === "bytes") chip.textContent = tokens.hex(i);
    else if (tokens.isPartial(i) || tokens.raw?.has(i)) {
      chip.classList.add("bytes");
      chip.textContent = tokens.hex(i);
    } else {
      appendText(chip, tokens.string(i));
      putOnCircle(chip, tokens.string(i));
    }
    out.append(chip);
  }
  return out;
}

// -- a single token in a sentence, a table or a tree ------------------------------------------

/**
 * A token as a chip in a sentence or a table: its text, or its bytes if it does not consist of whole characters.
 */
export function tokenChip({ bytes }) {
  const chip = element("span", `${chipClass(colourOf(bytes))} name`);
  const text = textOfBytes(bytes);
  if (text === null) {
    chip.classList.add("bytes");
    chip.textContent = hex(bytes);
  } else {
    appendText(chip, text);
    putOnCircle(chip, text);
  }
  for (const lineEnd of chip.querySelectorAll(".nl")) lineEnd.textContent = ""; // its sign is enough here
  return chip;
}

export function tokenFromHex([hexed, id]) {
  return { bytes: bytesOfHex(hexed), id };
}

/** The text of bytes, or null if they are not whole characters. */
export function textOfBytes(bytes) {
  try {
    return fatalUtf8.decode(bytes);
  } catch {
    return null;
  }
}
