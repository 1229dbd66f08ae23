// What all views of the live socket do: connect, take replies under a name, follow a document, and leave.

import { pageConnection } from "./live.js";
import { element, writeText } from "./view.js";

const PENDING_AFTER_MS = 150; // if a reply is slower, the text is shown as it is
const ANNOUNCE_AFTER_MS = 900; // less than from step to step of Merges at its slowest
const LATE_MS = 8_000;
const LATE = "The server is not answering. If this lasts, a proxy in between may be blocking the WebSocket at /live.";

/** @typedef {import("./change.js").Change} Change */

export class LiveView {
  /** @param {ShadowRoot} root */
  constructor(root) {
    this.root = root;
    /** @type {HTMLElement} */
    this.view = root.querySelector(".view");
    /** @type {?HTMLElement} */
    this.notice = root.querySelector(".notice");
    /** @type {any} what the page says */
    this.data = null;
    /** @type {(name: string, value: any) => void} */
    this.tellPage = () => {};
    /** @type {?import("./live.js").Live} */
    this.connection = null;
    this.viewName = this.viewToken = null; // the name and the session's token under which it was shown last
    /** @type {?import("./live_text.js").LiveText} the document that it follows */
    this.text = null;
    this.unlisten = () => {};
    this.pendingTimer = undefined;
    /** @type {?HTMLElement} what a screen reader says */
    this.spoken = root.querySelector("[aria-live]");
    /** @type {string | undefined} */
    this.announced = undefined;
    this.announceTimer = undefined;
  }

  /** The name of the document that replies are of. */
  get textName() { return this.data.document; }

  /**
   * Take what the page says. Under another name, or in another session, the server then sends everything; return whether
   * it does. `data.connection` answers where there is no server.
   */
  receive({ data, setTriggerValue }) {
    const before = this.data;
    this.data = data;
    this.tellPage = setTriggerValue;
    this.connection = data.connection ?? pageConnection().connectAs(data.token);
    this.configure(before);
    const { view, token } = data;
    if (view === null || (this.viewName === view && this.viewToken === token)) return false;
    if (this.viewName !== null && this.viewName !== view) this.connection.hide(this.viewName, this);
    this.viewName = view;
    this.viewToken = token;
    this.connection.show(view, this);
    if (data.ahead) this.connection.dispatchAhead(view, data.ahead);
    return true;
  }

  /** The page has said something new in `data`; `_before`: what it said last, at first null. */
  configure(_before) {}

  /** Take a reply. */
  take(_reply) {}

  /** Follow a document. Returns whether it is another one than before. */
  followText(text) {
    if (this.text === text) return false;
    this.unlisten();
    this.text = text;
    this.unlisten = text.listen(({ change, by }) => this.textChanged(change, by));
    return true;
  }

  /**
   * The text has changed: by an editor, or by something else if null. A change of null: all of it may differ.
   * @param {?Change} _change
   * @param {any} _by
   */
  textChanged(_change, _by) { this.showLater(); }

  /** Show the text as it is, unless a reply comes soon. */
  showLater() {
    clearTimeout(this.pendingTimer);
    if (this.viewName !== null) this.pendingTimer = setTimeout(() => this.show(), PENDING_AFTER_MS);
  }

  show() { clearTimeout(this.pendingTimer); }

  /** @param {?string} words */
  writeNotice(words) {
    this.notice.hidden = !words;
    writeText(this.notice, words ?? "");
  }

  /** Have a screen reader say something once nothing more changes; the first words are no news. */
  announce(words) {
    if (this.announced === words) return;
    clearTimeout(this.announceTimer);
    if (this.announced !== undefined) {
      this.announceTimer = setTimeout(() => { this.spoken.textContent = words; }, ANNOUNCE_AFTER_MS);
    }
    this.announced = words;
  }

  leave() {
    this.unlisten();
    for (const timer of [this.pendingTimer, this.announceTimer]) clearTimeout(timer);
    if (this.viewName !== null) this.connection.hide(this.viewName, this);
  }
}

const MOUNTED = new WeakMap(); // the view at each place where a component is mounted

/** Show a component's data in the view at its place, making one if there is none yet. */
export function mountView(View, component) {
  const root = component.parentElement;
  const known = MOUNTED.get(root);
  const view = known ?? new View(root, component.data);
  MOUNTED.set(root, view);
  view.receive(component);
  if (!known) noteIfLate(root, view);
  return () => {
    if (root.host?.isConnected) return;
    view.leave();
    MOUNTED.delete(root);
  };
}

/** Until the server has said anything to this page, say why there may be nothing to see. */
function noteIfLate(root, { connection, view }) {
  const timer = setTimeout(() => {
    if (!root.host?.isConnected) return;
    const note = Object.assign(element("p", "late", LATE), { role: "status" });
    view.before(note);
    connection.firstWord.then(() => note.remove());
  }, LATE_MS);
  connection.firstWord.then(() => clearTimeout(timer));
}
