// One pretoken in close-up: every row of the encoder as in a computation by hand, then the merge tree
// of each token, and why neighbours stayed apart.

import { tokenChip } from "../shared/chips.js";
import { mergeTree } from "../shared/inspector.js";
import { bytesOfHex, visibleText } from "../shared/text.js";
import { button, element } from "../shared/view.js";
import { mergeNumberText } from "../shared/words.js";

const LISTED_MAX = 400; // pretokens in the list
const NAME_UNITS_MAX = 40;

export class PretokenRows {
  /** go(k) shows a step. */
  constructor(root, go) {
    this.list = root.querySelector("[name=pretoken]");
    this.body = root.querySelector(".worked");
    this.go = go;
    this.shown = null; // which pretoken of which history, once its rows are here
  }

  /** Fill the list with the different pretokens of a text, in order; the rows on view belong to another text. */
  load(history) {
    this.shown = null;
    this.body.setAttribute("aria-busy", "true");
    const starts = new Map(); // where each text occurs first
    let start = 0;
    for (const end of history.pretokenEnds) {
      const text = history.string(start, end);
      if (!starts.has(text)) starts.set(text, start);
      if (starts.size === LISTED_MAX) break;
      start = end;
    }
    this.list.replaceChildren(...Array.from(starts, (pretoken) => pretokenOption(...pretoken)));
  }

  /** Select a pretoken in the list, which it is added to if need be; until its rows come, the old ones are busy. */
  choose(history, { start, end }, revision) {
    this.body.setAttribute("aria-busy", String(this.shown !== `${revision}:${start}`));
    const made = pretokenOption(history.string(start, end), start);
    const options = [...this.list.options];
    const known = options.find(({ value }) => value === made.value) ?? options.find(({ textContent }) => textContent === made.textContent);
    if (!known) this.list.append(made);
    (known ?? made).selected = true;
  }

  /** Show what the server says about a pretoken, unless it is on view. */
  show(answer, revision, k) {
    const shown = `${revision}:${answer.start}`;
    if (shown === this.shown) return;
    this.shown = shown;
    this.body.setAttribute("aria-busy", "false");
    if (answer.error) {
      this.body.replaceChildren(element("p", "quiet", answer.error));
      return;
    }
    const bytes = bytesOfHex(answer.bytes);
    const rows = element("ol", "rows", ...answer.rows.map((row) => this.row(row, bytes, answer.whole ? "taken whole" : answer.rows.length === 1 ? "no merge" : "done")));
    const result = element("div", "result", ...answer.trees.flatMap((tree, i) => {
      const why = answer.apart[i];
      return [mergeTree(tree), why ? element("p", "apart", element("b", "", "⟂ "), "stayed apart: ", why) : null];
    }));
    this.body.replaceChildren(
      element("p", "quiet", answer.whole ? "This pretoken is a token that no merge makes: it is taken whole." : "Each row joins the pair with the lowest merge number; of several, the leftmost. Pale rows are still to come."),
      rows, element("h3", "", answer.trees.length === 1 ? "The token, and how it was put together" : "The tokens, and why they stayed apart"), result);
    this.mark(k);
  }

  /** One row; `last` is said of the last one: chips with the number of the merge between each two; the winner is ringed. */
  row({ ends, ids, ranks, winner }, bytes, last) {
    const merge = winner === null ? null : ranks[winner];
    const parts = element("span", "parts");
    const tokens = ids.map((id, j) => ({ bytes: bytes.subarray(ends[j - 1] ?? 0, ends[j]), id }));
    tokens.map(tokenChip).forEach((chip, j) => {
      if (winner !== null && (j === winner || j === winner + 1)) chip.classList.add("joins");
      parts.append(chip);
      if (j < ranks.length) {
        const gap = element("span", j === winner ? "gap wins" : "gap", ranks[j] === null ? "–" : mergeNumberText(ranks[j]));
        if (j === winner) gap.title = "The lowest number wins";
        parts.append(gap);
      }
    });
    if (merge === null) return element("li", "", element("span", "goto quiet", last), parts);
    const goes = Object.assign(button("goto", `merge ${mergeNumberText(merge)}`, () => this.go(merge + 1)), { title: "Show this step in the text" });
    const line = element("li", "", goes, parts);
    line.dataset.rank = merge;
    return line;
  }

  /** Fade the rows whose merge is not made yet at step k. */
  mark(k) {
    for (const line of this.body.querySelectorAll("[data-rank]")) line.classList.toggle("later", Number(line.dataset.rank) >= k);
  }
}

/** The entry of the list for the pretoken of a text, which begins with the byte `start`. */
function pretokenOption(text, start) {
  return Object.assign(element("option", "", visibleText(text.slice(0, NAME_UNITS_MAX))), { value: start });
}
