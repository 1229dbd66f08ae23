// TextEditor: a textarea for a document of the server. It finds each edit, once, and keeps the text in the tab.

import { heightFitter } from "./height.js";
import { OwnTexts } from "./own_texts.js";
import { SAVE_AFTER_MS, storeValue, storedValue, STORED_UNITS_MAX } from "../shared/storage.js";
import { commonEndLengths } from "../shared/text.js";
import { holdTyping, isHeld, resumeTyping } from "./type_ahead.js";
import { groupedNumber } from "../shared/words.js";

const TOKENS_COME_MS = 2_000; // after which the text is shown before its tokens
const NOT_KEPT = "A text this long survives a reload, but not a restart of the server.";
const LONG_TEXT = 50_000; // UTF-16 units; a textarea of this length takes about 20 ms to lay out

export class TextEditor {
  /** @param {HTMLTextAreaElement} area */
  constructor(area) {
    this.area = area;
    this.fit = heightFitter(area);
    /** @type {?import("../shared/live_text.js").LiveText} */
    this.text = null;
    /** @type {?OwnTexts} */
    this.own = null;
    this.session = this.token = null; // of the server's session
    this.example = null; // the text that the page calls an example
    this.unlisten = undefined;
    /** @type {?string | undefined} what this tab last had under the name of a new text: null if it was too long to keep, undefined once used */
    this.before = undefined;
    this.untouched = undefined; // the text that something else put here, as long as nobody has typed in it
    this.lastTyped = undefined; // when somebody typed last
    this.composing = false; // whether an input method is at work
    this.isWaiting = false; // whether a text waits for it to be done
    this.putTimer = this.frame = this.saveTimer = undefined;
    this.shown = ""; // what the textarea holds, as far as we know
    this.isOther = true; // whether it is no edit of what was there before
    this.awaitsTokens = false; // whether the tokens of the text are drawn, and come first
    this.isOwn = false; // whether somebody has typed in this text since something else put it here
    this.onReplaced = () => {}; // called when there may be another text to bring back
    this.hasFocus = false;
    this.path = location.pathname; // of the page it is on
    area.addEventListener("focus", () => { this.hasFocus = true; });
    // Some browsers blur an editor when it is removed, others do not.
    area.addEventListener("blur", () => setTimeout(() => {
      if (!area.isConnected) return;
      const root = /** @type {ShadowRoot} */ (area.getRootNode());
      this.hasFocus = root.activeElement === area;
    }));
    area.addEventListener("keydown", (event) => this.undoOnShortcut(event));
    area.addEventListener("input", () => this.handleInput());
    area.addEventListener("compositionstart", () => { this.composing = true; });
    area.addEventListener("compositionend", () => {
      this.composing = false;
      if (this.isWaiting) this.showDocumentText();
    });
    addEventListener("pagehide", this.leaving = () => this.save(true));
  }

  /**
   * Edit a document of a session of the server; what the tab has kept may replace one that is new to this page.
   * `shows_own`: whether this page shows an example of its own; what the tab has does not replace that if it is an example
   * chosen on another page, nor does any page show what is another page's own.
   */
  attachText(text, { session, token, restore, example, shows_own: showsOwn }) {
    Object.assign(this, { session, token, example, showsOwn });
    if (this.text === text) return;
    this.leaveText();
    this.text = text;
    this.own = new OwnTexts(text.name);
    const kept = storedValue(text.name);
    this.before = kept ? kept.text : "";
    this.isOwn = kept?.isOwn === true;
    const givesWay = kept?.exampleOn && kept.exampleOn !== this.path && (showsOwn || kept.isOfPage);
    if (text.text === null && restore && kept && kept.session !== session && !givesWay) {
      if (typeof kept.text === "string") text.keepLocalText(kept.text);
      else if (kept.token) text.resume(kept.token);
    }
    this.unlisten = text.listen(({ by }) => {
      if (by !== this) this.showDocumentText(by);
      this.save();
    });
    this.showDocumentText();
  }

  /** A notice about a text that is very long, or "". */
  get notice() {
    const { text, full } = this.text ?? {};
    const words = [];
    if (full) {
      const units = `${groupedNumber(full.units)} UTF-16 units`;
      words.push(full.isShared
        ? `The server has no room for a longer text right now. Yours is safe in this tab, and will be sent once it is down to ${units} or others have left.`
        : `The text is longer than the server accepts (${units}). Nothing you type is sent until it is shorter.`);
    }
    if (text?.length > STORED_UNITS_MAX) words.push(NOT_KEPT);
    return words.join(" ");
  }

  // -- the textarea ---------------------------------------------------------------------------

  handleInput() {
    if (this.isWaiting || this.putTimer || this.text?.text == null) return;
    this.lastTyped = performance.now();
    this.fit();
    const { value } = this.area;
    const { shown } = this;
    const { prefix, suffix } = commonEndLengths(shown, value);
    this.shown = value;
    this.isOwn = true;
    const { text } = this.text;
    const [start, stop] = shown === text ? [prefix, shown.length - suffix]
      : [offsetInText(text, prefix), offsetInText(text, shown.length - suffix)];
    const inserted = value.slice(prefix, value.length - suffix);
    // A carriage return and a line feed that comes after it must not become one line end.
    const joins = text[start - 1] === "\r" && (inserted || text.slice(stop, stop + 1))[0] === "\n" ? 1 : 0;
    this.text.edit(start - joins, stop - start + joins, joins ? `\n${inserted}` : inserted, this);
  }

  /** Show a text that was not typed here. */
  showDocumentText(by = null) {
    const { text } = this.text;
    if (text === null) return;
    const shown = text.replace(/\r\n?/g, "\n"); // as every textarea does
    const isThere = this.area.value === shown;
    this.isWaiting = this.composing && !isThere; // an input method is at work, and would lose its place
    if (this.isWaiting) return;
    const before = this.shown;
    this.shown = shown;
    if (by === null) this.noteReplaced(before);
    this.stopPutting();
    this.isOther = by === null;
    if (isThere) this.allowTyping(); // and the caret stays where it is
    else if (text.length < LONG_TEXT) this.putText();
    else this.putLater();
  }

  putText() {
    this.stopPutting();
    this.area.value = this.shown;
    if (this.isOther) this.area.setSelectionRange(0, 0);
    this.fit();
    if (this.isOther) this.area.scrollTop = 0; // one reads another text from its beginning
    this.allowTyping();
  }

  allowTyping() {
    this.area.readOnly = false;
    queueMicrotask(() => resumeTyping(this.text.name, this.area)); // once the view is visible, and can have the focus
  }

  /** Laying out a long text in a textarea takes longest, so let the tokens be painted first. */
  putLater() {
    this.area.readOnly = true;
    this.putTimer = setTimeout(() => this.putText(), this.awaitsTokens ? TOKENS_COME_MS : 0);
  }

  /** The tokens have been drawn. */
  tokensDrawn() {
    if (!this.putTimer) return;
    clearTimeout(this.putTimer);
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => { this.putTimer = setTimeout(() => this.putText()); });
  }

  stopPutting() {
    clearTimeout(this.putTimer);
    cancelAnimationFrame(this.frame);
    this.putTimer = null;
  }

  // -- texts to come back to ------------------------------------------------------------------

  /** A text that nobody typed here takes the place of the one there was. */
  noteReplaced(before) {
    if (this.before !== undefined) before = this.before;
    this.before = undefined;
    if (before !== null && before.replace(/\r\n?/g, "\n") !== this.shown) {
      this.own.recordReplaced(before, this.isOwn);
      this.isOwn = false;
      this.untouched = this.shown;
    }
    this.onReplaced();
  }

  /** Ctrl+Z when nothing was typed since something else replaced the text: the browser has nothing to undo. */
  undoOnShortcut(event) {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "z";
    if (isUndo && this.restoreReplaced()) event.preventDefault();
  }

  /** Bring back a text that somebody typed here and something else replaced. */
  bringBack() {
    this.show(this.own.takeNext(this.area.value, this.isOwn), true);
  }

  clear() { this.replaceText("", false); }

  /** Replace the text with another one, which Ctrl+Z undoes. */
  replaceText(text, isOwn) {
    this.own.recordReplaced(this.area.value, this.isOwn);
    this.show(text, isOwn);
  }

  /** Bring back the text that was replaced last, unless somebody has typed since. */
  restoreReplaced() {
    if (this.area.value !== this.untouched) return false;
    const last = this.own.popReplaced();
    if (last !== null) this.show(last.text, last.isOwn);
    return last !== null;
  }

  /** Show a text as if it had been typed. */
  show(text, isOwn) {
    if (this.text?.text == null) return;
    this.stopPutting();
    this.area.readOnly = false;
    this.area.value = text;
    this.handleInput();
    this.isOwn = isOwn;
    this.untouched = this.area.value;
    this.onReplaced();
    this.area.focus();
    this.area.setSelectionRange(0, 0);
    this.save();
  }

  // -- the tab's memory -----------------------------------------------------------------------

  save(now = false) {
    clearTimeout(this.saveTimer);
    if (!this.text || this.text.text === null) return;
    if (!now) {
      this.saveTimer = setTimeout(() => this.save(true), SAVE_AFTER_MS);
      return;
    }
    const { name, text } = this.text;
    const isLong = text.length > STORED_UNITS_MAX;
    const exampleOn = text === this.example ? this.path : null;
    storeValue(name, { session: this.session, token: this.token, text: isLong ? null : text, isOwn: this.isOwn, exampleOn, isOfPage: this.showsOwn });
  }

  leaveText() {
    this.save(true);
    this.unlisten?.();
  }

  leave() {
    const hasFocus = this.hasFocus || isHeld(this.area);
    const isRedrawn = hasFocus && !this.composing && location.pathname === this.path;
    if (isRedrawn && this.text) holdTyping(this.text.name, this.area);
    this.leaveText();
    this.stopPutting();
    removeEventListener("pagehide", this.leaving);
  }
}

/** The offset in a text that matches one in the same text with every CR LF as one line feed. */
function offsetInText(text, offset) {
  let at = 0;
  for (let shown = 0; shown < offset; shown++) at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
  return at;
}
