// Files of a picture that a view describes: an SVG, and a PNG of it.

import { glyph } from "./glyphs.js";
import { shapesOf } from "./shapes.js";
import { layOutSheet } from "./sheet.js";
import { svgOf } from "./svg.js";

const SCALE = 2; // pixels of a PNG for one of the picture, if they fit
const SIDE_MAX = 16_000; // pixels of a canvas, which browsers limit, along a side and in all
const AREA_MAX = 16_000_000;

/** Draw a picture in a theme; `root` has the styles. With `isMoving` its sections come one after another. */
export function drawPicture(root, picture, theme) {
  const sheet = layOutSheet(root, picture, theme);
  try {
    const { width, height } = sheet.getBoundingClientRect();
    const steps = theme.isMoving ? [...sheet.querySelectorAll("section")] : [];
    const layers = [shapesOf(sheet, sheet, (node) => steps.includes(node)), ...steps.map((step) => shapesOf(step, sheet))];
    const ground = getComputedStyle(sheet).backgroundColor;
    const words = { title: picture.name, description: picture.caption };
    const svg = svgOf({ width, height, ground, layers, isMoving: theme.isMoving, ...words }, { glyph, colour });
    return { svg, width, height };
  } finally {
    sheet.remove();
  }
}

/** @type {Map<string, {colour: string, opacity: number}>} */
const COLOURS = new Map();

/** A colour of CSS in a form that every reader of SVG knows, with its opacity. */
function colour(css) {
  if (!COLOURS.has(css)) {
    const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    context.fillStyle = css;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    const hexed = [red, green, blue].map((value) => value.toString(16).padStart(2, "0")).join("");
    COLOURS.set(css, { colour: `#${hexed}`, opacity: alpha / 255 });
  }
  return COLOURS.get(css);
}

/** A drawn picture as a PNG of twice its size, or as large as browsers can make it. */
export async function pngOf({ svg, width, height }) {
  const scale = Math.min(SCALE, SIDE_MAX / Math.max(width, height), Math.sqrt(AREA_MAX / (width * height)));
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    image.src = address;
    await image.decode();
    const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale));
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await canvas.convertToBlob();
  } finally {
    URL.revokeObjectURL(address);
  }
}
