// The compare view: one editor, and under it the same text cut by several tokenizers, in columns.
//
// What is pointed at is in `pointing`, how the columns scroll in `scrolling`; here they are made, compared and drawn.

import { ComparedColumn, write } from "./column.js";
import { bytesBeforeUnits, byteSpansOf, Cells } from "./differences.js";
import { PointedColumns } from "./pointing.js";
import { ScrolledTogether } from "./scrolling.js";
import { count } from "../shared/inspector.js";
import { mounted } from "../shared/mounted.js";
import { switchGlyphs } from "../shared/pieces.js";
import { store, stored } from "../shared/storage.js";
import { commonEnds } from "../shared/text.js";
import { selectedTokens } from "../shared/walking.js";

const SAY_AFTER_MS = 1200;
const RESTS_AFTER_MS = 500; // so long after a key the page may do what takes time
const EXPLAINED = {
  some: "Underlined: a token whose stretch of text is a token in some columns, but not in all.",
  alone: "Underlined: a token whose stretch of text is a token in no other column.",
  reference: "Underlined: a token whose stretch of text is none in the reference; in the reference itself, one that another column lacks.",
};

class CompareView extends PointedColumns {
  constructor(root) {
    super(root);
    const find = (selector) => root.querySelector(selector);
    this.columns = [];
    this.scrolling = new ScrolledTogether(() => this.columns.map(({ panel }) => panel));
    this.bytesBefore = new Int32Array(1);
    this.drawnText = "";
    this.cells = null;
    this.template = find("template");
    this.grid = find(".columns");
    this.notice = find(".notice");
    this.size = find(".size");
    this.found = find(".found");
    this.fold = find("[name=fold]");
    this.marks = find("[name=marks]");
    this.explained = find(".explained");
    this.live = find("[aria-live]");
    this.jumps = [...root.querySelectorAll("[data-do]")];
    switchGlyphs(this.view, find("[name=glyphs]"));
    this.marks.value = stored("view")?.marks in EXPLAINED ? stored("view").marks : "some";
    this.listen();
  }

  get shownText() { return this.drawnText; }

  get isFolded() { return this.fold.checked; }

  // -- what the server says -------------------------------------------------------------------

  take(data, isWhole) {
    while (this.columns.length > data.columns.length) this.columns.pop().leave();
    while (this.columns.length < data.columns.length) this.addColumn();
    this.grid.dataset.columns = this.columns.length;
    this.columns.forEach((column, i) => {
      column.take(data.columns[i], this.serverText, { isWhole, isReference: i === data.reference });
    });
    this.notice.hidden = !data.notice;
    this.notice.textContent = data.notice ?? "";
  }

  shownReply(data) {
    this.followCaret();
    this.sayLater();
    if (data.version === this.restedAt) return;
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => {
      this.restedAt = data.version;
      dispatchEvent(new CustomEvent("tokviz:rest"));
    }, RESTS_AFTER_MS);
  }

  addColumn() {
    const column = new ComparedColumn(this, this.template);
    const { scroller } = column.panel;
    this.columns.push(column);
    this.grid.append(column.node);
    column.reference.addEventListener("click", () => {
      this.wanted.reference = column.name;
      this.pump();
    });
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

  show() {
    for (const column of this.columns) column.lay(this.text);
    const moved = this.lit || this.pinned ? this.movedRange(this.text) : (range) => range;
    this.drawnText = this.text;
    this.compare();
    this.lit = moved(this.lit);
    this.pinned = moved(this.pinned);
    this.draw();
  }

  /** Find where the columns differ; one without tokens for its pattern's sake is left out. */
  compare() {
    const compared = this.columns.filter((column) => !column.hasProblem);
    this.bytesBefore = bytesBeforeUnits(this.text);
    this.cells = compared.length < 2 ? null
      : new Cells(compared.map(({ shown }) => byteSpansOf(shown, this.bytesBefore)), this.bytesBefore);
    this.indices = this.columns.map((column) => (this.cells && !column.hasProblem ? compared.indexOf(column) : null));
    this.referenceIndex = this.indices[this.data.reference];
  }

  draw() {
    this.columns.forEach((column, i) => column.show(this.indices[i], this.cells, this.marks.value));
    for (const column of this.columns) {
      column.band("lit", this.lit);
      column.band("pinned", this.pinned);
      column.tell(this.lit ?? this.pinned);
    }
    write(this.explained, EXPLAINED[this.marks.value]);
    const { count: n } = this.cells ?? { count: 0 };
    for (const control of [...this.jumps, this.fold]) control.disabled = n === 0;
    write(this.size, `${count(this.data.characters, "character", "characters")}, ${count(this.bytesBefore.at(-1), "byte", "bytes")}`);
    this.showFound();
  }

  /** How a range of bytes moves with the edit that leads to a text; what the edit touches is lost. */
  movedRange(text) {
    const old = this.drawnText;
    if (old === text) return (range) => range;
    const { prefix, suffix } = commonEnds(old, text);
    const front = this.bytesBefore[prefix];
    const back = this.bytesBefore[old.length - suffix];
    const shift = bytesBeforeUnits(text).at(-1) - this.bytesBefore.at(-1);
    return (range) => {
      if (range === null || range.to <= front) return range;
      return range.from >= back ? { from: range.from + shift, to: range.to + shift } : null;
    };
  }

  /** Keep what is being typed in sight, unless the reader is busy in the columns. */
  followCaret() {
    const isTyping = this.root.activeElement === this.editor && performance.now() - this.lastTyped < 1000;
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
    if (this.said === words) return;
    clearTimeout(this.sayTimer);
    if (this.said !== undefined) this.sayTimer = setTimeout(() => { this.live.textContent = words; }, SAY_AFTER_MS);
    this.said = words;
  }

  leave() {
    super.leave();
    for (const timer of ["sayTimer", "restTimer"]) clearTimeout(this[timer]);
    this.scrolling.leave();
    for (const column of this.columns) column.leave();
  }
}

export default (component) => mounted(CompareView, component);
