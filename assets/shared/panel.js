// A panel of tokens in blocks. Only blocks near the visible part hold chips; the others hold plain text
// that the browser skips (content-visibility). An edit draws the tokens it changes, in the blocks it touches.

import { recolour } from "./chips.js";
import { cutsGrapheme, insideGrapheme, lowest } from "./text.js";
import { NO_TOKENS } from "./tokens.js";
import { element } from "./view.js";

const BLOCK_TOKENS = 160; // from this many tokens on, a block ends at the next line end
const BLOCK_SLACK = 0.9; // from this part of the longest block on, it ends before the next white space
const NEAR_PIXELS = 600; // how far beyond the visible part chips are kept

/** The ends of the blocks that tokens first..end-1 are cut into; none holds many more than `longest`. */
function blockEnds(tokens, first, end, longest) {
  const ends = [];
  let start = first;
  for (let i = first + 1; i < end; i++) {
    const count = i - start;
    if (count < BLOCK_TOKENS) continue;
    const lineEnd = tokens.text.charCodeAt(tokens.starts[i] - 1) === 10;
    const gap = count >= longest * BLOCK_SLACK && /\s/.test(tokens.text[tokens.starts[i]] ?? "");
    if (!lineEnd && !gap && count < longest) continue;
    if (tokens.splitsBefore(i) || cutsGrapheme(tokens.text, tokens.starts[i])) continue;
    ends.push(i);
    start = i;
  }
  if (end > start) ends.push(end);
  return ends;
}

const DRAWN_AT_ONCE = 300; // tokens; about what a panel shows without scrolling
const REDRAWN_AT_ONCE = 2500; // in place of tokens that were drawn before

const UNITS_PER_ROW = 60; // a guess for blocks that were never drawn; the browser remembers heights of those that were

/** What a panel that shows the text itself holds where it is not drawn. */
export const AS_TEXT = {
  asText: (tokens, first, end) => tokens.text.slice(tokens.textStart(first), tokens.starts[end]),
  rows: (_, text) => Math.ceil(text.length / UNITS_PER_ROW) + text.split("\n").length - 1,
  longest: 1000,
};

/**
 * Put chips in the place of old ones, which stand before `next`, keeping those that stay as they are: the browser
 * then need not shape and break their text again.
 */
function refill(node, old, next, chips) {
  const made = [...chips.childNodes];
  const shorter = Math.min(old.length, made.length);
  let front = 0;
  while (front < shorter && isSameChip(old[front], made[front])) front++;
  let back = 0;
  while (back < shorter - front && isSameChip(old[old.length - 1 - back], made[made.length - 1 - back])) back++;
  const gone = old.slice(front, old.length - back);
  const come = made.slice(front, made.length - back);
  if (gone.length === come.length) {
    gone.forEach((chip, i) => { if (!isSameChip(chip, come[i])) chip.replaceWith(come[i]); });
    return;
  }
  const parts = document.createDocumentFragment();
  parts.append(...come);
  node.insertBefore(parts, gone[0] ?? old[front] ?? next);
  for (const chip of gone) chip.remove();
}

/** Whether a chip is as one that was made for its place; it then gets the number of that place. */
function isSameChip(old, made) {
  if (old.isEqualNode(made)) return true;
  if (old.nodeType !== 1 || made.nodeType !== 1) return false;
  const [before, now] = [old, made].map((chip) => [chip, ...chip.querySelectorAll("*")].filter(({ dataset }) => dataset.i));
  if (before.length !== now.length) return false;
  before.forEach((chip, i) => { chip.dataset.i = now[i].dataset.i; });
  return old.isEqualNode(made);
}

/** Whether token i is drawn together with what is before it: a grapheme that continues, or text outside any token. */
function joinsBefore(tokens, i) {
  const start = tokens.starts[i];
  const { text } = tokens;
  const goesOn = cutsGrapheme(text, start) || insideGrapheme(text, start);
  return goesOn || tokens.splitsBefore(i) || start > tokens.gapStart(i);
}

/**
 * Which tokens of a block are to be drawn where it takes the place of a block that `was` drawn: `first` to `end` - 1,
 * in the place of the chips of the old tokens `oldFirst` to `oldEnd` - 1. `front` and `back` are as in `sameTokens`.
 */
function changedIn(block, was, { old, now, front, back }) {
  const blockEnd = block.first + block.count;
  const shift = now.count - old.count;
  let first = block.first;
  let end = blockEnd;
  if (was.first === first) first = Math.max(first, Math.min(front, blockEnd, was.first + was.count));
  if (was.first + was.count + shift === end) end = Math.min(end, Math.max(now.count - back, first, was.first + shift));
  while (first > block.first && (joinsBefore(now, first) || joinsBefore(old, first))) first--;
  while (end < blockEnd && (joinsBefore(now, end) || joinsBefore(old, end - shift))) end++;
  const oldEnd = end < blockEnd ? end - shift : was.first + was.count;
  return { first, end, oldFirst: first > block.first ? first : was.first, oldEnd };
}

/**
 * @typedef {import("./tokens.js").Tokens} Tokens
 * @typedef {(tokens: Tokens, first: number, end: number, origin: number) => DocumentFragment} Draw
 * @typedef {(tokens: Tokens, first: number, end: number) => string} AsText
 * @typedef {{first: number, count: number, node: HTMLElement, drawn: boolean}} Block
 */

export class TokenPanel {
  /**
   * draw(tokens, first, end, origin) makes chips, numbered from token `origin` on; asText(tokens, first, end) is what
   * an undrawn block holds, and rows(count, text) about how many rows its tokens fill. With too few, blocks out of
   * sight come in sight.
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
    this.flow = scroller.querySelector(".flow");
    /** @type {Block[]} */
    this.blocks = [];
    this.tokens = NO_TOKENS;
    // Noted here, for asking the scroller while the page is changing costs a layout of everything.
    this.scrolled = 0;
    scroller.addEventListener("scroll", () => { this.scrolled = scroller.scrollTop; }, { passive: true });
    /** @type {Record<string, ?number>} name of a class -> the token that carries it */
    this.marks = {};
    this.isList = scroller.role === "listbox"; // which has to have options; the others become one when keys reach them
    this.beList(false);
    this.observer = new IntersectionObserver((entries) => this.seen(entries), {
      root: scroller, rootMargin: `${near}px 0px`,
    });
  }

  clear() {
    this.observer.disconnect();
    this.flow.replaceChildren();
    this.blocks = [];
    this.tokens = NO_TOKENS;
    this.marks = {};
    this.beList(false);
  }

  /** A list box has options; what has none is a group. */
  beList(hasTokens) {
    const role = hasTokens ? "listbox" : "group";
    if (this.isList && this.scroller.role !== role) this.scroller.role = role;
  }

  /** Show tokens, keeping the blocks of the unchanged front and back; of the back the first `recoloured` get new colours. */
  show(tokens, { front, back, recoloured = 0 }) {
    const old = this.tokens;
    this.tokens = tokens;
    const shift = tokens.count - old.count;
    if (shift === 0 && front === tokens.count && tokens.tail === old.tail) {
      return; // the text beyond the limit may differ, what is on view does not
    }
    this.beList(tokens.count > 0);
    // A block next to the change is redrawn too: its last grapheme may go on in the new text.
    let a = this.blockIndex(Math.max(front - 1, 0));
    let z = this.blockIndex(Math.min(old.count - back, Math.max(old.count - 1, 0)));
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
      if (budget > 0 && was?.drawn) this.amendBlock(block, was, changedIn(block, was, { old, now: tokens, front, back }));
      else if (budget > 0) this.drawBlock(block);
      else this.undrawBlock(block);
      budget -= block.count;
    }
    this.replace(a, removed, added);
    if (recoloured) this.recolour(tokens.count - back, tokens.count - back + recoloured);
  }

  /** Give the chips of tokens first..end-1 the colours that these have now. */
  recolour(first, end) {
    for (let at = this.blockIndex(first); at < this.blocks.length && this.blocks[at].first < end; at++) {
      const { drawn, first: origin, node } = this.blocks[at];
      if (!drawn) continue;
      /** @type {NodeListOf<HTMLElement>} */
      const chips = node.querySelectorAll("[data-i]");
      for (const chip of chips) {
        const i = origin + Number(chip.dataset.i);
        if (i >= first && i < end) recolour(chip, this.tokens.colours[i]);
      }
    }
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

  seen(entries) {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const block = target.block;
      const isHidden = !boundingClientRect.height; // with its panel, which shows it again without a blink
      if (isIntersecting && !block.drawn) this.drawBlock(block);
      else if (!isIntersecting && block.drawn && !isHidden) this.undrawBlock(block);
    }
  }

  drawBlock(block) {
    const { first, count, node } = block;
    refill(node, [...node.childNodes], null, this.draw(this.tokens, first, first + count, first));
    this.finish(block);
  }

  /** Draw some tokens in the place of some of the block that this one `was`; the others stay and get new numbers. */
  amendBlock(block, was, { first, end, oldFirst, oldEnd }) {
    const chips = [...block.node.childNodes];
    const numbered = (chip) => (chip.dataset.i === undefined ? chip.querySelector("[data-i]") : chip);
    const numbers = chips.map((chip) => Number(numbered(chip)?.dataset.i));
    // Text that belongs to no token stands behind the token before it, and goes with that one.
    const placeOf = (token) => {
      const place = numbers.findIndex((number) => number >= token - was.first);
      return place < 0 ? chips.length : place;
    };
    const from = first === block.first ? 0 : placeOf(oldFirst);
    const to = end === block.first + block.count ? chips.length : placeOf(oldEnd);
    refill(block.node, chips.slice(from, to), chips[to] ?? null, this.draw(this.tokens, first, end, block.first));
    const shift = end - block.first - (oldEnd - was.first);
    if (shift) {
      for (const chip of chips.slice(to)) {
        for (const { dataset } of [chip, ...chip.querySelectorAll("[data-i]")]) {
          if (dataset.i) dataset.i = Number(dataset.i) + shift;
        }
      }
    }
    this.finish(block);
  }

  finish(block) {
    this.setDrawn(block, true);
    if (block.first === 0 && this.isList) block.node.querySelector("[data-i]")?.setAttribute("role", "option");
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
    block.node.style.setProperty("--lines", this.rows(block.count, text));
  }

  redraw() {
    for (const block of this.blocks) {
      if (block.drawn) this.drawBlock(block);
      else this.undrawBlock(block);
    }
  }

  blockIndex(index) {
    return Math.max(lowest(this.blocks.length, (i) => this.blocks[i].first > index) - 1, 0);
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
}
