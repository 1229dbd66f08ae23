// The compare view: one editor, and under it the same text cut by several tokenizers, in columns.
//
// What is pointed at is in `pointing`, how the columns scroll in `scrolling`; here they are made, compared and drawn.

import { ComparedColumn, write } from "./column.js";
import { bytesBeforeUnits, byteSpansOf, Cells } from "./differences.js";
import { PointedColumns } from "./pointing.js";
import { ScrolledTogether } from "./scrolling.js";
import { composed } from "../shared/change.js";
import { TextEditor } from "../editor/text_editor.js";
import { count } from "../shared/inspector.js";
import { live } from "../shared/live.js";
import { mounted } from "../shared/mounted.js";
import { Rest } from "../editor/rest.js";
import { store, stored } from "../shared/storage.js";
import { commonEnds } from "../shared/text.js";
import { textButtons } from "../editor/text_buttons.js";
import { selectedTokens } from "../shared/walking.js";
import { appear, element, followTheme, switchGlyphs } from "../shared/view.js";

const SAY_AFTER_MS = 1200;
const PENDING_AFTER_MS = 150; // a slower reply: show the typed text untokenized meanwhile
const EXPLAINED = {
  some: "Underlined: a token whose stretch of text is a token in some columns but not in all.",
  alone: "Underlined: a token whose stretch of text is a token in no other column.",
  reference: "Underlined: a token that the reference does not have at the same place; in the reference itself, one that another column does not have.",
};

class CompareView extends PointedColumns {
  constructor(root) {
    super(root);
    const find = (selector) => root.querySelector(selector);
    this.view = find(".view");
    this.editor = find("textarea");
    this.typing = new TextEditor(this.editor);
    this.typing.awaitsTokens = true;
    textButtons(find(".edit label"), this.typing);
    this.rest = new Rest(() => this.tellPage("rest", performance.now()));
    this.columns = [];
    this.scrolling = new ScrolledTogether(() => this.columns.map(({ panel }) => panel));
    this.bytesBefore = new Int32Array(1);
    this.drawnText = "";
    this.touched = null; // the change of the text since it was drawn; `undefined` for another text
    this.cells = null;
    this.template = find("template");
    this.grid = find(".columns");
    this.bars = find(".bars");
    this.notice = find(".notice");
    this.size = find(".size");
    this.found = find(".found");
    this.fold = find("[name=fold]");
    this.marks = find("[name=marks]");
    this.explained = find(".explained");
    this.spoken = find("[aria-live]");
    this.jumps = [...root.querySelectorAll("[data-do]")];
    switchGlyphs(this.view, find("[name=glyphs]"));
    this.marks.value = stored("view")?.marks in EXPLAINED ? stored("view").marks : "some";
    this.listen();
  }

  get isFolded() { return this.fold.checked; }

  // -- what the page says ---------------------------------------------------------------------

  receive({ data, setTriggerValue }) {
    followTheme(this.view);
    if (!data) return;
    const before = this.data;
    this.data = data;
    this.tellPage = setTriggerValue;
    this.rest.receive(data);
    this.connection = live(data.token);
    this.followText(this.connection.text(data.document));
    if (before?.reference !== data.reference) this.choose(data.reference);
    if (before?.token === data.token) return;
    this.connection.show(data.view, this);
  }

  /** The document that the columns are of. */
  get textName() { return this.data.document; }

  followText(text) {
    this.typing.follow(text, this.data);
    if (this.text === text) return;
    this.unlisten?.();
    this.text = text;
    this.replaced();
    this.unlisten = text.listen(({ change, by }) => this.textChanged(change, by));
    this.appear();
  }

  /** Be seen, once there is a text; until then nobody can type what that would replace. */
  appear() {
    if (this.text.text !== null) appear(this.view);
  }

  textChanged(change, by) {
    this.appear();
    if (!change) this.replaced();
    else {
      this.touched = this.touched === undefined ? undefined : composed(this.touched, change);
      this.showLater();
    }
    this.showNotice();
    if (by !== null || this.text.edits.length) this.rest.changed(this.text);
  }

  /** There is another text, whose tokens come of themselves. */
  replaced() {
    this.touched = undefined;
    for (const { laid } of this.columns) laid.isOther = true;
  }

  // -- what the server says -------------------------------------------------------------------

  take(reply) {
    while (this.columns.length > reply.columns.length) this.columns.pop().leave();
    while (this.columns.length < reply.columns.length) this.addColumn();
    this.grid.dataset.columns = this.columns.length;
    this.columns.forEach((column, i) => column.take(reply.columns[i]));
    this.of = reply.of;
    this.said = reply.notice;
    this.showNotice();
    if (this.text.changeSince(...this.of) === undefined) return this.showLater(); // of a text that is replaced
    this.show();
    this.followCaret();
    this.sayLater();
  }

  showNotice() {
    const words = [this.said, this.typing.notice].filter(Boolean).join(" ");
    this.notice.hidden = !words;
    write(this.notice, words);
  }

  addColumn() {
    const column = new ComparedColumn(this, this.template);
    const { scroller } = column.panel;
    this.columns.push(column);
    this.grid.append(column.node);
    column.reference.addEventListener("click", () => {
      this.choose(column.name);
      this.tellPage("reference", column.name);
    });
    for (const button of column.moves) {
      button.addEventListener("click", () => this.tellPage("order", { name: column.name, by: Number(button.dataset.by) }));
    }
    this.scrolling.add(column.panel);
    scroller.addEventListener("pointerover", (event) => this.light(this.rangeOf(column, column.panel.indexAt(event.target))));
    scroller.addEventListener("pointerleave", () => this.light(null));
    scroller.addEventListener("blur", () => this.light(null));
    scroller.addEventListener("focus", () => column.activate(column.unfolded(column.panel.marks.active ?? this.firstOf(column), 1) ?? 0, false));
    scroller.addEventListener("click", (event) => this.clicked(column, event));
    scroller.addEventListener("keydown", (event) => this.walk(column, event));
    scroller.addEventListener("copy", (event) => this.copy(column, event));
  }

  // -- drawing --------------------------------------------------------------------------------

  showLater() {
    clearTimeout(this.pendingTimer);
    this.pendingTimer = setTimeout(() => this.show(), PENDING_AFTER_MS);
  }

  /** Lay the tokens of the last reply on the text as it is now, and draw what has changed. */
  show() {
    clearTimeout(this.pendingTimer);
    const { text } = this.text;
    if (!this.of || text === null) return;
    const { touched } = this;
    const change = this.text.changeSince(...this.of);
    for (const column of this.columns) column.lay(text, change, touched);
    const before = this.bytesBefore;
    this.compare(text);
    const moves = touched === undefined ? changeOf(this.drawnText, text) : touched;
    if (moves) for (const name of ["lit", "pinned"]) this[name] = movedBytes(this[name], moves, before, this.bytesBefore);
    Object.assign(this, { touched: null, drawnText: text });
    this.draw();
    if (change !== undefined) this.typing.tokensDrawn();
  }

  /** Find where the columns differ; one without tokens for its pattern's sake is left out. */
  compare(text) {
    const compared = this.columns.filter((column) => !column.hasProblem);
    ({ before: this.bytesBefore, characters: this.characters } = bytesBeforeUnits(text));
    this.cells = compared.length < 2 ? null
      : new Cells(compared.map(({ shown }) => byteSpansOf(shown, this.bytesBefore)), this.bytesBefore);
    this.indices = this.columns.map((column) => (this.cells && !column.hasProblem ? compared.indexOf(column) : null));
  }

  /** Compare the others with the column of a name, or with the first where there is none. */
  choose(name) {
    this.reference = name;
    if (this.of) this.draw();
  }

  draw() {
    const reference = Math.max(this.columns.findIndex(({ name }) => name === this.reference), 0);
    this.referenceIndex = this.indices[reference];
    this.columns.forEach((column, i) => {
      column.show(this.indices[i], this.cells, this.marks.value);
      const pressed = String(i === reference);
      if (column.reference.ariaPressed !== pressed) column.reference.ariaPressed = pressed;
    });
    for (const column of this.columns) {
      column.band("lit", this.lit);
      column.band("pinned", this.pinned);
      column.tell(this.lit ?? this.pinned);
    }
    this.drawBars(reference);
    write(this.explained, EXPLAINED[this.marks.value]);
    const { count: n } = this.cells ?? { count: 0 };
    for (const control of [...this.jumps, this.fold]) control.disabled = n === 0;
    write(this.size, `${count(this.characters, "character", "characters")}, ${count(this.bytesBefore.at(-1), "byte", "bytes")}`);
    this.showFound();
  }

  /** Draw how many tokens each tokenizer makes of the text, against the reference. */
  drawBars(reference) {
    while (this.bars.children.length > this.columns.length) this.bars.lastChild.remove();
    while (this.bars.children.length < this.columns.length) this.bars.append(bar());
    const counts = this.columns.map((column) => (column.hasProblem ? null : column.shown.count));
    const longest = Math.max(...counts, 1);
    counts.forEach((tokens, i) => {
      const [name, track, figures] = this.bars.children[i].children;
      write(name, this.columns[i].name);
      track.firstChild.style.width = `${100 * (tokens ?? 0) / longest}%`;
      write(figures.firstChild, tokens === null ? "–" : count(tokens, "token", "tokens"));
      write(figures.lastChild, i === reference ? " · the reference" : difference(tokens, counts[reference], this.columns[reference].name));
    });
  }

  /** Keep what is being typed in sight, unless the reader is busy in the columns. */
  followCaret() {
    const isTyping = this.root.activeElement === this.editor && performance.now() - this.typing.lastTyped < 1000;
    if (!isTyping || this.grid.matches(":hover")) return;
    this.scrolling.leader = null;
    const caret = Math.max(this.editor.selectionEnd - 1, 0);
    for (const { panel, shown } of this.columns) if (shown.count) panel.reveal(shown.at(caret));
  }

  // -- the controls ---------------------------------------------------------------------------

  listen() {
    this.fold.addEventListener("change", () => this.redraw());
    this.marks.addEventListener("change", () => {
      store("view", { ...stored("view"), marks: this.marks.value });
      this.draw();
    });
    for (const button of this.jumps) button.addEventListener("click", () => this.jump(button.dataset.do === "next" ? 1 : -1));
    this.view.addEventListener("keydown", (event) => {
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") this.pin(null);
      const direction = { n: 1, p: -1 }[event.key.toLowerCase()];
      if (!direction || event.target.matches("textarea, select")) return;
      event.preventDefault();
      this.jump(direction);
    });
  }

  /** Fold or unfold, with the same place in the text in sight. */
  redraw() {
    const place = this.columns[0]?.panel.place;
    this.draw();
    this.scrolling.settle(() => {
      for (const { panel } of this.columns) panel.scrollTo(panel.yOf(place));
    });
  }

  // -- copying, saying ------------------------------------------------------------------------

  copy(column, event) {
    const range = column.isFolded ? null : selectedTokens(this.root, column.panel);
    if (!range) return;
    event.clipboardData.setData("text/plain", range.text);
    event.preventDefault();
  }

  /** Say the counts once the typing rests. */
  sayLater() {
    const counts = this.columns.map(({ name, shown }) => `${name} ${count(shown.count, "token", "tokens")}`);
    const words = [...counts, this.foundWords()].join(", ");
    if (this.announced === words) return;
    clearTimeout(this.sayTimer);
    if (this.announced !== undefined) this.sayTimer = setTimeout(() => { this.spoken.textContent = words; }, SAY_AFTER_MS);
    this.announced = words;
  }

  leave() {
    this.typing.leave();
    this.unlisten?.();
    this.connection?.hide(this.data.view, this);
    for (const timer of ["pendingTimer", "sayTimer"]) clearTimeout(this[timer]);
    this.rest.leave();
    this.scrolling.leave();
    for (const column of this.columns) column.leave();
  }
}

/** The line of one tokenizer: its name, its bar, and its figures. */
function bar() {
  const line = element("div");
  line.setAttribute("role", "listitem");
  const track = element("span", "track");
  track.append(element("div", "bar"));
  const figures = element("span");
  figures.append(element("b"), element("span", "than"));
  line.append(element("span", "name"), track, figures);
  return line;
}

/** " · 41% fewer than gpt2": a number of tokens against the reference's. */
function difference(tokens, others, name) {
  if (tokens === null || !others) return "";
  if (tokens === others) return ` · as many as ${name}`;
  const share = Math.round(100 * Math.abs(tokens - others) / others);
  return ` · ${share || "<1"}% ${tokens < others ? "fewer" : "more"} than ${name}`;
}

/** What is not the same of two texts, as a change; null where nothing is. */
function changeOf(old, now) {
  const { prefix, suffix } = commonEnds(old, now);
  return old === now ? null : { start: prefix, oldStop: old.length - suffix, newStop: now.length - suffix };
}

/** Where a range of bytes stands after a change of the text; null where the change touches it. */
function movedBytes(range, change, before, now) {
  if (range === null || range.to <= before[change.start]) return range;
  if (range.from < before[change.oldStop]) return null;
  const shift = now.at(-1) - before.at(-1);
  return { from: range.from + shift, to: range.to + shift };
}

export default (component) => mounted(CompareView, component);
