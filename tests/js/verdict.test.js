// What is said of a guess at the next merge, and in which order there is something to choose from.

import assert from "node:assert/strict";
import test from "node:test";
import { candidates, characterText, streakAfter, verdict } from "../../assets/time_machine/prediction.js";
import { unitPerByte } from "../../assets/shared/text.js";

const token = (text) => [Buffer.from(text).toString("hex").replace(/..(?!$)/g, "$& "), text.charCodeAt(0) + 1000 * text.length];
const row = (left, right, count, rank, rest) => ({ left: token(left), right: token(right), count, rank, ...rest });

/** The answer of a server: the chosen pair comes first. */
function answer(source, rows, tied = 1) {
  const [{ left, right, rank }] = rows;
  const table = { source, n_tied: tied, highest: Math.max(...rows.map(({ count }) => count)), rows };
  rows[0].chosen = true;
  return { table, next: { left, right, rank } };
}

const text = (hex) => Buffer.from(hex.replaceAll(" ", ""), "hex").toString();
const said = ({ kind, words }) => [kind, words.map((part) => typeof part === "string" ? part : `${text(part.left[0])}+${text(part.right[0])}`).join("")];

test("counts decide over a training text", () => {
  const [right, wrong] = [row("e", " ", 310, 0), row("t", "h", 212, 1)];
  const asked = answer("corpus", [right, wrong]);
  assert.deepEqual(said(verdict(right, asked)), ["right", "Right: e+  occurs most often, 310 times."]);
  assert.deepEqual(said(verdict(wrong, asked)), ["wrong", "No: t+h occurs 212 times, e+  310 times."]);
  assert.deepEqual(said(verdict(row("x", "y", 1, null), asked)), ["wrong", "No: x+y occurs once, e+  310 times."]);
  assert.deepEqual(said(verdict(row("x", "z", 0, null), asked)), ["wrong", "No: x+z occurs nowhere, e+  310 times."]);
  assert.deepEqual(said(verdict(null, asked)), ["shown", "e+  occurs most often, 310 times."]);
});

test("of tied pairs any is right, and the one that comes first in the text is merged", () => {
  const [first, second] = [row("aa", "a", 2, 1), row("a", "b", 2, null)];
  const asked = answer("corpus", [first, second], 2);
  assert.deepEqual(said(verdict(first, asked)),
    ["right", "Right: aa+a: 2 pairs occur 2 times each, and the one that comes first in the text wins."]);
  assert.deepEqual(said(verdict(second, asked)),
    ["right", "Right: a+b ties for first: 2 pairs occur 2 times each. The one that comes first in the text is merged: aa+a."]);
  assert.deepEqual(said(verdict(row("x", "y", 1, null), asked)), ["wrong", "No: x+y occurs once, aa+a 2 times, and so does another."]);
});

test("elsewhere the number of the merge decides, whatever is frequent here", () => {
  const [next, later, never] = [row("h", "e", 1, 2), row("r", "e", 5, 9), row("x", "y", 1, null)];
  const asked = answer("elsewhere", [next, later, never]);
  assert.deepEqual(said(verdict(next, asked)), ["right", "Right: h+e is merge 3, the lowest number of all pairs here."]);
  const [kind, words] = said(verdict(later, asked));
  assert.equal(kind, "wrong");
  assert.ok(words.startsWith("No: r+e is merge 10, h+e merge 3, and the lowest number comes first."));
  assert.ok(words.includes("does not matter"));
  const tied = row("q", "u", 1, 2);
  assert.deepEqual(said(verdict(tied, asked)), ["right", "Right: q+u is merge 3, the lowest number of all pairs here."]);
  assert.deepEqual(said(verdict(never, asked)), ["wrong", "No: the vocabulary has no merge for x+y. Next is h+e, merge 3."]);
});

test("the order of the candidates does not depend on their counts or on which is chosen", () => {
  const pairs = [row("t", "h", 9, 0), row("a", "b", 3, 1), row("e", " ", 5, 2), row("q", "u", 0, 3)];
  const orders = [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]].map((order) =>
    candidates(answer("corpus", order.map((i) => ({ ...pairs[i] }))).table).map(({ left }) => text(left[0])));
  // A pair that does not occur in the text is no candidate.
  for (const order of orders) assert.deepEqual(order, ["a", "e", "t"]);
  // The table begins with the pair that is chosen; of what follows, the most frequent pairs are candidates.
  const many = [..."zyxwvut"].map((letter, i) => row(letter, "a", 9 - i, i));
  assert.deepEqual(candidates(answer("corpus", many).table).map(({ left }) => text(left[0])), [..."uvwxyz"]);
});

test("a right guess lengthens the streak and a wrong one ends it; an answer that was asked for does neither", () => {
  const streaks = [];
  let streak = 0;
  for (const kind of ["right", "right", "shown", "right", "wrong", "right"]) streaks.push(streak = streakAfter(streak, kind));
  assert.deepEqual(streaks, [1, 2, 2, 3, 0, 1]);
});

test("bytes are said to be of the characters of the text that hold them, at most three, or between two", () => {
  const closed = new Map(); // the merge that closes the gap before a byte
  const history = (text, end = Infinity) => {
    const bytes = Buffer.from(text);
    const characters = [...text].flatMap((character) => Array(Buffer.byteLength(character)).fill(character));
    const string = (from, to) => characters.slice(from, to).filter((character, i, all) => character !== all[i - 1]).join("");
    return { unitPerByte: unitPerByte(bytes), string, isClosed: (i, k) => closed.get(i) < k, pretokenAt: (i) => ({ end: i < end ? end : Infinity }) };
  };
  const words = (left, right, text = "กก็ขคa", k = 0, ...end) => characterText({ left: [left], right: [right] }, history(text, ...end), k);
  assert.equal(words("e0 b8", "81"), "→ ก");
  assert.equal(words("b8", "81"), "in ก");
  assert.equal(words("e0", "b9"), "in ◌็");
  assert.equal(words("e0", "b8"), "in ก ข ค");
  assert.equal(words("e0", "b8", "กขคง"), "in ก ข ค …");
  assert.equal(words("81", "e0", "แม"), "between แ and ม");
  assert.equal(words("81", "e0", "แมกข"), "between แ and ม");
  for (const [left, right] of [["82", "e0"], ["e0 b8 81", "e0 b8 82"], ["61", "61"]]) assert.equal(words(left, right, "กa"), "");
  // Not where a merge has joined them to another token, nor across the end of a pretoken.
  closed.set(2, 0);
  assert.deepEqual([words("81", "e0", "แมกข"), words("81", "e0", "แมกข", 1), words("81", "e0", "แม", 0, 3)], ["between แ and ม", "between ก and ข", ""]);
});
