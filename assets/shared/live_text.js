// LiveText: a document of the server as this page has it, and the edits that may not have arrived.
//
// What is typed is in the text at once and is sent at once. The messages are those of docs/design.md; a document sends
// them through `say` and gets them by `take`. It knows no socket and no screen.

import { composedChange } from "./change.js";
import { commonEndLengths } from "./text.js";

export const INSERTED_MAX = 1_000_000; // units of one edit; a longer paste is several
const ASK_AGAIN_MS = 10_000; // after which a text that others left no room for is sent again, as somebody types
const REMEMBERED = 1_000; // edits, for views that lag behind

/**
 * `removed` is the text that gave way, `length` that of the text afterwards, all in UTF-16 units.
 * @typedef {{sequence: number, start: number, removed: string, inserted: string, length: number, isOfUnknown?: boolean}} Edit
 * @typedef {import("./change.js").Change} Change
 */

export class LiveText {
  /**
   * @param {string} name
   * @param {(message: any[]) => void} say
   */
  constructor(name, say = () => {}) {
    this.name = name;
    this.say = say;
    /** @type {?string} not known yet */
    this.text = null;
    /** @type {?number} */
    this.version = null;
    this.sequence = 0; // of the last edit
    this.seen = 0; // the last edit that is known to have arrived
    /** @type {Edit[]} those of this version */
    this.edits = [];
    this.isKept = false; // whether the text is to replace the server's
    this.keptUpTo = 0; // the last edit that does so, in this version
    this.isSettled = false; // whether the server has said since the socket opened what it has
    this.isGone = false; // whether the server has said that it has no such document
    this.isWanted = false; // whether it was shown since it was last followed
    /** @type {?string} */
    this.resumed = null; // the token of a session that may have the text
    this.full = null; // what the server has, if it did not take a longer text
    /** @type {Set<(change: {change: ?Change, by: any}) => void>} */
    this.listeners = new Set();
  }

  get hasArrived() { return this.version !== null && this.seen === this.sequence && !this.full; }

  /** Call `listener({change, by})` after every change of the text; `change` is null where all of it may be another. */
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // -- what is typed --------------------------------------------------------------------------

  /** From `start` on, `removed` units give way to a text; `by` is whoever changed it. */
  edit(start, removed, inserted, by) {
    if (!removed && !inserted) return;
    const old = this.text;
    this.text = old.slice(0, start) + inserted + old.slice(start + removed);
    if (this.full) this.leaveFull();
    else if (this.version !== null) this.recordEdit(old, start, removed, inserted);
    this.notifyListeners({ start, oldStop: start + removed, newStop: start + inserted.length }, by);
  }

  /** Note an edit of a text, in pieces that are not too long, and say it. */
  recordEdit(old, start, removed, inserted) {
    let length = old.length - removed;
    let at = 0;
    do {
      const piece = inserted.slice(at, at + INSERTED_MAX);
      const gone = at ? "" : old.slice(start, start + removed);
      const edit = { sequence: ++this.sequence, start: start + at, removed: gone, inserted: piece, length: length += piece.length };
      this.edits.push(edit);
      if (this.isSettled) this.sendEdit(edit);
      at += piece.length;
    } while (at < inserted.length);
    if (this.edits.length > 2 * REMEMBERED && this.edits[REMEMBERED].sequence <= this.seen) this.edits.splice(0, REMEMBERED);
  }

  /** Note as an edit what leads from a text to this one. */
  recordChangeOf(text) {
    const { prefix, suffix } = commonEndLengths(text, this.text);
    this.recordEdit(text, prefix, text.length - prefix - suffix, this.text.slice(prefix, this.text.length - suffix));
  }

  sendEdit({ sequence, start, removed, inserted, length }) {
    this.say(["edit", this.name, this.version, sequence, start, removed.length, inserted, length]);
  }

  /** Have a text of this tab replace the server's, which is not known yet. */
  keepLocalText(text) {
    this.text = text;
    this.isKept = true;
    this.notifyListeners(null, null);
  }

  /** Have the text of an earlier session of this tab replace the server's, if that session still exists. */
  resume(token) {
    this.resumed = token;
    this.follow();
  }

  /**
   * The change of the text since a state of it; `undefined` where that is not known.
   * @param {number} version
   * @param {number} sequence
   * @returns {?Change | undefined}
   */
  changeSince(version, sequence) {
    if (version !== this.version || this.full) return undefined;
    const later = this.edits.filter((edit) => edit.sequence > sequence);
    if (later.length !== this.sequence - sequence) return undefined;
    return later.map(({ start, removed, inserted }) =>
      ({ start, oldStop: start + removed.length, newStop: start + inserted.length })).reduce(composedChange, null);
  }

  // -- what the server says -------------------------------------------------------------------

  /** A socket is open: say what is known to have arrived. */
  follow() {
    this.isSettled = this.isGone = this.isWanted = false;
    if (this.version === null && this.resumed) this.say(["resume", this.name, this.resumed]);
    this.say(["follow", this.name, this.version, this.version === null ? null : this.seen]);
  }

  /** Somebody shows this document: follow it, where the server had none of this name when it was last asked. */
  followIfGone() {
    if (this.isGone) this.follow();
    else this.isWanted = this.version === null; // there may be an answer under way that there is none
  }

  /** The server has no such document; its script may make one yet. */
  markGone() {
    this.forgetServerState();
    if (this.isWanted) this.follow();
    else this.isGone = true;
  }

  /** The server no longer knows this page; the text of this tab is to replace its own. */
  forgetServerState() {
    this.version = this.full = null;
    this.keptUpTo = 0;
    this.isSettled = false;
    this.isKept = this.text !== null;
    this.edits = [];
  }

  /** @param {any[]} message */
  take([kind, , version, sequence, rest, isShared]) {
    if (kind === "text" && rest !== null) this.setServerText(version, sequence, rest);
    else if (version !== this.version) return;
    else if (kind === "text") this.confirmUpTo(sequence);
    else if (kind === "seen") this.seen = Math.max(this.seen, sequence);
    else if (kind === "again") this.resendAll(sequence, rest);
    else if (kind === "full") this.enterFull(sequence, rest, isShared);
  }

  setServerText(version, sequence, text) {
    // A page may have shown an example of its own before the text of this tab arrived, which would then be lost.
    const own = this.isKept || this.seen < this.keptUpTo ? this.text : text;
    Object.assign(this, { version, sequence, seen: sequence, keptUpTo: 0, edits: [], full: null, isKept: false, isSettled: true, text });
    this.resumed = null;
    if (own !== text) {
      this.text = own;
      this.recordChangeOf(text);
      this.keptUpTo = this.sequence;
    }
    this.notifyListeners(null, null);
  }

  /** What this page holds is right up to an edit: say the rest once more. */
  confirmUpTo(sequence) {
    if (sequence > this.sequence) { // somebody else has typed under this name
      this.forgetServerState();
      this.isKept = false; // what they typed wins
      this.follow();
      return;
    }
    this.seen = Math.max(this.seen, sequence);
    this.isSettled = true;
    for (const edit of this.edits) if (edit.sequence > this.seen) this.sendEdit(edit);
  }

  /** The two sides hold different texts: send all of it. */
  resendAll(sequence, length) {
    this.edits = [];
    this.sequence = this.seen = sequence;
    this.replaceUnknown(length);
  }

  /** Have this text replace all `length` units on the server, whatever they are. */
  replaceUnknown(length) {
    const first = this.sequence + 1;
    this.recordEdit("?".repeat(length), 0, length, this.text);
    this.edits.find((edit) => edit.sequence === first).isOfUnknown = true;
  }

  /** The text has become too long: go on from what the server has as soon as it is short enough, or others leave room. */
  enterFull(sequence, units, isShared) {
    let standing = this.text;
    const undone = this.edits.filter((edit) => edit.sequence > sequence);
    for (const edit of undone.reverse()) {
      standing = standing.slice(0, edit.start) + edit.removed + standing.slice(edit.start + edit.inserted.length);
    }
    this.edits = this.edits.filter((edit) => edit.sequence <= sequence);
    this.sequence = this.seen = sequence;
    const isUnknown = undone.some((edit) => edit.isOfUnknown);
    this.full = { text: standing, units, isShared, isUnknown, since: performance.now() };
    this.leaveFull();
    this.notifyListeners(null, null);
  }

  leaveFull() {
    const { text, units, isShared, isUnknown, since } = this.full;
    if (this.text.length > units && !(isShared && performance.now() - since >= ASK_AGAIN_MS)) return;
    this.full = null;
    if (isUnknown) this.replaceUnknown(text.length);
    else this.recordChangeOf(text);
  }

  notifyListeners(change, by) {
    for (const listener of this.listeners) listener({ change, by });
  }
}
