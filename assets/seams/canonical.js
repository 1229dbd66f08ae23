// Ids beside those that encoding their text gives, with the differences marked and explained.

import { legendOf, withIds } from "./drawing.js";
import { count } from "../shared/inspector.js";
import { element, write } from "../shared/view.js";

const TITLES = ["The ids", "Their text, encoded again"];

export class Canonical {
  constructor(host) {
    this.host = host;
    this.words = element("p", "words");
    this.rows = TITLES.map((title, i) => {
      const pane = element("section", "pane ids-row");
      const header = element("header");
      header.append(element("h3", "", title));
      if (i === 0) header.append(legendOf(["open", "differs"]));
      const box = element("div", "scroller");
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", title);
      pane.append(header, box);
      return { pane, box };
    });
    this.differences = element("ul", "examples");
    this.nodes = [this.words, ...this.rows.map(({ pane }) => pane), this.differences];
  }

  take({ rows, differences, more, words }) {
    write(this.words, words || "Paste ids above, or take those of the text.");
    this.words.classList.toggle("all-settled", Boolean(words) && !differences.length);
    for (const [n, { pane, box }] of this.rows.entries()) {
      pane.hidden = !rows[n]?.tokens.length;
      if (!pane.hidden) drawRow(box, rows[n]);
    }
    this.differences.replaceChildren(...differences.map(differenceItem));
    if (more) this.differences.append(element("li", "left-out", `and ${count(more, "place", "places")} more`));
    if (words) this.host.announce(words);
  }
}

function drawRow(box, { first, tokens, behind, marks }) {
  const isMarked = (i) => marks.some(([start, end]) => first + i >= start && first + i < end);
  const parts = [withIds(tokens, (i) => (isMarked(i) ? "open" : ""))];
  if (first) parts.unshift(element("span", "left-out", `${count(first, "id", "ids")} before … `));
  if (behind) parts.push(element("span", "left-out", ` … ${count(behind, "id", "ids")} after`));
  box.replaceChildren(...parts);
}

function differenceItem({ given, again, words }) {
  const item = element("li");
  item.append(withIds(given), element("span", "turns", "→"), withIds(again), element("p", "", words));
  return item;
}
