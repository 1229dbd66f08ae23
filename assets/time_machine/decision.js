// A step in words: its figures, the merges before and after it, how the pinned step differs, and how the next merge is
// chosen, as the algorithm says it: count, choose, merge, repeat.

import { pairNodes, isSamePair } from "./prediction.js";
import { tokenChip, tokenFromHex } from "../shared/chips.js";
import { button, element } from "../shared/view.js";
import { countText, groupedNumber, mergeNumberText, timesText } from "../shared/words.js";

const ACROSS = "across words"; // the part of a training text that superwords are learned from
const lenient = new TextDecoder();

/**
 * "merge 312 (for Thai): th + e → the, 41 times": the merge of a rank. `named` is what the server says about one that
 * this text does not make.
 */
function writeMerge(target, history, rank, named) {
  const language = history.languageOf(rank);
  const words = element("span", "", `merge ${mergeNumberText(rank)}${language === null ? "" : ` (for ${language})`}: `);
  const whole = history.wholeOf(rank);
  const parts = history.parts(rank) ?? (whole ? { made: whole } : named && named.rank === rank ? {
    left: named.left && tokenFromHex(named.left), right: named.right && tokenFromHex(named.right), made: tokenFromHex(named.made),
  } : null);
  if (parts?.left) words.append(tokenChip(parts.left), " + ", tokenChip(parts.right), " → ", tokenChip(parts.made), ", ");
  else if (parts) words.append(tokenChip(parts.made), ", made by no merge: taken whole, ");
  words.append(`${timesText(history.times(rank))} in this text`);
  if (parts && reachesAcross(parts.made.bytes)) words.append(element("span", "across", "across words"));
  target.replaceChildren(words);
}

/** Whether a token holds letters or signs on both sides of white space. */
function reachesAcross(bytes) { return /\S\s+\S/u.test(lenient.decode(bytes)); }

/** The text that the counts of a table are over, in words. */
function countedTextName(table) {
  if (table.source !== "corpus") return "this text";
  if (table.turn) return `the texts in ${table.part}`;
  return table.part === ACROSS ? "the tokenizer's training text, words joined" : "the tokenizer's training text";
}

// Why the counts on view do not decide, by the text that they are over.
const WHY_NOT_COUNTS = {
  elsewhere: "These merges were learned elsewhere, from another text. Each joined the pair that was most frequent there.",
  unknown: "The counts of its training text are no longer known, and this is a different text.",
  languages: "Each merge was the most frequent pair in the texts of one language. These texts are no longer known.",
  "too large": "Its training text is too large to count here, and this is a different text.",
};

const NAMED = 3; // pairs of which it is said why they are not learned
const GUESSED = { right: ["✓", "your guess, right"], wrong: ["✕", "your guess, wrong"] }; // by the kind of verdict

/** Whether counts decide, and are the same for several pairs. */
function isTied(table) { return table.source === "corpus" && table.n_tied > 1; }

/** Why it is the turn of a language, where languages take turns. */
function turnText({ turn, part }) {
  if (!turn) return "";
  const [worst, most] = turn.reduce((one, other) => other[1] > one[1] ? other : one);
  const own = turn.find(([language]) => language === part)?.[1];
  const [other, least] = turn.reduce((one, other) => other[1] < one[1] ? other : one);
  if (own === undefined) return "";
  return own === most
    ? `for ${part}, which pays most: ${groupedNumber(own)} tokens for the same sentences, ${other} ${groupedNumber(least)}. `
    : `for ${part}, ${groupedNumber(own)} tokens for the same sentences; in ${worst}, which has ${groupedNumber(most)}, no pair is left. `;
}

export class Decision {
  constructor(root) {
    const find = (selector) => root.querySelector(selector);
    this.pane = find(".decision");
    this.title = find("#decision-title");
    this.choices = find(".choices");
    this.rule = find(".rule");
    this.whyUnlearned = find(".why-unlearned");
    this.rows = find(".decision tbody");
    this.count = find(".count-words");
    this.choose = find(".choose-words");
    this.merge = find(".merge-words");
    this.button = find(".merge-it");
  }

  /** Until the server has counted, what is shown belongs to another step. */
  markWaiting() {
    this.pane.classList.add("waiting");
    this.pane.setAttribute("aria-busy", "true");
  }

  /** Have the next pair guessed, without the order and the counts that would give it away. */
  showQuestion({ answer, rows }, history, pick) {
    this.setReady("Which pair is merged next?");
    this.rule.textContent = `The pair that ${answer.table.source === "corpus" ? "occurs most often" : "was learned first"} is merged next.`;
    this.choices.replaceChildren(...rows.map((row) => button("pick", pairNodes(row, history, answer.k), () => pick(row))));
  }

  setReady(title) {
    this.pane.classList.remove("waiting");
    this.pane.removeAttribute("aria-busy");
    if (this.title.textContent !== title) this.title.textContent = title;
  }

  /** Show how the next merge is chosen; `guess` is the pair that was guessed, and `result` the verdict on it. */
  show(answer, history, { guess, result }) {
    const { table } = answer;
    this.setReady("How the next merge is chosen");
    this.choices.replaceChildren();
    const where = countedTextName(table);
    this.count.replaceChildren(...!table.n_pairs ? [`Nothing is left to count: in ${where} every pretoken is one token.`]
      : [countText(table.n_pairs, "pair", "different pairs"), element("span", "", ` in ${where}`),
        table.source === "elsewhere" ? ". But these counts do not decide." : "."]);
    this.rows.replaceChildren(...table.rows.map((row) => this.tableRow(row, answer, history, guess && isSamePair(row, guess) ? result : null)));
    const usedUp = table.rows.filter((row) => row.rank === null && row.usedUp && row.count > 1);
    this.whyUnlearned.replaceChildren(usedUp.length ? "Other merges use up the parts first: " : "",
      ...usedUp.slice(0, NAMED).map((row, i) => element("span", "whole", i ? ", " : "", ...pairNodes(row, history, answer.k))),
      usedUp.length > NAMED ? ", …" : "");
    this.showExplanation(answer, history);
  }

  /** A row of the table; `result` is the verdict on it if it was guessed. */
  tableRow(row, { k, table }, history, result) {
    const [mark, meaning] = row.chosen ? ["▶", "chosen"] : result ? GUESSED[result.kind] : [""];
    const sign = element("td", "sign", mark);
    if (meaning) sign.ariaLabel = meaning;
    const tally = element("td", "number", groupedNumber(row.count), row.tied ? element("span", "tie", "tie") : null);
    tally.style.setProperty("--share", `${(100 * row.count / Math.max(table.highest, 1)).toFixed(1)}%`);
    const rank = row.rank !== null ? element("td", "number", mergeNumberText(row.rank)) : element("td", "unlearned", "not learned");
    return element("tr", row.chosen ? "chosen" : "", sign, element("td", "pair", ...pairNodes(row, history, k)), tally, rank);
  }

  showExplanation({ k, table, next }, history) {
    const chosen = table.rows.find((row) => row.chosen);
    this.button.hidden = !next;
    this.choose.parentElement.classList.toggle("tied", Boolean(next?.left) && isTied(table));
    if (!next) {
      this.choose.textContent = k < history.nMerges ? "nothing. No further merge changes this text." : table.source === "corpus"
        ? "nothing. Training ended here: the vocabulary was full, or no pair occurred often enough." : "nothing. This tokenizer has no more merges.";
      this.merge.textContent = "nothing is left to do.";
      return;
    }
    const before = history.tokenCount(next.rank);
    const after = history.tokenCount(next.rank + 1);
    const goes = `. This text goes from ${groupedNumber(before)} to ${groupedNumber(after)} tokens.`;
    if (!next.left) {
      this.choose.replaceChildren("no pair: no merge makes ", tokenChip(tokenFromHex(next.made)), `, token ${mergeNumberText(next.rank)} by rank.`);
      this.merge.replaceChildren("every pretoken ", tokenChip(tokenFromHex(next.made)), " is taken whole",
        before === after ? ". This text has no such pretoken, so nothing changes." : goes);
      return;
    }
    const [left, right, made] = [next.left, next.right, next.made].map(tokenFromHex);
    this.choose.replaceChildren(...this.reasonNodes(table, next, chosen, tokenChip(left), tokenChip(right)));
    this.merge.replaceChildren("every ", tokenChip(left), " + ", tokenChip(right), " becomes ", tokenChip(made),
      before === after ? ". This text has no such pair, so nothing changes." : goes);
    if (next.left[1] === next.right[1] && (table.source === "corpus" || chosen?.count !== history.times(next.rank))) {
      this.merge.append(" Three of these tokens in a row count as two pairs, though only one can be joined.");
    }
  }

  reasonNodes(table, next, chosen, left, right) {
    if (table.source === "corpus") {
      const turn = turnText(table);
      if (isTied(table)) {
        const tied = `${turn}${groupedNumber(table.n_tied)} pairs ${turn ? "of its texts " : ""}are tied for first, with ${groupedNumber(table.highest)} each. `;
        return [element("span", "how-many", tied), "The one that comes first in the text wins: ", left, " + ", right, "."];
      }
      if (turn) return [`${turn}The most frequent pair of its texts: `, left, " + ", right, `, ${countText(table.highest, "time")}.`];
      return [left, " + ", right, `, the most frequent pair: ${timesText(table.highest)}.`];
    }
    return [`${WHY_NOT_COUNTS[table.source]} Merge ${mergeNumberText(next.rank)} is `, left, " + ", right, `, ${timesText(chosen?.count ?? 0)} in this text.`];
  }
}

export class Readout {
  constructor(root) {
    this.figures = Object.fromEntries([...root.querySelectorAll("[data-figure]")].map((node) => [node.dataset.figure, node]));
    this.just = root.querySelector(".just");
    this.soon = root.querySelector(".soon-words");
    this.compare = root.querySelector(".compare");
  }

  show(history, k, pinned, tokenizer) {
    const tokens = history.tokenCount(k);
    this.figures.step.textContent = groupedNumber(k);
    this.figures.after.textContent = `${countText(k, "merge")} · ${tokenizer}`;
    this.figures.of.textContent = `of ${groupedNumber(history.nMerges)} merges made`;
    this.figures.tokens.textContent = groupedNumber(tokens);
    this.figures.ratio.textContent = tokens ? (history.bytes.length / tokens).toFixed(2) : "–";
    this.compare.hidden = pinned === null;
    if (pinned !== null) this.compare.replaceChildren(...comparisonNodes(history, k, pinned, tokens));
  }

  /** Name the merge just made and, unless it is hidden, the next; `answer` names merges that this text does not make. */
  nameMerges(history, k, answer, isHidden) {
    if (k > 0) writeMerge(this.just, history, k - 1, answer?.just);
    else this.just.textContent = `nothing yet: every token is a single ${history.characterIds.size ? "character or " : ""}byte`;
    this.soon.parentElement.hidden = isHidden;
    if (isHidden) this.soon.replaceChildren();
    else if (k < history.nMerges) writeMerge(this.soon, history, k, answer?.next);
    else this.soon.textContent = "nothing: all merges are made";
  }
}

function comparisonNodes(history, k, pinned, tokens) {
  const then = history.tokenCount(pinned);
  const sign = element("b", pinned < k ? "sign pinned-only" : "sign now-only");
  const differ = Math.abs(tokens - then);
  return [`After ${countText(pinned, "merge")}: ${countText(then, "token")}. Here: ${groupedNumber(tokens)}. ` +
    `${countText(differ, "boundary differs", "boundaries differ")}`,
    ...(differ ? [", marked ", sign, pinned < k ? " where only the other step has one." : " where the other step has none."] : ["."])];
}
