// How the columns of a presented comparison share the screen.

import assert from "node:assert/strict";
import test from "node:test";

globalThis.IntersectionObserver = class {};
const { sharedLines, shareRoom } = await import("../../assets/compare_view/sharing.js");

/** Columns of texts with so many letters, each a square of 10 pixels, in places that are 200 pixels wide. */
function columnsOf(letters) {
  return letters.map((n) => {
    const rows = () => Math.ceil((10 * n * panel.scale) / 200);
    const flow = {
      clientWidth: 200, scrollWidth: 200,
      get offsetHeight() { return rows() * 10 * panel.scale; },
    };
    const panel = {
      scale: 1, flow, setScale(scale) { panel.scale = scale || 1; },
      get lineHeight() { return 10 * panel.scale; },
      lineStarts: () => Array.from({ length: rows() }, (_, i) => (20 * i) / panel.scale),
    };
    const column = {
      panel,
      lines: 5, // before; what is below the name stretches to them
      get nameHeight() { return Math.max(20, column.lines * panel.lineHeight); },
      node: { style: { setProperty: (_, lines) => { column.lines = lines; } } },
    };
    return column;
  });
}

test("each column gets the lines of the same stretch of the text, the longest that has room in all", () => {
  const lines = (starts, n, least = starts.map(() => 1)) => sharedLines(starts, least, n);
  assert.deepEqual(lines([[0, 10, 20, 30], [0, 15, 30], [0, 30]], 9), [4, 3, 2]); // all of it
  assert.deepEqual(lines([[0, 10, 20, 30], [0, 15, 30], [0, 30]], 7), [3, 2, 1]); // up to 30
  assert.deepEqual(lines([[0, 10, 20, 30], [0, 15, 30], [0, 30]], 5), [2, 2, 1]); // up to 20: the first to 20, the second to 30
  assert.deepEqual(lines([[0, 10, 20, 30], [0, 15, 30], [0, 30]], 8, [1, 1, 3]), [3, 2, 3]); // a name of three lines
  assert.deepEqual(lines([[0, 5], [0]], 1), [1, 1]); // no room at all
});

test("what is short is drawn as large as all of it stays in sight, and what is long keeps its type and leaves room for names", () => {
  const short = columnsOf([40, 25]); // at 1.5 times the size 3 and 2 lines, 75 pixels
  shareRoom(short, 80, [1, 4]);
  assert.deepEqual(short.map(({ panel, lines }) => [panel.scale, lines]), [[1.5, 3], [1.5, 2]]);
  const long = columnsOf([400, 20]);
  shareRoom(long, 85, null);
  assert.deepEqual(long.map(({ panel, lines }) => [panel.scale, lines]), [[1, 6], [1, 2]]);
});
