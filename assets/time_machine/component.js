// The time machine: a text at any step of a tokenizer's merges.
//
// The server sends the history of a text, and after an edit what has changed in it; every step is drawn from that here.
// Once the step has rested for a moment the server is asked for what the history lacks: the names of merges that do not
// occur in this text, the most frequent pairs, and how the pretoken in the close-up is encoded.

import { Controls, Player } from "./controls.js";
import { Decision, Readout } from "./decision.js";
import { PretokenRows } from "./pretoken_rows.js";
import { MergeHistory, historyAfterReply } from "./history.js";
import { stepPicture, wordPicture } from "./picture.js";
import { Boundary, bytesText, describeToken, GUESS_HINT, POINT_HINT } from "./pointing.js";
import { Prediction } from "./prediction.js";
import { Questions } from "./questions.js";
import { StepPanel } from "./step_panel.js";
import { Timeline } from "./timeline.js";
import { HiddenLine } from "../editor/hidden_line.js";
import { openPictureOnClick } from "../picture/button.js";
import { marksAfterReply, NO_MARKS } from "../shared/hidden_marks.js";
import { LiveView, mountView } from "../shared/live_view.js";
import { revealView, listenToGlyphSwitch, topOnPage, writeText } from "../shared/view.js";
import { countText, groupedNumber } from "../shared/words.js";

const SHORT_BYTES = 120; // a shorter text is drawn large
const LOADING_SHARE = 4; // laying out histories takes at most a quarter of the time
const NO_TEXT = "There is no text. Type some under “Change the text”, or train a tokenizer and watch.";

class TimeMachine extends LiveView {
  constructor(root) {
    super(root);
    this.k = 0; // the step that is kept; `pointed` is one that is only pointed at
    this.pointed = null;
    this.stepVersion = -1; // of the step that the page's script set last
    this.movedIn = null; // the tokenizer and the version of the text in whose history the step was last chosen
    this.pinned = null;
    this.pretoken = null;
    this.isWordChosen = false; // by somebody, so that it is marked in the text
    this.sent = null; // the history after all replies, and the last reply; it is loaded a little later
    this.reply = null;
    this.loadTimer = null;
    this.loadAgainAt = 0;
    this.history = null; // the history on view, its tokenizer, the state of its text, and the number of its reply
    this.tokenizer = null;
    this.state = null;
    this.revision = null; // null while another history waits to be loaded: no answer fits
    this.answer = null; // what the server says about a step
    this.panel = new StepPanel(root.querySelector("#tokens"));
    this.timeline = new Timeline(root, (k, { kept }) => this.timelineMoved(k, kept));
    this.decision = new Decision(root);
    this.pretokenRows = new PretokenRows(root, (k) => this.walkTo(k));
    this.readout = new Readout(root);
    this.prediction = new Prediction(root, this.panel, () => this.guessed());
    this.questions = new Questions(this);
    this.boundary = new Boundary(this);
    this.controls = new Controls(this);
    this.hidden = NO_MARKS; // what is hidden in the text
    this.hiding = new HiddenLine(root.querySelector(".hiding"));
    this.player = new Player(this, this.controls.buttons.play, root.querySelector("[name=speed]"));
    this.under = root.querySelector(".described");
    this.example = root.querySelector(".example");
    this.rooms = new ResizeObserver(() => this.fitRoom());
    for (const node of [root.querySelector(".timeline"), this.panel.scroller]) this.rooms.observe(node);
    for (let { host: node } = root; node; node = node.parentElement) this.rooms.observe(node); // what is above changes one of them
    listenToGlyphSwitch(this.view);
    for (const shows of root.querySelectorAll(":is(.counts, .machine) > .picture")) openPictureOnClick(shows, root, () => stepPicture(this));
    openPictureOnClick(root.querySelector(".pretoken-rows .picture"), root, () => wordPicture(this));
  }

  get shown() { return this.pointed ?? this.k; }

  /** The rank of the merge whose parts are marked as joined next. */
  get next() { return this.prediction.isOn ? this.prediction.nextRank : this.shown; }

  // -- what the page says ---------------------------------------------------------------------

  configure(before) {
    this.view.classList.toggle("presenting", this.data.presenting);
    this.describe(null);
    this.markBusyIfOld();
    if (this.data.predicting && before?.predicting === false) this.player.stop(); // somebody wants to guess now
    this.predictUnlessPlaying();
    const step = this.stepSet();
    if (step !== null) this.goToStepOfPage(step, before);
    this.showExampleNote();
  }

  /** Say that the text is one of our examples, as long as nobody has changed it. */
  showExampleNote() { this.example.hidden = !this.history || this.history.text !== this.data.example; }

  /** The step that the page's script has set since, or null; it waits for the history of its tokenizer. */
  stepSet() {
    const { step, step_version: version, shows: [name] } = this.data;
    if (version === this.stepVersion || name !== this.tokenizer) return null;
    this.stepVersion = version;
    return step;
  }

  /** Go to the step that the page's script has set, unless its history was here first and somebody has moved in it. */
  goToStepOfPage(step, before) {
    const { shows } = this.data;
    if (before && String(before.shows) !== String(shows) && String(this.movedIn) === String(shows)) return;
    this.player.stop();
    this.goToStep(step);
    if (this.data.plays) this.player.start();
  }

  // -- what the server says -------------------------------------------------------------------

  take(reply) {
    this.sent = historyAfterReply(this.sent, reply);
    if (!this.sent) return;
    this.reply = reply;
    this.revision = null;
    this.hidden = marksAfterReply(this.hidden, reply);
    this.hiding.take(reply);
    const text = this.connection.texts.get(this.textName);
    if (text) this.textOpened(text);
    if (!this.loadTimer) this.loadTimer = setTimeout(() => this.load(), Math.max(0, this.loadAgainAt - performance.now()));
  }

  /** An editor may open the text after the view. */
  textOpened(text) { this.followText(text); }

  textChanged() { this.markBusyIfOld(); }

  /** Mark the text as busy while it is older than the one that is typed; then, or if its tokenizer is, no pair is picked. */
  markBusyIfOld() {
    const isOld = this.state !== null && this.text?.changeSince(...this.state) !== null;
    this.panel.scroller.setAttribute("aria-busy", String(Boolean(this.text && isOld)));
    this.decision.choices.inert = Boolean(this.text && isOld) || this.data.shows[0] !== this.tokenizer;
  }

  /** Show the history that the last reply leads to. */
  load() {
    const began = performance.now();
    this.loadTimer = null;
    const { sent, reply: { revision, state, notice }, history: before } = this;
    Object.assign(this, { revision, state, answer: null, pointed: null });
    this.questions.forget();
    this.boundary.forget();
    this.prediction.reset(null);
    this.history = sent.bytes.length ? new MergeHistory(sent, this.hidden) : null;
    // After a lost connection the same history comes again.
    if (sent.tokenizer.name !== this.tokenizer || this.history?.text !== before?.text) this.player.stop();
    this.writeNotice(notice ?? (this.history ? "" : NO_TEXT));
    this.showExampleNote();
    if (this.history) this.layOutHistory(before);
    this.markBusyIfOld();
    revealView(this.view);
    // What a page is told ahead comes again once it has a socket, and the first question waits for that.
    if (before) this.loadAgainAt = performance.now() + (LOADING_SHARE - 1) * (performance.now() - began);
  }

  writeNotice(words) {
    this.view.classList.toggle("blank", !this.history);
    super.writeNotice(words);
  }

  /** Lay out a history in place of another one, at the same step and pretoken. */
  layOutHistory(before) {
    const { tokenizer } = this.sent;
    if (tokenizer.name !== this.tokenizer) this.pin(null); // its steps are other merges
    this.tokenizer = tokenizer.name;
    const step = this.stepSet();
    this.k = Math.min(step ?? this.k, this.history.nMerges);
    const pretoken = before && this.pretoken && this.history.samePretoken(this.pretoken, before);
    this.pretoken = null;
    this.panel.pretoken = null;
    this.view.classList.toggle("short", this.history.bytes.length <= SHORT_BYTES);
    this.panel.load(this.history, this.shown, this.pinned, this.next);
    this.fitRoom();
    this.timeline.load(this.history, tokenizer.corpus);
    this.pretokenRows.load(this.history);
    this.show();
    if (pretoken) this.choosePretoken(pretoken.start);
    if (!before) this.questions.markRested();
    if (step !== null && this.data.plays) this.player.start();
  }

  /** Take an answer; one about an earlier step still names its merges. */
  takeAnswer(answer) {
    if (answer.error && this.history) this.writeNotice(answer.error);
    if (answer.revision !== this.revision || answer.k === undefined) return; // a new history brings a new question
    this.answer = answer;
    if (answer.boundary) this.boundary.take(answer.boundary);
    if (!this.pretoken) this.choosePretoken(answer.pretoken.start);
    if (this.pretoken.start === answer.pretoken.start) this.pretokenRows.show(answer.pretoken, this.revision, this.shown);
    this.readout.nameMerges(this.history, this.shown, answer, this.prediction.isOn);
    if (answer.k !== this.shown) return;
    if (this.prediction.isOn) this.prediction.take(answer);
    this.showDecision();
    // What came unasked need not be asked for.
    if (this.pretoken.start === answer.pretoken.start) this.questions.markAnswered();
  }

  /** Show how the next merge is chosen, or have it guessed. */
  showDecision() {
    const { answer, history, prediction } = this;
    const isOver = answer?.k === this.shown && !answer.next; // no further merge changes the text, so none is asked about
    this.view.classList.toggle("over", isOver);
    this.view.classList.toggle("asking", prediction.isAsking && !isOver);
    if (answer?.k !== this.shown) this.decision.markWaiting();
    else if (prediction.isAsking && prediction.rows.length) this.decision.showQuestion(prediction, history, (pair) => prediction.pick(pair));
    else this.decision.show(answer, history, prediction);
  }

  // -- guessing the next merge ----------------------------------------------------------------

  /** Have the next merge guessed if the page says so. While it plays, one watches. */
  predictUnlessPlaying() {
    const isOn = Boolean(this.data.predicting) && !this.player.playing;
    this.view.classList.toggle("predicting", isOn);
    if (isOn !== this.prediction.isOn) this.predict(isOn);
  }

  predict(isOn) {
    this.prediction.isOn = isOn;
    this.controls.buttons.pin.hidden = isOn; // another step beside this one could give the next merge away
    this.pin(null);
    this.prediction.reset(null);
    this.questions.forget();
    this.answer = this.pointed = null;
    if (this.history) this.show();
  }

  /** A guess was made, which may need the server, or was answered. */
  guessed() {
    const { prediction } = this;
    if (!prediction.result) {
      this.questions.ask();
      return;
    }
    this.panel.show(this.k, this.pinned, this.next);
    this.showDecision();
    this.describe(null);
    if (this.root.activeElement !== this.timeline.slider) this.controls.buttons["go-on"].focus({ preventScroll: true });
  }

  /** Make the merge that was guessed, and ask about the one after it. */
  goOn() {
    if (this.prediction.result) this.walkTo(this.next + 1);
  }

  // -- moving through the steps ---------------------------------------------------------------

  /** The timeline was pointed at, left (null), or moved. */
  timelineMoved(k, kept) {
    if (kept) {
      this.player.stop();
      this.goToStep(k);
    } else if (k !== this.pointed && !this.player.playing && !this.prediction.isOn) {
      this.pointed = k;
      this.show();
    }
  }

  /** Go to a step and stay there. */
  goToStep(k) {
    if (k === null || Number.isNaN(k)) return;
    this.k = Math.min(Math.max(Math.round(k), 0), this.history?.nMerges ?? k);
    if (this.history) this.movedIn = [this.tokenizer, this.state[0]];
    this.pointed = null;
    if (this.history) this.show();
  }

  /** Go to a step, as one does step by step, and see what has moved. */
  walkTo(k) {
    this.goToStep(k);
    if (this.history && this.k) this.panel.revealMerge(this.k - 1);
  }

  show() {
    const { history, shown: k } = this;
    if (this.prediction.k !== k) {
      this.prediction.reset(k);
      this.boundary.hide();
      this.describe(null);
    }
    this.panel.show(k, this.pinned, this.next);
    const language = k ? history.languageOf(k - 1) : null;
    const forWhom = language === null ? "" : `, the last one for ${language}`;
    const words = `${groupedNumber(k)} of ${groupedNumber(history.nMerges)} merges, ${countText(history.tokenCount(k), "token")}${forWhom}`;
    this.timeline.show(k, this.pinned, words);
    this.controls.show(k, history);
    this.readout.show(history, k, this.pinned, this.tokenizer);
    this.readout.nameMerges(history, k, this.answer, this.prediction.isOn);
    this.pretokenRows.mark(k);
    if (this.prediction.isOn && this.answer?.k === k && !this.prediction.answer) this.prediction.take(this.answer);
    this.showDecision();
    this.questions.askOnceRested();
    // The slider itself is read out as it moves; this is for the buttons and for play.
    this.announce(this.root.activeElement === this.timeline.slider ? "" : words);
  }

  /** Describe the token that is pointed at; if it is null, say what bytes are and what the marks mean. */
  describe(token) {
    if (token) return describeToken(this.under, token, this.history);
    const hint = this.data.presenting ? "" : !this.prediction.isAsking ? POINT_HINT : this.k ? GUESS_HINT : "";
    const bytes = this.history ? bytesText(this.history, this.shown) : "";
    this.under.classList.toggle("of-bytes", Boolean(bytes));
    writeText(this.under, [bytes, hint].filter(Boolean).join(" "));
  }

  /** Zoom in on the pretoken that holds a byte. */
  selectPretoken(byte, reveal) {
    this.isWordChosen = true;
    this.choosePretoken(byte);
    if (reveal) this.panel.revealByte(this.pretoken.start);
    this.questions.ask();
  }

  choosePretoken(byte) {
    this.pretoken = this.history.pretokenAt(byte);
    if (this.isWordChosen) this.panel.markPretoken(this.pretoken);
    this.pretokenRows.choose(this.history, this.pretoken, this.revision);
  }

  pin(k) {
    this.pinned = k;
    this.controls.showPin(k);
  }

  /**
   * Measure what the page above and the timeline take of the window, and draw the text in the room that is left. Presented,
   * that is beside the pairs or above them, where the type can be larger.
   */
  fitRoom() {
    const { view, root } = this;
    view.style.setProperty("--above", `${topOnPage(root.querySelector(".row.top"))}px`);
    view.style.setProperty("--below", `${root.querySelector(".timeline").offsetHeight}px`);
    if (!this.history || this.panel.isFitted) return;
    const { presenting } = this.data;
    const scaleIfWide = (isWide) => {
      view.classList.toggle("wide", isWide);
      return this.panel.fitRoom(...(presenting ? [0.5, 4, 0.75] : [1, 2, 1]));
    };
    const scale = scaleIfWide(false);
    if (presenting && scaleIfWide(true) <= scale) scaleIfWide(false);
  }

  leave() {
    this.rooms.disconnect();
    this.player.stop();
    super.leave();
    this.controls.leave();
    this.questions.leave();
    clearTimeout(this.loadTimer);
    this.panel.stopHolding();
    this.panel.observer.disconnect();
  }
}

export default (component) => mountView(TimeMachine, component);
