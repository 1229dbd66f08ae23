// What a chip says to a screen reader, and to who points at it.

import assert from "node:assert/strict";
import test from "node:test";
import { bytesOrNameText } from "../../assets/shared/chips.js";
import { tokenName } from "../../assets/shared/inspector.js";
import { Tokens } from "../../assets/shared/tokens.js";

test("an unknown word is named as the vocabulary writes it, an empty token has no text, others have bytes", () => {
  const tokens = new Tokens("a ☃", [7, 0, 5], [1, 3, 0], Int32Array.of(0, 2, 3, 3), [1, 1, 0]);
  tokens.describe({ placed: true, labels: [[0, "[UNK]"], [5, " "]], unknown: 0 });
  assert.equal(tokenName(tokens, 0), "token 1 of 3: a, id 7, bytes 61");
  assert.equal(tokenName(tokens, 1), "token 2 of 3: [UNK], id 0, for ☃, which is not in the vocabulary");
  assert.equal(tokenName(tokens, 2), "token 3 of 3: ␣, id 5, no text");
  assert.deepEqual([0, 1, 2].map((i) => bytesOrNameText(tokens, i)), ["bytes 61", "[UNK]", "␣"]);
  const long = new Tokens("abc", [1], [3], Int32Array.of(0, 3), [3]);
  assert.equal(bytesOrNameText(long, 0, 2), "bytes 61 62 …");
});
