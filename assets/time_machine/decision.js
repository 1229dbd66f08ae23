// The decision in the words of the algorithm (count, choose, merge, repeat), and merges named in words.

import { pairChips } from "./prediction.js";
import { samePair } from "./verdict.js";
import { tokenChip, tokenOfHex } from "../shared/chips.js";
import { element } from "../shared/view.js";
import { count, grouped, mergeNumber } from "../shared/words.js";

const ACROSS = "across words"; // the part of a training text that superwords are learned from
const lenient = new TextDecoder();

function times(count, where = "this text") {
  return count === 0 ? `nowhere in ${where}` : count === 1 ? `once in ${where}` : `${grouped(count)} times in ${where}`;
}

/**
 * "merge 312 (for Thai): th + e → the, 41 times": the merge of a rank; `named` is what the server says of one not made
 * here.
 */
export function mergeWords(target, history, rank, named) {
  const language = history.languageOf(rank);
  const words = element("span", "", `merge ${mergeNumber(rank)}${language === null ? "" : ` (for ${language})`}: `);
  const parts = history.parts(rank) ?? (named && named.rank === rank ? {
    left: tokenOfHex(named.left), right: tokenOfHex(named.right), made: tokenOfHex(named.made),
  } : null);
  if (parts) words.append(tokenChip(parts.left), " + ", tokenChip(parts.right), " → ", tokenChip(parts.made), ", ");
  words.append(times(history.times(rank)));
  if (parts && reachesAcross(parts.made.bytes)) words.append(element("span", "across", "across words"));
  target.replaceChildren(words);
}

/** Whether a token holds letters or signs on both sides of white space. */
export function reachesAcross(bytes) {
  return /\S\s+\S/u.test(lenient.decode(bytes));
}

/** The text that the counts of a table are over, in words. */
function whereOf(table) {
  if (table.source !== "corpus") return "this text";
  if (table.turn) return `the texts in ${table.part}`;
  return table.part === ACROSS ? "its training text, words joined" : "its training text";
}

// Why it is not the counts on view that decide, by the text they are over.
const WHY_NOT_COUNTS = {
  elsewhere: "These merges were learned elsewhere, from another text. Each joined the pair that was most frequent there.",
  unknown: "The counts of its training text are no longer known, and this is a different text.",
  languages: "Each merge was the most frequent pair in the texts of one language. These texts are no longer known.",
  "too large": "Its training text is too large to count here, and this is a different text.",
};

const GUESSED = { right: ["✓", "your guess, right"], wrong: ["✗", "your guess, wrong"] }; // by what is said of it

/** Why it is the turn of a language, where languages take turns. */
function turnWords({ turn, part }) {
  if (!turn) return "";
  const [worst, most] = turn.reduce((one, other) => other[1] > one[1] ? other : one);
  const own = turn.find(([language]) => language === part)?.[1];
  const [other, least] = turn.reduce((one, other) => other[1] < one[1] ? other : one);
  if (own === undefined) return "";
  const tokens = (n) => grouped(n);
  return own === most
    ? `for ${part}, which pays most: ${tokens(own)} tokens for the same sentences, ${other} ${tokens(least)}. `
    : `for ${part}, ${tokens(own)} tokens for the same sentences; in ${worst}, which has ${tokens(most)}, no pair is left. `;
}

export class Decision {
  constructor(root) {
    const find = (selector) => root.querySelector(selector);
    this.pane = find(".decision");
    this.title = find("#decision-title");
    this.rows = find(".decision tbody");
    this.count = find(".count-words");
    this.choose = find(".choose-words");
    this.merge = find(".merge-words");
    this.button = find(".merge-it");
  }

  /** What is shown is of another step than the text until the server has counted; counts could give the next merge away. */
  wait(isAsking) {
    if (isAsking && !this.rows.querySelector(".pick")) this.rows.replaceChildren();
    this.pane.classList.add("waiting");
    this.pane.setAttribute("aria-busy", "true");
  }

  /** Have the next pair guessed: pairs in an order, and without the counts, that would give it away. */
  ask(rows, pick) {
    this.ready("Which pair comes next?");
    this.rows.replaceChildren(...rows.map((row, i) => {
      const line = element("tr");
      const button = element("button", "pick");
      button.type = "button";
      button.append(...pairChips(row));
      button.addEventListener("click", () => pick(row));
      const pair = element("td", "pair");
      pair.append(button);
      line.append(element("td", "sign", `${i + 1}`), pair);
      return line;
    }));
  }

  ready(title) {
    this.pane.classList.remove("waiting");
    this.pane.removeAttribute("aria-busy");
    if (this.title.textContent !== title) this.title.textContent = title;
  }

  /** Show how the next merge is chosen; `guess` is the pair that was taken for it, and `result` what is said of that. */
  show(answer, history, { guess, result }) {
    const { table } = answer;
    this.ready("How the next merge is chosen");
    const where = whereOf(table);
    this.count.textContent = !table.n_pairs ? `Nothing is left to count: in ${where} every pretoken is one token.`
      : `${count(table.n_pairs, "pair", "different pairs")} of neighbours in ${where}.` +
        (table.source === "elsewhere" ? " But these counts do not decide." : "");
    this.rows.replaceChildren(...table.rows.map((row) => this.row(row, table, guess && samePair(row, guess) ? result : null)));
    this.explain(answer, history);
  }

  /** A row of the table; `result` is what is said of the pair where it was guessed. */
  row(row, table, result) {
    const line = element("tr", row.chosen ? "chosen" : "");
    const [mark, meaning] = row.chosen ? ["▶", "chosen"] : result ? GUESSED[result.kind] : [""];
    const sign = element("td", "sign", mark);
    if (meaning) sign.setAttribute("aria-label", meaning);
    const pair = element("td", "pair");
    pair.append(...pairChips(row));
    const tally = element("td", "number", grouped(row.count));
    tally.style.setProperty("--share", `${(100 * row.count / Math.max(table.highest, 1)).toFixed(1)}%`);
    if (row.tied) tally.append(element("span", "tie", "tie"));
    const rank = element("td", "number", row.rank === null ? "never" : mergeNumber(row.rank));
    if (row.rank === null) rank.title = "No merge joins these two: other merges took them up before their turn.";
    line.append(sign, pair, tally, rank);
    return line;
  }

  explain({ k, table, next }, history) {
    const chosen = table.rows.find((row) => row.chosen);
    this.button.hidden = !next;
    if (!next) {
      this.choose.textContent = k < history.nMerges ? "nothing. No further merge changes this text." : table.source === "corpus"
        ? "nothing. Training ended here: it had reached its size, or no pair was frequent enough." : "nothing. This tokenizer has no more merges.";
      this.merge.textContent = "nothing is left to do.";
      return;
    }
    const [left, right, made] = [next.left, next.right, next.made].map(tokenOfHex);
    this.choose.replaceChildren(...this.reason(table, next, chosen, tokenChip(left), tokenChip(right)));
    if (next.left[1] === next.right[1] && (table.source === "corpus" || chosen?.count !== history.times(next.rank))) {
      this.choose.append(" Three of these tokens in a row count as two pairs, though only one can be joined.");
    }
    const before = history.tokenCount(next.rank);
    const after = history.tokenCount(next.rank + 1);
    this.merge.replaceChildren("every ", tokenChip(left), " + ", tokenChip(right), " becomes ", tokenChip(made),
      before === after ? ". This text has no such pair, so nothing changes." : `. This text goes from ${grouped(before)} to ${grouped(after)} tokens.`);
  }

  reason(table, next, chosen, left, right) {
    if (table.source === "corpus") {
      const turn = turnWords(table);
      if (table.n_tied > 1) {
        return [`${turn}${grouped(table.n_tied)} pairs ${turn ? "of its texts " : ""}are tied for first, with ${grouped(table.highest)} each. The one ` +
          "that comes first in the text wins: ", left, " + ", right, "."];
      }
      const which = turn ? `${turn}The most frequent pair of its texts: ` : "the most frequent pair: ";
      const often = turn ? count(table.highest, "time") : times(table.highest, whereOf(table));
      return [which, left, " + ", right, `, ${often}.`];
    }
    const found = chosen ? times(chosen.count) : times(0);
    return [`${WHY_NOT_COUNTS[table.source]} Merge ${mergeNumber(next.rank)} is `, left, " + ", right, `, ${found}.`];
  }
}
