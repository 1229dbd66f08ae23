// Given ids beside those of their text, with the differences marked and explained.

import { legendOf, pane, tokensWithIds, withLeftOut } from "./drawing.js";
import { element, writeText } from "../shared/view.js";
import { countText } from "../shared/words.js";

const TITLES = ["The ids", "Their text, encoded again"];

export class Canonical {
  constructor() {
    this.words = element("p", "words");
    this.rows = TITLES.map((title, i) => pane("ids-row", title, i === 0 ? legendOf(["open", "differs"]) : null));
    this.differences = element("ul", "examples");
    this.nodes = [this.words, ...this.rows.map((row) => row.pane), this.differences];
  }

  take({ rows, differences, more_places: more, words }) {
    writeText(this.words, words || "Paste ids, or take those of the text.");
    for (const [n, row] of this.rows.entries()) {
      row.pane.hidden = !rows[n]?.tokens.length;
      if (!row.pane.hidden) drawRow(row.scroller, rows[n]);
    }
    drawPlaces(this.differences, differences.map(differenceItem), more);
  }
}

function drawRow(scroller, { first, tokens, behind, marks }) {
  const isMarked = (i) => marks.some(([start, end]) => first + i >= start && first + i < end);
  scroller.replaceChildren(...withLeftOut([first, behind], [tokensWithIds(tokens, (i) => (isMarked(i) ? "open" : ""))], "id"));
}

/** Draw places into a list, and say how many more there are. */
export function drawPlaces(list, items, more) {
  list.replaceChildren(...items);
  if (more) list.append(element("li", "left-out", `and ${countText(more, "place")} more`));
}

export function differenceItem({ given, again, words }) {
  return element("li", "", tokensWithIds(given), element("span", "turns", "→"), tokensWithIds(again), element("p", "", words));
}
