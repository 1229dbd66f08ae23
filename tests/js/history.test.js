// A merge history put together from replies, as it is drawn.

import assert from "node:assert/strict";
import test from "node:test";
import { packed } from "./replies.js";
import { colourOf, SPECIAL } from "../../assets/shared/colours.js";
import { MADE, MergeHistory, NEVER, historyAfterReply, SOON } from "../../assets/time_machine/history.js";

const TOKENIZER = { name: "t", n_merges: 3, byte_ids: packed(Array.from({ length: 256 }, (_, i) => i)) };

/** A reply that puts a text with these ranks behind its bytes, and pretokens of these sizes, in the place of others. */
function reply(at, removed, text, ranks, pretokens, { special = [], ...rest } = {}) {
  const made = [...new Set(ranks.filter((rank) => rank >= 0))].sort();
  const [first, gone, sizes] = pretokens;
  return {
    at, removed, text, gaps: packed(ranks.map((rank) => rank + 2)), special,
    ranks: packed(made), ids: packed(made.map((rank) => 256 + rank)),
    pretokens: { at: first, removed: gone, sizes: packed(sizes) }, ...rest,
  };
}

const whole = (text, ranks, sizes, options) => reply(0, 0, text, ranks, [0, 0, sizes], { tokenizer: TOKENIZER, ...options });

function tokens(sent, k) {
  const history = new MergeHistory(sent);
  const { ids, byteStarts } = history.tokensAt(0, history.bytes.length, k, null);
  return ids.map((id, i) => [byteStarts[i], id]);
}

test("what a reply changes gives the history that is sent whole", () => {
  // "ab ก": merge 0 is a + b, merge 1 joins the first two bytes of ก, merge 2 the third.
  const first = historyAfterReply(null, whole("ab ก", [0, NEVER, NEVER, 1, 2, NEVER], [2, 4]));
  assert.deepEqual(tokens(first, 0), [[0, 97], [1, 98], [2, 32], [3, 0xe0], [4, 0xb8], [5, 0x81]]);
  assert.deepEqual(tokens(first, 3), [[0, 256], [2, 32], [3, 258]]);
  const edited = historyAfterReply(first, reply(0, 2, "xab", [NEVER, 0, NEVER], [0, 1, [3]]));
  const wanted = historyAfterReply(null, whole("xab ก", [NEVER, 0, NEVER, NEVER, 1, 2, NEVER], [3, 4]));
  assert.deepEqual(edited, wanted);
  assert.equal(new MergeHistory(edited).text, "xab ก");
  assert.deepEqual([...new MergeHistory(edited).pretokenEnds], [3, 7]);
  // The first reply is as it was: what is drawn of it meanwhile stays right.
  assert.equal(new MergeHistory(first).text, "ab ก");
});

test("a change of what an earlier view was told is not taken", () => {
  assert.equal(historyAfterReply(undefined, reply(0, 2, "xab", [NEVER, 0, NEVER], [0, 1, [3]])), null);
});

test("a text may be emptied and filled again, and begin with a byte order mark", () => {
  const first = historyAfterReply(null, whole("ab", [0, NEVER], [2]));
  const empty = historyAfterReply(first, reply(0, 2, "", [], [0, 1, []]));
  assert.equal(empty.bytes.length, 0);
  const again = historyAfterReply(empty, reply(0, 0, "\ufeffab", [NEVER, NEVER, NEVER, 0, NEVER], [0, 0, [5]]));
  assert.equal(new MergeHistory(again).text, "\ufeffab");
  assert.deepEqual(tokens(again, 1).at(-1), [3, 256]);
});

test("a special token is whole at every step", () => {
  const sent = historyAfterReply(null, whole("<>a", [-2, NEVER, NEVER], [2, 1], { special: [[0, 300]] }));
  assert.deepEqual(tokens(sent, 0), [[0, 300], [2, 97]]);
});

test("at every step a part of the text has the colours of the tokens it lies in, also beside a pinned step", () => {
  const text = "aaaabab".repeat(30) + "b".repeat(60) + "<>" + "a".repeat(40);
  const ranks = [...text].map((_, i) => (text.startsWith("<>", i) ? -2 : i % 7 === 6 ? NEVER : (i * i) % 4 === 0 ? i % 3 : NEVER));
  const history = new MergeHistory(historyAfterReply(null, whole(text, ranks, [text.length], { special: [[text.indexOf("<"), 300]] })));
  const cuts = [...Array(text.length).keys()].filter((byte) => history.mayCut(byte)).concat(text.length);
  assert.ok(cuts.length > 60);
  for (let k = 0; k <= 3; k++) {
    const { byteStarts } = history.tokensAt(0, text.length, k, null);
    const wanted = new Map(byteStarts.map((start, i) => {
      const piece = text.slice(start, byteStarts[i + 1]);
      return [start, piece === "<>" ? SPECIAL : colourOf(new TextEncoder().encode(piece))];
    }));
    for (let i = 0; i + 1 < cuts.length; i++) {
      for (const pinned of [null, 0, 3]) {
        const part = history.tokensAt(cuts[i], cuts[i + 1], k, pinned);
        let last = null;
        part.byteStarts.forEach((byte, j) => {
          last = wanted.get(byte) ?? last; // a part that only the pinned step cuts off is of the token before it
          assert.equal(part.colour(j), last, `byte ${byte} after ${k} merges`);
        });
      }
    }
  }
});

test("the merge before a step and the one after it mark their tokens, and a hidden one marks none", () => {
  // "hehet": merge 0 is h + e, merge 1 he + t. At step 1 the second "he" has just been made, and is joined next.
  const history = new MergeHistory(historyAfterReply(null, whole("hehet", [0, NEVER, 0, 1, NEVER], [5])));
  const flags = (...next) => history.tokensAt(0, 5, 1, null, ...next).flags;
  assert.deepEqual(flags(), [MADE, MADE | SOON, SOON]);
  assert.deepEqual(flags(null), [MADE, MADE, 0]);
});

test("a token that is taken whole closes all that is still open at its rank, and counts once", () => {
  // "abc": merge 0 is a + b; abc, of rank 1, is taken whole. Then "ab" in another pretoken.
  const sent = historyAfterReply(null, whole("abcab", [0, 1, NEVER, 0, NEVER], [3, 2], { unusual: [[0, null, 3, 257, 1]] }));
  assert.deepEqual(tokens(sent, 1), [[0, 256], [2, 99], [3, 256]]);
  assert.deepEqual(tokens(sent, 2), [[0, 257], [3, 256]]);
  const history = new MergeHistory(sent);
  assert.deepEqual([history.times(0), history.times(1), history.parts(1), history.wholeOf(0)], [2, 1, null, null]);
  assert.equal(history.wholeOf(1).id, 257);
  const open = new MergeHistory(historyAfterReply(null, whole("abc", [1, 1, NEVER], [3], { unusual: [[0, null, 3, 257, 1]] })));
  assert.deepEqual([open.times(1), open.parts(1), open.idOf(0, 3)], [1, null, 257]);
});

test("a token made of one of higher rank has its own id, and that one's merge its own parts", () => {
  // In "xab", ab has rank 1, and xab, made of x and ab, rank 0: its gap closes at 1 too.
  const sent = historyAfterReply(null, whole("xaby", [1, 1, NEVER, NEVER], [4], { unusual: [[0, 1, 3, 256, 0]] }));
  assert.deepEqual(tokens(sent, 1), [[0, 120], [1, 97], [2, 98], [3, 121]]);
  assert.deepEqual(tokens(sent, 2), [[0, 256], [3, 121]]);
  const history = new MergeHistory(sent);
  const { left, right } = history.parts(1);
  assert.deepEqual([left.id, right.id, history.times(1), history.times(0)], [97, 98, 1, 0]);
  assert.deepEqual(history.unusualAt(0, 3), { id: 256, rank: 0, isWhole: false });
});
