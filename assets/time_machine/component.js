// The time machine: a text at any step of a tokenizer's merges.
//
// The server sends a text's history, and after an edit what has changed of it; every step is drawn from it here. When
// the step has rested for a moment the server is asked for what the history does not hold: the names of merges that do
// not occur in this text, the most frequent pairs, and how the pretoken one zooms in on is encoded.

import { Decision } from "./decision.js";
import { Glass } from "./glass.js";
import { MergeHistory, NEVER, sentAfter } from "./history.js";
import { Player } from "./player.js";
import { Prediction } from "./prediction.js";
import { Readout } from "./readout.js";
import { StepPanel } from "./step_panel.js";
import { stepOfKey, Timeline } from "./timeline.js";
import { tokenChip } from "../shared/chips.js";
import { count, mergeNumber } from "../shared/inspector.js";
import { LiveView, mounted } from "../shared/live_view.js";
import { store, stored } from "../shared/storage.js";
import { hex } from "../shared/text.js";
import { selectionIn } from "../shared/walking.js";
import { appear, switchGlyphs, write } from "../shared/view.js";

const REST_MS = 40; // a step that stands so long is worth a question to the server
const SAY_AFTER_MS = 900;
const SHORT_BYTES = 120; // a text of so few is drawn large
const LOADING_SHARE = 4; // laying out a history takes no more than a quarter of the time, whatever comes
const NO_TEXT = "There is no text. Open “Change the text” above and type some, or train a tokenizer and watch.";
const POINT_HINT = "Ring: joined by the last merge. Dashes: joined by the next. Click a token to zoom in on its word.";
const GUESS_HINT = "Ring: joined by the last merge. Click two neighbours to guess the next.";
const TYPED_IN = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

class TimeMachine extends LiveView {
  constructor(root) {
    super(root);
    this.k = 0; // the step that is kept; one that is only pointed at is `pointed`
    this.pointed = null;
    this.movedIn = null; // the tokenizer and the version of the text in whose history the step was last chosen
    this.pinned = null;
    this.pretoken = null;
    this.panel = new StepPanel(root.querySelector("#tokens"));
    this.timeline = new Timeline(root, (k, { kept }) => this.moved(k, kept));
    this.decision = new Decision(root);
    this.glass = new Glass(root, (k) => this.keep(k));
    this.readout = new Readout(root);
    this.prediction = new Prediction(root, this.panel, () => this.guessed());
    this.buttons = Object.fromEntries([...root.querySelectorAll("[data-do]")].map((node) => [node.dataset.do, node]));
    this.typed = root.querySelector("[name=step]");
    this.player = new Player(this, this.buttons.play, root.querySelector("[name=speed]"));
    this.under = root.querySelector(".pointed");
    this.spoken = root.querySelector("[aria-live]");
    this.describe(null);
    this.listen();
  }

  get shown() { return this.pointed ?? this.k; }

  // -- what the page says ---------------------------------------------------------------------

  configure(before) {
    const { presenting, predicting, step, step_version: version } = this.data;
    this.view.classList.toggle("presenting", presenting);
    this.view.classList.toggle("predicting", predicting);
    if (predicting !== this.prediction.isOn) this.predict(predicting);
    if (version === this.stepVersion) return;
    this.stepVersion = version;
    this.takeStep(step, before);
  }

  /** Go to the step that the page's script has set, unless its new history was here first and somebody moves in it. */
  takeStep(step, before) {
    const { shows } = this.data;
    if (before && String(before.shows) !== String(shows) && String(this.movedIn) === String(shows)) return;
    this.player.stop();
    this.keep(step);
  }

  // -- what the server says -------------------------------------------------------------------

  take(reply) {
    this.sent = sentAfter(this.sent, reply);
    if (!this.sent) return;
    this.reply = reply;
    this.made = null; // no answer fits what is shown any more
    const text = this.connection.texts.get(this.textName); // whoever edits it follows it
    if (text) this.followText(text);
    if (!this.loadTimer) this.loadTimer = setTimeout(() => this.load(), Math.max(0, (this.loadAgainAt ?? 0) - performance.now()));
  }

  textChanged() { this.showAge(); }

  /** Say whether what is shown is of an older text than the one that is typed. */
  showAge() {
    const isOld = this.of !== undefined && this.text?.changeSince(...this.of) !== null;
    this.panel.scroller.setAttribute("aria-busy", String(Boolean(this.text && isOld)));
  }

  /** Show the history that the last reply leads to. */
  load() {
    const began = performance.now();
    this.loadTimer = null;
    const { sent, reply: { made, of, notice }, history: before } = this;
    Object.assign(this, { made, of, asked: null, answer: null, pointed: null });
    this.prediction.reset(null);
    this.history = sent.bytes.length ? new MergeHistory(sent) : null;
    // After a lost connection the same history comes once more.
    if (sent.tokenizer.name !== this.tokenizer || this.history?.text !== before?.text) this.player.stop();
    this.say(notice ?? (this.history ? "" : NO_TEXT));
    this.showAge();
    if (this.history) this.lay(before);
    appear(this.view);
    this.loadAgainAt = performance.now() + (LOADING_SHARE - 1) * (performance.now() - began);
  }

  say(words) {
    this.view.classList.toggle("blank", !this.history);
    super.say(words);
  }

  /** Lay out a history in place of another one, at the same step and pretoken. */
  lay(before) {
    const { tokenizer } = this.sent;
    const n = this.history.nMerges;
    this.k = Math.min(this.k, n);
    if (tokenizer.name !== this.tokenizer) this.pin(null); // its steps are other merges
    this.tokenizer = tokenizer.name;
    const pretoken = before && this.pretoken && this.history.sameAs(this.pretoken, before);
    this.pretoken = null;
    this.typed.max = n;
    this.panel.pretoken = null;
    this.view.classList.toggle("short", this.history.bytes.length <= SHORT_BYTES);
    this.panel.load(this.history, this.shown, this.pinned);
    this.timeline.load(this.history, tokenizer.corpus);
    this.glass.load(this.history);
    this.show();
    if (pretoken) this.choosePretoken(pretoken.start);
    if (!before) this.rest();
  }

  /** Take an answer; one of a step that has passed still tells the names of its merges. */
  takeAnswer(answer) {
    if (answer.error && this.history) this.say(answer.error);
    if (answer.made !== this.made || answer.k === undefined) return; // the history that it is of brings another question
    this.answer = answer;
    if (!this.pretoken) this.choosePretoken(answer.glass.start);
    if (this.pretoken.start === answer.glass.start) this.glass.show(answer.glass, this.made, this.shown);
    this.readout.name(this.history, this.shown, answer, this.prediction.isOn);
    if (answer.k !== this.shown) return;
    if (this.prediction.isOn) this.prediction.take(answer);
    this.decide();
    // What came without a question needs none.
    if (this.pretoken.start === answer.glass.start) this.asked = JSON.stringify(this.question());
  }

  /** Show how the next merge is chosen, or have it guessed. */
  decide() {
    const { answer, history, prediction } = this;
    this.view.classList.toggle("asking", prediction.isAsking);
    if (answer?.k !== this.shown) this.decision.wait();
    else if (prediction.isAsking && prediction.rows.length) this.decision.ask(prediction.rows, (pair) => prediction.pick(pair));
    else this.decision.show(answer, history, prediction.guess);
  }

  // -- guessing the next merge ----------------------------------------------------------------

  predict(isOn) {
    this.prediction.isOn = isOn;
    this.buttons.pin.hidden = isOn; // another step beside this one could give the next merge away
    this.pin(null);
    this.prediction.reset(null);
    this.describe(null);
    this.asked = this.answer = null;
    this.pointed = null;
    if (this.history) this.show();
  }

  /** A guess was made, which may need the server, or has been answered. */
  guessed() {
    const { prediction } = this;
    if (!prediction.result) {
      this.ask();
      return;
    }
    this.panel.show(this.k, this.pinned, this.answer.next.rank);
    this.decide();
    if (this.root.activeElement !== this.timeline.slider) this.buttons["go-on"].focus({ preventScroll: true });
  }

  /** Make the merge that was guessed, and ask about the one after it. */
  goOn() {
    if (this.prediction.result) this.keep(this.answer.next.rank + 1);
  }

  /** A key pressed anywhere on the page: it guesses or goes on, and where the page is presented it moves. */
  pageKey(event) {
    const target = event.composedPath()[0];
    if (event.defaultPrevented || !this.history || event.ctrlKey || event.metaKey || event.altKey || target.matches?.(TYPED_IN)) return;
    const { prediction } = this;
    const isButton = target.closest?.("button, a, input, summary, [role=slider]");
    const row = prediction.isAsking && prediction.rows[Number(event.key) - 1];
    if (row) prediction.pick(row);
    else if (event.key === "Enter" && prediction.result && !isButton) this.goOn();
    else if (this.data.presenting && (event.key === " " ? !isButton : ["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key))) this.key(event);
  }

  // -- moving through the steps ---------------------------------------------------------------

  /** The timeline was pointed at, left (null), or moved. */
  moved(k, kept) {
    if (kept) {
      this.player.stop();
      this.keep(k);
    } else if (k !== this.pointed && !this.player.playing && !this.prediction.isOn) {
      this.pointed = k;
      this.show();
    }
  }

  /** Go to a step and stay there. */
  keep(k) {
    if (k === null || Number.isNaN(k)) return;
    this.k = Math.min(Math.max(Math.round(k), 0), this.history?.nMerges ?? k);
    if (this.history) this.movedIn = [this.tokenizer, this.of[0]];
    this.pointed = null;
    if (this.history) this.show();
  }

  show() {
    const { history, shown: k } = this;
    if (this.prediction.k !== k) this.prediction.reset(k);
    this.panel.show(k, this.pinned, this.prediction.result ? this.answer.next.rank : k);
    this.timeline.show(k, this.pinned, `${k.toLocaleString("en")} of ${history.nMerges.toLocaleString("en")} merges, ${count(history.tokenCount(k), "token", "tokens")}`);
    this.showControls(k);
    this.readout.show(history, k, this.pinned, this.tokenizer);
    this.readout.name(history, k, this.answer, this.prediction.isOn);
    this.glass.mark(k);
    if (this.prediction.isOn && this.answer?.k === k && !this.prediction.answer) this.prediction.take(this.answer);
    this.decide();
    this.resting = false;
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => this.rest(), REST_MS);
    clearTimeout(this.sayTimer);
    this.sayTimer = setTimeout(() => this.speak(), SAY_AFTER_MS);
  }

  /** The number field, and which buttons lead anywhere. */
  showControls(k) {
    const { history } = this;
    if (this.root.activeElement !== this.typed) this.typed.value = k;
    this.buttons.first.disabled = this.buttons.less.disabled = k === 0;
    this.buttons.last.disabled = k === history.nMerges;
    for (const button of this.root.querySelectorAll("[data-do=more]")) button.disabled = k === history.nMerges;
    this.buttons.previous.disabled = history.change(k, -1) === null;
    this.buttons.next.disabled = history.change(k, 1) === null;
  }

  speak() {
    const words = this.timeline.slider.getAttribute("aria-valuetext");
    // The slider itself is read out as it moves; this is for the buttons and for play.
    if (this.root.activeElement !== this.timeline.slider) this.spoken.textContent = words;
  }

  // -- asking ---------------------------------------------------------------------------------

  rest() {
    this.resting = true;
    if (this.pointed === null) this.remember();
    this.ask();
  }

  /** Ask for what belongs to the step that is shown, once it rests; say where one stays. */
  ask() {
    if (!this.resting || !this.history || this.made === null) return;
    const question = this.question();
    const asked = JSON.stringify(question);
    if (asked === this.asked) return;
    this.asked = asked;
    this.connection.ask(this.viewName, question);
  }

  question() {
    const { isOn: predicting, asked: guess } = this.prediction;
    return {
      made: this.made, k: this.shown, pretoken: this.pretoken?.start ?? null, stays: [this.stepVersion, this.k],
      ...(predicting ? { predicting, guess } : {}),
    };
  }

  /** Put the step into what the tab keeps of this session, for the server's part is written by whole pages only. */
  remember() {
    const kept = stored("session");
    if (!kept || kept.session !== this.data.session || !kept.value?.options) return;
    kept.value.options.step = this.k;
    store("session", kept);
  }

  // -- controls -------------------------------------------------------------------------------

  listen() {
    const next = (direction, pretoken) => this.keep(this.history.change(this.k, direction, ...(pretoken ? [this.pretoken.start, this.pretoken.end] : [])));
    const actions = {
      play: () => this.player.toggle(),
      first: () => this.keep(0), last: () => this.keep(this.history.nMerges),
      less: () => this.keep(this.k - 1), more: () => this.keep(this.k + 1),
      previous: () => next(-1), next: () => next(1),
      "pretoken-previous": () => this.pretoken && next(-1, true), "pretoken-next": () => this.pretoken && next(1, true),
      pin: () => {
        this.pin(this.pinned === null ? this.k : null);
        this.show();
      },
      reveal: () => this.prediction.reveal(), "go-on": () => this.goOn(),
    };
    this.view.addEventListener("click", (event) => {
      const name = event.target.closest("[data-do]")?.dataset.do;
      if (!name || !this.history) return;
      if (name !== "play" && name !== "pin") this.player.stop();
      actions[name]();
    });
    this.timeline.slider.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", this.onKey = (event) => this.pageKey(event));
    this.typed.addEventListener("input", () => {
      if (this.typed.value !== "") this.keep(Number(this.typed.value));
    });
    this.typed.addEventListener("blur", () => { this.typed.value = this.k; });
    this.glass.list.addEventListener("change", () => this.selectPretoken(Number(this.glass.list.value), true));
    this.listenToText();
    switchGlyphs(this.view, this.root.querySelector("[name=glyphs]"));
  }

  listenToText() {
    const { scroller } = this.panel;
    scroller.addEventListener("click", (event) => {
      const token = this.panel.tokenAt(event.target);
      if (!token || selectionIn(this.root)?.isCollapsed === false) return;
      if (this.prediction.isAsking && this.prediction.rows.length) this.prediction.pickToken(token, this.history);
      else this.selectPretoken(token.start, false);
    });
    scroller.addEventListener("pointerover", (event) => this.describe(this.panel.tokenAt(event.target)));
    scroller.addEventListener("pointerleave", () => this.describe(null));
  }

  key(event) {
    if (!this.history) return;
    if (event.key === " ") {
      event.preventDefault();
      this.player.toggle();
      return;
    }
    if (event.key === "ArrowRight" && !event.shiftKey && this.prediction.isOn && this.prediction.rows.length) {
      event.preventDefault();
      if (this.prediction.isAsking) this.prediction.reveal();
      else this.goOn();
      return;
    }
    const to = stepOfKey(event, this.shown, this.history.nMerges);
    if (to === null) return;
    event.preventDefault();
    this.player.stop();
    this.keep(to);
  }

  describe(token) {
    if (!token) {
      write(this.under, this.prediction.isOn ? GUESS_HINT : POINT_HINT);
      return;
    }
    const { start, end, id } = token;
    let rank = NEVER;
    for (let i = start + 1; i < end; i++) rank = Math.max(rank, this.history.closedBy[i]);
    const bytes = this.history.bytes.subarray(start, end);
    this.under.replaceChildren(tokenChip({ bytes, id }), ` id ${id}, ` +
      (this.history.special.has(start) ? "a special token, whole from the start" : rank === NEVER ? "a single byte" : `made by merge ${mergeNumber(rank)}`) + `, bytes ${hex(bytes)}`);
  }

  /** Zoom in on the pretoken that holds a byte. */
  selectPretoken(byte, reveal) {
    this.choosePretoken(byte);
    if (reveal) this.panel.revealByte(this.pretoken.start);
    this.ask();
  }

  choosePretoken(byte) {
    this.pretoken = this.history.pretokenAt(byte);
    this.panel.select(this.pretoken);
    this.glass.choose(this.history, this.pretoken, this.made);
  }

  pin(k) {
    this.pinned = k;
    const button = this.buttons.pin;
    button.setAttribute("aria-pressed", String(k !== null));
    button.textContent = k === null ? "Pin this step" : `Unpin step ${k.toLocaleString("en")}`;
  }

  leave() {
    super.leave();
    this.player.stop();
    document.removeEventListener("keydown", this.onKey);
    for (const timer of ["restTimer", "sayTimer", "loadTimer"]) clearTimeout(this[timer]);
    this.panel.letGo();
    this.panel.observer.disconnect();
  }
}

export default (component) => mounted(TimeMachine, component);
