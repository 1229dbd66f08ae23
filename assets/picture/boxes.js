// The boxes of an element as its computed style has them: background, inset shadows, borders, outline and underline.

/**
 * @typedef {{x: number, y: number, width: number, height: number}} Place
 * @typedef {Place & {kind: "box", radius: number, fill: string}} Box
 * @typedef {Place & {kind: "frame", radius: number, thick: number, stroke: string, dashes: string}} Frame
 */

const SHADOW = /((?:rgba?|color|oklab|oklch|lab|lch)\([^()]*\)) (-?[\d.]+)px (-?[\d.]+)px (-?[\d.]+)px (-?[\d.]+)px inset/g;
const NO_COLOUR = /^(?:transparent|rgba\(0, 0, 0, 0\))$/;

/** The background of an element and what inset shadows draw in it: a gap at its right, rings, and a line at its bottom. */
export function chipShapes(place, style, ground) {
  const { gap, rings, line } = insetShadows(style.boxShadow, ground);
  const box = { ...place, width: place.width - gap };
  const radius = parseFloat(style.borderTopLeftRadius) || 0;
  const shapes = [];
  if (!NO_COLOUR.test(style.backgroundColor)) shapes.push({ kind: "box", ...box, radius, fill: style.backgroundColor });
  for (const { from, to, fill } of rings) shapes.push(frameShape(box, radius, { by: -(from + to) / 2, thick: to - from, stroke: fill }));
  if (line) shapes.push({ kind: "box", ...box, y: box.y + box.height - line.thick, height: line.thick, radius: 0, fill: line.fill });
  return shapes;
}

function insetShadows(shadows, ground) {
  const rings = [];
  let [gap, line, ringed] = [0, null, 0];
  for (const [, fill, x, y, , spread] of shadows.matchAll(SHADOW)) {
    if (x < 0 && fill === ground) gap = -x;
    else if (y < 0) line = { fill, thick: -y };
    else if (spread > 0) {
      if (fill !== ground) rings.push({ from: ringed, to: Number(spread), fill });
      ringed = Number(spread);
    }
  }
  return { gap, rings, line };
}

function frameShape({ x, y, width, height }, radius, { by, thick, stroke, dashes = "" }) {
  const [wide, high] = [width + 2 * by, height + 2 * by];
  return { kind: "frame", x: x - by, y: y - by, width: wide, height: high, radius: Math.max(radius + by, 0), thick, stroke, dashes };
}

/** The borders and the outline of an element. */
export function borderAndOutlineShapes(place, style) {
  const radius = parseFloat(style.borderTopLeftRadius) || 0;
  return [...borderShapes(place, style, radius), ...outlineShapes(place, style, radius)];
}

function borderShapes(place, style, radius) {
  const sides = ["Top", "Right", "Bottom", "Left"].map((side) => ({
    thick: style[`border${side}Style`] === "none" ? 0 : parseFloat(style[`border${side}Width`]),
    stroke: style[`border${side}Color`], line: style[`border${side}Style`],
  }));
  const [{ thick, stroke, line }] = sides;
  if (thick && sides.every((side) => side.thick === thick)) return [frameShape(place, radius, { by: -thick / 2, thick, stroke, dashes: dashesOf(line, thick) })];
  const { x, y, width, height } = place;
  const edges = [
    (size) => ({ x, y, width, height: size }), (size) => ({ x: x + width - size, y, width: size, height }),
    (size) => ({ x, y: y + height - size, width, height: size }), (size) => ({ x, y, width: size, height }),
  ];
  return sides.flatMap((side, i) => (side.thick ? [{ kind: "box", ...edges[i](side.thick), radius: 0, fill: side.stroke }] : []));
}

function outlineShapes(place, style, radius) {
  const { outlineStyle: line, outlineColor: stroke } = style;
  const thick = parseFloat(style.outlineWidth);
  if (line === "none" || !thick || NO_COLOUR.test(stroke)) return [];
  const offset = parseFloat(style.outlineOffset);
  const ring = (from, to) => frameShape(place, radius, { by: offset + (from + to) / 2, thick: to - from, stroke, dashes: dashesOf(line, thick) });
  return line === "double" ? [ring(0, thick / 3), ring((2 * thick) / 3, thick)] : [ring(0, thick)];
}

function dashesOf(line, thick) {
  return { dashed: `${3 * thick} ${2 * thick}`, dotted: `${thick} ${thick}` }[line] ?? "";
}

/** The line under an element's text. */
export function underlineShapes({ x, y, width }, style, ascent) {
  if (!style.textDecorationLine.includes("underline")) return [];
  const thick = parseFloat(style.textDecorationThickness) || 1;
  const offset = parseFloat(style.textUnderlineOffset) || 2;
  const top = y + parseFloat(style.paddingTop) + ascent + offset;
  if (style.textDecorationStyle !== "dotted") return [{ kind: "box", x, y: top, width, height: thick, radius: 0, fill: style.textDecorationColor }];
  return [frameShape({ x, y: top, width, height: 0 }, 0, { by: 0, thick, stroke: style.textDecorationColor, dashes: dashesOf("dotted", thick) })];
}
