// The text at one step, in blocks. A block is one or more lines and holds runs of about a hundred bytes; a
// step draws only the runs whose gaps it opens or closes, and of those only the ones near the visible part.

import { MADE, NOW_ONLY, PINNED_ONLY, SOON } from "./history.js";
import { TokenPanel } from "../shared/panel.js";
import { drawTokens, forEachChip } from "../shared/chips.js";
import { commonEndLengths, partitionPoint } from "../shared/text.js";
import { element } from "../shared/view.js";

const LINE_BLOCK_BYTES = 120; // from this many bytes on, a block ends at the next line end
const LONGEST_BLOCK_BYTES = 1000; // a longer line is broken before a white space: a change lays out all of its block
const RUN_BYTES = 96; // from this many bytes on, a run ends where nothing is ever joined
const STEP_NEAR_PIXELS = 60; // how far beyond the visible part steps are drawn
const STEP_DRAWN_AT_ONCE = 700; // bytes; about what the panel shows without scrolling
const HELD_FRAMES = 6; // for which a place is held; blocks get their real height in two or three
const UNITS_IN_ROW = 42; // UTF-16 units, a guess for blocks that were never drawn
const FITTED_BYTES_MAX = 2000; // of a text that is drawn as large as there is room for
const MARK_CLASSES = [[MADE, "made"], [SOON, "soon"], [NOW_ONLY, "now-only"], [PINNED_ONLY, "pinned-only"]];

export class StepPanel extends TokenPanel {
  constructor(scroller) {
    super(scroller, { near: STEP_NEAR_PIXELS, rows: (_, text) => estimatedRows(text) });
    this.history = null;
    this.k = 0;
    this.next = null; // the rank of the merge whose parts are marked, null for none
    this.pinned = null;
    this.pretoken = null;
    this.holding = undefined; // the frame in which a place is held
    this.fitted = ""; // the size of the scroller that the type was chosen for
    // A place is held until somebody scrolls.
    for (const input of ["wheel", "pointerdown"]) scroller.addEventListener(input, () => this.stopHolding(), { passive: true });
  }

  get size() { return `${this.scroller.offsetWidth} × ${this.scroller.offsetHeight}`; }

  get isFitted() { return this.size === this.fitted; }

  /**
   * Draw a text that is not long as large as there is room for, in `usual` type if it scrolls even in the least; then cut
   * the room to whole rows, and note how high the text is. Return the multiple of the usual size, 0 if the text scrolls.
   */
  fitRoom(least, most, usual) {
    const { scroller, flow } = this;
    const { style } = scroller.closest(".row");
    scroller.style.removeProperty("--held");
    style.removeProperty("--surplus");
    const scrolls = () => flow.offsetHeight > scroller.clientHeight;
    if (this.history.bytes.length <= FITTED_BYTES_MAX) this.fitType(least, most);
    else this.setScale("");
    if (scrolls() && this.scale === least) this.setScale(usual);
    if (scrolls()) {
      const { paddingTop, lineHeight } = getComputedStyle(flow);
      style.setProperty("--surplus", `${(scroller.clientHeight - parseFloat(paddingTop)) % parseFloat(lineHeight)}px`);
    }
    scroller.style.setProperty("--held", `${flow.offsetHeight + scroller.offsetHeight - scroller.clientHeight}px`);
    this.fitted = this.size;
    return scrolls() ? 0 : Number(this.scale);
  }

  /** Lay out another history; every block is new. */
  load(history, k, pinned, next) {
    const top = this.history ? this.topPlaceIn(history) : null;
    this.stopHolding();
    this.clear();
    this.fitted = "";
    Object.assign(this, { history, k, pinned, next });
    const blocks = [];
    for (const [start, end] of byteRanges(history, 0, history.bytes.length, LINE_BLOCK_BYTES, LONGEST_BLOCK_BYTES)) {
      const node = element("div", "block");
      const block = { start, end, node, drawn: false, runs: [], text: history.string(start, end) };
      node.block = block;
      node.style.setProperty("--lines", this.rows(0, block.text));
      blocks.push(block);
    }
    let room = STEP_DRAWN_AT_ONCE;
    for (const block of blocks) {
      if (room > 0) this.drawBlock(block);
      else this.undrawBlock(block);
      room -= block.end - block.start;
    }
    this.replace(0, [], blocks);
    if (top) this.holdAt(top);
    else this.scroller.scrollTop = 0;
  }

  /**
   * Where an edited text, or the same under another tokenizer, has what is at the upper edge now: the first byte of its
   * block, and how far below that edge it begins, in pixels. Null if there is nothing to keep.
   */
  topPlaceIn(history) {
    const { prefix, suffix } = commonEndLengths(this.history.text, history.text);
    if (2 * (prefix + suffix) <= Math.max(this.history.text.length, history.text.length)) return null;
    const edge = this.scroller.getBoundingClientRect().top;
    const block = this.scroller.scrollTop && this.blocks.find(({ node }) => node.getBoundingClientRect().bottom > edge);
    if (!block) return null;
    const moved = this.history.unitStart[block.start] < prefix ? 0 : history.bytes.length - this.history.bytes.length;
    return { byte: Math.max(block.start + moved, 0), below: this.belowEdge(block.node) };
  }

  /** Scroll until a byte's block begins `below` pixels below the upper edge; hold it there while blocks get their height. */
  holdAt({ byte, below }) {
    this.stopHolding();
    const hold = (frames) => {
      const block = pieceHolding(this.blocks, byte);
      if (!block.drawn) this.drawBlock(block);
      this.scroller.scrollTop += this.belowEdge(block.node) - below;
      if (frames) this.holding = requestAnimationFrame(() => hold(frames - 1));
    };
    hold(HELD_FRAMES);
  }

  /** Stop holding a place. */
  stopHolding() {
    cancelAnimationFrame(this.holding);
  }

  /** How far in pixels a node begins below the upper edge of what is in sight. */
  belowEdge(node) {
    return node.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top;
  }

  /** Show another step, another pinned step beside it, or what the merge of rank `next` joins; draws what differs. */
  show(k, pinned, next) {
    const steps = [this.k, k, ...[this.next, next].filter((rank) => rank !== null)];
    if (pinned !== this.pinned) steps.push(this.pinned ?? this.k, pinned ?? k);
    Object.assign(this, { k, pinned, next });
    // The merge before and the merge after a step are marked, so they count as changed as well.
    this.redrawRanks(Math.min(...steps) - 1, Math.max(...steps));
  }

  /** Draw the runs that have a gap closed by one of these ranks. */
  redrawRanks(lowest, highest) {
    const { history } = this;
    const from = history.closedBelow(lowest);
    const to = history.closedBelow(highest + 1);
    const isMost = to - from > history.bytes.length / 8;
    const dirty = new Set();
    for (let i = from; i < to && !isMost; i++) {
      const run = this.runAt(history.places[i]);
      if (run) dirty.add(run);
    }
    this.drawRuns((run) => isMost || dirty.has(run));
  }

  /** Draw some of the runs. */
  drawRuns(isDirty) {
    for (const { runs } of this.blocks) for (const run of runs) if (isDirty(run)) this.drawRun(run);
  }

  /** Mark the pretoken start..end-1 as the one that the page zooms in on. */
  markPretoken(pretoken) {
    const parts = [this.pretoken, pretoken].filter(Boolean);
    this.pretoken = pretoken;
    this.drawRuns((run) => parts.some((part) => run.end > part.start && run.start < part.end));
  }

  /** Mark one token, or none, as the one that was picked. */
  markPicked(token) {
    for (const chip of this.flow.querySelectorAll(".picked")) chip.classList.remove("picked");
    const run = token && this.runAt(token.start);
    if (run) markChips(run.node, run.tokens, token, "picked");
  }

  /** The drawn run that holds a byte, or null. */
  runAt(byte) {
    const block = pieceHolding(this.blocks, byte);
    return block?.drawn ? pieceHolding(block.runs, byte) : null;
  }

  drawBlock(block) {
    block.drawn = true;
    block.runs = byteRanges(this.history, block.start, block.end, RUN_BYTES, Infinity, true)
      .map(([start, end]) => ({ start, end, node: element("span", "run") }));
    for (const run of block.runs) {
      run.node.run = run;
      this.drawRun(run);
    }
    block.node.replaceChildren(...block.runs.map((run) => run.node));
  }

  undrawBlock(block) {
    block.drawn = false;
    block.runs = [];
    block.node.textContent = block.text;
  }

  drawRun(run) {
    const tokens = (run.tokens = this.history.tokensAt(run.start, run.end, this.k, this.pinned, this.next));
    const drawn = drawMarkedTokens(tokens, tokens.count);
    const { pretoken } = this;
    if (pretoken && run.end > pretoken.start && run.start < pretoken.end) markChips(drawn, tokens, pretoken, "pretoken");
    run.node.replaceChildren(drawn);
  }

  /** The first and last byte, and the id, of the token at an event's target, or null. */
  tokenAt(target) {
    const chip = target.closest?.("[data-i]");
    const run = chip?.closest(".run")?.run;
    if (!run) return null;
    let start = run.tokens.byteStarts[Number(chip.dataset.i)];
    while (start > run.start && this.history.isClosed(start, this.k)) start--;
    let end = start + 1;
    while (end < run.end && this.history.isClosed(end, this.k)) end++;
    return { start, end, id: this.history.idOf(start, end), isLast: end === this.history.bytes.length };
  }

  /** The first byte of what a chip shows, and the one after its last. */
  bytesOf(chip) {
    const { run } = chip.closest(".run");
    const i = Number(chip.dataset.i);
    return [run.tokens.byteStarts[i], run.tokens.byteStarts[i + 1] ?? run.end];
  }

  /** The chip that shows a byte, or null. */
  chipAt(byte) {
    const run = this.runAt(byte);
    if (!run) return null;
    const i = partitionPoint(run.tokens.count, (token) => run.tokens.byteStarts[token] > byte) - 1;
    return run.node.querySelector(`[data-i="${i}"]`);
  }

  /** Scroll to what the merge of a rank has made, unless some of that is in sight. */
  revealMerge(rank) {
    const { history } = this;
    const place = history.closedBelow(rank);
    const isDone = place === history.closedBelow(rank + 1) || [...this.flow.querySelectorAll(".made")].some((chip) => this.isInSight(chip));
    if (!isDone) this.revealByte(history.places[place]);
  }

  isInSight(node) {
    const [box, frame] = [node, this.scroller].map((each) => each.getBoundingClientRect());
    return box.top >= frame.top && box.bottom <= frame.bottom;
  }

  /** Scroll until a byte is in sight, a third of the way down if it was not. */
  revealByte(byte) {
    const block = pieceHolding(this.blocks, byte);
    if (!block.drawn) this.drawBlock(block);
    const node = this.chipAt(byte) ?? pieceHolding(block.runs, byte).node;
    if (this.isInSight(node)) return;
    this.holdAt({ byte, below: this.scroller.clientHeight / 3 - this.belowEdge(node) + this.belowEdge(block.node) });
  }
}

/** The chips of the tokens before `end`, with the marks of what was merged last and is merged next. */
export function drawMarkedTokens(tokens, end) {
  const drawn = drawTokens(tokens, 0, end);
  if (!tokens.flags.some(Boolean)) return drawn;
  forEachChip(drawn, (chip, i) => {
    for (const [flag, name] of MARK_CLASSES) if (tokens.flags[i] & flag) chip.classList.add(name);
  });
  return drawn;
}

/** Mark the chips in a node that begin in the bytes start..end-1. */
function markChips(node, { byteStarts }, { start, end }, name) {
  forEachChip(node, (chip, i) => { if (byteStarts[i] >= start && byteStarts[i] < end) chip.classList.add(name); });
}

/**
 * Cut the bytes from..to-1 into pieces [start, end]: from `least` bytes on at a line end, or with
 * `anywhere` wherever nothing is ever joined; a piece of `longest` bytes ends before the next white space.
 */
function byteRanges(history, from, to, least, longest, anywhere = false) {
  const found = [];
  let start = from;
  for (let i = from + 1; i < to; i++) {
    const size = i - start;
    if (size < least) continue;
    const gap = size >= longest && (history.bytes[i] === 32 || size >= 2 * longest);
    if ((anywhere || gap || history.bytes[i - 1] === 10) && history.mayCut(i)) {
      found.push([start, i]);
      start = i;
    }
  }
  if (to > start) found.push([start, to]);
  return found;
}

/** An estimate of the rows that a text fills. */
function estimatedRows(text) {
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.reduce((rows, line) => rows + Math.max(Math.ceil(line.length / UNITS_IN_ROW), 1), 0);
}

/** The piece of an ordered list that holds a byte. */
function pieceHolding(list, byte) {
  return list[partitionPoint(list.length - 1, (i) => list[i].end > byte)];
}
