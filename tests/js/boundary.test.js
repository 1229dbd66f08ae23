// Which boundary is pointed at or walked to, and what is said of it.

import assert from "node:assert/strict";
import test from "node:test";
import { boundaryAt, nextBoundary, boundaryText, bytesText } from "../../assets/time_machine/pointing.js";

test("one points at a boundary near the edge of a token, not in its middle or at an end of the text", () => {
  const box = { left: 100, right: 140 };
  const token = { start: 3, end: 6, isLast: false };
  const at = (x, bytes = [3, 6], of = token) => boundaryAt(box, x, bytes, of);
  assert.deepEqual([101, 106, 107, 120, 133, 134, 139].map((x) => at(x)), [3, 3, null, null, null, 6, 6]);
  assert.equal(at(101, [0, 6], { start: 0, end: 6, isLast: false }), null);
  assert.equal(at(139, [3, 6], { ...token, isLast: true }), null);
  // A chip that shows a part of a token has no boundary where the token goes on.
  assert.deepEqual([at(101, [4, 6]), at(139, [3, 5])], [null, null]);
});

test("the arrow keys go to the boundaries that are open at a step", () => {
  const closed = [null, 0, 5, -1, 2];
  const history = { bytes: closed, isClosed: (i, k) => closed[i] !== -1 && closed[i] < k };
  assert.deepEqual([0, 2, 3].map((from) => nextBoundary(history, 1, from, 1)), [2, 3, 4]);
  assert.deepEqual([nextBoundary(history, 3, 4, 1), nextBoundary(history, 3, 3, -1), nextBoundary(history, 3, 2, -1)], [null, 2, null]);
});

test("bytes in place of a character are named until it is one token", () => {
  const bytes = new TextEncoder().encode("aก่");
  const closed = [-1, -1, 0, 1, 1, 2, 4];
  const history = { bytes, isClosed: (i, k) => closed[i] !== -1 && closed[i] < k, string: (start, end) => new TextDecoder().decode(bytes.subarray(start, end)) };
  assert.equal(bytesText(history, 1), "Each code is one byte: ก takes 3 (e0 b8 81), an English letter 1.");
  assert.equal(bytesText(history, 3), "Each code is one byte: ◌่ takes 3 (e0 b9 88), an English letter 1.");
  assert.equal(bytesText(history, 5), "");
});

test("a boundary that closes later names its merge, and of another one the server says why", () => {
  assert.equal(boundaryText(11, undefined), "Not merged yet: merge 12 will join them.");
  assert.equal(boundaryText(-1, undefined), "");
  assert.equal(boundaryText(-1, "a special token never merges"), "Never merged: a special token never merges.");
});
