// Answers to the questions of views, from what the page has kept of them.

import { partitionPoint } from "../shared/text.js";
import { unpackedNumbers } from "../shared/tokens.js";

const NOT_KEPT = "not kept in this page, which would have become too large";

/** What the server would answer when a view is asked. */
export function answerOf({ kind, reply, answers }, question) {
  return kind === "history" ? stepAnswer(reply, answers, question) : tokenAnswer(reply, answers, question);
}

/** The facts about a token: each field has its different values, and for each token which one it has. */
function tokenAnswer(reply, answers, { token, revision }) {
  const ids = unpackedNumbers(reply.ids);
  const facts = answers ? {} : { error: NOT_KEPT };
  for (const [field, [values, which]] of Object.entries(answers ?? {})) {
    const value = values[unpackedNumbers(which)[token]];
    if (value !== null) facts[field] = value;
  }
  return { revision, index: token, id: ids[token], ...facts };
}

/**
 * The answer about a step. Where counts decide, every step has its own pairs; elsewhere they change only with the text, and
 * the next merge is the next one that changes it. There is no answer about a step whose pairs were not kept.
 */
function stepAnswer(reply, answers, { k, revision, pretoken, boundary }) {
  const { isEvery, steps, same, pretokens, first, apart } = answers;
  const ranks = unpackedNumbers(reply.ranks);
  const place = isEvery ? k : partitionPoint(ranks.length, (i) => ranks[i] >= k);
  if (place >= steps.length) return { revision };
  const byte = pretoken ?? first;
  let end = 0;
  const nth = unpackedNumbers(reply.pretokens.sizes).findIndex((size) => (end += size) > byte);
  return {
    revision, k, just: null, ...stepData(answers, place), pretoken: { ...nthOf(pretokens, unpackedNumbers(same)[nth]), start: byte },
    ...(boundary == null ? {} : { boundary: { byte: boundary, why: apart[boundary] ?? "" } }),
  };
}

/** A step as the server describes it: its pairs, beginning with the one that is merged next. */
function stepData({ steps, tokens }, place) {
  const { next, table } = steps[place];
  const named = (id) => [tokens[id], id];
  const rows = table.rows.map(([left, right, count, rank, flags]) =>
    ({ left: named(left), right: named(right), count, rank, chosen: (flags & 1) > 0, tied: (flags & 2) > 0, usedUp: (flags & 4) > 0 }));
  const [rank, made, ...pair] = next ?? [];
  const [left, right] = rows.filter((row) => row.chosen).flatMap((row) => [row.left, row.right]).concat(pair.map(named));
  const parts = left ? { left, right } : {}; // a token taken whole has none
  return { next: next && { rank, ...parts, made: named(made) }, table: { ...table, rows } };
}

/** The nth of what is kept field by field, without the fields that are null. */
function nthOf(fields, nth) {
  const found = Object.entries(fields).map(([name, values]) => [name, values[nth]]);
  const told = Object.fromEntries(found.filter(([, value]) => value !== null));
  return told.rows ? { ...told, rows: encoderRows(told.rows) } : told;
}

/** The rows of an encoder, of which the first is kept whole, and of each other one what its merge has changed. */
function encoderRows([first, ...others]) {
  const rows = [first];
  for (const [made, left, right, winner] of others) {
    const { ends, ids, ranks, winner: at } = rows.at(-1);
    const row = { ends: ends.toSpliced(at, 1), ids: ids.toSpliced(at, 2, made), ranks: ranks.toSpliced(at, 1), winner };
    if (at > 0) row.ranks[at - 1] = left;
    if (at < row.ranks.length) row.ranks[at] = right;
    rows.push(row);
  }
  return rows;
}
