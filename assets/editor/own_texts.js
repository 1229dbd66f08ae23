// What somebody typed and something else replaced: a sample, a lesson, a link. One click or Ctrl+Z brings it back.

import { storeValue, storedValue, STORED_UNITS_MAX } from "../shared/storage.js";

const TEXTS_MAX = 10; // kept of each document
const REPLACED_MAX = 50; // to go back through with Ctrl+Z

const KNOWN = new Map(); // the texts of each document, as long as the page lives: also those too long to store

export class OwnTexts {
  constructor(name) {
    this.name = `own ${name}`;
    if (!KNOWN.has(name)) KNOWN.set(name, { texts: validTexts(storedValue(this.name)), replaced: [] });
    const { texts, replaced } = KNOWN.get(name); // shared by all editors of the document
    /** @type {string[]} */
    this.texts = texts;
    /** @type {{text: string, isOwn: boolean}[]} */
    this.replaced = replaced;
  }

  /** The text that one would get back, apart from the one that is shown; undefined if there is none. */
  next(shown) { return this.texts.find((text) => text !== shown); }

  /** Note a text that something else replaced; `isOwn`: somebody typed in it. */
  recordReplaced(text, isOwn) {
    if (!text) return;
    this.replaced.push({ text, isOwn });
    if (this.replaced.length > REPLACED_MAX) this.replaced.shift();
    if (isOwn) this.add(text, 0);
  }

  /** Take the text to show next; `shown` goes to the end of the line if it is the user's own. */
  takeNext(shown, isOwn) {
    const text = this.next(shown);
    this.remove(text);
    if (isOwn && shown) this.add(shown, this.texts.length);
    else this.save();
    return text;
  }

  /** Take back the text that was replaced last, null if there is none. */
  popReplaced() {
    const last = this.replaced.pop() ?? null;
    if (last?.isOwn) {
      this.remove(last.text);
      this.save();
    }
    return last;
  }

  add(text, at) {
    this.remove(text);
    this.texts.splice(at, 0, text);
    this.texts.splice(TEXTS_MAX);
    this.save();
  }

  remove(text) {
    const at = this.texts.indexOf(text);
    if (at >= 0) this.texts.splice(at, 1);
  }

  /** Store as many texts as the tab has room for, those replaced last first. */
  save() {
    let room = STORED_UNITS_MAX;
    storeValue(this.name, this.texts.filter((text) => (room -= text.length) >= 0));
  }
}

function validTexts(texts) {
  return Array.isArray(texts) ? texts.filter((text) => typeof text === "string").slice(0, TEXTS_MAX) : [];
}
