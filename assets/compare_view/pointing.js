// What is pointed at in columns of tokens: lit, pinned, active, and jumped to.
//
// Columns share a text, but not the offsets of tokens, so what is lit or pinned is a range of bytes.

import { partitionPoint } from "../shared/text.js";
import { listenToPanel } from "../shared/walking.js";
import { writeText } from "../shared/view.js";
import { countText, groupedNumber } from "../shared/words.js";

export class Pointing {
  /** `view` has the columns, which scroll together, and the cells of their comparison. */
  constructor(view) {
    this.view = view;
    this.found = view.root.querySelector(".found");
    this.lit = null; // a range of bytes, {from, to}
    this.pinned = null;
  }

  listenTo(column) {
    listenToPanel(this.view.root, column.panel, {
      point: (index) => this.light(column.rangeOf(index)),
      enter: (index) => column.activate(column.unfolded(index ?? firstInSight(column), 1) ?? 0, false),
      go: (to, now) => {
        const index = column.unfolded(Math.min(Math.max(to, 0), column.shown.count - 1), to < now ? -1 : 1);
        if (index !== null) this.light(column.rangeOf(column.activate(index, true)));
      },
      choose: (index) => {
        column.activate(index, false);
        const range = column.rangeOf(index);
        this.pin(isSameRange(range, this.pinned) ? null : range);
      },
      copied: ({ text }) => (column.isFolded ? null : text),
    });
  }

  light(range) {
    if (isSameRange(range, this.lit)) return;
    this.lit = range;
    for (const column of this.view.columns) column.moveBand("lit", range);
    // Laying out what is written below the columns takes longer, so light the tokens first.
    requestAnimationFrame(() => setTimeout(() => this.showTokensBelow()));
  }

  showTokensBelow() {
    for (const column of this.view.columns) column.showTokensBelow(this.lit ?? this.pinned);
  }

  pin(range) {
    this.pinned = range;
    for (const column of this.view.columns) column.moveBand("pinned", range);
    this.showTokensBelow();
    writeText(this.found, this.foundWords());
  }

  /** Follow a change of the text, with the bytes before each of its units `before` and `now`. */
  move(change, before, now) {
    this.lit = movedByteRange(this.lit, change, before, now);
    this.pinned = movedByteRange(this.pinned, change, before, now);
  }

  /** Mark what is lit and pinned in columns that were drawn again. */
  draw() {
    for (const column of this.view.columns) column.moveBand("lit", this.lit);
    this.pin(this.pinned);
  }

  /** Go to the next difference (1) or the one before (-1), wrapping around at the ends. */
  jump(direction) {
    const { cells, columns, scrolling, spoken } = this.view;
    if (!cells?.different.length) return;
    const { different, starts } = cells;
    const here = this.pinned?.from ?? this.byteInSight() - (direction > 0 ? 1 : 0);
    const n = different.length;
    const after = partitionPoint(n, (i) => starts[different[i]] > here);
    const at = direction > 0 ? after % n : (partitionPoint(n, (i) => starts[different[i]] >= here) - 1 + n) % n;
    const range = { from: starts[different[at]], to: cells.cellEnd(different[at]) };
    this.light(null);
    this.pin(range);
    scrolling.leader = null;
    scrolling.settle(() => this.bringIntoSight(range));
    spoken.textContent = `Difference ${this.foundWords()}: ${columns.map((column) => column.tokensText(range)).join("; ")}`;
  }

  byteInSight() {
    const { bytesBefore, columns: [{ panel }] } = this.view;
    return bytesBefore[Math.floor(panel.place)] ?? 0;
  }

  bringIntoSight(range) {
    const { columns, scales } = this.view;
    const bands = columns.map((column) => column.tokensOf(range));
    const topOf = (i) => columns[i].panel.yOf(columns[i].shown.starts[bands[i][0]]);
    const isInSight = ({ panel: { scrolled, scroller } }, i) => !bands[i] || (topOf(i) >= scrolled && topOf(i) < scrolled + scroller.clientHeight);
    if (scales && columns.every(isInSight)) return; // a room keeps its place
    for (const [i, column] of columns.entries()) {
      const band = bands[i];
      if (!band) continue;
      const { panel } = column;
      // Presented, whole lines, with the one before it.
      panel.scrollTo(scales ? (Math.floor(topOf(i) / panel.lineHeight) - 1) * panel.lineHeight : topOf(i) - panel.scroller.clientHeight / 3);
      if (this.view.root.activeElement === panel.scroller) column.activate(band[0], false);
    }
  }

  /** "3 of 12 differences", where the third is pinned. */
  foundWords() {
    const { cells } = this.view;
    if (!cells?.count) return "";
    const { different } = cells;
    if (!different.length) return "No differences: all columns have the same tokens";
    const all = countText(different.length, "difference");
    const at = this.pinned ? different.indexOf(cells.at(this.pinned.from)) : -1;
    return at < 0 ? all : `${groupedNumber(at + 1)} of ${all}`;
  }
}

/** The first token of a column that is in sight. */
function firstInSight({ shown, panel }) { return shown.count ? shown.at(Math.floor(panel.place)) : 0; }

function isSameRange(a, b) {
  return a === b || (a !== null && b !== null && a.from === b.from && a.to === b.to);
}

/** A range of bytes after a change of the text; null if the change touches it. */
function movedByteRange(range, change, before, now) {
  if (range === null || range.to <= before[change.start]) return range;
  if (range.from < before[change.oldStop]) return null;
  const shift = now.at(-1) - before.at(-1);
  return { from: range.from + shift, to: range.to + shift };
}
