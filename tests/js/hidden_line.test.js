// What hidden text costs, in words.

import assert from "node:assert/strict";
import test from "node:test";

const { costText } = await import("../../assets/editor/hidden_line.js");

test("one tokenizer, which the page names already", () => {
  assert.equal(costText([[null, 25]]), "25 more tokens");
  assert.equal(costText([[null, 1]]), "1 more token");
  assert.equal(costText([[null, -3]]), "3 fewer tokens");
});

test("of several the words are said once where all have more, and of each where one has fewer", () => {
  assert.equal(costText([["gpt2", 1_025], ["o200k_base", 12]]), "1,025 more tokens in gpt2, 12 in o200k_base");
  assert.equal(costText([["gpt2", -3], ["o200k_base", 12]]), "3 fewer tokens in gpt2, 12 more tokens in o200k_base");
  assert.equal(costText([["gpt2", 12], ["o200k_base", -1]]), "12 more tokens in gpt2, 1 fewer token in o200k_base");
});
