// One column of the compare view: a tokenizer's name and counts, its tokens, and below them those in question.

const NEAR_ROWS_PIXELS = 300; // how far beyond the visible part chips are kept: there are up to six columns
const LED_FOR_MS = 150; // so long after the view has scrolled a column, its scrolling is not the reader's
const FOLDED_FROM = 2; // tokens; one alone is shorter than the sign that would stand for it
const NAMED_TOKENS = 4; // of those in question, with their ids and bytes

/** The tokens of one column; marks some, folds others away, and knows which place in the text stands where. */
class ComparedPanel extends TokenPanel {
  constructor(scroller, column) {
    super(scroller, {
      ...AS_TEXT,
      near: NEAR_ROWS_PIXELS,
      draw: (tokens, first, end) => column.draw(tokens, first, end),
      asText: (tokens, first, end) => column.asText(tokens, first, end),
    });
    this.column = column;
    this.bands = {}; // name of a class -> [first, end] of the tokens that carry it
  }

  drawBlock(block) {
    super.drawBlock(block);
    block.signature = this.column.signature(block);
    block.points = null;
    for (const [name, band] of Object.entries(this.bands)) this.setBand(block, name, band, true);
  }

  undrawBlock(block) {
    super.undrawBlock(block);
    block.signature = this.column.signature(block);
    block.points = null;
  }

  /** Draw anew the blocks in which other tokens are marked or folded than when they were drawn. */
  refresh() {
    for (const block of this.blocks) {
      if (block.signature === this.column.signature(block)) continue;
      if (block.drawn) this.drawBlock(block);
      else this.undrawBlock(block);
    }
  }

  /** Move the class `name` to the tokens of a band [first, end], or take it away with null. */
  band(name, band) {
    const old = this.bands[name];
    this.bands[name] = band;
    for (const block of this.blocks) {
      this.setBand(block, name, old, false);
      this.setBand(block, name, band, true);
    }
  }

  setBand(block, name, band, on) {
    if (!band || !block.drawn || band[0] >= block.first + block.count || band[1] <= block.first) return;
    for (const chip of block.node.querySelectorAll("[data-i]")) {
      const i = block.first + Number(chip.dataset.i);
      if (i >= band[0] && i < band[1]) chip.classList.toggle(name, on);
    }
  }

  // -- places ---------------------------------------------------------------------------------

  /** The rows of a block as [offset in the text, pixels from the scroller's beginning], its end included. */
  points(block) {
    if (!block.drawn) this.drawBlock(block);
    const { offsetTop, offsetHeight } = block.node;
    if (block.points?.top === offsetTop && block.points.height === offsetHeight) return block.points;
    const origin = block.node.getBoundingClientRect().top - offsetTop;
    const points = [[this.tokens.textStart(block.first), offsetTop]];
    for (const chip of block.node.querySelectorAll("[data-i]")) {
      const top = chip.getBoundingClientRect().top - origin;
      if (top > points.at(-1)[1] + 8) points.push([this.tokens.starts[block.first + Number(chip.dataset.i)], top]);
    }
    points.push([this.tokens.starts[block.first + block.count], offsetTop + offsetHeight]);
    return (block.points = Object.assign(points, { top: offsetTop, height: offsetHeight }));
  }

  /** Which place in the text stands at the upper edge: an offset, with the part of the row that is above. */
  get place() {
    const y = this.scroller.scrollTop;
    const { blocks } = this;
    const block = blocks[lowest(blocks.length - 1, (i) => blocks[i].node.offsetTop + blocks[i].node.offsetHeight > y)];
    return block ? between(this.points(block), y, 1, 0) : 0;
  }

  /** Where a place in the text stands, in pixels from the scroller's beginning. */
  yOf(place) {
    const { blocks, tokens } = this;
    const block = blocks[lowest(blocks.length - 1, (i) => tokens.starts[blocks[i].first + blocks[i].count] > place)];
    return block && place > 0 ? between(this.points(block), place, 0, 1) : 0;
  }

  /** Scroll without telling the other columns. */
  scrollTo(y) {
    const limit = this.scroller.scrollHeight - this.scroller.clientHeight;
    const top = Math.round(Math.min(Math.max(y, 0), limit));
    if (Math.abs(top - this.scroller.scrollTop) < 1) return;
    this.ledAt = performance.now();
    this.scroller.scrollTop = top;
  }

  reveal(index) {
    const before = this.scroller.scrollTop;
    super.reveal(index);
    if (this.scroller.scrollTop !== before) this.ledAt = performance.now();
  }

  /** Whether the reader scrolls, and not the view, or the browser after it since blocks have got their real heights. */
  get isScrolledByReader() { return !(performance.now() - this.ledAt < LED_FOR_MS); }
}

/** In a list of points that rise in both coordinates: the coordinate `to` at the value of the coordinate `from`. */
function between(points, value, from, to) {
  const next = Math.max(lowest(points.length - 1, (i) => points[i][from] > value), 1);
  const [a, b] = [points[next - 1], points[next]];
  const share = b[from] > a[from] ? Math.min(Math.max((value - a[from]) / (b[from] - a[from]), 0), 1) : 0;
  return a[to] + share * (b[to] - a[to]);
}

class ComparedColumn {
  constructor(view, template) {
    this.view = view;
    this.node = template.content.cloneNode(true).firstElementChild;
    this.base = NO_TOKENS; // the tokens of the last reply
    this.shown = NO_TOKENS; // the same, laid on the text as it is now
    this.special = new Set();
    const find = (selector) => this.node.querySelector(selector);
    this.panel = new ComparedPanel(find(".scroller"), this);
    this.title = find("h3");
    this.reference = find(".reference");
    this.figures = Object.fromEntries([...this.node.querySelectorAll("[data-figure]")].map((node) => [node.dataset.figure, node]));
    this.problem = find(".problem");
    this.under = find(".under");
  }

  take({ name, tokens, counts, special, problem }, text, { isWhole, isReference }) {
    if (this.name !== name) {
      this.name = this.title.textContent = name;
      this.panel.scroller.setAttribute("aria-label", `Tokens of ${name}`);
    }
    this.special = new Set(special);
    this.reference.setAttribute("aria-pressed", String(isReference));
    this.base = tokensOfReply(isWhole ? NO_TOKENS : this.base, tokens, text);
    this.counts = counts;
    this.hasProblem = Boolean(problem);
    this.problem.hidden = !problem;
    this.problem.textContent = problem ?? "";
    this.figures.tokens.textContent = counts.tokens.toLocaleString("en");
    this.figures.ratio.textContent = counts.tokens ? (counts.bytes / counts.tokens).toFixed(2) : "–";
  }

  /** Lay the tokens on a text, and draw what has changed. `cells` come later, so nothing new is marked yet. */
  lay(text) {
    const tokens = rebased(this.base, text);
    this.same = sameTokens(this.shown, tokens);
    this.moved = (index) => {
      if (index == null || index < this.same.front) return index;
      return index >= this.panel.tokens.count - this.same.back ? index + tokens.count - this.panel.tokens.count : null;
    };
    this.shown = tokens;
  }

  /** Draw the tokens, with what is marked and what is folded. */
  show(index, cells, marks) {
    Object.assign(this, { index, cells, marks });
    const { panel } = this;
    const active = this.moved(panel.marks.active);
    for (const name of Object.keys(panel.bands)) panel.band(name, null);
    if (active == null) panel.mark("active", null);
    else panel.marks.active = active;
    panel.show(this.shown, this.same);
    panel.refresh();
    let marked = 0;
    if (cells && index !== null) for (let i = 0; i < this.shown.count; i++) marked += this.isMarked(i);
    this.figures.marked.textContent = marked.toLocaleString("en");
  }

  /** Whether a token is to be marked: by which columns have one of the same span. */
  isMarked(i) {
    if (!this.cells || this.index === null || this.shown.ids[i] === PENDING) return false;
    const holders = this.cells.holders[this.index][i];
    const all = 2 ** this.cells.spans.length - 1;
    if (this.marks === "alone") return holders === 1 << this.index;
    if (this.marks === "reference" && this.view.referenceIndex !== null && this.index !== this.view.referenceIndex) {
      return !(holders & (1 << this.view.referenceIndex));
    }
    return holders !== all;
  }

  get isFolded() { return this.view.isFolded && this.cells !== null && this.index !== null; }

  /** What decides how a block is drawn, beside its tokens. */
  signature(block) {
    const end = block.first + block.count;
    if (!this.isFolded && !block.drawn) return "";
    let signature = this.isFolded ? this.stretches(block.first, end).map(({ first, folded }) => `${first - block.first}:${folded}`).join() + ";" : "";
    if (block.drawn) for (let i = block.first; i < end; i++) signature += this.isMarked(i) ? "1" : "0";
    return signature;
  }

  /** Tokens from..to-1 in stretches {first, end, folded}; `folded`: null, or the tokens of a run to be folded. */
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

  draw(tokens, first, end) {
    const out = document.createDocumentFragment();
    const stretches = this.isFolded ? this.stretches(first, end) : [{ first, end, folded: null }];
    for (const stretch of stretches) {
      if (stretch.folded === null) out.append(drawTokens(tokens, stretch.first, stretch.end, this.special, first));
      else if (stretch.folded) out.append(foldSign(stretch.folded));
    }
    for (const chip of out.querySelectorAll("[data-i]")) {
      if (this.isMarked(first + Number(chip.dataset.i))) chip.classList.add("differs");
    }
    return out;
  }

  asText(tokens, first, end) {
    if (!this.isFolded) return AS_TEXT.asText(tokens, first, end);
    return this.stretches(first, end)
      .map((stretch) => (stretch.folded === null ? AS_TEXT.asText(tokens, stretch.first, stretch.end) : "⋯"))
      .join("");
  }

  // -- the tokens in question -----------------------------------------------------------------

  /** The tokens that touch the bytes from..to-1, as [first, end]; null for none. */
  tokensOf(range) {
    if (!range || !this.cells || this.index === null) return null;
    const [first, end] = touching(this.cells.spans[this.index], range.from, range.to);
    return end > first ? [first, end] : null;
  }

  /** Put the class `name` on the tokens that touch a range of bytes. */
  band(name, range) {
    this.panel.band(name, this.tokensOf(range));
  }

  /** Show ids and bytes of the tokens that touch a range of bytes. */
  tell(range) {
    const band = this.tokensOf(range);
    if (!band) {
      this.under.replaceChildren();
      return;
    }
    const [first, end] = band;
    const parts = [];
    for (let i = first; i < Math.min(end, first + NAMED_TOKENS); i++) {
      const entry = element("span", "entry");
      const chip = element("span", chipClass(this.shown.ids[i], this.special), String(this.shown.ids[i]));
      entry.append(chip, element("span", "bytes", this.shown.hex(i)));
      parts.push(entry);
    }
    if (end - first > NAMED_TOKENS) parts.push(element("span", "entry more", `+ ${count(end - first - NAMED_TOKENS, "token", "tokens")}`));
    this.under.replaceChildren(...parts);
  }

  /** "gpt2: 2 tokens, ids 17 and 4", what stands in a range of bytes. */
  words(range) {
    const band = this.tokensOf(range);
    if (!band) return `${this.name}: no token`;
    const ids = Array.from(this.shown.ids.slice(band[0], Math.min(band[1], band[0] + NAMED_TOKENS)));
    return `${this.name}: ${count(band[1] - band[0], "token", "tokens")}, ids ${ids.join(" ")}`;
  }

  /** Make a token the one that keys go on from; in view if it is to be seen. */
  activate(index, reveal) {
    const { panel } = this;
    if (!this.shown.count) return null;
    const at = Math.min(Math.max(index, 0), this.shown.count - 1);
    panel.mark("active", at);
    if (reveal) panel.reveal(at);
    const chip = panel.chip(at);
    this.activeChip?.removeAttribute("id");
    this.activeChip = chip;
    if (!chip) return at;
    const words = this.isMarked(at) ? `${tokenName(this.shown, at)}, differs` : tokenName(this.shown, at);
    chip.id = `active-${this.index}`;
    chip.setAttribute("role", "option");
    chip.setAttribute("aria-label", words);
    panel.scroller.setAttribute("aria-activedescendant", chip.id);
    return at;
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
  sign.dataset.label = `⋯ ${n.toLocaleString("en")}`;
  sign.setAttribute("aria-label", `${count(n, "token", "tokens")} the same in all columns`);
  sign.setAttribute("role", "note");
  return sign;
}
