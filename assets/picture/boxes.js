// The boxes of an element as its computed style has them: background, inset shadows, borders, outline and underline.

/**
 * @typedef {{x: number, y: number, width: number, height: number}} Place
 * @typedef {Place & {kind: "box", radius: number, fill: string}} Box
 * @typedef {Place & {kind: "rim", radius: number, thick: number, fill: string}} Rim a strip along the left edge of a box
 * @typedef {Place & {kind: "frame", radius: number, thick: number, stroke: string, dashes: string}} Frame
 */

const SHADOW = /((?:rgba?|color|oklab|oklch|lab|lch)\([^()]*\)) (-?[\d.]+)px (-?[\d.]+)px (-?[\d.]+)px (-?[\d.]+)px inset/g;
const NO_COLOUR = /^(?:transparent|rgba\(0, 0, 0, 0\))$/;

/**
 * The background of an element and the strips that inset shadows draw on its edges. A strip in the colour of the ground
 * is a gap, after which the box begins.
 */
export function chipShapes(place, style, ground) {
  const { left, right, bottom, rings } = shadowEdges(style.boxShadow, ground);
  const box = { ...place, x: place.x + left.gap, width: place.width - left.gap - right.gap };
  const radius = Math.max(parseFloat(style.borderTopLeftRadius) - left.gap, 0) || 0;
  const shapes = [];
  if (!NO_COLOUR.test(style.backgroundColor)) shapes.push({ kind: "box", ...box, radius, fill: style.backgroundColor });
  if (left.fill) shapes.push({ kind: "rim", ...box, radius, thick: left.end - left.gap, fill: left.fill });
  if (bottom.fill) {
    const y = box.y + box.height - bottom.end;
    shapes.push({ kind: "box", ...box, y, height: bottom.end, radius: 0, fill: bottom.fill });
  }
  for (const { from, to, fill } of rings) shapes.push(frameShape(place, radius, { by: -(from + to) / 2, thick: to - from, stroke: fill }));
  return shapes;
}

/** What the inset shadows draw on each edge: up to `gap` the ground, then a colour up to `end`; and rings inside the box. */
function shadowEdges(shadows, ground) {
  const [left, right, bottom] = [0, 1, 2].map(() => ({ gap: 0, end: 0, fill: "" }));
  const rings = [];
  let ringed = 0;
  for (const [, fill, x, y, , spread] of shadows.matchAll(SHADOW)) {
    const edge = x > 0 ? left : x < 0 ? right : y < 0 ? bottom : null;
    const size = Math.max(Math.abs(x), Math.abs(y));
    if (edge && fill === ground) edge.gap = size;
    else if (edge) Object.assign(edge, { end: size, fill });
    else if (spread > 0) {
      if (fill !== ground) rings.push({ from: ringed, to: Number(spread), fill });
      ringed = Number(spread);
    }
  }
  return { left, right, bottom, rings };
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
