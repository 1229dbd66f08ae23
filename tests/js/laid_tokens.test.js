// Tokens laid on a text: what is said to have changed leads from what was on view to what is.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LaidTokens } from "../../assets/shared/laid_tokens.js";
import { tokensReply } from "./replies.js";
import { PENDING } from "../../assets/shared/tokens.js";

const TOKENIZER = { name: "bytes", special: [], placed: false };

/** A reply that puts tokens, one for each character, in the place of `removed` ones from `at` on; a character is its id. */
function reply(at, removed, characters, rest) {
  return tokensReply(at, removed, [...characters].map((character, i) => [character.codePointAt(0), at + i, 1]), { from: at, ...rest });
}

const first = (text) => reply(0, 0, text, { end: text.length, tokenizer: TOKENIZER });
const shown = ({ shown: tokens }) => [...tokens.ids].map((id) => (id === PENDING ? "?" : String.fromCodePoint(id))).join("");

test("a reply that comes at once changes the tokens that it names", () => {
  const laid = new LaidTokens();
  laid.take(first("abc"));
  laid.lay("abc", null, null);
  laid.take(reply(1, 1, "xy", { end: 4, shift: 1 }));
  assert.deepEqual(laid.lay("axyc", null, { start: 1, oldStop: 2, newStop: 3 }), { start: 1, oldStop: 2, newStop: 3 });
  assert.equal(shown(laid), "axyc");
  assert.equal(laid.lay("axyc", null, null), null);
});

test("what is typed waits for its tokens, and then gives way to them", () => {
  const laid = new LaidTokens();
  laid.take(first("abc"));
  laid.lay("abc", null, null);
  const typed = { start: 1, oldStop: 1, newStop: 3 };
  assert.deepEqual(laid.lay("axxbc", typed, typed), { start: 1, oldStop: 1, newStop: 2 });
  assert.equal(shown(laid), "a?bc");
  laid.take(reply(1, 0, "xx", { end: 5, shift: 2 }));
  assert.deepEqual(laid.lay("axxbc", null, null), { start: 1, oldStop: 2, newStop: 3 });
  assert.equal(shown(laid), "axxbc");
});

test("of another text all waits, and what is the same of its tokens stays", () => {
  const laid = new LaidTokens();
  laid.take(first("abc"));
  laid.lay("abc", null, null);
  laid.lay("xyz", undefined, undefined);
  assert.equal(shown(laid), "?");
  laid.take(reply(0, 3, "xyz", { end: 3 }));
  assert.deepEqual(laid.lay("xyz", null, null), { start: 0, oldStop: 1, newStop: 3 });
  assert.equal(shown(laid), "xyz");
  laid.isOther = true;
  laid.take(reply(1, 1, "_", { end: 3 }));
  assert.deepEqual(laid.lay("x_z", null, undefined), { start: 1, oldStop: 2, newStop: 2 });
});

test("under another tokenizer the same ids are other tokens, after a cut connection they are not", () => {
  const laid = new LaidTokens();
  laid.take(first("abc"));
  laid.lay("abc", null, null);
  laid.take(first("abc"));
  assert.deepEqual(laid.lay("abc", null, null), { start: 3, oldStop: 3, newStop: 3 });
  laid.take({ ...first("abc"), tokenizer: { ...TOKENIZER, name: "another", special: [97] } });
  assert.deepEqual(laid.lay("abc", null, null), { start: 0, oldStop: 3, newStop: 3 });
  assert.deepEqual(laid.special, new Set([97]));
});
