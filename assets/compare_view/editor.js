// An editor whose text the server follows. What is made of the text is drawn by the views that extend it.
//
// What is typed goes to the server at once, one message at a time; whatever is typed meanwhile goes
// with the next. Every reply holds a `version` of the text. A version this editor did not write was
// set from outside, and only such a version ever replaces the editor's content.

import { textOfReply } from "./reply.js";
import { appear } from "../shared/pieces.js";
import { SAVE_AFTER_MS, store, stored, STORED_UNITS_MAX } from "../shared/storage.js";
import { commonEnds, textHash } from "../shared/text.js";

const RESEND_AFTER_MS = 4000; // an unanswered message was lost with its connection
const RESTORE_AFTER_MS = 1000; // one sent while a page begins is lost more often, and nothing is right until it came
const PENDING_AFTER_MS = 150; // a slower reply: show the typed text untokenized meanwhile
const LONG_TEXT = 50_000; // UTF-16 units; a textarea of this length takes about 20 ms to lay out

export class LiveEditor {
  constructor(root) {
    this.root = root;
    this.client = crypto.randomUUID?.() ?? String(Math.random());
    this.text = "";
    this.serverText = "";
    this.version = null;
    this.reply = null;
    this.messages = 0;
    this.inFlight = null;
    this.wanted = {}; // what the next message asks for, beside the text
    this.view = root.querySelector(".view");
    this.editor = root.querySelector("textarea");
    this.editor.addEventListener("input", () => this.typed());
    this.editor.addEventListener("compositionstart", () => { this.composing = true; });
    this.editor.addEventListener("compositionend", () => {
      this.composing = false;
      if (this.waiting !== undefined) this.replaceText(this.waiting);
    });
    addEventListener("pagehide", this.leaving = () => this.save(true));
  }

  // -- what a view adds -----------------------------------------------------------------------

  /** Take what a reply says: all there is, or what has changed since the last one. */
  take(_reply, _isWhole) {}

  /** Draw what is known of the text as it is now. */
  show() {}

  /** What is to be done once a reply has been drawn. */
  shownReply(_reply) {}

  /** The text that is drawn. */
  get shownText() { return this.serverText; }

  // -- what the server says -------------------------------------------------------------------

  receive({ data, setTriggerValue }) {
    this.send = (message) => setTriggerValue("message", message);
    appear(this.view);
    if (!data || data.reply === this.reply) return;
    if (data.client === this.client && this.inFlight && data.ack >= this.inFlight.n) this.inFlight = null;
    if (data.base !== null && data.base !== this.reply) {
      // A reply went missing, or this view was mounted anew: ask for everything.
      this.wanted.resync = true;
      this.pump();
      return;
    }
    const first = this.version === null;
    const restarted = !first && data.session !== this.session;
    const fromOutside = data.version !== this.version && data.author !== this.client;
    this.data = data;
    this.reply = data.reply;
    this.session = data.session;
    this.version = data.version;
    this.serverText = textOfReply(data.base === null ? "" : this.serverText, data.text);
    this.take(data, data.base === null);
    if (first || restarted) this.mount(data, restarted);
    else if (fromOutside || !data.editable) this.replaceText(this.serverText);
    this.refresh();
    this.shownReply(data);
    this.save();
    this.pump();
  }

  refresh() {
    clearTimeout(this.pendingTimer);
    this.show();
  }

  /** The first reply of a server's session: take its text, or give it what this tab still has. */
  mount(data, restarted) {
    const kept = data.storage ? stored(data.storage) : null;
    const own = restarted && data.editable ? this.text : null;
    if (kept && kept.session === data.session) {
      // Keys struck in the last moment before the page changed had not reached the server.
      const unsent = data.editable && kept.unsent?.includes(textHash(this.serverText));
      this.replaceText(unsent ? kept.text : this.serverText);
    } else if (data.storage && data.restore && (kept || own !== null)) {
      const text = own ?? kept.text ?? this.serverText;
      this.wanted.restore = { text };
      if (own === null) this.replaceText(text);
    } else {
      this.replaceText(this.serverText);
    }
  }

  // -- the editor -----------------------------------------------------------------------------

  typed() {
    this.lastTyped = performance.now();
    const value = this.editor.value;
    this.text = this.editorIsText ? value : withLineEnds(this.text, value);
    this.editorIsText ||= this.text === value;
    this.pump();
    clearTimeout(this.pendingTimer);
    this.pendingTimer = setTimeout(() => {
      if (this.text !== this.shownText) this.refresh();
    }, PENDING_AFTER_MS);
    this.save();
  }

  /** Put a text into the editor that was not typed there. */
  replaceText(text) {
    if (this.composing) {
      this.waiting = text; // an input method is at work, and would lose its place
      return;
    }
    this.waiting = undefined;
    this.text = text;
    if (!this.data.editable) return;
    const shown = text.replace(/\r\n?/g, "\n"); // as every textarea does
    this.editorIsText = shown === text;
    if (text.length < LONG_TEXT) this.fill(shown);
    else this.fillAfterPaint(shown);
  }

  fill(shown) {
    this.filling = null;
    this.editor.readOnly = false;
    if (this.editor.value !== shown) this.editor.value = shown;
  }

  /** Laying out a long text in a textarea takes longer than all else: let the tokens be painted first. */
  fillAfterPaint(shown) {
    if (this.editor.value === shown) return;
    this.editor.readOnly = true;
    this.filling = shown;
    requestAnimationFrame(() => setTimeout(() => {
      if (this.filling === shown) this.fill(shown);
    }));
  }

  // -- messages -------------------------------------------------------------------------------

  /** Send what is to be said, unless a message is under way. */
  pump() {
    if (this.inFlight || !this.send) return;
    const message = { ...this.wanted };
    if (this.version !== null && !message.restore && this.data.editable && this.text !== this.serverText && this.waiting === undefined) {
      message.edit = this.edit();
    }
    if (!Object.keys(message).length) return;
    this.wanted = {};
    const n = ++this.messages;
    this.inFlight = { n, message, text: this.text };
    this.send({ client: this.client, n, version: this.version, have: this.reply, ...message });
    clearTimeout(this.resendTimer);
    this.resendTimer = setTimeout(() => this.resend(n), message.restore ? RESTORE_AFTER_MS : RESEND_AFTER_MS);
  }

  resend(n) {
    if (this.inFlight?.n !== n || !this.root.host?.isConnected) return;
    const { edit, ...rest } = this.inFlight.message;
    this.wanted = { ...rest, ...this.wanted };
    this.inFlight = null;
    this.pump();
  }

  /** The edit that turns the server's text into ours, in UTF-16 units. */
  edit() {
    const { prefix, suffix } = commonEnds(this.serverText, this.text);
    return {
      start: prefix,
      removed: this.serverText.length - prefix - suffix,
      insert: this.text.slice(prefix, this.text.length - suffix),
      length: this.text.length,
    };
  }

  // -- the tab's memory -----------------------------------------------------------------------

  save(now = false) {
    if (!this.data?.storage) return;
    clearTimeout(this.saveTimer);
    if (!now) {
      this.saveTimer = setTimeout(() => this.save(true), SAVE_AFTER_MS);
      return;
    }
    if (this.wanted.restore || this.inFlight?.message.restore) return;
    store(this.data.storage, {
      session: this.session,
      text: this.text.length > STORED_UNITS_MAX ? null : this.text,
      // The server may stand at the text it told last, or at the one under way to it.
      unsent: this.text === this.serverText ? null : [this.serverText, this.inFlight?.text ?? ""].map(textHash),
    });
  }

  leave() {
    this.save(true);
    for (const timer of ["pendingTimer", "saveTimer", "resendTimer"]) clearTimeout(this[timer]);
    removeEventListener("pagehide", this.leaving);
  }
}

/** The text after an edit, with the carriage returns that a textarea does not show. */
function withLineEnds(text, value) {
  const shown = text.replace(/\r\n?/g, "\n");
  const { prefix, suffix } = commonEnds(shown, value);
  return text.slice(0, unitsBefore(text, prefix)) + value.slice(prefix, value.length - suffix) +
    text.slice(unitsBefore(text, shown.length - suffix));
}

/** The offset in a text of an offset in the same text with every CR LF as one line feed. */
function unitsBefore(text, offset) {
  let at = 0;
  for (let shown = 0; shown < offset; shown++) at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
  return at;
}
