// Marks of what hides: put together from replies, laid on a text that has changed since, and which tokens they change.

import assert from "node:assert/strict";
import { test } from "node:test";

import { HiddenMarks, marksAfterReply, NO_MARKS } from "../../assets/shared/hidden_marks.js";
import { LaidTokens } from "../../assets/shared/laid_tokens.js";
import { packed, tokensReply } from "./replies.js";

/** Marks at places [start, end, kind]. */
function marksAt(...places) {
  const gaps = places.map(([start], i) => start - (places[i - 1]?.[1] ?? 0));
  return new HiddenMarks(Int32Array.from(gaps), Int32Array.from(places, ([start, end]) => end - start), Int32Array.from(places, ([, , kind]) => kind));
}

const placesOf = (marks) => Array.from(marks.starts, (start, i) => [start, marks.end(i), marks.kinds[i]]);

test("a reply replaces some of the marks, and those behind move with the gap", () => {
  const marks = marksAt([1, 2, 0], [5, 7, 2], [9, 10, 5]);
  const hidden = { at: 1, removed: 1, gaps: packed([1, 0]), widths: packed([1, 3]), kinds: packed([3, 4]) };
  assert.deepEqual(placesOf(marksAfterReply(marks, { hidden })), [[1, 2, 0], [3, 4, 3], [4, 7, 4], [9, 10, 5]]);
  assert.equal(marksAfterReply(marks, { hidden: null }), marks);
  assert.equal(marksAfterReply(marks, { hidden: null, tokenizer: {} }), NO_MARKS);
});

test("on a text that has changed since, what the change touches is gone and the rest has moved", () => {
  const marks = marksAt([1, 2, 0], [5, 7, 2], [9, 10, 5]);
  assert.deepEqual(placesOf(marks.movedBy({ start: 3, oldStop: 3, newStop: 6 })), [[1, 2, 0], [8, 10, 2], [12, 13, 5]]);
  assert.deepEqual(placesOf(marks.movedBy({ start: 6, oldStop: 6, newStop: 7 })), [[1, 2, 0], [10, 11, 5]]);
  assert.deepEqual(placesOf(marks.movedBy({ start: 0, oldStop: 10, newStop: 0 })), []);
  assert.equal(marks.movedBy(null), marks);
});

test("a text falls into pieces that are marked or not, and a stack holds the letter it stands on", () => {
  const text = "ab\u200bcZ\u0301\u0302\u0303\u0304";
  const pieces = marksAt([2, 3, 2], [5, 9, 6]).pieces(text, 1, text.length).map(({ text: piece, kind }) => [piece, kind]);
  assert.deepEqual(pieces, [["b", null], ["\u200b", 2], ["c", null], ["Z\u0301\u0302\u0303\u0304", 6]]);
  assert.deepEqual(marksAt([2, 3, 2]).pieces(text, 0, 2), [{ start: 0, end: 2, text: "ab", kind: null }]);
});

test("tokens are drawn anew whose marks have changed, though they are as they were", () => {
  const reply = tokensReply(0, 0, [..."abcd"].map((letter, i) => [letter.charCodeAt(0), i, 1]), { end: 4, shift: 4 });
  const none = tokensReply(4, 0, [], { end: 4 });
  const laid = new LaidTokens();
  laid.take({ ...reply, tokenizer: { name: "bytes", special: [] }, hidden: null });
  laid.lay("abcd", null, null);
  const told = (at, removed, gaps, widths, kinds) => ({ ...none, hidden: { at, removed, gaps: packed(gaps), widths: packed(widths), kinds: packed(kinds) } });
  laid.take(told(0, 0, [1], [1], [5]));
  assert.deepEqual(laid.lay("abcd", null, null), { start: 1, oldStop: 2, newStop: 2 });
  laid.take(told(1, 0, [1], [1], [5]));
  assert.deepEqual(laid.lay("abcd", null, null), { start: 3, oldStop: 4, newStop: 4 });
  laid.take(told(0, 2, [], [], []));
  assert.deepEqual(laid.lay("abcd", null, null), { start: 1, oldStop: 4, newStop: 4 });
  laid.take(told(0, 0, [], [], []));
  assert.equal(laid.lay("abcd", null, null), null);
});
