// What is said of a guess at the next merge: pure words and numbers, in which a pair stands as {left, right}.

import { count, grouped, mergeNumber } from "../shared/words.js";


export const samePair = (one, other) => one.left[1] === other.left[1] && one.right[1] === other.right[1];

/** The pairs to choose from, in an order that says nothing about their counts: that of their bytes. */
export function candidates(table) {
  const bytes = ({ left, right }) => `${left[0]} ${right[0]}`;
  return table.rows.filter((row) => row.count).sort((one, other) => (bytes(one) < bytes(other) ? -1 : 1));
}

/**
 * {kind, words} of a guess, which has a count and the rank of its own merge; null gives the answer away. `kind` is
 * "right", "wrong" or "shown", and `words` are strings and pairs. Of tied pairs any is right, as in the lesson.
 */
export function verdict(guess, { table, next }) {
  const truth = { ...next, ...table.rows.find((row) => row.chosen) };
  return table.source === "corpus" ? byCount(guess, truth, table) : byRank(guess, truth);
}

function byCount(guess, truth, { n_tied: tied, highest }) {
  const tie = `${count(tied, "pair")} occur ${times(highest)} each`;
  const reason = tied > 1 ? `: ${tie}, and the one that comes first in the text wins.` : ` occurs most often, ${times(highest)}.`;
  if (!guess) return { kind: "shown", words: [truth, reason] };
  if (samePair(guess, truth)) return { kind: "right", words: ["Right: ", truth, reason] };
  if (guess.count === highest) {
    return { kind: "right", words: ["Right: ", guess, ` ties for first: ${tie}. The one that comes first in the text is merged: `, truth, "."] };
  }
  return { kind: "wrong", words: ["No: ", guess, ` occurs ${times(guess.count)}, `, truth, ` ${times(highest)}.`] };
}

function byRank(guess, truth) {
  const merge = `merge ${mergeNumber(truth.rank)}`;
  if (!guess) return { kind: "shown", words: [truth, ` is ${merge}, the lowest number of all pairs here.`] };
  if (samePair(guess, truth)) return { kind: "right", words: ["Right: ", truth, ` is ${merge}, the lowest number of all pairs here.`] };
  const words = guess.rank === null
    ? ["No: the vocabulary has no merge for ", guess, ". Next is ", truth, `, ${merge}.`]
    : ["No: ", guess, ` is merge ${mergeNumber(guess.rank)}, `, truth, ` ${merge}, and the lowest number comes first.`];
  if (guess.count > truth.count) words.push(" What is frequent here does not matter: the merges were learned from another text.");
  return { kind: "wrong", words };
}

function times(n) {
  return n === 0 ? "nowhere" : n === 1 ? "once" : `${grouped(n)} times`;
}

/** How many guesses in a row are right after one more; an answer that was asked for changes nothing. */
export function streakAfter(streak, kind) {
  return kind === "right" ? streak + 1 : kind === "wrong" ? 0 : streak;
}
