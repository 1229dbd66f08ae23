// The next merge, hidden until one has guessed it: the pair that was picked, the verdict, and the streak.

import { textOfBytes, tokenChip, tokenFromHex } from "../shared/chips.js";
import { storeValue, storedValue } from "../shared/storage.js";
import { bytesOfHex, characterCount, hex, unitPerByte, visibleCharacter } from "../shared/text.js";
import { element } from "../shared/view.js";
import { countText, groupedNumber, mergeNumberText, timesText } from "../shared/words.js";

const ASK = "Pick a pair, or two neighbours in the text.";
const SECOND = "Now pick the token before or after it.";
const APART = "These two never merge: they are in different pretokens. Pick another pair.";
const SHARED_FROM = 3; // right guesses in a row that are worth sharing
const CHOICES = 6; // pairs to choose from: more take long to read
const NAMED = 3; // characters that hold the bytes of a pair
const NONE_LEFT = "No further merge changes this text.";

export class Prediction {
  /** `panel` shows the text; changed() is called when a guess is made, answered, or taken back. */
  constructor(root, panel, changed) {
    const find = (selector) => root.querySelector(selector);
    this.panel = panel;
    this.changed = changed;
    this.isOn = false;
    this.streak = storedValue("streak") ?? 0; // right guesses in a row
    this.k = null; // the step that is asked about
    this.answer = null; // what the server says about it
    this.rows = []; // the pairs to choose from
    this.guess = this.result = null; // the pair that was picked, and the verdict
    this.first = null; // the first token of a pair that is picked in the text
    this.gaveUp = false; // whether to give the answer away once it is here
    this.line = find(".question");
    this.words = find(".verdict");
    this.tally = find(".streak");
    this.reveals = find("[data-do=reveal]");
    this.goesOn = find("[data-do=go-on]");
    this.shares = find("[data-do=challenge]");
    this.draw();
  }

  /** Whether the next merge is hidden. */
  get isAsking() { return this.isOn && !this.result; }

  /** The rank of the next merge once the guess is answered; null while it is hidden. */
  get nextRank() { return this.result ? this.answer.next.rank : null; }

  /** What is asked, and whether several answers are right. */
  get question() {
    const { source, n_tied: tied } = this.answer?.table ?? {};
    return source === "corpus" && tied > 1 ? `${ASK} ${groupedNumber(tied)} pairs tie for first: any of them is right.` : ASK;
  }

  /** Forget what was guessed; ask about step k. */
  reset(k) {
    Object.assign(this, { k, answer: null, rows: [], guess: null, result: null, first: null, gaveUp: false });
    this.panel.markPicked(null);
    this.draw();
  }

  /** Take the server's answer about this step, which has the pairs to choose from. */
  take(answer) {
    this.answer = answer;
    this.rows = answer.next ? candidates(answer.table) : [];
    const { guess } = this;
    if (guess && answer.guess && isSamePair(guess, answer.guess)) this.setResult(answer.guess);
    else if (this.gaveUp && this.isAsking && this.rows.length) this.setResult(null);
    else this.draw();
  }

  /** The ids of a guess that the table does not hold: only the server knows its count. */
  get asked() { return this.guess && !this.result ? [this.guess.left[1], this.guess.right[1]] : null; }

  /** Guess a pair of tokens, each as its bytes in hex and its id. */
  pick(pair) {
    if (!this.isAsking || !this.rows.length) return;
    this.guess = pair;
    const row = this.answer.table.rows.find((each) => isSamePair(each, pair));
    if (row) this.setResult(row);
    else this.changed();
  }

  /** A token of the text was clicked; the second of two neighbours makes a pair. */
  pickToken(token, history) {
    const { first } = this;
    const isPair = first && (first.end === token.start || token.end === first.start);
    if (!isPair) {
      this.first = first?.start === token.start ? null : token;
      this.panel.markPicked(this.first);
      this.showWords([this.first ? SECOND : this.question]);
      return;
    }
    const [left, right] = first.start < token.start ? [first, token] : [token, first];
    this.first = null;
    this.panel.markPicked(null);
    if (history.pretokenAt(left.start).end === right.start) this.showWords([APART]);
    else this.pick({ left: hexOfToken(history, left), right: hexOfToken(history, right) });
  }

  /** Give the answer away, as soon as it is here. */
  reveal() {
    if (this.isAsking && this.rows.length) this.setResult(null);
    else this.gaveUp = this.isAsking && !this.answer;
  }

  setResult(row) {
    this.result = verdict(row, this.answer);
    this.guess = row;
    this.streak = streakAfter(this.streak, this.result.kind);
    storeValue("streak", this.streak);
    this.draw();
    this.changed();
  }

  draw() {
    this.line.hidden = !this.isOn;
    if (!this.isOn) return;
    const { result } = this;
    const isOver = Boolean(this.answer) && !this.rows.length;
    this.words.className = `verdict ${result?.kind ?? ""}`;
    this.showWords(result?.words ?? [isOver ? NONE_LEFT : this.question]);
    this.tally.textContent = this.streak ? `${this.streak} in a row` : "";
    this.shares.hidden = this.streak < SHARED_FROM;
    this.reveals.hidden = Boolean(result) || isOver;
    this.goesOn.hidden = !result;
  }

  showWords(words) {
    this.words.replaceChildren(...words.flatMap((part) => typeof part === "string" ? [part] : pairChips(part)));
  }
}

export function pairChips({ left, right }) {
  return [tokenChip(tokenFromHex(left)), " + ", tokenChip(tokenFromHex(right))];
}

/**
 * What the joined bytes of a pair have to do with the characters of a text at step k: "→ ก" if they are one, "in ก ข ค …"
 * if they are a part of one, and "between แ and ม" if they are parts of two; "" if they are several whole ones.
 */
export function characterText({ left, right }, history, k) {
  const joined = bytesOfHex(`${left[0]} ${right[0]}`);
  const whole = textOfBytes(joined);
  if (whole !== null) return characterCount(whole) === 1 ? `→ ${visibleCharacter(whole)}` : "";
  const sizes = [0, bytesOfHex(left[0]).length, joined.length];
  const bytes = unitPerByte(joined);
  const found = new Set();
  for (let at = -1; found.size <= NAMED && (at = history.unitPerByte.indexOf(bytes, at + 1)) >= 0;) {
    const isPair = !sizes.some((size) => history.isClosed(at + size, k)) && history.pretokenAt(at).end >= at + joined.length;
    if (isPair) found.add(history.string(at, at + joined.length));
  }
  const holders = [...found].map((text) => Array.from(text, visibleCharacter));
  const [one, other] = holders[0] ?? [];
  if (other) return `between ${one} and ${other}`;
  return one ? `in ${holders.slice(0, NAMED).join(" ")}${holders.length > NAMED ? " …" : ""}` : "";
}

/** The two tokens of a pair at step k, and of which characters they are parts. */
export function pairNodes(pair, history, k) {
  const words = characterText(pair, history, k);
  return [...pairChips(pair), words ? element("small", "", ` ${words}`) : null];
}

function hexOfToken(history, { start, end, id }) {
  return [hex(history.bytes.subarray(start, end)), id];
}

// -- the verdict on a guess, in which a pair is {left, right} ----------------------------------------


export const isSamePair = (one, other) => one.left[1] === other.left[1] && one.right[1] === other.right[1];

/** The pairs to choose from, the first of the table in the order of their bytes, which says nothing about their counts. */
export function candidates(table) {
  const bytes = ({ left, right }) => `${left[0]} ${right[0]}`;
  return table.rows.filter((row) => row.count).slice(0, CHOICES).sort((one, other) => (bytes(one) < bytes(other) ? -1 : 1));
}

/**
 * {kind, words} of a guess, which has a count and the rank of its own merge; null gives the answer away. `kind` is
 * "right", "wrong" or "shown", and `words` are strings and pairs. Of tied pairs any is right, as in the lesson.
 */
export function verdict(guess, { table, next }) {
  const truth = { ...next, ...table.rows.find((row) => row.chosen) };
  return table.source === "corpus" ? verdictByCount(guess, truth, table) : verdictByRank(guess, truth);
}

function verdictByCount(guess, truth, { n_tied: tied, highest }) {
  const tie = `${countText(tied, "pair")} occur ${timesText(highest)} each`;
  const reason = tied > 1 ? `: ${tie}, and the one that comes first in the text wins.` : ` occurs most often, ${timesText(highest)}.`;
  const others = tied > 1 ? `, and so ${tied === 2 ? "does another" : `do ${groupedNumber(tied - 1)} others`}` : "";
  if (!guess) return { kind: "shown", words: [truth, reason] };
  if (isSamePair(guess, truth)) return { kind: "right", words: ["Right: ", truth, reason] };
  if (guess.count === highest) {
    return { kind: "right", words: ["Right: ", guess, ` ties for first: ${tie}. The one that comes first in the text is merged: `, truth, "."] };
  }
  return { kind: "wrong", words: ["No: ", guess, ` occurs ${timesText(guess.count)}, `, truth, ` ${timesText(highest)}${others}.`] };
}

function verdictByRank(guess, truth) {
  const merge = `merge ${mergeNumberText(truth.rank)}`;
  if (!guess) return { kind: "shown", words: [truth, ` is ${merge}, the lowest number of all pairs here.`] };
  if (guess.rank === truth.rank) return { kind: "right", words: ["Right: ", guess, ` is ${merge}, the lowest number of all pairs here.`] };
  const words = guess.rank === null
    ? ["No: the vocabulary has no merge for ", guess, ". Next is ", truth, `, ${merge}.`]
    : ["No: ", guess, ` is merge ${mergeNumberText(guess.rank)}, `, truth, ` ${merge}, and the lowest number comes first.`];
  if (guess.count > truth.count) words.push(" What is frequent here does not matter: the merges were learned from another text.");
  return { kind: "wrong", words };
}

/** How many guesses in a row are right after one more; an answer that was asked for changes nothing. */
export function streakAfter(streak, kind) {
  return kind === "right" ? streak + 1 : kind === "wrong" ? 0 : streak;
}
