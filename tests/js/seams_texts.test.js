// What is said of tokens that may change, though nothing was found that changes them.

import assert from "node:assert/strict";
import test from "node:test";

const { openTokensText } = await import("../../assets/seams/texts.js");

test("one token, two and more are counted from 1", () => {
  assert.equal(openTokensText([4]), "Token 5 may change, though no text was found that changes it.");
  assert.equal(openTokensText([4, 5]), "Tokens 5 and 6 may change, though no text was found that changes them.");
  assert.equal(openTokensText([4, 5, 1_999]), "Tokens 5, 6 and 2,000 may change, though no text was found that changes them.");
});
