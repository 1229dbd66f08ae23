// The colours of tokens: of their bytes alone, and all of the palette in use.

import assert from "node:assert/strict";
import { test } from "node:test";

import { COLOURS, colourOf, NONE, SPECIAL } from "../../assets/shared/colours.js";
import { PENDING, Tokens } from "../../assets/shared/tokens.js";

const encoder = new TextEncoder();
const LETTERS = "etaoinshrdlucmfwygpbvk";

/** Pieces as vocabularies have them: single bytes, then words of up to four letters, some behind a space. */
function pieces() {
  const found = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
  for (const a of LETTERS) for (const b of LETTERS) for (const c of ["", ..."aeiou"]) for (const d of ["", "s", "ing", "ed", "er", "ly"]) {
    found.push(encoder.encode(a + b + c + d), encoder.encode(` ${a}${b}${c}${d}`));
  }
  return found;
}

test("all of the palette is used, and about evenly", () => {
  const counts = Array.from({ length: COLOURS }, () => 0);
  for (const bytes of pieces()) counts[colourOf(bytes)]++;
  const mean = pieces().length / COLOURS;
  assert.ok(Math.min(...counts) > 0.85 * mean && Math.max(...counts) < 1.15 * mean, String(counts));
});

test("a token has the colour of its bytes, whatever its id and wherever it stands", () => {
  // "ก" in one token of three bytes, and in three; " a" twice; a special token; text that waits.
  const text = "ก a ก a<s>?";
  const ids = Int32Array.of(5, 6, 7, 1, 2, 3, 8, 9, PENDING);
  const sizes = Uint8Array.of(3, 2, 1, 1, 1, 1, 2, 3, 0);
  const starts = Int32Array.of(0, 1, 3, 4, 4, 4, 5, 7, 10, 11);
  const widths = Uint8Array.of(1, 2, 1, 1, 1, 1, 2, 3, 1);
  const tokens = Object.assign(new Tokens(text, ids, sizes, starts, widths), { special: new Set([9]) });
  const colours = Array.from(ids, (_, i) => tokens.colour(i));
  const of = (...bytes) => colourOf(Uint8Array.from(bytes));
  assert.deepEqual(colours, [of(0xe0, 0xb8, 0x81), of(32, 97), of(32), of(0xe0), of(0xb8), of(0x81), of(32, 97), SPECIAL, NONE]);
});

test("a colour that is given comes before that of the bytes", () => {
  const tokens = new Tokens("ab", Int32Array.of(0, 1), Uint8Array.of(1, 1), Int32Array.of(0, 1, 2), Uint8Array.of(1, 1));
  assert.deepEqual([0, 1].map((i) => Object.assign(tokens, { colours: [4, NONE] }).colour(i)), [4, NONE]);
});
