// What is pointed at in columns of tokens: lit, pinned, walked along and jumped to.
//
// Columns have no offsets of tokens in common, only the text: what is lit or pinned is a range of bytes.

import { write } from "./column.js";
import { count } from "../shared/inspector.js";
import { lowest } from "../shared/text.js";
import { PENDING } from "../shared/tokens.js";
import { selectAll, tokenAfterKey } from "../shared/walking.js";

export class PointedColumns {
  constructor(root) {
    this.root = root;
    this.lit = null; // a range of bytes, {from, to}
    this.pinned = null;
  }

  /** The bytes of a token of a column, null for none and for text that is not yet tokenized. */
  rangeOf(column, index) {
    const spans = this.cells?.spans[this.indices[this.columns.indexOf(column)]];
    if (index === null || !spans || index >= column.shown.count || column.shown.ids[index] === PENDING) return null;
    return { from: spans.starts[index], to: spans.ends[index] };
  }

  light(range) {
    if (sameRange(range, this.lit)) return;
    this.lit = range;
    for (const column of this.columns) column.band("lit", range);
    // What is written below the columns has a layout to make: light first.
    requestAnimationFrame(() => setTimeout(() => this.tell()));
  }

  tell() {
    for (const column of this.columns) column.tell(this.lit ?? this.pinned);
  }

  pin(range) {
    this.pinned = range;
    for (const column of this.columns) column.band("pinned", range);
    this.tell();
    this.showFound();
  }

  clicked(column, event) {
    const index = column.panel.indexAt(event.target);
    const selection = this.root.getSelection?.() ?? document.getSelection();
    if (index === null || !selection?.isCollapsed) return;
    column.activate(index, false);
    this.toggle(this.rangeOf(column, index));
  }

  toggle(range) {
    this.pin(sameRange(range, this.pinned) ? null : range);
  }

  walk(column, event) {
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() === "a") selectAll(this.root, column.panel, event);
      return;
    }
    const now = column.panel.marks.active ?? 0;
    const next = tokenAfterKey(column.panel, now, event.key);
    if (next !== null) {
      event.preventDefault();
      const index = column.unfolded(Math.min(Math.max(next, 0), column.shown.count - 1), next < now ? -1 : 1);
      if (index !== null) this.light(this.rangeOf(column, column.activate(index, true)));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.toggle(this.rangeOf(column, now));
    }
  }

  /** The first token of a column that is in sight. */
  firstOf(column) {
    return column.shown.count ? column.shown.at(Math.floor(column.panel.place)) : 0;
  }

  /** Go to the next difference (1) or the one before (-1), and round at the ends. */
  jump(direction) {
    const { cells } = this;
    if (!cells?.different.length) return;
    const { different, starts } = cells;
    const here = this.pinned?.from ?? this.byteInSight() - (direction > 0 ? 1 : 0);
    const n = different.length;
    const after = lowest(n, (i) => starts[different[i]] > here);
    const at = direction > 0 ? after % n : (lowest(n, (i) => starts[different[i]] >= here) - 1 + n) % n;
    const cell = different[at];
    this.light(null);
    this.pin({ from: starts[cell], to: cells.cellEnd(cell) });
    const place = this.pinned;
    this.scrolling.leader = null;
    this.scrolling.settle(() => this.bringIntoSight(place));
    this.spoken.textContent = `Difference ${this.foundWords()}: ${this.columns.map((column) => column.words(this.pinned)).join("; ")}`;
  }

  byteInSight() {
    return this.bytesBefore[Math.floor(this.columns[0].panel.place)] ?? 0;
  }

  bringIntoSight(range) {
    for (const column of this.columns) {
      const band = column.tokensOf(range);
      if (!band) continue;
      const { panel } = column;
      panel.scrollTo(panel.yOf(column.shown.starts[band[0]]) - panel.scroller.clientHeight / 3);
      if (this.root.activeElement === panel.scroller) column.activate(band[0], false);
    }
  }

  showFound() {
    write(this.found, this.foundWords());
  }

  /** "3 of 12 differences", the third being the one that is pinned. */
  foundWords() {
    if (!this.cells?.count) return "";
    const { different } = this.cells;
    if (!different.length) return "No differences: all columns have the same tokens";
    const all = count(different.length, "difference", "differences");
    const at = this.pinned ? different.indexOf(this.cells.at(this.pinned.from)) : -1;
    return at < 0 ? all : `${(at + 1).toLocaleString("en")} of ${all}`;
  }
}

function sameRange(a, b) {
  return a === b || (a !== null && b !== null && a.from === b.from && a.to === b.to);
}
