// A picture as the text of an SVG that stands alone: it loads nothing, and runs nothing.

const DIGITS = 1; // after the point, of pixels; shares and strokes have one more
const FRAME_SECONDS = 1.2;
const LAST_SECONDS = 3;
// Characters that XML cannot hold in any form.
// eslint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;" };

/** Any text as that of an element or an attribute of XML. */
export function escapedXml(text) {
  return String(text).replace(NOT_XML, "\ufffd").replace(/[&<>"\n\r\t]/g, (character) => ESCAPES[character]);
}

/** An element with attributes, except for those that are null or empty, around written content. */
function xmlElement(name, attributes, inner = "") {
  const written = Object.entries(attributes).map(([key, value]) => (value === null || value === "" ? "" : ` ${key}="${escapedXml(value)}"`)).join("");
  return inner ? `<${name}${written}>${inner}</${name}>` : `<${name}${written}/>`;
}

function roundedPixels(number, digits = DIGITS) { return Number(number.toFixed(digits)); }

/**
 * The SVG of layers of shapes (`shapes.js`), on top of each other; with `isMoving` all but the first come one after another,
 * and the last stays. `glyph(letters)` returns the shape of letters, and `colour(css)` {colour, opacity}.
 */
export function svgOf({ width, height, ground, title, description, layers, isMoving = false }, { glyph, colour }) {
  const writing = new Writing(glyph, colour);
  const drawn = layers.map((layer, i) => {
    const inner = writing.layerSvg(layer);
    if (!isMoving || !i) return xmlElement("g", {}, inner);
    return xmlElement("g", { class: `f${i}`, opacity: i < layers.length - 1 ? 0 : null }, inner);
  });
  const size = { width: roundedPixels(width), height: roundedPixels(height), viewBox: `0 0 ${roundedPixels(width)} ${roundedPixels(height)}` };
  return xmlElement("svg", { xmlns: "http://www.w3.org/2000/svg", ...size }, [
    xmlElement("title", {}, escapedXml(title)), xmlElement("desc", {}, escapedXml(description)),
    isMoving ? xmlElement("style", {}, motionRules(layers.length - 1)) : "",
    xmlElement("defs", {}, writing.definitions.join("")),
    xmlElement("rect", { width: size.width, height: size.height, ...writing.fillAttributes(ground) }),
    ...drawn,
  ].join("")) + "\n";
}

/** The rules that show n layers one after another, unless the reader prefers reduced motion. */
function motionRules(n) {
  const seconds = FRAME_SECONDS * (n - 1) + LAST_SECONDS;
  const at = (i) => `${((100 * FRAME_SECONDS * i) / seconds).toFixed(3)}%`;
  const rules = Array.from({ length: n }, (_, i) => {
    const steps = [`0%{opacity:${i ? 0 : 1}}`, `${at(i)}{opacity:1}`, ...(i < n - 1 ? [`${at(i + 1)}{opacity:0}`] : [])];
    return `@keyframes f${i + 1}{${steps.join("")}}.f${i + 1}{animation:f${i + 1} ${seconds.toFixed(1)}s step-end infinite}`;
  });
  return `@media (prefers-reduced-motion:no-preference){${rules.join("")}}`;
}

class Writing {
  constructor(glyph, colour) {
    this.glyph = glyph;
    this.colour = colour;
    this.definitions = [];
    this.names = new Map(); // of glyphs that are defined, null for those that show nothing
  }

  layerSvg({ boxes, letters, lines }) {
    return this.boxesSvg(boxes) + this.lettersSvg(letters) + lines.map((line) => this.lineSvg(line)).join("");
  }

  /** Boxes one after another; dots, of which there are many, in groups of one colour. */
  boxesSvg(boxes) {
    let written = "";
    for (let i = 0; i < boxes.length;) {
      const { kind, fill } = boxes[i];
      let end = i + 1;
      if (kind === "dot") while (boxes[end]?.kind === kind && boxes[end].fill === fill) end++;
      const shapes = boxes.slice(i, end).map((box) => this[kind](box)).join("");
      written += kind === "dot" ? xmlElement("g", this.fillAttributes(fill), shapes) : shapes;
      i = end;
    }
    return written;
  }

  fillAttributes(css, name = "fill") {
    const { colour, opacity } = this.colour(css);
    return { [name]: colour, [`${name}-opacity`]: opacity < 1 ? roundedPixels(opacity, 2) : null };
  }

  box({ x, y, width, height, radius, fill }) {
    return xmlElement("rect", { x: roundedPixels(x), y: roundedPixels(y), width: roundedPixels(width), height: roundedPixels(height), rx: radius ? roundedPixels(Math.min(radius, width / 2)) : null, ...this.fillAttributes(fill) });
  }

  dot({ x, y, radius }) {
    return xmlElement("circle", { cx: roundedPixels(x), cy: roundedPixels(y), r: roundedPixels(radius, 2) });
  }

  frame({ x, y, width, height, radius, thick, stroke, dashes }) {
    const look = { fill: "none", "stroke-width": roundedPixels(thick, 2), "stroke-dasharray": dashes, ...this.fillAttributes(stroke, "stroke") };
    if (!height) return xmlElement("path", { d: `M${roundedPixels(x)} ${roundedPixels(y)}h${roundedPixels(width)}`, ...look });
    return xmlElement("rect", { x: roundedPixels(x), y: roundedPixels(y), width: roundedPixels(width), height: roundedPixels(height), rx: radius ? roundedPixels(radius) : null, ...look });
  }

  /** Letters, those of one base line and colour together. */
  lettersSvg(letters) {
    const rows = new Map();
    for (const each of letters) {
      const name = this.nameOf(each);
      if (name === null) continue;
      const key = `${each.fill} ${roundedPixels(each.y)}`;
      if (!rows.has(key)) rows.set(key, { fill: each.fill, y: each.y, uses: [] });
      rows.get(key).uses.push(xmlElement("use", { href: `#${name}`, x: roundedPixels(each.x) }));
    }
    return [...rows.values()].map(({ fill, y, uses }) => xmlElement("g", { transform: `translate(0 ${roundedPixels(y)})`, ...this.fillAttributes(fill) }, uses.join(""))).join("");
  }

  /** The name of the shape of letters, which is defined once. */
  nameOf(letters) {
    const shape = this.glyph(letters);
    if (!this.names.has(shape)) {
      const id = shape && `g${this.definitions.length.toString(36)}`;
      if (shape?.path) this.definitions.push(xmlElement("path", { id, transform: `scale(${shape.scale})`, d: shape.path }));
      else if (shape) this.definitions.push(xmlElement("image", { id, href: shape.image, x: roundedPixels(shape.x), y: roundedPixels(shape.y), width: roundedPixels(shape.width), height: roundedPixels(shape.height) }));
      this.names.set(shape, id);
    }
    return this.names.get(shape);
  }

  /** A line of invisible text, to select and to search. */
  lineSvg({ text, x, right, y, size }) {
    if (!text.trim()) return "";
    const place = { x: roundedPixels(x), y: roundedPixels(y), textLength: roundedPixels(right - x), lengthAdjust: "spacingAndGlyphs" };
    return xmlElement("text", { ...place, "font-size": roundedPixels(size), "font-family": "monospace", "fill-opacity": 0, "xml:space": "preserve" }, escapedXml(text));
  }
}
