// Letters as shapes, since a picture is seen where our fonts are missing: the browser draws a letter large on a canvas, and
// its outlines are traced. A path is sharp at any size, and takes less than an image of four times the size. Emoji, which
// have colours, are images.

import { outlines, pathOf, pathScale } from "./trace.js";

const TRACED = 8; // how many times larger than in the picture a letter is drawn to be traced
const PAINTED = 4; // how many times larger an emoji is kept
const ROOM = 2; // pixels around a letter
const KEPT_MAX = 4_000;

/** @typedef {{path: string, scale: number} | {image: string, x: number, y: number, width: number, height: number}} Glyph */
/** @type {Map<string, ?Glyph>} */
const kept = new Map();
let context = null;

/**
 * The shape of some letters, null if they are invisible, from a point on their base line at their left end. `font` has
 * `size` in pixels, and the parts of CSS's font before and after it as `style` and `family`.
 */
export function glyph({ text, font, isRightToLeft }) {
  const key = [isRightToLeft, font.style, font.size, font.family, text].join("\n");
  if (!kept.has(key)) {
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(key, tracedGlyph(text, font, isRightToLeft));
  }
  return kept.get(key);
}

function tracedGlyph(text, font, isRightToLeft) {
  const { image, x, y } = paint(text, font, isRightToLeft, TRACED);
  const coverage = new Uint8Array(image.width * image.height);
  let isColoured = false;
  for (let i = 0, at = 0; i < coverage.length; i++, at += 4) {
    coverage[i] = image.data[at + 3];
    isColoured ||= coverage[i] > 0 && image.data[at] + image.data[at + 1] + image.data[at + 2] > 0;
  }
  if (isColoured) return paintedGlyph(text, font, isRightToLeft);
  const path = pathOf(outlines(coverage, image.width, image.height), x, y);
  return path ? { path, scale: pathScale(TRACED) } : null;
}

/** Letters as an image in colour. */
function paintedGlyph(text, font, isRightToLeft) {
  const { image, x, y } = paint(text, font, isRightToLeft, PAINTED);
  const size = { width: image.width / PAINTED, height: image.height / PAINTED };
  return { image: context.canvas.toDataURL("image/png"), x: -x / PAINTED, y: -y / PAINTED, ...size };
}

/** Draw letters in black, `scale` times larger, on a canvas just large enough: {image, x, y}, with their origin in it. */
function paint(text, font, isRightToLeft, scale) {
  context ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const { canvas } = context;
  const set = () => Object.assign(context, {
    font: `${font.style} ${font.size * scale}px ${font.family}`, textAlign: "left", direction: isRightToLeft ? "rtl" : "ltr",
  });
  set();
  const box = context.measureText(text);
  const x = Math.ceil(Math.max(box.actualBoundingBoxLeft, 0)) + ROOM;
  const y = Math.ceil(Math.max(box.actualBoundingBoxAscent, 0)) + ROOM;
  canvas.width = x + Math.ceil(Math.max(box.actualBoundingBoxRight, 0)) + ROOM;
  canvas.height = y + Math.ceil(Math.max(box.actualBoundingBoxDescent, 0)) + ROOM;
  set(); // a new size resets the context
  context.fillText(text, x, y);
  return { image: context.getImageData(0, 0, canvas.width, canvas.height), x, y };
}

/** How far above its base line the letters of a font reach, in whole pixels, as the browser lays out lines. */
export function ascentOf(font) {
  paint("x", font, false, 1);
  return Math.round(context.measureText("x").fontBoundingBoxAscent);
}
