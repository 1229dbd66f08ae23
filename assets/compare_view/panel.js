// The tokens of one column in blocks, which may be marked or folded away, and where each place in the text is.

import { forEachChip } from "../shared/chips.js";
import { AS_TEXT, TokenPanel } from "../shared/panel.js";
import { partitionPoint } from "../shared/text.js";

const NEAR_ROWS_PIXELS = 150; // how far beyond the visible part chips are kept: there are up to six columns
const LONGEST_BLOCK = 150; // tokens: an edit lays out a block in every column

/** Marks some tokens, folds others away, and knows where each place in the text is. */
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
    block.points = null;
    for (const [name, band] of Object.entries(this.bands)) this.setBand(block, name, band, true);
  }

  /** Bring the marks on the chips of a drawn block up to date. */
  markBlock(block) {
    forEachChip(block.node, (chip, i) => chip.classList.toggle("differs", this.column.isMarked(block.first + i)));
  }

  undrawBlock(block) {
    super.undrawBlock(block);
    block.signature = this.column.signature(block);
    block.points = null;
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

  // -- places ---------------------------------------------------------------------------------

  /** The rows of a block as [offset in the text, pixels from the scroller's beginning], its end included. */
  points(block) {
    if (!block.drawn) this.drawBlock(block);
    const { offsetTop, offsetHeight } = block.node;
    if (block.points?.top === offsetTop && block.points.height === offsetHeight) return block.points;
    const origin = block.node.getBoundingClientRect().top - offsetTop;
    const points = [[this.tokens.textStart(block.first), offsetTop]];
    forEachChip(block.node, (chip, i) => {
      const top = chip.getBoundingClientRect().top - origin;
      if (top > points.at(-1)[1] + 8) points.push([this.tokens.starts[block.first + i], top]);
    });
    points.push([this.tokens.starts[block.first + block.count], offsetTop + offsetHeight]);
    return (block.points = Object.assign(points, { top: offsetTop, height: offsetHeight }));
  }

  /** The place in the text at the upper edge: an offset, with the part of the row that is above it. */
  get place() {
    const y = this.scroller.scrollTop;
    const { blocks } = this;
    const block = blocks[partitionPoint(blocks.length - 1, (i) => blocks[i].node.offsetTop + blocks[i].node.offsetHeight > y)];
    return block ? interpolatedValue(this.points(block), y, 1, 0) : 0;
  }

  /** Where a place in the text is, in pixels from the scroller's beginning. */
  yOf(place) {
    const { blocks, tokens } = this;
    const block = blocks[partitionPoint(blocks.length - 1, (i) => tokens.starts[blocks[i].first + blocks[i].count] > place)];
    return block && place > 0 ? interpolatedValue(this.points(block), place, 0, 1) : 0;
  }

  scrollTo(y) {
    const limit = this.scroller.scrollHeight - this.scroller.clientHeight;
    const top = Math.round(Math.min(Math.max(y, 0), limit));
    if (Math.abs(top - this.scroller.scrollTop) >= 1) this.scroller.scrollTop = top;
  }
}

/** Interpolate in points that rise in both coordinates: from a value of the coordinate `from` to that of `to`. */
function interpolatedValue(points, value, from, to) {
  const next = Math.max(partitionPoint(points.length - 1, (i) => points[i][from] > value), 1);
  const [a, b] = [points[next - 1], points[next]];
  const share = b[from] > a[from] ? Math.min(Math.max((value - a[from]) / (b[from] - a[from]), 0), 1) : 0;
  return a[to] + share * (b[to] - a[to]);
}
