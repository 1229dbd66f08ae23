// What moves the time machine: buttons, the number of the step, keys, clicks on the text, and play.

import { stepAfterKey } from "./timeline.js";
import { selectionIn } from "../shared/walking.js";
import { groupedNumber } from "../shared/words.js";

const TYPED_IN = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";
const SLIDER_KEYS = ["ArrowLeft", "ArrowRight", "Home", "End"];

export class Controls {
  /** `machine` has the history and goes to steps. */
  constructor(machine) {
    const { root } = machine;
    this.machine = machine;
    this.buttons = Object.fromEntries([...root.querySelectorAll("[data-do]")].map((node) => [node.dataset.do, node]));
    this.forward = root.querySelectorAll("[data-do=more]");
    this.typed = root.querySelector("[name=step]");
    this.pressed = (event) => this.handlePageKey(event);
    this.listen();
    this.listenToText();
  }

  listen() {
    const { machine } = this;
    const actions = this.actions();
    machine.view.addEventListener("click", (event) => {
      const name = event.target.closest("[data-do]")?.dataset.do;
      if (!name || !machine.history) return;
      if (name !== "play" && name !== "pin") machine.player.stop();
      actions[name]();
    });
    machine.timeline.slider.addEventListener("keydown", (event) => this.handleSliderKey(event));
    document.addEventListener("keydown", this.pressed);
    this.typed.addEventListener("input", () => {
      if (this.typed.value !== "") machine.goToStep(Number(this.typed.value));
    });
    this.typed.addEventListener("blur", () => { this.typed.value = machine.k; });
    machine.pretokenRows.list.addEventListener("change", () => machine.selectPretoken(Number(machine.pretokenRows.list.value), true));
  }

  /** What each button does, by its name. */
  actions() {
    const { machine } = this;
    const change = (direction, ...range) => machine.walkTo(machine.history.stepOfNextChange(machine.k, direction, ...range));
    const changeInPretoken = (direction) => machine.pretoken && change(direction, machine.pretoken.start, machine.pretoken.end);
    return {
      play: () => machine.player.toggle(),
      first: () => machine.walkTo(0), last: () => machine.walkTo(machine.history.nMerges),
      less: () => machine.walkTo(machine.k - 1), more: () => machine.walkTo(machine.k + 1),
      previous: () => change(-1), next: () => change(1),
      "pretoken-previous": () => changeInPretoken(-1), "pretoken-next": () => changeInPretoken(1),
      pin: () => {
        machine.pin(machine.pinned === null ? machine.k : null);
        machine.show();
      },
      reveal: () => machine.prediction.reveal(), "go-on": () => machine.goOn(),
      challenge: () => machine.tellPage("streak", machine.prediction.streak),
    };
  }

  listenToText() {
    const { machine, machine: { panel, prediction } } = this;
    panel.scroller.addEventListener("click", (event) => {
      const token = panel.tokenAt(event.target);
      if (!token || selectionIn(machine.root)?.isCollapsed === false) return;
      if (prediction.isAsking && prediction.rows.length) prediction.pickToken(token, machine.history);
      else machine.selectPretoken(token.start, false);
    });
    panel.scroller.addEventListener("pointerover", (event) => machine.describe(panel.tokenAt(event.target)));
    panel.scroller.addEventListener("pointerleave", () => machine.describe(null));
  }

  /** Show the number of a step, and disable the buttons that lead nowhere. */
  show(k, history) {
    const { buttons, typed } = this;
    typed.max = history.nMerges;
    if (this.machine.root.activeElement !== typed) typed.value = k;
    buttons.first.disabled = buttons.less.disabled = k === 0;
    buttons.last.disabled = k === history.nMerges;
    for (const button of this.forward) button.disabled = k === history.nMerges;
    buttons.previous.disabled = history.stepOfNextChange(k, -1) === null;
    buttons.next.disabled = history.stepOfNextChange(k, 1) === null;
  }

  /** Show whether a step is pinned, and which. */
  showPin(k) {
    const { pin } = this.buttons;
    pin.setAttribute("aria-pressed", String(k !== null));
    pin.textContent = k === null ? "Compare with this step" : `Stop comparing with step ${groupedNumber(k)}`;
  }

  /** A key pressed on the slider. */
  handleSliderKey(event) {
    const { machine, machine: { prediction } } = this;
    const to = stepAfterKey(event, machine.shown, machine.history.nMerges);
    if (event.key !== " " && to === null) return;
    event.preventDefault();
    const guesses = event.key === "ArrowRight" && !event.shiftKey && prediction.isOn && prediction.rows.length;
    if (event.key === " ") machine.player.toggle();
    else if (guesses && prediction.isAsking) prediction.reveal();
    else if (guesses) machine.goOn();
    else {
      machine.player.stop();
      machine.walkTo(to);
    }
  }

  /** A key pressed anywhere on the page: it guesses or goes on, and moves if the page is presented. */
  handlePageKey(event) {
    const { machine, machine: { prediction } } = this;
    const target = event.composedPath()[0];
    if (event.defaultPrevented || !machine.history || event.ctrlKey || event.metaKey || event.altKey || target.matches?.(TYPED_IN)) return;
    const isButton = target.closest?.("button, a, input, summary, [role=slider]");
    const row = prediction.isAsking && !machine.decision.choices.inert && prediction.rows[Number(event.key) - 1];
    if (row) prediction.pick(row);
    else if (event.key === "Enter" && prediction.result && !isButton) machine.goOn();
    else if (machine.data.presenting && (event.key === " " ? !isButton : SLIDER_KEYS.includes(event.key))) this.handleSliderKey(event);
  }

  leave() { document.removeEventListener("keydown", this.pressed); }
}

/** Plays from change to change at a speed. */
export class Player {
  /** `machine` has the history and the step k, and goes to steps. */
  constructor(machine, button, speed) {
    Object.assign(this, { machine, button, speed, playing: false, timer: undefined });
    speed.addEventListener("change", () => this.playing && this.start());
  }

  toggle() {
    if (this.playing) this.stop();
    else this.start();
  }

  /** Play from this step on; from the end, where nothing changes any more, start over. */
  start() {
    const { machine } = this;
    this.stop();
    machine.goToStep(machine.history.stepOfNextChange(machine.k, 1) === null ? 0 : machine.k);
    this.playing = true;
    machine.panel.scroller.scrollIntoView({ block: "nearest" }); // Play is in sight wherever the page is scrolled to
    machine.predictUnlessPlaying();
    this.button.textContent = "Pause";
    this.timer = setInterval(() => this.goToNextChange(), 1000 / Number(this.speed.value));
  }

  goToNextChange() {
    const next = this.machine.history.stepOfNextChange(this.machine.k, 1);
    if (next === null) this.stop();
    else if (this.speed.value === "1") this.machine.walkTo(next);
    else this.machine.goToStep(next); // one cannot follow a text that scrolls so fast
  }

  stop() {
    this.playing = false;
    clearInterval(this.timer);
    this.button.textContent = "Play";
    this.machine.predictUnlessPlaying();
  }
}
