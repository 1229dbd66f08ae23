// What is told of the next merge while it is to be guessed, and after.

import assert from "node:assert/strict";
import test from "node:test";
import { Prediction } from "../../assets/time_machine/prediction.js";

const NODE = { replaceChildren() {} };

test("the next merge is told once it was guessed or asked for, and no sooner", () => {
  const pair = { left: ["68", 104], right: ["65", 101], count: 3, rank: 4, chosen: true };
  const other = { left: ["65", 101], right: ["74", 116], count: 3, rank: null };
  const answer = { k: 2, next: { rank: 4, ...pair }, table: { source: "corpus", n_tied: 2, highest: 3, rows: [pair, other] } };
  const prediction = new Prediction({ querySelector: () => ({ ...NODE }) }, { markPicked() {} }, () => {});
  prediction.showWords = () => {};
  prediction.isOn = true;
  for (const answered of [() => prediction.pick(other), () => prediction.reveal()]) {
    prediction.reset(2);
    prediction.take(answer);
    assert.equal(prediction.isAsking, true);
    assert.equal(prediction.nextRank, null);
    answered();
    assert.equal(prediction.isAsking, false);
    assert.equal(prediction.nextRank, 4);
  }
});
