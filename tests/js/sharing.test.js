// How the columns of a presented comparison share the screen.

import assert from "node:assert/strict";
import test from "node:test";

globalThis.IntersectionObserver = class {};
globalThis.getComputedStyle = (node) => node.computed();
const { sharedLines, shareRoom } = await import("../../assets/compare_view/sharing.js");

/** Columns of texts with so many letters, each a square of 10 pixels, in places that are 200 pixels wide. */
function columnsOf(letters) {
  return letters.map((n) => {
    const rows = () => Math.ceil((10 * n * panel.scale) / 200);
    const flow = {
      clientWidth: 200, scrollWidth: 200, computed: () => ({ lineHeight: `${10 * panel.scale}px` }),
      get offsetHeight() { return rows() * 10 * panel.scale; },
    };
    const panel = { scale: 1, flow, setScale(scale) { panel.scale = scale; } };
    const column = { panel, nameHeight: 20, node: { style: { setProperty: (_, lines) => { column.lines = lines; } } } };
    return column;
  });
}

test("columns that need fewer lines leave theirs to the others, and no line is lost to rounding", () => {
  for (const [needs, n, lines] of [[[3, 2, 2], 9, [3, 2, 2]], [[10, 2, 3], 9, [4, 2, 3]], [[10, 10, 10], 8, [2, 3, 3]], [[1, 9], 1, [0, 1]]]) {
    assert.deepEqual(sharedLines(needs, n), lines, String(needs));
  }
});

test("what is short is drawn as large as all of it stays in sight, and what is long keeps its type and leaves room for names", () => {
  const short = columnsOf([40, 25]); // at 1.5 times the size 3 and 2 lines, 75 pixels
  shareRoom(short, 80, 4);
  assert.deepEqual(short.map(({ panel, lines }) => [panel.scale, lines]), [[1.5, 3], [1.5, 2]]);
  const long = columnsOf([400, 20]);
  shareRoom(long, 85, null);
  assert.deepEqual(long.map(({ panel, lines }) => [panel.scale, lines]), [[1, 6], [1, 2]]);
});
