// What differs between two texts of a chat.

import assert from "node:assert/strict";
import test from "node:test";
import { changedRuns } from "../../assets/seams/changed_runs.js";

test("every word, sign and special token that only one of two texts has is marked in it", () => {
  assert.deepEqual(changedRuns("<|im_start|>user\nIs 17 prime?<|im_end|>\n", "<|start|>user<|message|>Is 17 prime?<|end|>"), [
    [["", "<|im_start|>"], ["user", "\n"], ["Is 17 prime?", "<|im_end|>\n"]],
    [["", "<|start|>"], ["user", "<|message|>"], ["Is 17 prime?", "<|end|>"]],
  ]);
  assert.deepEqual(changedRuns("[INST] Hi", "[INST] Hi there"), [[["[INST] Hi", ""]], [["[INST] Hi", " there"]]]);
  assert.deepEqual(changedRuns("same", "same"), [[["same", ""]], [["same", ""]]]);
});

test("the runs of each text are the whole of it, and what is shared is the same in both", () => {
  const texts = ["", "<think>\n\n</think>👩‍🍳 ที่นี่", "a b a b c", "b <|end|>a\n\nc", "\ud800 a"];
  for (const one of texts) {
    for (const other of texts) {
      const runs = changedRuns(one, other);
      assert.deepEqual(runs.map((all) => all.flat().join("")), [one, other]);
      const [shared, again] = runs.map((all) => all.map(([both]) => both).join(""));
      assert.equal(shared, again);
    }
  }
});
