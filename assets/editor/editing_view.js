// What the views with an editor do: they follow what is typed, say so, and tell the page once the typing rests.

import { HiddenLine } from "./hidden_line.js";
import { Rest } from "./rest.js";
import { TextEditor } from "./text_editor.js";
import { composedChange } from "../shared/change.js";
import { LiveView } from "../shared/live_view.js";
import { revealView, button, element, topOnPage } from "../shared/view.js";

const FITTED_UNITS_MAX = 1_000; // of a text that can be drawn as large as there is room for
const TYPING_MS = 1_000; // after a key, somebody is still typing

export class EditingView extends LiveView {
  /** @param {ShadowRoot} root @param {{rows?: ?number, editable?: boolean}} look of the editor */
  constructor(root, { rows, editable }) {
    super(root);
    /** @type {HTMLTextAreaElement} */
    this.editor = root.querySelector("textarea");
    if (rows === 1) keepToOneLine(this.editor);
    this.typing = new TextEditor(this.editor);
    this.editor.addEventListener("paste", () => { if (this.isExample) this.editor.select(); });
    this.editor.addEventListener("input", () => this.readNewTextFromBeginning());
    const ask = editable === false ? null : (question) => this.connection.ask(this.viewName, question);
    this.hiding = new HiddenLine(root.querySelector(".hiding"), ask && this.typing, ask);
    this.rest = new Rest(() => this.tellPage("rest", performance.now()));
    /** @type {import("../shared/change.js").Change | null | undefined} of the text since it was drawn; `undefined` for another text */
    this.touched = null;
    /** @type {?string} what the server says of the text */
    this.serverNotice = null;
    /** @type {?HTMLElement} where it is said that the text is an example */
    this.example = null;
    this.scales = ""; // the smallest and the largest multiple of the usual type, where a text is fitted to its room
    // In the next frame: an observed size must not change while it is reported.
    this.rooms = new ResizeObserver(() => requestAnimationFrame(() => {
      this.scales = getComputedStyle(this.view).getPropertyValue("--scales");
      this.fitType();
    }));
    for (const node of [this.view, document.documentElement]) this.rooms.observe(node); // what is above may grow, too
  }

  /**
   * The panels whose tokens have one size of type.
   * @returns {import("../shared/panel.js").TokenPanel[]}
   */
  get fittedPanels() { return []; }

  /** Whether the style sheet gives sizes of type, and the text is not too long for the largest that there is room for. */
  get isFitted() {
    return Boolean(this.scales) && this.fittedPanels.every(({ tokens }) => tokens.text.length <= FITTED_UNITS_MAX);
  }

  /** Draw the text in the largest type that there is room for in all panels, if it is fitted. */
  fitType() {
    const { fittedPanels: panels, isFitted } = this;
    if (panels.length && this.scales) this.view.style.setProperty("--above", `${topOnPage(panels[0].scroller)}px`);
    const [least, most] = this.scales.split(" ").map(Number);
    const scales = isFitted ? panels.map((panel) => panel.fitType(least, most)) : [];
    for (const panel of panels) panel.setScale(isFitted ? Math.min(...scales) : "");
  }

  /** What is put in place of all there was is read from its beginning, not from the caret after it. */
  readNewTextFromBeginning() {
    if (!this.typing.isNew) return;
    this.showBeginning();
    requestAnimationFrame(() => this.showBeginning()); // the browser has gone to the caret meanwhile
  }

  /** Scroll everything to the beginning of the text. */
  showBeginning() {
    this.typing.lastTyped = undefined; // the tokens do not follow the caret
    for (const node of [this.editor, ...this.fittedPanels.map(({ scroller }) => scroller)]) node.scrollTop = 0;
  }

  /** Whether somebody types here. */
  get isTyping() { return this.root.activeElement === this.editor && performance.now() - this.typing.lastTyped < TYPING_MS; }

  /** Keep the caret's tokens in sight in panels while somebody types, unless the pointer is in one. */
  followCaret(panels) {
    if (!this.isTyping || panels.some(({ scroller }) => scroller.matches(":hover"))) return;
    const caret = Math.max(this.editor.selectionEnd - 1, 0);
    for (const panel of panels) if (panel.tokens.count) panel.reveal(panel.tokens.at(caret));
  }

  configure(_before) {
    this.rest.setOptions(this.data);
    if (this.data.document !== null) this.followText(this.connection.openText(this.data.document));
    this.showExampleNote();
    this.appear();
  }

  /** Appear once there is a text, so that nobody types what it would replace. */
  appear() {
    if (this.text?.text !== null) revealView(this.view);
  }

  followText(text) {
    this.typing.attachText(text, this.data);
    const isOther = super.followText(text);
    if (isOther) this.markReplaced();
    return isOther;
  }

  textChanged(change, by) {
    this.appear();
    this.showExampleNote();
    if (!change) this.markReplaced();
    else {
      if (this.touched !== undefined) this.touched = composedChange(this.touched, change);
      this.showLater();
    }
    this.showNotice();
    if (by !== null || this.text.edits.length) this.rest.tellOnceRested(this.text);
  }

  /** There is another text, and its tokens will come unasked. */
  markReplaced() { this.touched = undefined; }

  /** Whether the text is the example that the page's script has named. */
  get isExample() { return Boolean(this.data?.example) && this.text?.text === this.data.example; }

  /** Say beside the label that the text is one of our examples, as long as nobody has changed it. */
  showExampleNote() {
    if (this.example) this.example.hidden = !this.isExample;
  }

  showNotice() {
    const ofText = this.data.editable === false ? "" : this.typing.notice;
    this.writeNotice([this.serverNotice, ofText].filter(Boolean).join(" "));
  }

  /**
   * Show after a label whether the text is an example, a button that brings back your own text after something else
   * replaced it, and one that empties the editor.
   */
  showButtons(label) {
    const { typing } = this;
    const own = Object.assign(button("plain", "Your text", () => typing.bringBack()), { title: "Bring back what you typed", hidden: true });
    typing.onReplaced = () => { own.hidden = typing.own.next(typing.shown) === undefined; };
    this.example = element("span", "example", "an example: change it");
    this.showExampleNote();
    label.after(this.example, element("span", "texts", own, button("plain", "Clear", () => typing.clear())));
  }

  leave() {
    this.typing.leave();
    this.hiding.leave();
    super.leave();
    this.rooms.disconnect();
    this.rest.leave();
  }
}

/** Keep line ends out of an editor: its text wraps, and line ends in what is pasted become spaces. */
function keepToOneLine(area) {
  area.classList.add("one-line");
  area.rows = 1;
  area.addEventListener("beforeinput", (event) => {
    if (event.inputType === "insertLineBreak") event.preventDefault();
  });
  area.addEventListener("input", () => {
    const { value, selectionEnd } = area;
    if (!value.includes("\n")) return;
    area.value = value.replaceAll("\n", " ");
    area.setSelectionRange(selectionEnd, selectionEnd);
  });
}
