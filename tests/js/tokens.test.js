// Tokens as columns: what a reply changes of them, and how they lie on a text that has changed since.

import assert from "node:assert/strict";
import test from "node:test";
import { composedChange, inverseChange, movedIndex } from "../../assets/shared/change.js";
import { tokensReply as reply } from "./replies.js";
import { laidTokensAndChange, NO_TOKENS, PENDING, tokensAfterReply, touchedTokens } from "../../assets/shared/tokens.js";

const rows = (tokens) => Array.from(tokens.ids, (id, i) => [id, tokens.starts[i], tokens.widths[i]]);
const WHOLE = [[1, 0, 3], [2, 3, 4], [3, 7, 6]]; // one| two| three

test("a reply changes a stretch of the tokens and moves those behind it", () => {
  const first = tokensAfterReply(NO_TOKENS, reply(0, 0, WHOLE, { end: 13 }));
  assert.deepEqual(rows(first), WHOLE);
  const second = tokensAfterReply(first, reply(1, 1, [[5, 3, 2], [6, 5, 1]], { shift: -1, end: 12 }));
  assert.deepEqual(rows(second), [[1, 0, 3], [5, 3, 2], [6, 5, 1], [3, 6, 6]]);
  assert.equal(second.starts[4], 12);
  assert.deepEqual(rows(tokensAfterReply(second, reply(0, 4, [], { shift: -12, end: 0 }))), []);
});

test("what is typed and not tokenized yet is one pending token in the place of those it touches", () => {
  const tokens = tokensAfterReply(NO_TOKENS, reply(0, 0, WHOLE, { end: 13 }));
  const { laid, changed } = laidTokensAndChange(tokens, "one tXwo three", { start: 5, oldStop: 5, newStop: 6 });
  assert.deepEqual(rows(laid), [[1, 0, 3], [PENDING, 3, 5], [3, 8, 6]]);
  assert.deepEqual(changed, { start: 1, oldStop: 2, newStop: 2 });
  const atEnd = laidTokensAndChange(tokens, "one two three!", { start: 13, oldStop: 13, newStop: 14 });
  assert.deepEqual(rows(atEnd.laid), [...WHOLE, [PENDING, 13, 1]]);
  const gone = laidTokensAndChange(tokens, "one three", { start: 3, oldStop: 7, newStop: 3 });
  assert.deepEqual(rows(gone.laid), [[1, 0, 3], [3, 3, 6]]);
  assert.equal(laidTokensAndChange(tokens, "one two three", null).changed, null);
});

test("a mark that joins the letter before it takes that token along", () => {
  const tokens = tokensAfterReply(NO_TOKENS, reply(0, 0, [[1, 0, 1], [2, 1, 1]], { end: 2 }));
  const { laid } = laidTokensAndChange(tokens, "e\u0301b", { start: 1, oldStop: 1, newStop: 2 });
  assert.equal(laid.ids[0], PENDING);
});

test("typing beyond the limit changes nothing on view", () => {
  const tokens = tokensAfterReply(NO_TOKENS, reply(0, 0, [[1, 0, 3]], { end: 3 }));
  const { laid } = laidTokensAndChange(tokens, "abc and more", { start: 10, oldStop: 10, newStop: 12 });
  assert.deepEqual(rows(laid), [[1, 0, 3]]);
});

test("the tokens a change of the text touches", () => {
  const tokens = tokensAfterReply(NO_TOKENS, reply(0, 0, WHOLE, { end: 13 }));
  assert.deepEqual(touchedTokens(tokens, { start: 7, oldStop: 7 }), { start: 2, oldStop: 2 });
  assert.deepEqual(touchedTokens(tokens, { start: 5, oldStop: 8 }), { start: 1, oldStop: 3 });
  assert.deepEqual(touchedTokens(tokens, { start: 13, oldStop: 13 }), { start: 3, oldStop: 3 });
});

test("changes follow each other, go back, and move what stands behind them", () => {
  const one = { start: 3, oldStop: 3, newStop: 4 };
  assert.deepEqual(composedChange(one, { start: 4, oldStop: 4, newStop: 5 }), { start: 3, oldStop: 3, newStop: 5 });
  assert.deepEqual(composedChange({ start: 9, oldStop: 9, newStop: 10 }, { start: 0, oldStop: 2, newStop: 0 }), { start: 0, oldStop: 9, newStop: 8 });
  assert.equal(composedChange(null, one), one);
  assert.deepEqual(inverseChange(one), { start: 3, oldStop: 4, newStop: 3 });
  assert.deepEqual([2, 3, 9, null].map((index) => movedIndex(index, one)), [2, 4, 10, null]);
  assert.equal(movedIndex(4, { start: 3, oldStop: 5, newStop: 3 }), null);
});

test("a token whose text was changed before it was split keeps its own bytes, and says so", () => {
  const tokens = tokensAfterReply(NO_TOKENS, reply(0, 0, [[7, 0, 0], [8, 0, 2], [8, 2, 1]], { end: 3 }));
  tokens.text = "e\u0301\u00e9";
  tokens.describe({ placed: true, normalizes: true, labels: [[7, " "], [8, "\u00e9"]], unknown: null });
  assert.deepEqual([0, 1, 2].map((i) => tokens.written(i)), [" ", "\u00e9", null]);
  assert.deepEqual([0, 1, 2].map((i) => tokens.isChanged(i)), [false, true, false]);
  assert.deepEqual([0, 1, 2].map((i) => tokens.hex(i)), ["20", "c3 a9", "c3 a9"]);
  assert.equal(tokens.colour(1), tokens.colour(2));
});
