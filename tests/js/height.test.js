// A textarea as high as its text, where the style sheet cannot make it so.

import assert from "node:assert/strict";
import test from "node:test";

const LINE = 20;
let observed;
let supports = false;
Object.assign(globalThis, {
  requestAnimationFrame: (call) => call(),
  CSS: { supports: () => supports },
  ResizeObserver: class {
    constructor(changed) { observed = changed; }

    observe() {}
  },
});
const { heightFitter } = await import("../../assets/editor/height.js");

/** A textarea with a border of 2 in a row that is 200 high, to which it grows. */
function textarea(value) {
  return {
    value,
    style: { height: "", flex: "" },
    clientWidth: 300,
    get clientHeight() { return this.style.flex === "none" ? Number.parseInt(this.style.height) : 200; },
    get offsetHeight() { return this.clientHeight + 2; },
    get scrollHeight() { return Math.max(this.clientHeight, LINE * this.value.split("\n").length); },
  };
}

test("a textarea grows and shrinks with its text, whatever stands beside it", () => {
  const area = textarea("one\ntwo\nthree");
  const fit = heightFitter(area);
  fit();
  assert.deepEqual(area.style, { height: "62px", flex: "" });
  area.value = "one";
  fit();
  assert.equal(area.style.height, "22px");
});

test("it fits again once it has another width, and not for another height", () => {
  const area = textarea("one");
  heightFitter(area);
  observed();
  assert.equal(area.style.height, "22px");
  area.value = "one\ntwo";
  observed();
  assert.equal(area.style.height, "22px");
  area.clientWidth = 100;
  observed();
  assert.equal(area.style.height, "42px");
});

test("one that somebody has dragged stays as it is, and a long text is not laid out for its height", () => {
  const area = textarea("one");
  const fit = heightFitter(area);
  area.value = "one\n".repeat(5_000);
  fit();
  assert.equal(area.style.height, "100vh");
  area.style.height = "77px";
  area.value = "one";
  fit();
  assert.equal(area.style.height, "77px");
});

test("nothing is done where the style sheet does it", () => {
  supports = true;
  const area = textarea("one\ntwo");
  heightFitter(area)();
  assert.equal(area.style.height, "");
});
