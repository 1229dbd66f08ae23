// What is seen of a sheet, as shapes: boxes and frames, letters, and lines of text to select.
//
// Everything is read from the layout and the computed style, so that a picture looks like the page. Positions are in
// pixels from the sheet's upper left corner.

import { chipShapes, borderAndOutlineShapes, underlineShapes } from "./boxes.js";
import { ascentOf } from "./glyphs.js";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
// Letters of these scripts join or change places beyond a grapheme, so a run of them is drawn as one.
const SCRIPTS = [
  "Arabic", "Syriac", "Nko", "Mongolian", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu",
  "Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar", "Tibetan",
];
const JOINING = new RegExp(`^[${SCRIPTS.map((script) => `\\p{Script=${script}}`).join("")}\\p{M}\u200c\u200d]+$`, "u");
const LEANS = /^[\p{M}\u0e33\u0eb3]/u; // on the letter before it
const TOUCHING = 0.6; // pixels between letters that join
const COLOUR = /(?:rgba?|color|oklab|oklch|lab|lch)\([^()]*\)/;

/**
 * @typedef {{style: string, size: number, family: string, ascent: number}} Font
 * @typedef {{text: string, x: number, right: number, y: number, font: Font, fill: string, isRightToLeft: boolean}} Letters
 *   `y` is that of the base line
 * @typedef {{text: string, x: number, right: number, y: number, size: number}} Line
 */

/** The shapes of an element of a sheet and everything in it, apart from elements for which `skips` is true. */
export function shapesOf(root, sheet, skips = () => false) {
  return new Reading(sheet).read(root, skips);
}

class Reading {
  constructor(sheet) {
    this.origin = sheet.getBoundingClientRect();
    this.ground = getComputedStyle(sheet).backgroundColor;
    this.range = document.createRange();
    this.fonts = new Map();
    this.boxes = [];
    this.frames = []; // above the boxes
    /** @type {Letters[]} */
    this.letters = [];
    /** @type {Line[]} */
    this.lines = [];
    this.section = null; // of the last line
  }

  read(root, skips) {
    const accept = (node) => (node.nodeType === Node.ELEMENT_NODE && skips(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, accept);
    for (let node = walker.currentNode; node; node = walker.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE) this.readText(node);
      else if (!node.classList.contains("sheet")) this.readElement(node);
    }
    markRightToLeft(this.letters);
    return { boxes: [...this.boxes, ...this.frames], letters: joinedLetters(this.letters), lines: this.lines };
  }

  placeOf({ left, top, width, height }) {
    return { x: left - this.origin.left, y: top - this.origin.top, width, height };
  }

  readElement(node) {
    const style = getComputedStyle(node);
    for (const rect of node.getClientRects()) {
      if (!rect.width || !rect.height) continue;
      const place = this.placeOf(rect);
      this.boxes.push(...chipShapes(place, style, this.ground), ...underlineShapes(place, style, this.fontOf(style).ascent));
      this.frames.push(...borderAndOutlineShapes(place, style));
    }
  }

  readText(node) {
    const parent = node.parentElement;
    const style = getComputedStyle(parent);
    const font = this.fontOf(style);
    if (!font.size || !node.length) return;
    const isSign = parent.closest(".sign") !== null;
    for (const { segment, index } of graphemes.segment(node.data)) {
      this.range.setStart(node, index);
      this.range.setEnd(node, index + segment.length);
      const rects = [...this.range.getClientRects()];
      const rect = rects.find(({ width }) => width > 0) ?? (LEANS.test(segment) ? rects[0] : null); // a mark has no width
      if (!rect) continue;
      const place = this.placeOf(rect);
      const letters = { text: segment, x: place.x, right: place.x + place.width, y: place.y + font.ascent, font, fill: style.color, isRightToLeft: false };
      if (segment.trim()) this.letters.push(letters);
      else this.readSpace(place, style, font);
      if (!isSign) this.extendLine(letters, parent.closest("section"));
    }
  }

  /** The sign for a space, if the style sheet draws one: a dot, or a line for a wide space. */
  readSpace({ x, y, width, height }, { backgroundImage }, { size }) {
    const fill = COLOUR.exec(backgroundImage)?.[0];
    if (!fill) return;
    const middle = x + width / 2;
    if (backgroundImage.startsWith("radial")) this.frames.push({ kind: "dot", x: middle, y: y + 0.56 * height, radius: 0.085 * size, fill });
    else this.frames.push({ kind: "box", x: x + 0.2 * width, y: y + 0.78 * height, width: 0.6 * width, height: 1, radius: 0, fill });
  }

  /** Add letters to the line of selectable text, or begin one with them. */
  extendLine({ text, x, right, y, font: { size } }, section) {
    const last = this.lines.at(-1);
    if (last && this.section === section && Math.abs(last.y - y) < 1 && last.size === size) {
      last.text += text;
      last.x = Math.min(last.x, x);
      last.right = Math.max(last.right, right);
    } else this.lines.push({ text, x, right, y, size });
    this.section = section;
  }

  fontOf({ fontStyle, fontWeight, fontSize, fontFamily }) {
    const key = [fontStyle, fontWeight, fontSize, fontFamily].join("\n");
    if (!this.fonts.has(key)) {
      const font = { style: `${fontStyle} ${fontWeight}`, size: parseFloat(fontSize), family: fontFamily };
      this.fonts.set(key, { ...font, ascent: font.size ? ascentOf(font) : 0 });
    }
    return this.fonts.get(key);
  }
}

/** Note which letters run from right to left: brackets are mirrored there. */
function markRightToLeft(letters) {
  letters.forEach((each, i) => {
    const before = letters[i - 1];
    if (before?.y === each.y && each.right <= before.x + TOUCHING) before.isRightToLeft = each.isRightToLeft = true;
  });
}

/** The letters with those that join as one. */
function joinedLetters(letters) {
  const found = [];
  for (const each of letters) {
    const last = found.at(-1);
    if (!last || !areJoined(last, each)) found.push({ ...each });
    else Object.assign(last, { text: last.text + each.text, x: Math.min(last.x, each.x), right: Math.max(last.right, each.right) });
  }
  return found;
}

function areJoined(before, { text, x, right, y, font, fill }) {
  if (before.y !== y || before.font !== font || before.fill !== fill) return false;
  if (x > before.right + TOUCHING || right < before.x - TOUCHING) return false;
  return LEANS.test(text) || (JOINING.test(before.text) && JOINING.test(text));
}
