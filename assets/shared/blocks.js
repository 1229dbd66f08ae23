// The blocks of a panel: where they end, which tokens of a block an edit changes, and how chips are replaced.

import { cutsGrapheme, continuesGrapheme } from "./text.js";

export const BLOCK_TOKENS = 80; // from this many tokens on, a block ends at the next line end
const BLOCK_SLACK = 0.7; // from this part of the longest block on, it ends before the next white space

/** The ends of the blocks that tokens first..end-1 are cut into; none holds many more than `longest`. */
export function blockEnds(tokens, first, end, longest) {
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

/** Whether token i is drawn together with what comes before it: a grapheme that continues, or text outside any token. */
function isDrawnWithPrevious(tokens, i) {
  const start = tokens.starts[i];
  const { text } = tokens;
  const goesOn = cutsGrapheme(text, start) || continuesGrapheme(text, start);
  return goesOn || tokens.splitsBefore(i) || start > tokens.gapStart(i);
}

/**
 * The tokens to draw, `first` to `end` - 1, when a block replaces one that `was` drawn. Their chips replace those of the
 * old tokens `oldFirst` to `oldEnd` - 1. `start` and `newStop` are those of the change from `old` to `now`.
 */
export function tokensToRedraw(block, was, { old, now, start, newStop }) {
  const blockEnd = block.first + block.count;
  const shift = now.count - old.count;
  let first = block.first;
  let end = blockEnd;
  if (was.first === first) first = Math.max(first, Math.min(start, blockEnd, was.first + was.count));
  if (was.first + was.count + shift === end) end = Math.min(end, Math.max(newStop, first, was.first + shift));
  while (first > block.first && (isDrawnWithPrevious(now, first) || isDrawnWithPrevious(old, first))) first--;
  while (end < blockEnd && (isDrawnWithPrevious(now, end) || isDrawnWithPrevious(old, end - shift))) end++;
  const oldEnd = end < blockEnd ? end - shift : was.first + was.count;
  return { first, end, oldFirst: first > block.first ? first : was.first, oldEnd };
}

/**
 * Put new chips in the place of some chips of the block that this one `was`, as `tokensToRedraw` says; the others stay and
 * get new numbers.
 */
export function replaceChips(block, was, { first, end, oldFirst, oldEnd }, made) {
  const chips = [...block.node.childNodes];
  const numbered = (chip) => (chip.dataset.i === undefined ? chip.querySelector("[data-i]") : chip);
  const numbers = chips.map((chip) => Number(numbered(chip)?.dataset.i));
  // Text that belongs to no token comes after the token before it, and goes with that one.
  const placeOf = (token) => {
    const place = numbers.findIndex((number) => number >= token - was.first);
    return place < 0 ? chips.length : place;
  };
  const from = first === block.first ? 0 : placeOf(oldFirst);
  const to = end === block.first + block.count ? chips.length : placeOf(oldEnd);
  replaceChangedChips(block.node, chips.slice(from, to), chips[to] ?? null, made);
  const shift = end - block.first - (oldEnd - was.first);
  if (!shift) return;
  for (const chip of chips.slice(to)) {
    for (const { dataset } of [chip, ...chip.querySelectorAll("[data-i]")]) {
      if (dataset.i) dataset.i = Number(dataset.i) + shift;
    }
  }
}

/**
 * Replace old chips, which come before `next`, and keep those that stay the same: the browser then need not shape and
 * break their text again.
 */
export function replaceChangedChips(node, old, next, chips) {
  const made = [...chips.childNodes];
  const shorter = Math.min(old.length, made.length);
  let front = 0;
  while (front < shorter && isSameAfterRenumbering(old[front], made[front])) front++;
  let back = 0;
  while (back < shorter - front && isSameAfterRenumbering(old[old.length - 1 - back], made[made.length - 1 - back])) back++;
  const gone = old.slice(front, old.length - back);
  const come = made.slice(front, made.length - back);
  if (gone.length === come.length) {
    gone.forEach((chip, i) => { if (!isSameAfterRenumbering(chip, come[i])) chip.replaceWith(come[i]); });
    return;
  }
  const parts = document.createDocumentFragment();
  parts.append(...come);
  node.insertBefore(parts, gone[0] ?? old[front] ?? next);
  for (const chip of gone) chip.remove();
}

/** Whether an old chip equals the one made for its place; if so, it gets the number of that place. */
function isSameAfterRenumbering(old, made) {
  if (old.isEqualNode(made)) return true;
  if (old.nodeType !== 1 || made.nodeType !== 1) return false;
  const [before, now] = [old, made].map((chip) => [chip, ...chip.querySelectorAll("*")].filter(({ dataset }) => dataset.i));
  if (before.length !== now.length) return false;
  before.forEach((chip, i) => { chip.dataset.i = now[i].dataset.i; });
  return old.isEqualNode(made);
}
