// The colours of tokens: two neighbours never look alike, and an edit recolours only what it must.

import assert from "node:assert/strict";
import { test } from "node:test";

import { COLOURS, colourOf, isKept, NONE, ownColour, recoloured, settled, settledAfter, SPECIAL } from "../../assets/shared/colours.js";

const LONG = 50_000;
const EDITED = 10_000;
const SPECIALS = new Set([7, 8]);

/** Numbers below a bound, the same in every run. */
function numbersFrom(seed) {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Ids as texts have them: some often, some in long runs; or hardly any that differ, which is where colours clash. */
function idsOf(length, vocabulary, random) {
  const ids = [];
  while (ids.length < length) {
    const id = Math.floor((random(vocabulary) * random(vocabulary)) / vocabulary);
    for (let n = random(12) ? 1 : random(40); n > 0; n--) ids.push(id);
  }
  return Int32Array.from(ids.slice(0, length));
}

const anew = (ids) => settled(Array.from(ids, (id) => ownColour(id, SPECIALS)));
const isSame = (one, other) => Buffer.compare(new Uint8Array(one), new Uint8Array(other)) === 0;

test("the same id has the same colour, and the palette is used evenly", () => {
  const counts = Array.from({ length: COLOURS }, () => 0);
  for (let id = 0; id < 100_000; id++) counts[colourOf(id)]++;
  assert.ok(Math.min(...counts) > 9_900 && Math.max(...counts) < 10_100, String(counts));
});

test("a token takes the opposite colour only beside a left neighbour of its own one", () => {
  const [a, b] = [1, 2];
  const opposite = (colourOf(a) + COLOURS / 2) % COLOURS;
  assert.notEqual(colourOf(a), colourOf(b));
  assert.deepEqual([...anew([a, a, a, b, a])], [colourOf(a), opposite, colourOf(a), colourOf(b), colourOf(a)]);
  assert.deepEqual([...anew([a, 7, a, 7, 8])], [colourOf(a), SPECIAL, colourOf(a), SPECIAL, SPECIAL]);
  assert.deepEqual([...anew([])], []);
});

for (const vocabulary of [3, 20, 50_000]) {
  test(`in long texts of ${vocabulary} ids neighbours differ, and whatever can have its own colour has it`, () => {
    const random = numbersFrom(vocabulary);
    const ids = idsOf(LONG, vocabulary, random);
    const colours = anew(ids);
    for (let i = 0; i < LONG; i++) {
      const own = ownColour(ids[i], SPECIALS);
      const left = i ? colours[i - 1] : NONE;
      assert.ok(colours[i] === SPECIAL || colours[i] !== left, `token ${i}`);
      if (own !== left) assert.equal(colours[i], own, `token ${i}`);
      if (i && isKept(own, ownColour(ids[i - 1], SPECIALS))) assert.equal(colours[i], own, `token ${i}`);
    }
  });

  test(`edits of a long text of ${vocabulary} ids leave the colours that settling it anew gives`, () => {
    const random = numbersFrom(vocabulary + 1);
    let ids = idsOf(EDITED, vocabulary, random);
    let colours = anew(ids);
    for (let edit = 0; edit < 100; edit++) {
      const start = random(5) ? random(ids.length + 1) : random(2) * ids.length;
      const oldStop = Math.min(ids.length, start + random(4) * random(5));
      const added = idsOf(random(4) * random(5), vocabulary, random);
      const change = { start, oldStop, newStop: start + added.length };
      const now = Int32Array.from([...ids.subarray(0, start), ...added, ...ids.subarray(oldStop)]);
      const after = settledAfter(colours, now, change, SPECIALS);
      assert.ok(isSame(after, anew(now)), `edit ${edit}`);
      const n = recoloured(colours, after, change);
      assert.ok(isSame(after.subarray(change.newStop + n), colours.subarray(oldStop + n)), `edit ${edit}`);
      for (let i = 0; i < n; i++) assert.notEqual(after[change.newStop + i], colours[oldStop + i]);
      let kept = change.newStop + 1;
      while (kept < now.length && !isKept(ownColour(now[kept], SPECIALS), ownColour(now[kept - 1], SPECIALS))) kept++;
      assert.ok(change.newStop + n <= kept, `edit ${edit} recoloured a token that keeps its own colour`);
      [ids, colours] = [now, after];
    }
  });
}

test("an edit in front of a run of one token recolours that run and nothing behind it", () => {
  const [a, b] = [1, 2];
  const old = [...Array.from({ length: 500 }, () => a), b, a];
  const change = { start: 0, oldStop: 0, newStop: 1 };
  const now = [a, ...old];
  const colours = anew(old);
  assert.equal(recoloured(colours, settledAfter(colours, now, change, SPECIALS), change), 500);
});
