// One column of the compare view: a tokenizer's name and counts, its tokens, and below them the ones pointed at.

import { tokensTouching } from "./differences.js";
import { ComparedPanel } from "./panel.js";
import { movedIndex } from "../shared/change.js";
import { tokenName } from "../shared/inspector.js";
import { LaidTokens } from "../shared/laid_tokens.js";
import { AS_TEXT } from "../shared/panel.js";
import { chipClass, drawTokens, forEachChip, sharingText } from "../shared/chips.js";
import { PENDING } from "../shared/tokens.js";
import { activateToken } from "../shared/walking.js";
import { element, writeFigure, writeText } from "../shared/view.js";
import { countText, groupedNumber } from "../shared/words.js";

const FOLDED_FROM = 2; // tokens; one alone is shorter than the sign in its place
const NAMED_TOKENS = 4; // below the column, with their ids and bytes
const HINT = "Choose a token to see its id and bytes.";

export class ComparedColumn {
  /** view: {isFolded, referenceIndex, scales} of the columns; node: what it is shown in. */
  constructor(view, node) {
    this.view = view;
    this.name = null;
    this.hasProblem = false; // whether its pattern left it without tokens
    this.node = node;
    this.laid = new LaidTokens();
    this.change = null; // of the tokens, not drawn yet
    this.index = null; // among the columns that are compared
    this.cells = null; // of the comparison
    this.marks = null; // the rule by which tokens are marked
    this.marked = new Uint8Array(0); // whether each is
    const find = (selector) => this.node.querySelector(selector);
    this.panel = new ComparedPanel(find(".scroller"), this);
    this.heading = find("h2");
    this.reference = find(".reference");
    this.figures = Object.fromEntries([...this.node.querySelectorAll("[data-figure]")].map((node) => [node.dataset.figure, node]));
    this.problem = find(".problem");
    this.under = find(".under");
    this.more = find(".more");
  }

  get shown() { return this.laid.shown; }

  /** The height of its name and its figures, in pixels. */
  get nameHeight() { return this.heading.parentElement.offsetHeight + this.figures.tokens.parentElement.offsetHeight; }

  /** How many lines are below those in sight. */
  get linesBelow() {
    const { scroller, lineHeight } = this.panel;
    return Math.round((scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight) / lineHeight);
  }

  /** Say how many lines are below those in sight, where there are no scroll bars: on a presented page. */
  tellMore() {
    const n = this.view.scales ? this.linesBelow : 0;
    writeText(this.more, n > 0 ? `… ${countText(n, "more line")}` : "");
  }

  take({ name, title, problem, counts, ...tokens }) {
    if (this.name !== name) {
      this.name = name;
      this.heading.textContent = this.title = title;
      this.laid.tokenizer = null; // another tokenizer, though it may have the same name of its own
      this.panel.scroller.setAttribute("aria-label", `Tokens of ${title}`);
      this.reference.ariaLabel = `reference: ${title}`;
    }
    this.laid.take(tokens);
    this.hasProblem = Boolean(problem);
    if (this.problem.hidden === this.hasProblem) this.problem.hidden = !this.hasProblem;
    writeText(this.problem, problem ?? "");
    writeFigure(this.figures.tokens, counts.tokens, this.figures.tokens.nextSibling);
    writeText(this.figures.ratio, counts.tokens ? (counts.bytes / counts.tokens).toFixed(2) : "–");
  }

  /** Lay the tokens on a text, as `LaidTokens` does; the change is drawn once all columns are compared. */
  lay(...text) {
    this.change = this.laid.lay(...text);
  }

  /** Draw the tokens, with what is marked and what is folded. */
  show(index, cells, marks) {
    Object.assign(this, { index, cells, marks });
    this.marked = this.markedTokens();
    const { panel, change } = this;
    this.change = null;
    const active = movedIndex(panel.marks.active, change);
    for (const name of Object.keys(panel.bands)) panel.moveBand(name, null);
    if (active == null) panel.mark("active", null);
    else panel.marks.active = active;
    panel.show(this.shown, change);
    panel.refresh();
    if (this.under) this.under.dataset.hint = sharingText(this.shown) || (index ? "" : HINT);
    if (this.figures.marked) writeText(this.figures.marked, groupedNumber(this.marked.reduce((sum, marked) => sum + marked, 0)));
  }

  /** For each token whether it is marked, which depends on the columns that have a token of the same span. */
  markedTokens() {
    const { index, cells, shown, marks } = this;
    const marked = new Uint8Array(shown.count);
    if (index === null) return marked;
    const holders = cells.holders[index];
    const { referenceIndex } = this.view;
    const isAgainst = marks === "reference" && referenceIndex !== null && referenceIndex !== index;
    const needed = isAgainst ? 1 << referenceIndex : cells.everyone;
    for (let i = 0; i < marked.length; i++) {
      const differs = marks === "alone" ? holders[i] === 1 << index : (holders[i] & needed) !== needed;
      marked[i] = differs && shown.ids[i] !== PENDING;
    }
    return marked;
  }

  isMarked(i) { return this.marked[i] === 1; }

  get isFolded() { return this.view.isFolded && this.cells !== null && this.index !== null; }

  /** What decides how a block is drawn, apart from its tokens. */
  signature(block) {
    const end = block.first + block.count;
    if (!this.isFolded && !block.drawn) return "";
    let signature = this.isFolded ? this.stretches(block.first, end).map(({ first, folded }) => `${first - block.first}:${folded}`).join() + ";" : "";
    if (block.drawn) for (let i = block.first; i < end; i++) signature += this.isMarked(i) ? "1" : "0";
    return signature;
  }

  /** Tokens from..to-1 in stretches {first, end, folded}; `folded`: null, or the number of tokens of a run to fold. */
  stretches(from, to) {
    const found = [];
    for (let first = from; first < to;) {
      const run = this.cells.runOf(this.index, first);
      // A run that began in the block before has its sign there.
      const isFolded = run.agrees && run.end - run.first >= FOLDED_FROM;
      found.push({ first, end: Math.min(run.end, to), folded: !isFolded ? null : first === run.first ? run.end - run.first : 0 });
      first = Math.max(Math.min(run.end, to), first + 1);
    }
    return found;
  }

  draw(tokens, first, end, origin) {
    const out = document.createDocumentFragment();
    const stretches = this.isFolded ? this.stretches(first, end) : [{ first, end, folded: null }];
    for (const stretch of stretches) {
      if (stretch.folded === null) out.append(drawTokens(tokens, stretch.first, stretch.end, origin));
      else if (stretch.folded) out.append(foldSign(stretch.folded));
    }
    forEachChip(out, (chip, i) => { if (this.isMarked(origin + i)) chip.classList.add("differs"); });
    return out;
  }

  asText(tokens, first, end) {
    if (!this.isFolded) return AS_TEXT.asText(tokens, first, end);
    return this.stretches(first, end)
      .map((stretch) => (stretch.folded === null ? AS_TEXT.asText(tokens, stretch.first, stretch.end) : "⋯"))
      .join("");
  }

  // -- tokens of a range of bytes -----------------------------------------------------------------

  /** The bytes of a token, {from, to}; null for none and for text that is not yet tokenized. */
  rangeOf(index) {
    const spans = this.cells?.spans[this.index];
    if (index === null || !spans || index >= this.shown.count || this.shown.ids[index] === PENDING) return null;
    return { from: spans.starts[index], to: spans.ends[index] };
  }

  /** The tokens that touch the bytes from..to-1, as [first, end]; null for none. */
  tokensOf(range) {
    if (!range || !this.cells || this.index === null) return null;
    const [first, end] = tokensTouching(this.cells.spans[this.index], range.from, range.to);
    return end > first ? [first, end] : null;
  }

  /** Put the class `name` on the tokens that touch a range of bytes. */
  moveBand(name, range) {
    this.panel.moveBand(name, this.tokensOf(range));
  }

  /** Show ids and bytes of the tokens that touch a range of bytes. */
  showTokensBelow(range) {
    const [first, end] = this.tokensOf(range) ?? [0, 0];
    const parts = [];
    for (let i = first; i < Math.min(end, first + NAMED_TOKENS); i++) {
      const chip = element("span", chipClass(this.shown.colour(i)), String(this.shown.ids[i]));
      parts.push(element("span", "entry", chip, element("span", "bytes", this.shown.written(i) ?? this.shown.hex(i))));
    }
    if (end - first > NAMED_TOKENS) parts.push(element("span", "entry more", `+ ${countText(end - first - NAMED_TOKENS, "token")}`));
    this.under.replaceChildren(...parts);
  }

  /** "gpt2: 2 tokens, ids 17 and 4", the tokens in a range of bytes. */
  tokensText(range) {
    const band = this.tokensOf(range);
    if (!band) return `${this.title}: no token`;
    const ids = Array.from(this.shown.ids.slice(band[0], Math.min(band[1], band[0] + NAMED_TOKENS)));
    return `${this.title}: ${countText(band[1] - band[0], "token")}, ids ${ids.join(" ")}`;
  }

  /** Make a token the active one, in sight if it `reveals`; return it. */
  activate(index, reveals) {
    const name = (at) => (this.isMarked(at) ? `${tokenName(this.shown, at)}, differs` : tokenName(this.shown, at));
    return activateToken(this.panel, index, { name, id: `active-${this.index}`, reveals });
  }

  /** The nearest token in a direction that is not folded away, or null. */
  unfolded(index, direction) {
    if (!this.isFolded) return index;
    while (index >= 0 && index < this.shown.count) {
      const run = this.cells.runOf(this.index, index);
      if (!run.agrees || run.end - run.first < FOLDED_FROM) return index;
      index = direction > 0 ? run.end : run.first - 1;
    }
    return null;
  }

  leave() {
    this.panel.observer.disconnect();
    this.node.remove();
  }
}

/** The sign for a run of tokens that are the same in all columns. */
function foldSign(n) {
  const sign = element("span", "fold");
  sign.dataset.label = `⋯ ${groupedNumber(n)}`;
  return Object.assign(sign, { role: "note", ariaLabel: `${countText(n, "token")} the same in all columns` });
}
