// The compare view: one editor, and under it the same text cut by several tokenizers, in columns.
//
// Here the columns are made, compared and drawn; `pointing` is about what is pointed at, `scrolling` about scrolling.

import { drawBars } from "./bars.js";
import { ComparedColumn } from "./column.js";
import { bytesBeforeUnits, byteSpansOf, Cells } from "./differences.js";
import { comparePicture } from "./picture.js";
import { Pointing } from "./pointing.js";
import { ScrolledTogether } from "./scrolling.js";
import { shareRoom } from "./sharing.js";
import { EditingView } from "../editor/editing_view.js";
import { openPictureOnClick } from "../picture/button.js";
import { mountView } from "../shared/live_view.js";
import { storeValue, storedValue } from "../shared/storage.js";
import { commonEndLengths } from "../shared/text.js";
import { listenToGlyphSwitch, writeText } from "../shared/view.js";
import { countText } from "../shared/words.js";

const EXPLAINED = {
  some: "Underlined: cut differently in another column.",
  alone: "Underlined: cut differently in every other column.",
  reference: "Underlined: cut differently in the reference; in the reference itself, in another column.",
};

class CompareView extends EditingView {
  constructor(root, data) {
    super(root, data);
    const find = (selector) => root.querySelector(selector);
    this.typing.awaitsTokens = true;
    this.showButtons(find(".edit label"));
    this.columns = [];
    this.scrolling = new ScrolledTogether(() => this.columns.map(({ panel }) => panel));
    this.pointing = new Pointing(this);
    this.state = null; // the state of the text that the tokens belong to
    this.drawnText = "";
    this.bytesBefore = new Int32Array(1); // how many bytes of the text come before each UTF-16 unit
    this.characters = 0;
    this.cells = null; // where the columns differ; `indices`: of each column among those compared
    this.indices = [];
    this.reference = null; // the name of the tokenizer that the others are compared with; and its index among those compared
    this.referenceIndex = null;
    this.template = find("template");
    this.grid = find(".columns");
    this.bars = find(".bars");
    this.size = find(".size");
    this.fold = find("[name=fold]");
    this.marks = find("[name=marks]");
    this.explained = find(".explained");
    this.jumps = [...root.querySelectorAll("[data-do]")];
    listenToGlyphSwitch(this.view);
    openPictureOnClick(find(".picture"), root, () => comparePicture(this, EXPLAINED));
    this.marks.value = storedValue("view")?.marks in EXPLAINED ? storedValue("view").marks : "some";
    this.listen();
  }

  get isFolded() { return this.fold.checked; }

  // -- what the page says ---------------------------------------------------------------------

  configure(before) {
    super.configure(before);
    const { reference } = this.data;
    if (before?.reference !== reference) this.choose(reference);
  }

  markReplaced() {
    super.markReplaced();
    for (const { laid, panel } of this.columns) {
      laid.isOther = true;
      panel.scroller.scrollTop = 0;
    }
  }

  // -- what the server says -------------------------------------------------------------------

  take(reply) {
    while (this.columns.length > reply.columns.length) this.columns.pop().leave();
    while (this.columns.length < reply.columns.length) this.addColumn();
    for (const node of [this.view, this.grid]) node.dataset.columns = this.columns.length;
    this.columns.forEach((column, i) => column.take({ ...reply.columns[i], hidden: reply.hidden }));
    this.state = reply.state;
    this.serverNotice = reply.notice;
    this.hiding.take({ hidden: reply.hidden, tokenizer: reply.columns[0]?.tokenizer });
    this.showNotice();
    if (this.text.changeSince(...this.state) === undefined) return this.showLater(); // the text is being replaced
    this.show();
    if (this.isTyping) this.scrolling.leader = null;
    this.followCaret(this.fittedPanels);
    const counts = this.columns.map(({ title, shown }) => `${title} ${countText(shown.count, "token")}`);
    this.announce([...counts, this.pointing.foundWords()].join(", "));
  }

  takeAnswer(answer) {
    this.hiding.takeAnswer(answer, this.text);
  }

  addColumn() {
    const column = new ComparedColumn(this, this.template.content.cloneNode(true).firstElementChild);
    this.columns.push(column);
    this.grid.append(column.node);
    column.reference.addEventListener("click", () => {
      if (column.reference.ariaPressed === "true") return;
      this.choose(column.name);
      this.tellPage("reference", column.name);
    });
    this.scrolling.add(column.panel);
    column.panel.scroller.addEventListener("scroll", () => { if (this.scales) column.tellMore(); }, { passive: true });
    this.pointing.listenTo(column);
  }

  // -- drawing --------------------------------------------------------------------------------

  /** Lay the tokens of the last reply on the text as it is now, and draw what has changed. */
  show() {
    super.show();
    const { text } = this.text;
    if (!this.state || text === null) return;
    const { touched } = this;
    const change = this.text.changeSince(...this.state);
    for (const column of this.columns) column.lay(text, change, touched);
    const before = this.bytesBefore;
    this.compare(text);
    const moves = touched === undefined ? textChange(this.drawnText, text) : touched;
    if (moves) this.pointing.move(moves, before, this.bytesBefore);
    Object.assign(this, { touched: null, drawnText: text });
    this.draw();
    if (change !== undefined) this.typing.tokensDrawn();
  }

  /** Find where the columns differ, leaving out those whose pattern left them without tokens. */
  compare(text) {
    const compared = this.columns.filter((column) => !column.hasProblem);
    ({ before: this.bytesBefore, characters: this.characters } = bytesBeforeUnits(text));
    this.cells = compared.length < 2 ? null
      : new Cells(compared.map(({ shown }) => byteSpansOf(shown, this.bytesBefore)), this.bytesBefore);
    this.indices = this.columns.map((column) => (this.cells && !column.hasProblem ? compared.indexOf(column) : null));
  }

  /** Compare the others with the column of a name, or with the first if there is none of it. */
  choose(name) {
    this.reference = name;
    if (this.state) this.draw();
  }

  get fittedPanels() { return this.columns.map(({ panel }) => panel); }

  fitType() {
    const { columns, grid } = this;
    const sharesRoom = Boolean(this.scales) && columns.length > 0 && getComputedStyle(grid).getPropertyValue("--shares") === "1";
    const fitIn = (abreast) => {
      grid.classList.toggle("abreast", abreast);
      if (sharesRoom && !abreast) {
        const room = grid.clientHeight - (columns.length - 1) * parseFloat(getComputedStyle(grid).rowGap);
        shareRoom(columns, room, this.isFitted ? this.scales.split(" ").map(Number) : null);
      } else super.fitType();
      for (const column of columns) column.tellMore();
      return columns.reduce((sum, column) => sum + column.linesBelow, 0);
    };
    const cut = fitIn(!sharesRoom);
    if (sharesRoom && this.isFitted && cut && fitIn(true) >= cut) fitIn(false);
  }

  draw() {
    const reference = Math.max(this.columns.findIndex(({ name }) => name === this.reference), 0);
    this.referenceIndex = this.indices[reference];
    this.columns.forEach((column, i) => {
      column.show(this.indices[i], this.cells, this.marks.value);
      const pressed = String(i === reference);
      if (column.reference.ariaPressed !== pressed) column.reference.ariaPressed = pressed;
      writeText(column.reference, i === reference ? "reference" : "Make reference");
    });
    this.pointing.draw();
    drawBars(this.bars, this.columns, reference);
    writeText(this.explained, EXPLAINED[this.marks.value]);
    const { count, different } = this.cells ?? { count: 0, different: [] };
    for (const jump of this.jumps) jump.disabled = different.length === 0;
    this.fold.disabled = count === 0;
    if (this.scales) this.fitType();
    writeText(this.size, `${countText(this.characters, "character")}, ${countText(this.bytesBefore.at(-1), "byte")}`);
  }

  // -- the controls ---------------------------------------------------------------------------

  listen() {
    this.fold.addEventListener("change", () => this.redraw());
    this.marks.addEventListener("change", () => {
      storeValue("view", { ...storedValue("view"), marks: this.marks.value });
      this.draw();
    });
    for (const button of this.jumps) button.addEventListener("click", () => this.pointing.jump(button.dataset.do === "next" ? 1 : -1));
    this.view.addEventListener("keydown", (event) => {
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") this.pointing.pin(null);
      const direction = { n: 1, p: -1 }[event.key.toLowerCase()];
      if (!direction || event.target.matches("textarea, select")) return;
      event.preventDefault();
      this.pointing.jump(direction);
    });
  }

  /** Fold or unfold, and keep the same place in the text in sight. */
  redraw() {
    const place = this.columns[0]?.panel.place;
    this.draw();
    this.scrolling.settle(() => {
      for (const { panel } of this.columns) panel.scrollTo(panel.yOf(place));
    });
  }

  leave() {
    super.leave();
    this.scrolling.leave();
    for (const column of this.columns) column.leave();
  }
}

/** What differs between two texts, as a change; null for nothing. */
function textChange(old, now) {
  const { prefix, suffix } = commonEndLengths(old, now);
  return old === now ? null : { start: prefix, oldStop: old.length - suffix, newStop: now.length - suffix };
}

export default (component) => mountView(CompareView, component);
