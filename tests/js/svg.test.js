// The text of an SVG: nothing that a text holds becomes markup, and of what moves the end is what stays.

import assert from "node:assert/strict";
import test from "node:test";
import { escapedXml, svgOf } from "../../assets/picture/svg.js";

const FONT = { style: "normal 400", size: 16, family: "monospace", ascent: 12 };
const LOOKS = { glyph: ({ text }) => (text === "?" ? null : { path: `M0 0l1 ${text.length}z`, scale: 0.5 }), colour: (css) => ({ colour: css, opacity: 1 }) };
const letters = (text, x) => ({ text, x, right: x + 8, y: 12, font: FONT, fill: "#000", isRightToLeft: false });
const layer = (text) => ({
  boxes: [{ kind: "box", x: 0, y: 0, width: 10, height: 10, radius: 2, fill: "#abc" }],
  letters: [...text].map((character, i) => letters(character, 8 * i)),
  lines: [{ text, x: 0, right: 8 * text.length, y: 12, size: 16 }],
});
const drawn = (layers, isMoving = false) => svgOf(
  { width: 100, height: 40, ground: "#fff", title: "<b>", description: 'a "b" & c', layers, isMoving }, LOOKS);

test("text is escaped, and what XML cannot hold becomes U+FFFD", () => {
  assert.equal(escapedXml("<a href=\"x\">&'\u0000\u0007\ud800b\udc00😀\uffff\n\t"), "&lt;a href=&quot;x&quot;&gt;&amp;'\ufffd\ufffd\ufffdb\ufffd😀\ufffd&#10;&#9;");
  const svg = drawn([layer("</text><script>")]);
  assert.ok(!svg.includes("<script"));
  assert.ok(svg.includes("&lt;/text&gt;&lt;script&gt;"));
  assert.ok(svg.includes("<title>&lt;b&gt;</title><desc>a &quot;b&quot; &amp; c</desc>"));
});

test("a letter is defined once and used wherever it stands, and one that shows nothing is not", () => {
  const shapes = new Map();
  const glyph = ({ text }) => {
    if (!shapes.has(text)) shapes.set(text, LOOKS.glyph({ text }));
    return shapes.get(text);
  };
  const svg = svgOf({ width: 9, height: 9, ground: "#fff", title: "", description: "", layers: [layer("aba?")] }, { ...LOOKS, glyph });
  assert.equal(svg.match(/<path id=/g).length, 2);
  assert.deepEqual(svg.match(/<use [^>]*>/g), ['<use href="#g0" x="0"/>', '<use href="#g1" x="8"/>', '<use href="#g0" x="16"/>']);
});

test("of layers that move only the last is seen where nothing moves", () => {
  const svg = drawn([layer(""), layer("a"), layer("b"), layer("c")], true);
  assert.deepEqual(svg.match(/<g class="f\d"[^>]*>/g), ['<g class="f1" opacity="0">', '<g class="f2" opacity="0">', '<g class="f3">']);
  assert.equal(svg.match(/@keyframes/g).length, 3);
  assert.ok(!drawn([layer(""), layer("a")]).includes("<style"));
});
