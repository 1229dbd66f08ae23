// A panel of tokens in blocks. Only blocks near the visible part hold chips; the others hold plain text
// that the browser skips (content-visibility). An edit draws the tokens it changes, in the blocks it touches.

import { replaceChips, BLOCK_TOKENS, blockEnds, tokensToRedraw, replaceChangedChips } from "./blocks.js";
import { forEachChip } from "./chips.js";
import { partitionPoint } from "./text.js";
import { NO_TOKENS } from "./tokens.js";
import { element } from "./view.js";

const NEAR_PIXELS = 600; // how far beyond the visible part chips are kept
const DRAWN_AT_ONCE = 300; // tokens; about what a panel shows without scrolling
const REDRAWN_AT_ONCE = 2500; // in place of tokens that were drawn before
const SCALE_STEPS = 20; // between a size of type and twice that size, of those that are tried
const HARDLY_LARGER = 1.3;
const UNITS_PER_ROW = 60; // a guess for blocks that were never drawn; the browser remembers heights of those that were

/** What a panel of the text itself holds in blocks that are not drawn. */
export const AS_TEXT = {
  asText: (tokens, first, end) => tokens.text.slice(tokens.textStart(first), tokens.starts[end]),
  rows: (_, text) => Math.ceil(text.length / UNITS_PER_ROW) + text.split("\n").length - 1,
  longest: 1000,
};

/**
 * @typedef {import("./tokens.js").Tokens} Tokens
 * @typedef {(tokens: Tokens, first: number, end: number, origin: number) => DocumentFragment} Draw
 * @typedef {(tokens: Tokens, first: number, end: number) => string} AsText
 * @typedef {{first: number, count: number, node: HTMLElement, drawn: boolean, points?: any}} Block
 */

/** The largest multiple of the usual type, in steps from `least` to `most`, that is not too large; else `least`. */
export function largestScale(least, most, isTooLarge) {
  const steps = Math.round((most - least) * SCALE_STEPS);
  return least + partitionPoint(steps, (step) => isTooLarge(least + (step + 1) / SCALE_STEPS)) / SCALE_STEPS;
}

/**
 * Draw panels in the largest multiple of the usual type, from `least` to `most`, that shows all of each and breaks no word,
 * and in which it is at most `highest` pixels times that multiple high; return it.
 * @param {TokenPanel[]} panels
 */
export function fitTogether(panels, least, most, highest = Infinity) {
  for (const panel of panels) panel.drawAll();
  const setBreak = (value) => { for (const { flow } of panels) flow.style.setProperty("--break", value); };
  const setScale = (scale) => { for (const panel of panels) panel.setScale(scale); };
  setBreak("normal");
  const scale = largestScale(least, most, (tried) => {
    setScale(tried);
    return panels.some(({ scroller, flow }) =>
      flow.offsetHeight > Math.min(scroller.clientHeight, highest * tried) || flow.scrollWidth > flow.clientWidth);
  });
  setBreak("");
  setScale(scale);
  return scale;
}

export class TokenPanel {
  /**
   * draw(tokens, first, end, origin) makes chips, numbered from token `origin` on; asText(tokens, first, end) is what
   * an undrawn block holds, and rows(count, text) estimates how many rows its tokens fill. If that is too low, blocks
   * that should be out of sight come into sight.
   * A block ends its row, so `longest` is the number of tokens that a long line may have without a break.
   * `near` is how far beyond the visible part chips are kept, in pixels.
   * @param {HTMLElement} scroller
   * @param {{draw: Draw, asText: AsText, rows: (count: number, text: string) => number, longest: number, near?: number}} drawing
   */
  constructor(scroller, { draw, asText, rows, longest, near = NEAR_PIXELS }) {
    this.scroller = scroller;
    this.draw = draw;
    this.asText = asText;
    this.rows = rows;
    this.longest = longest;
    /** @type {HTMLElement} */
    this.flow = scroller.querySelector(".flow");
    /** @type {Block[]} */
    this.blocks = [];
    this.tokens = NO_TOKENS;
    /** @type {number | string} the multiple of the usual size of type, "" for that of the style sheet */
    this.scale = "";
    // Noted here, for asking the scroller while the page is changing costs a layout of everything.
    this.scrolled = 0;
    scroller.addEventListener("scroll", () => { this.scrolled = scroller.scrollTop; }, { passive: true });
    /** @type {Record<string, ?number>} name of a class -> the token that carries it */
    this.marks = {};
    this.isList = scroller.role === "listbox"; // which has to have options; the others become one when keys reach them
    this.setListRole(false);
    this.observer = new IntersectionObserver((entries) => this.drawBlocksInSight(entries), {
      root: scroller, rootMargin: `${near}px 0px`,
    });
  }

  clear() {
    this.observer.disconnect();
    this.flow.replaceChildren();
    this.blocks = [];
    this.tokens = NO_TOKENS;
    this.marks = {};
    this.setListRole(false);
  }

  /** A list box has options; what has none is a group. */
  setListRole(hasTokens) {
    const role = hasTokens ? "listbox" : "group";
    if (this.isList && this.scroller.role !== role) this.scroller.role = role;
  }

  /**
   * Show tokens, keeping the blocks that a change from those on view does not touch.
   * @param {Tokens} tokens
   * @param {?import("./change.js").Change} change
   */
  show(tokens, change) {
    const old = this.tokens;
    this.tokens = tokens;
    const shift = tokens.count - old.count;
    const { start, oldStop, newStop } = change ?? { start: old.count, oldStop: old.count, newStop: tokens.count };
    if (shift === 0 && start === tokens.count && tokens.tail === old.tail) {
      return; // the text beyond the limit may differ, what is on view does not
    }
    this.setListRole(tokens.count > 0);
    // A block next to the change is redrawn too: its last grapheme may go on in the new text.
    let a = this.blockIndex(Math.max(start - 1, 0));
    let z = this.blockIndex(Math.min(oldStop, Math.max(old.count - 1, 0)));
    const total = this.blocks.length;
    // Small neighbours are merged in, or many edits would leave many small blocks.
    if (a > 0 && this.blocks[a]?.count < BLOCK_TOKENS) a--;
    if (z < total - 1 && this.blocks[z].count < BLOCK_TOKENS) z++;
    const first = total ? this.blocks[a].first : 0;
    const oldEnd = total ? this.blocks[z].first + this.blocks[z].count : 0;
    const removed = this.blocks.slice(a, z + 1);
    const wasDrawn = removed.some((block) => block.drawn);
    const added = this.newBlocks(first, oldEnd + shift, removed);
    for (const block of this.blocks.slice(z + 1)) block.first += shift;
    // Drawn at once is what the observer would ask for a frame later; else the view would blink.
    let budget = wasDrawn ? REDRAWN_AT_ONCE : a === 0 && this.scrolled < NEAR_PIXELS ? DRAWN_AT_ONCE : 0;
    for (const [i, block] of added.entries()) {
      const was = removed[i]; // whose node it has
      if (budget > 0 && was?.drawn) this.amendBlock(block, was, tokensToRedraw(block, was, { old, now: tokens, start, newStop }));
      else if (budget > 0) this.drawBlock(block);
      else this.undrawBlock(block);
      budget -= block.count;
    }
    this.replace(a, removed, added);
  }

  /** Blocks for the tokens first..end-1, in the nodes of the `removed` ones as far as there are any. */
  newBlocks(first, end, removed) {
    const blocks = [];
    for (const blockEnd of blockEnds(this.tokens, first, end, this.longest)) {
      const node = removed[blocks.length]?.node ?? element("div", "block");
      const block = { first, count: blockEnd - first, node, drawn: false };
      node.block = block;
      first = blockEnd;
      blocks.push(block);
    }
    return blocks;
  }

  replace(at, removed, added) {
    const kept = Math.min(removed.length, added.length);
    const nodes = document.createDocumentFragment();
    for (const { node } of added.slice(kept)) nodes.append(node);
    if (kept) added[kept - 1].node.after(nodes);
    else this.flow.append(nodes);
    for (const { node } of removed.slice(kept)) node.remove();
    // A node reused for another block is observed again: it may be in sight but not drawn.
    for (const { node } of removed) this.observer.unobserve(node);
    for (const { node } of added) this.observer.observe(node);
    this.blocks.splice(at, removed.length, ...added);
  }

  drawBlocksInSight(entries) {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const block = target.block;
      const isHidden = !boundingClientRect.height; // with its panel, which shows it again without a blink
      if (isIntersecting && !block.drawn) this.drawBlock(block);
      else if (!isIntersecting && block.drawn && !isHidden) this.undrawBlock(block);
    }
  }

  drawBlock(block) {
    const { first, count, node } = block;
    replaceChangedChips(node, [...node.childNodes], null, this.draw(this.tokens, first, first + count, first));
    this.finishBlock(block);
  }

  /** Draw what has changed of a block, in the place of what is drawn of the one that it `was`. */
  amendBlock(block, was, changed) {
    replaceChips(block, was, changed, this.draw(this.tokens, changed.first, changed.end, block.first));
    this.finishBlock(block);
  }

  finishBlock(block) {
    this.setDrawn(block, true);
    block.points = null;
    const chip = block.first === 0 && this.isList ? block.node.querySelector("[data-i]") : null;
    chip?.setAttribute("role", "option");
    if (chip && !chip.textContent) chip.ariaLabel = chip.dataset.label ?? ""; // a part of a character
    for (const [name, index] of Object.entries(this.marks)) {
      if (index != null && index >= block.first && index < block.first + block.count) this.setClass(block, index, name, true);
    }
  }

  setDrawn(block, drawn) {
    block.drawn = drawn;
    block.node.classList.toggle("undrawn", !drawn);
  }

  undrawBlock(block) {
    const text = this.asText(this.tokens, block.first, block.first + block.count);
    block.node.textContent = text;
    this.setDrawn(block, false);
    block.points = null;
    block.node.style.setProperty("--lines", this.rows(block.count, text));
  }

  /** What is out of sight has no signs for spaces and line ends yet, and its lines may break otherwise with them. */
  drawAll() {
    for (const block of this.blocks) if (!block.drawn) this.drawBlock(block);
  }

  redraw() {
    for (const block of this.blocks) {
      if (block.drawn) this.drawBlock(block);
      else this.undrawBlock(block);
    }
  }

  blockIndex(index) {
    return Math.max(partitionPoint(this.blocks.length, (i) => this.blocks[i].first > index) - 1, 0);
  }

  setClass(block, index, name, on) {
    if (!block.drawn) return;
    for (const node of block.node.querySelectorAll(`[data-i="${index - block.first}"]`)) node.classList.toggle(name, on);
  }

  /** Move the class `name` ("lit", "active", "pinned") to one token, or take it away with null. */
  mark(name, index) {
    const old = this.marks[name];
    if (old === index) return;
    if (old != null && this.blocks.length) this.setClass(this.blocks[this.blockIndex(old)], old, name, false);
    this.marks[name] = index;
    if (index != null && this.blocks.length) this.setClass(this.blocks[this.blockIndex(index)], index, name, true);
  }

  /** The first chip of a token; its block is drawn if need be. */
  chip(index) {
    const block = this.blocks[this.blockIndex(index)];
    if (!block) return null;
    if (!block.drawn) this.drawBlock(block);
    return block.node.querySelector(`[data-i="${index - block.first}"]`);
  }

  /** The index of the token at an event's target, or null. */
  indexAt(target) {
    const chip = target.closest?.("[data-i]");
    const block = chip?.closest(".block")?.block;
    return block ? block.first + Number(chip.dataset.i) : null;
  }

  /** Scroll this panel, and nothing around it, until a token is in sight. */
  reveal(index) {
    const chip = this.chip(index);
    if (!chip) return;
    const box = chip.getBoundingClientRect();
    const frame = this.scroller.getBoundingClientRect();
    const margin = Math.min(40, frame.height / 4);
    if (box.top < frame.top + 4) this.scroller.scrollTop -= frame.top + margin - box.top;
    else if (box.bottom > frame.bottom - 4) this.scroller.scrollTop += box.bottom - frame.bottom + margin;
  }

  /** Draw the text in a multiple of the usual size of type. */
  setScale(scale) {
    this.scale = scale;
    this.scroller.style.setProperty("--scale", String(scale));
  }

  /**
   * Draw the text in the largest multiple of the usual size, from `least` to `most`, that shows all of it and breaks no
   * word; and no line either, if type that breaks lines is hardly larger.
   */
  fitType(least, most) {
    const inSight = fitTogether([this], least, most);
    this.setScale(least);
    const rows = this.flow.offsetHeight / least; // as high for each multiple
    const unbroken = fitTogether([this], least, most, rows + 2);
    if (inSight <= HARDLY_LARGER * unbroken) return unbroken;
    this.setScale(inSight);
    return inSight;
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
