// Which tokens All the ways can show: those of whole characters among the first of a text.

import assert from "node:assert/strict";
import test from "node:test";
import { Tokens } from "../../assets/shared/tokens.js";

const { canShowWays } = await import("../../assets/token_view/pointing.js");

/** Tokens [start, width in UTF-16 units, size in bytes] of a text. */
function tokensOf(text, ...tokens) {
  const [starts, widths, sizes] = [0, 1, 2].map((column) => Int32Array.from(tokens, (token) => token[column]));
  return new Tokens(text, Int32Array.from(tokens, (_, i) => i), sizes, Int32Array.of(...starts, text.length), widths);
}

test("a token that ends within the first 2,000 characters, and none that reaches beyond", () => {
  const text = "a".repeat(2_001);
  const tokens = tokensOf(text, [0, 1_999, 1_999], [1_999, 1, 1], [2_000, 1, 1]);
  assert.deepEqual([0, 1, 2].map((i) => canShowWays(tokens, i, 2_000)), [true, true, false]);
});

test("a character of two units is one", () => {
  const text = "😀".repeat(2_001);
  const tokens = tokensOf(text, [0, 3_998, 7_996], [3_998, 2, 4], [4_000, 2, 4]);
  assert.deepEqual([0, 1, 2].map((i) => canShowWays(tokens, i, 2_000)), [true, true, false]);
});

test("none that is a part of a character", () => {
  const tokens = tokensOf("a😀b", [0, 1, 1], [1, 2, 2], [1, 2, 2], [3, 1, 1]);
  assert.deepEqual([0, 1, 2, 3].map((i) => canShowWays(tokens, i, 2_000)), [true, false, false, true]);
});
