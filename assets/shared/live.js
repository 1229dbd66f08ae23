// The one connection of a page to the server, shared by all its views; docs/design.md has the messages.
//
// It reconnects by itself. If the server no longer knows this page, it waits until Streamlit brings a new token.
// Where no server is, something else that speaks as its socket does can answer in its place.

import { LiveText } from "./live_text.js";
import { callAfterPaint } from "./view.js";

const [REFUSED, UNKNOWN, REPLACED, FAILED] = [4400, 4404, 4409, 1011]; // why the server closed the socket
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
const OF_VIEWS = ["tokens", "columns", "history", "vocabulary", "cuts", "unicode", "seams", "ratios"]; // kinds of replies
const UNANSWERED = ["hide", "painted"]; // kinds of messages to the server
const WAKE_MS = 1_000; // until we ask the page's script for a new token; then ever more slowly
const LONGEST_WAKE_MS = 60_000;
const SILENT_MS = 10_000; // after so long without an answer, the connection counts as lost
const UNSENT_MAX = 4_000_000; // bytes that wait in the socket; with more, its answers to pings would come too late
const SEND_AGAIN_MS = 50;

/**
 * What is shown under a name. It takes replies and answers; `textName` is its document, which somebody may begin to edit
 * later. One that is still filling after its first reply calls `sendPainted` itself.
 * @typedef {{textName: ?string, isFilling?: boolean, take(reply: object): void, takeAnswer?(answer: object): void, textOpened?(text: LiveText): void}} Shown
 */

export class Live {
  /** @param {(token: string) => WebSocket} connect makes what speaks as the server's socket does */
  constructor(connect = serverSocket) {
    this.connect = connect;
    /** @type {?string} */
    this.token = null;
    /** @type {?WebSocket} */
    this.socket = null;
    /** @type {Map<string, LiveText>} */
    this.texts = new Map();
    /** @type {Map<string, Shown[]>} */
    this.shown = new Map();
    /** @type {Map<string, [number, object]>} the number of the last question to each view, which has no answer, and the question */
    this.asked = new Map();
    this.numbers = 0;
    this.unpainted = new Set(); // names of what is shown and not yet painted
    this.waits = FIRST_WAIT_MS;
    this.isTurnedAway = false; // whether the server has closed the last socket for what this page or another has done
    this.refused = new Set(); // tokens that the server knows no more
    this.patience = SILENT_MS;
    /** @type {string[]} messages that wait until the socket has sent others */
    this.unsent = [];
    this.waking = this.opening = this.silence = this.sending = undefined; // timers
    this.wake = () => {}; // has the page's script run where the server has forgotten this page
    this.isHeard = false; // whether the server has ever said anything
    this.awaySince = null; // the time at which the connection was lost
    /** @type {(milliseconds: number) => void} */
    this.returned = () => {}; // called whenever it is back, with how long it was away
    /** @type {Promise<void>} resolved once the server has said anything */
    this.firstWord = new Promise((resolve) => { this.heard = resolve; });
    addEventListener("online", () => this.open());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.open(); });
  }

  /** Go on under a token, which is another one where the server has forgotten this page; return the connection. */
  connectAs(token) {
    if (token === this.token || this.refused.has(token)) return this;
    this.token = token;
    clearTimeout(this.waking);
    this.disconnectSocket();
    for (const [name, text] of this.texts) {
      if (text.listeners.size) text.forgetServerState();
      else this.texts.delete(name); // what the tab keeps of it is with its editor
    }
    this.asked.clear();
    this.waits = FIRST_WAIT_MS;
    this.isTurnedAway = false;
    this.open();
    return this;
  }

  // -- the socket -----------------------------------------------------------------------------

  open() {
    clearTimeout(this.opening);
    if (this.socket || this.token === null) return;
    const socket = (this.socket = this.connect(this.token));
    socket.onopen = () => this.resendState();
    socket.onmessage = ({ data }) => this.take(JSON.parse(data));
    socket.onclose = ({ code }) => this.loseConnection(code);
    this.expectAnswer();
  }

  resendState() {
    for (const text of this.texts.values()) text.follow();
    for (const name of this.shown.keys()) this.sendShow(name);
    for (const [name, question] of this.asked) this.say(["ask", name, ...question]);
  }

  /** Leave the socket; what it may still say is not heard. */
  disconnectSocket() {
    clearTimeout(this.silence);
    clearTimeout(this.sending);
    const { socket } = this;
    this.silence = this.sending = this.socket = null;
    this.unsent = []; // what has not arrived is said again on another socket
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  /** @param {number} [code] why the server closed it */
  loseConnection(code) {
    this.disconnectSocket();
    for (const text of this.texts.values()) text.isSettled = false;
    this.isTurnedAway = [REFUSED, REPLACED, FAILED].includes(code);
    if (this.isHeard && !this.isTurnedAway) this.awaySince ??= Date.now();
    if (code === UNKNOWN) {
      this.refused.add(this.token);
      this.token = null;
      this.wakeLater(WAKE_MS);
      return;
    }
    this.opening = setTimeout(() => this.open(), this.waits);
    this.waits = Math.min(2 * this.waits, LONGEST_WAIT_MS);
  }

  /** The server was started again: Streamlit connects to it by itself, but does not always run the page's script. */
  wakeLater(wait) {
    clearTimeout(this.waking);
    this.waking = setTimeout(() => {
      this.wake();
      this.wakeLater(Math.min(2 * wait, LONGEST_WAKE_MS));
    }, wait);
  }

  say(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.unsent.push(JSON.stringify(message));
    if (!this.sending) this.send();
    if (!UNANSWERED.includes(message[0])) this.expectAnswer();
  }

  /** Send what waits, as long as the socket keeps up. */
  send() {
    while (this.unsent.length && !(this.socket.bufferedAmount > UNSENT_MAX)) this.socket.send(this.unsent.shift());
    this.sending = this.unsent.length ? setTimeout(() => this.send(), SEND_AGAIN_MS) : null;
  }

  /** An answer is due: give up the connection where nothing comes for long. */
  expectAnswer() {
    if (this.silence) return;
    this.silence = setTimeout(() => {
      this.silence = null;
      this.patience *= 2; // a large text may just take long
      this.loseConnection();
    }, this.patience);
  }

  take(message) {
    clearTimeout(this.silence);
    this.silence = null;
    this.patience = SILENT_MS;
    if (!this.isTurnedAway) this.waits = FIRST_WAIT_MS; // else the next one may end the same way
    this.isHeard = true;
    this.heard();
    if (this.awaySince !== null) this.returned(Date.now() - this.awaySince);
    this.awaySince = null;
    this.dispatch(message);
    if ([...this.texts.values()].some((text) => text.version !== null && !text.hasArrived && !text.full)) this.expectAnswer();
  }

  /** Hand a message on to the view or the document that it is about. */
  dispatch(message) {
    const [kind, name, ...rest] = message;
    if (OF_VIEWS.includes(kind)) {
      // Edits up to the text it is of have arrived.
      this.textOfView(name)?.take(["seen", null, ...rest[0].state]);
      const view = this.currentView(name);
      view?.take(rest[0]);
      if (!view?.isFilling) this.sendPainted(name);
    } else if (kind === "answer") {
      if (this.asked.get(name)?.[0] === rest[0]) this.asked.delete(name);
      this.currentView(name)?.takeAnswer(rest[1]);
    } else if (kind === "gone") {
      if (this.texts.get(name)?.listeners.size) this.texts.get(name).markGone();
      else this.texts.delete(name);
    } else this.texts.get(name)?.take(message);
  }

  /**
   * Hear what the page's script says ahead of the socket, which will say all of a view again; not where its text is
   * known, or kept by the tab.
   */
  dispatchAhead(name, messages) {
    const text = this.textOfView(name);
    if (!text || (text.text === null && !text.resumed)) messages.forEach((message) => this.dispatch(message));
  }

  // -- documents and views --------------------------------------------------------------------

  /** The document of a name. */
  openText(name) {
    const known = this.texts.get(name);
    if (known && (known.listeners.size || !known.isGone)) {
      known.followIfGone();
      return known;
    }
    const text = new LiveText(name, (message) => this.say(message));
    this.texts.set(name, text);
    for (const view of [...this.shown.values()].flat()) if (view.textName === name) view.textOpened?.(text);
    text.follow();
    return text;
  }

  textOfView(name) { return this.texts.get(this.currentView(name)?.textName); }

  /** What gets the replies to a name: if there are several, the one shown last. */
  currentView(name) { return this.shown.get(name)?.at(-1); }

  /** @param {string} name @param {Shown} view */
  show(name, view) {
    this.shown.set(name, [...this.otherViews(name, view), view]);
    this.sendShow(name);
  }

  sendShow(name) {
    this.unpainted.add(name);
    this.say(["show", name]);
  }

  /** Tell the server, once for each time it was shown, that a view has been painted. */
  sendPainted(name) {
    if (this.unpainted.delete(name)) callAfterPaint(() => { if (this.shown.has(name)) this.say(["painted", name]); });
  }

  hide(name, view) {
    const wasTold = this.currentView(name) === view;
    const others = this.otherViews(name, view);
    if (others.length) this.shown.set(name, others);
    else this.shown.delete(name);
    if (!wasTold) return;
    this.asked.delete(name);
    if (others.length) this.sendShow(name);
    else this.say(["hide", name]);
  }

  /** What else is shown under a name: where Streamlit moves a component, the new one comes before the old one goes. */
  otherViews(name, view) { return (this.shown.get(name) ?? []).filter((other) => other !== view); }

  /** Ask a view; the answer goes to its `takeAnswer`. */
  ask(name, question) {
    this.asked.set(name, [++this.numbers, question]);
    this.say(["ask", name, this.numbers, question]);
  }
}

/** @param {string} token of a session */
function serverSocket(token) {
  const url = new URL("../../live", import.meta.url);
  url.protocol = url.protocol.replace("http", "ws");
  return new WebSocket(url, ["tokviz", token]);
}

let page = null;

/** The connection of this page. */
export const pageConnection = () => (page ??= new Live());
