// The tokens of one column in blocks, which may be marked or folded away.

import { forEachChip } from "../shared/chips.js";
import { AS_TEXT, TokenPanel } from "../shared/panel.js";

const NEAR_ROWS_PIXELS = 150; // how far beyond the visible part chips are kept: there are up to six columns
const LONGEST_BLOCK = 150; // tokens: an edit lays out a block in every column

/** Marks some tokens and folds others away, as its `column` says. */
export class ComparedPanel extends TokenPanel {
  constructor(scroller, column) {
    super(scroller, {
      ...AS_TEXT,
      near: NEAR_ROWS_PIXELS,
      longest: LONGEST_BLOCK,
      draw: (...range) => column.draw(...range),
      asText: (tokens, first, end) => column.asText(tokens, first, end),
    });
    this.column = column;
    this.bands = {}; // name of a class -> [first, end] of the tokens that carry it
  }

  get lineHeight() { return parseFloat(getComputedStyle(this.flow).lineHeight); }

  /** Where lines begin in the text, those of the first blocks that have more than `n` together. */
  lineStarts(n) {
    const { lineHeight } = this;
    const starts = [];
    for (const block of this.blocks) {
      let last = -Infinity;
      for (const [place, top] of this.points(block).slice(0, -1)) {
        if (top - last < lineHeight / 2) continue; // a small chip in the same line
        starts.push(place);
        last = top;
      }
      if (starts.length > n) break;
    }
    return starts;
  }

  amendBlock(block, was, changed) {
    if (was.isFolded || this.column.isFolded) this.drawBlock(block);
    else {
      super.amendBlock(block, was, changed);
      this.markBlock(block);
    }
  }

  finishBlock(block) {
    super.finishBlock(block);
    block.signature = this.column.signature(block);
    block.isFolded = this.column.isFolded;
    for (const [name, band] of Object.entries(this.bands)) this.setBand(block, name, band, true);
  }

  /** Bring the marks on the chips of a drawn block up to date. */
  markBlock(block) {
    forEachChip(block.node, (chip, i) => chip.classList.toggle("differs", this.column.isMarked(block.first + i)));
  }

  undrawBlock(block) {
    super.undrawBlock(block);
    block.signature = this.column.signature(block);
  }

  /** Bring up to date the blocks whose marked or folded tokens have changed since they were drawn. */
  refresh() {
    for (const block of this.blocks) {
      const signature = this.column.signature(block);
      if (block.signature === signature) continue;
      block.signature = signature;
      if (!block.drawn) this.undrawBlock(block);
      else if (block.isFolded || this.column.isFolded) this.drawBlock(block);
      else this.markBlock(block);
    }
  }

  /** Move the class `name` to the tokens of a band [first, end], or take it away with null. */
  moveBand(name, band) {
    const old = this.bands[name];
    this.bands[name] = band;
    for (const block of this.blocks) {
      this.setBand(block, name, old, false);
      this.setBand(block, name, band, true);
    }
  }

  setBand(block, name, band, on) {
    if (!band || !block.drawn || band[0] >= block.first + block.count || band[1] <= block.first) return;
    const [from, to] = band.map((token) => token - block.first);
    forEachChip(block.node, (chip, i) => { if (i >= from && i < to) chip.classList.toggle(name, on); });
  }
}
