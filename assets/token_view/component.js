// The token view: an editor, its tokens in colour or as a list, and an inspector.
//
// The tokens of a reply belong to the text as the server had it. They are laid on the text as it is now.

import { Counts, countsText } from "./counts.js";
import { Messages } from "./messages.js";
import { Pointing } from "./pointing.js";
import { tokensPicture } from "./picture.js";
import { EditingView } from "../editor/editing_view.js";
import { openPictureOnClick } from "../picture/button.js";
import { composedChange, movedIndex } from "../shared/change.js";
import { drawListChips, drawTokens, visibleToken } from "../shared/chips.js";
import { copyOnClick } from "../shared/clipboard.js";
import { LaidTokens } from "../shared/laid_tokens.js";
import { mountView } from "../shared/live_view.js";
import { AS_TEXT, fitTogether, TokenPanel } from "../shared/panel.js";
import { storeValue, storedValue } from "../shared/storage.js";
import { listenToGlyphSwitch, writeText } from "../shared/view.js";

const IDS_PER_ROW = 12; // a guess for blocks that were never drawn

class TokenView extends EditingView {
  constructor(root, data) {
    super(root, data);
    const find = (selector) => root.querySelector(selector);
    this.label = find("label[for=editor]");
    this.row = find(".row");
    this.drawer = find(".inspector");
    this.tokens = new LaidTokens();
    this.ownText = ""; // the text of tokens that come from other documents
    this.state = null; // the state of the text in the last reply
    this.revision = null; // the number of that reply; null if it is not about this document
    this.figures = null; // the counts of the last reply
    this.elsewhere = { counted: [] }; // and what it says of other tokenizers
    this.mode = "colour"; // how the tokens are shown
    this.panel = new TokenPanel(find("#tokens"), { ...AS_TEXT, draw: drawTokens });
    this.list = new TokenPanel(find("#list"), {
      draw: (tokens, first, end, origin) => drawListChips(tokens, first, end, this.mode, origin),
      asText: () => "",
      rows: (count) => Math.ceil(count / IDS_PER_ROW),
      longest: 240,
    });
    this.panels = [this.panel, this.list];
    this.rooms.observe(this.panel.scroller);
    this.pointing = new Pointing(this, (panel, range) => (panel === this.list ? listText(this.shown, range, this.mode) : range.text));
    /** @type {?import("./beside.js").Beside} on a page that can show another tokenizer's tokens as well */
    this.beside = null;
    this.besideReplies = []; // that came before its code
    this.opening = ""; // the tokenizer that was pressed, until its tokens are in sight
    this.counts = new Counts(root, (name) => {
      this.pointing.pin(null); // there is room for one of the two
      this.opening = name;
      this.tellPage("beside", name);
    });
    this.messages = new Messages(root, this.tokens.folded, () => this.redraw());
    copyOnClick(root.querySelector(".copy"), () => `[${this.tokens.base.ids.join(", ")}]`, root);
    openPictureOnClick(find(".picture"), root, () => tokensPicture(this));
    this.chat = find(".chat");
    this.chat.lastElementChild.addEventListener("click", () => this.tellPage("chat", performance.now()));
    this.listenToModes();
    listenToGlyphSwitch(this.view);
  }

  get shown() { return this.tokens.shown; }

  /** The document of the tokens, edited here or elsewhere on the page; null if they come from several. */
  get textName() { return this.data.source; }

  // -- options the component keeps for itself ------------------------------------------------

  listenToModes() {
    const kept = storedValue("view")?.mode;
    if (["ids", "text", "bytes"].includes(kept)) this.mode = kept;
    for (const radio of this.root.querySelectorAll("[name=mode]")) {
      radio.checked = radio.value === this.mode;
      radio.addEventListener("change", () => {
        this.mode = radio.value;
        this.showMode();
        this.pointing.say(this.shown, null);
        this.list.redraw();
        storeValue("view", { ...storedValue("view"), mode: this.mode });
      });
    }
  }

  /** Whether the tokens are shown as a list, which the page must offer, and not in colour. */
  get isList() { return this.mode !== "colour" && this.data.panes.includes("list"); }

  showMode() {
    this.panel.scroller.hidden = this.isList;
    this.list.scroller.hidden = !this.isList;
  }

  // -- what the page says ---------------------------------------------------------------------

  configure(before) {
    this.showPanes();
    this.showEditor();
    if (this.data.besides.length && !this.beside) this.makeRoomBeside();
    this.typing.awaitsTokens = this.data.view !== null;
    super.configure(before);
    this.showElsewhere(); // the reply may have come before it was said which ones can be opened
    if (this.scales) this.fitType(); // what is large on a page that greets is not where it is presented
  }

  async makeRoomBeside() {
    const { Beside } = await import("./beside.js");
    this.beside ??= new Beside(this.root, this.panel, (...token) => this.pointing.say(...token));
    const late = this.besideReplies.splice(0);
    for (const reply of late) this.beside.takeReply(...reply);
    if (late.length) this.show();
  }

  showPanes() {
    const { panes, editable, height, big, fills } = this.data;
    const shown = (selector, on) => {
      const node = this.root.querySelector(selector);
      if (node.hidden === on) node.hidden = !on;
    };
    this.view.style.setProperty("--height", typeof height === "number" ? `calc(${height} * var(--pixel, 1px))` : height);
    this.view.classList.toggle("big", big);
    this.view.classList.toggle("fills", fills);
    shown(".edit", editable);
    shown(".tokens", panes.includes("tokens"));
    shown(".tokens .modes", panes.includes("list"));
    shown(".copy", panes.includes("list"));
    shown(".counts", panes.includes("counts"));
    shown(".below", panes.includes("inspector"));
    this.showMode();
    this.layOut();
  }

  showEditor() {
    const { rows, label, label_visible: hasLabel, units_max: unitsMax, placeholder } = this.data;
    this.label.parentElement.classList.toggle("hidden", !hasLabel);
    this.view.classList.toggle("in-rows", rows !== null);
    if (hasLabel && rows === null && !this.example) this.showButtons(this.label);
    if (rows > 1) this.editor.rows = rows;
    if (unitsMax !== null) this.editor.maxLength = unitsMax;
    writeText(this.label, label);
    if (this.editor.placeholder !== placeholder) this.editor.placeholder = placeholder;
  }

  /** Arrange the panes on view in columns: by classes, since `:has` would look at every chip. */
  layOut() {
    const { panes, editable } = this.data;
    const isOpen = this.pointing.pinned !== null && panes.includes("inspector");
    this.drawer.hidden = !isOpen;
    this.row.classList.toggle("single", !editable || !panes.includes("tokens"));
    this.row.classList.toggle("open", isOpen);
  }

  followText(text) {
    const isOther = super.followText(text);
    if (isOther) this.revision = null; // the tokens of the other document are not laid on this one
    return isOther;
  }

  markReplaced() {
    super.markReplaced();
    this.tokens.isOther = true;
    for (const { scroller } of this.panels) scroller.scrollTop = 0;
    if (this.beside) this.beside.laid.isOther = true;
  }

  showElsewhere() {
    const { counted, uncounted, beside } = this.elsewhere;
    this.counts.showOthers(counted, uncounted, this.data.besides, beside);
  }

  // -- what the server says -------------------------------------------------------------------

  take(reply) {
    this.tokens.take(reply);
    if (this.beside) this.beside.takeReply(reply.beside, reply.hidden);
    else if (this.data.besides.length) this.besideReplies.push([reply.beside, reply.hidden]);
    this.messages.show(reply.parts?.messages ?? []);
    if (reply.tokenizer) this.root.querySelector(".tokenizer").textContent = reply.tokenizer.short;
    this.state = reply.state;
    this.revision = reply.revision;
    if (reply.text) this.takeText(reply.text);
    this.serverNotice = reply.notice;
    this.showNotice();
    this.chat.hidden = !reply.chat;
    if (reply.chat) writeText(this.chat.firstElementChild, `This looks like a chat (${reply.chat.replace(/^As /, "")}).`);
    if (this.text && this.text.changeSince(...this.state) === undefined) this.showLater(); // the text is being replaced
    else this.show();
    this.figures = reply.counts;
    this.counts.show(reply.counts);
    this.hiding.take(reply);
    this.elsewhere = { counted: reply.counted ?? [], uncounted: reply.uncounted, beside: reply.beside?.name };
    this.showElsewhere();
    // A view that is only read announces no counts but those it shows, since the page may count otherwise.
    if (this.data.editable || this.data.panes.includes("counts")) this.announce(countsText(reply.counts));
    this.followCaret([this.panel]);
  }

  /** Take a change of the text of tokens that come from other documents. */
  takeText([start, removed, inserted]) {
    this.ownText = this.ownText.slice(0, start) + inserted + this.ownText.slice(start + removed);
    this.touched = composedChange(this.touched, { start, oldStop: start + removed, newStop: start + inserted.length });
  }

  takeAnswer(answer) {
    if (!this.hiding.takeAnswer(answer, this.text)) this.pointing.take(answer);
  }

  // -- drawing --------------------------------------------------------------------------------

  /** Lay the tokens of the last reply on the text as it is now, and draw what has changed. */
  show() {
    super.show();
    if (this.revision === null || this.text?.text === null) return;
    const [text, change] = this.text ? [this.text.text, this.text.changeSince(...this.state)] : [this.ownText, null];
    const old = this.shown;
    const { touched } = this;
    const changed = this.tokens.lay(text, change, touched);
    this.touched = null;
    this.draw(old, changed);
    this.beside?.showBelow(this.shown, text, change, touched);
    if (this.scales) this.fitType();
    if (this.opening && this.opening === this.beside?.name) {
      this.opening = "";
      this.beside.node.scrollIntoView({ block: "nearest" });
    }
    if (change !== undefined) this.typing.tokensDrawn();
    this.pointing.inspect();
    if (this.pointing.lit === null) this.pointing.say(this.shown, null);
    this.pointing.askForFactsLater();
  }

  draw(old, change) {
    // In a chat, a token may come to belong to another message without changing.
    const drawn = this.shown.runs ? { start: 0, oldStop: old.count, newStop: this.shown.count } : change;
    const marks = Object.fromEntries(Object.entries(this.panel.marks).map(([name, index]) => [name, movedIndex(index, change)]));
    for (const panel of this.panels) {
      if (!this.data.panes.includes(panel === this.list ? "list" : "tokens")) continue;
      for (const name of Object.keys(panel.marks)) {
        if (panel.marks[name] !== marks[name] && marks[name] == null) panel.mark(name, null);
      }
      panel.marks = { ...marks };
      panel.show(this.shown, drawn);
    }
    this.pointing.move(change);
  }

  get fittedPanels() { return this.beside && !this.beside.node.hidden ? [this.panel, this.beside.panel] : [this.panel]; }

  /** On a presented page, the text has four lines where all tokens are in sight below it, else two; beside another tokenizer's, none. */
  fitType() {
    const { view, row } = this;
    const fitIn = (rows) => {
      view.style.setProperty("--rows-in-room", rows);
      super.fitType();
    };
    const sharesRoom = this.isFitted && getComputedStyle(view).getPropertyValue("--shares") === "1";
    if (sharesRoom) return fitTogether(this.fittedPanels, ...this.scales.split(" ").map(Number));
    if (!this.scales || row.classList.contains("single")) return super.fitType();
    fitIn(4);
    if (!this.fittedPanels.every(({ scroller }) => scroller.scrollHeight <= scroller.clientHeight)) fitIn(2);
  }

  redraw() {
    for (const panel of this.panels) panel.redraw();
  }

  leave() {
    super.leave();
    this.pointing.leave();
    this.beside?.leave();
    for (const panel of this.panels) panel.observer.disconnect();
  }
}

/** The ids, texts or bytes of the tokens first..last, as the list shows them. */
function listText(tokens, { first, last }, mode) {
  const value = (i) => (mode === "ids" ? tokens.ids[i] : mode === "bytes" ? tokens.hex(i) : visibleToken(tokens, i));
  return Array.from({ length: last - first + 1 }, (_, n) => value(first + n)).join(mode === "ids" ? ", " : " ");
}

export default (component) => mountView(TokenView, component);
