// Texts that say the same: the tokens of each under several tokenizers, and how many times as many as the first has.

import { LiveView, mountView } from "../shared/live_view.js";
import { revealView, element, writeText } from "../shared/view.js";
import { groupedNumber } from "../shared/words.js";

/** As people say it: 6.0×, 1.27×. */
function ratioText(ratio) { return `${ratio.toFixed(ratio < 2 ? 2 : 1)}×`; }

class Ratios extends LiveView {
  constructor(root) {
    super(root);
    this.head = root.querySelector("thead tr");
    this.body = root.querySelector("tbody");
  }

  /** The replies are of several documents. */
  get textName() { return null; }

  configure() {
    const { rows, columns } = this.data;
    this.head.replaceChildren(element("td"), ...columns.map((name) => heading(name, "col")));
    while (this.body.rows.length > rows.length) this.body.lastElementChild.remove();
    rows.forEach((name, i) => {
      const row = this.body.rows[i] ?? this.body.insertRow();
      const cells = columns.map((_, j) => row.cells[j + 1] ?? figureCell());
      row.replaceChildren(heading(name, "row"), ...cells);
    });
  }

  take({ counts, notice }) {
    this.writeNotice(notice);
    counts.forEach((row, i) => row.forEach((count, j) => {
      const cell = this.body.rows[i]?.cells[j + 1];
      if (cell) fillCell(cell, count, i ? counts[0][j] : null);
    }));
    revealView(this.view);
  }
}

function heading(name, scope) { return Object.assign(element("th", "", name), { scope }); }

function figureCell() { return element("td", "", element("b"), element("span")); }

/** Show how many times as many tokens as the first text there are, and how many; of the first text, how many. */
function fillCell(cell, count, ofFirst) {
  const tokens = count === null ? "–" : groupedNumber(count);
  const [figure, detail] = cell.children;
  const compares = count && ofFirst;
  writeText(figure, compares ? ratioText(count / ofFirst) : tokens);
  writeText(detail, compares ? tokens : "");
}

export default (component) => mountView(Ratios, component);
