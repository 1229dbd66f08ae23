// The size of type in which a panel shows a text.

import assert from "node:assert/strict";
import test from "node:test";

globalThis.IntersectionObserver = class {};
const { AS_TEXT, TokenPanel } = await import("../../assets/shared/panel.js");

/** A panel whose lines have these numbers of letters, each a square of 100 pixels, in a place that is so many letters wide and high. */
function panelOf(letters, width, height) {
  const style = { setProperty: (name, value) => { if (name === "--scale") scale = Number(value); }, removeProperty() {} };
  let scale = 1;
  const flow = {
    style,
    clientWidth: 100 * width,
    scrollWidth: 100 * width,
    get offsetHeight() { return 100 * scale * letters.reduce((rows, n) => rows + Math.ceil((n * scale) / width), 0); },
  };
  const scroller = { style, clientHeight: 100 * height, querySelector: () => flow, addEventListener() {}, role: "group" };
  return Object.assign(new TokenPanel(scroller, { ...AS_TEXT, draw: () => null }), { scaleNow: () => scale });
}

test("a short text is as large as its place, in more rows only where that makes it much larger", () => {
  for (const [letters, width, height, scale] of [
    [[10], 20, 2, 2], // as wide as the place
    [[10], 20, 1.5, 1.5], // or as high
    [[10], 10, 4, 2], // in two rows twice as large
    [[10, 10], 10, 5, 1], // four rows would be a quarter larger
    [[10], 1000, 1000, 4], // the largest type there is
    [[10], 10, 0.5, 0.9], // too little room: the least
  ]) {
    const panel = panelOf(letters, width, height);
    assert.equal(panel.fitType(0.9, 4), scale, String([letters, width, height]));
    assert.equal(panel.scaleNow(), scale);
  }
});
