// The timeline: a slider over all merges, drawn together with the curve of the tokens that are left.
// Pointing at the curve shows a step for as long as one points; a click or a drag keeps it.

import { element } from "../shared/view.js";
import { placeAfterKey } from "../shared/walking.js";
import { groupedNumber } from "../shared/words.js";

const LOGARITHMIC_FROM = 3000; // merges; on a linear scale most would have no pixel of their own
const CURVE_POINTS = 500;
const LABEL_GAP = 0.07; // of the width, between two numbers on the axis
const WORDS_FIT_FROM = 0.3; // of the width; words to the left of a line there fit, even on a phone
const STILL_PIXELS = 6; // a pointer that moves less is still
const SAME_WITHIN = 0.005; // tokens per byte; curves that are closer are drawn as one
const STRIDE = 10; // merges, of the page keys and of arrows with Shift

export class Timeline {
  /** moved(k, {kept}) is called with the step that is pointed at (null when no longer) or kept. */
  constructor(root, moved) {
    const find = (selector) => root.querySelector(selector);
    this.slider = find(".slider");
    this.plot = find(".plot");
    this.cursor = find(".cursor");
    this.dot = find(".cursor i");
    this.pin = find(".line.pin");
    this.across = find(".line.across");
    this.thumb = find(".thumb-path");
    this.fill = find(".fill");
    this.axis = find(".axis");
    this.lines = { area: find(".area"), text: find("polyline.text"), corpus: find("polyline.corpus") };
    this.legend = find(".key.corpus");
    this.moved = moved;
    this.history = null;
    this.dragging = false;
    this.pointerAt = undefined; // in pixels from the left
    this.stillAt = undefined; // where the pointer was when a key was pressed
    this.listen();
  }

  listen() {
    const { slider, plot } = this;
    const stepAt = (event) => {
      const box = plot.getBoundingClientRect();
      return stepAtPosition((event.clientX - box.left) / box.width, this.history.nMerges);
    };
    slider.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      event.preventDefault();
      slider.focus({ preventScroll: true });
      slider.setPointerCapture(event.pointerId);
      this.dragging = true;
      this.moved(stepAt(event), { kept: true });
    });
    slider.addEventListener("pointermove", (event) => {
      if (this.dragging) this.moved(stepAt(event), { kept: true });
      else if (event.pointerType !== "mouse" || !plot.contains(event.target)) this.reportLeft();
      else if (this.stillAt === undefined || Math.abs(event.clientX - this.stillAt) > STILL_PIXELS) {
        this.stillAt = undefined;
        this.moved(stepAt(event), { kept: false });
      }
      this.pointerAt = event.clientX;
    });
    for (const end of ["pointerup", "pointercancel"]) slider.addEventListener(end, () => { this.dragging = false; });
    slider.addEventListener("pointerleave", () => {
      this.stillAt = undefined;
      this.reportLeft();
    });
    // A pointer that rests or trembles does not undo what a key did.
    slider.addEventListener("keydown", () => { this.stillAt = this.pointerAt; });
  }

  reportLeft() {
    if (!this.dragging) this.moved(null, { kept: false });
  }

  /** The tokens per byte after k merges. */
  shareAt(k) { return this.history.tokenCount(k) / (this.history.bytes.length || 1); }

  /** Draw the curves of a text and, as [[merges, tokens per byte], …], of the training text, if that is another one. */
  load(history, corpus) {
    this.history = history;
    const n = history.nMerges;
    const other = corpus?.some(([k, share]) => Math.abs(share - this.shareAt(k)) > SAME_WITHIN) ? corpus : null;
    this.slider.setAttribute("aria-valuemax", n);
    const pointsOf = (curve) => curve.map(([k, share]) => `${(1000 * positionOf(k, n)).toFixed(1)},${(100 - 100 * share).toFixed(2)}`).join(" ");
    const steps = new Set(Array.from({ length: CURVE_POINTS + 1 }, (_, i) => stepAtPosition(i / CURVE_POINTS, n)));
    const points = pointsOf([...steps].map((k) => [k, this.shareAt(k)]));
    this.lines.text.setAttribute("points", points);
    this.lines.area.setAttribute("points", `0,100 ${points} 1000,100`);
    this.lines.corpus.setAttribute("points", pointsOf(other ?? []));
    this.legend.hidden = !other;
    this.across.hidden = history.across === null;
    if (history.across !== null) {
      const at = positionOf(history.across, n);
      this.across.style.insetInlineStart = `${100 * at}%`;
      this.across.classList.toggle("early", at < WORDS_FIT_FROM);
    }
    this.drawAxis();
  }

  drawAxis() {
    const { history } = this;
    const n = history.nMerges;
    const steps = [0, n];
    if (n > LOGARITHMIC_FROM) for (let k = 1; k < n; k *= 10) steps.push(k);
    else if (n > 10) {
      const size = niceStep(n / 5);
      for (let k = size; k < n; k += size) steps.push(k);
    } else for (let k = 1; k < n; k++) steps.push(k);
    const taken = [];
    this.axis.replaceChildren();
    for (const k of steps) {
      const at = positionOf(k, n);
      if (taken.some((other) => Math.abs(other - at) < LABEL_GAP)) continue;
      taken.push(at);
      const label = element("span", "", groupedNumber(k));
      label.style.insetInlineStart = `${100 * at}%`;
      if (at === 0) label.classList.add("from");
      if (at === 1 && n) label.classList.add("to");
      this.axis.append(label);
    }
  }

  show(k, pinned, words) {
    const at = positionOf(k, this.history.nMerges);
    this.cursor.style.transform = this.thumb.style.transform = `translateX(${(100 * at).toFixed(3)}%)`;
    this.fill.style.transform = `scaleX(${at.toFixed(5)})`;
    this.dot.style.transform = `translateY(calc(${(1 - this.shareAt(k)).toFixed(4)} * var(--plot)))`;
    this.pin.hidden = pinned === null;
    if (pinned !== null) this.pin.style.insetInlineStart = `${100 * positionOf(pinned, this.history.nMerges)}%`;
    this.slider.setAttribute("aria-valuenow", k);
    this.slider.setAttribute("aria-valuetext", words);
  }
}

/** The position of step k of n on the timeline, from 0 to 1. */
function positionOf(k, n) {
  if (!n) return 0;
  return n > LOGARITHMIC_FROM ? Math.log1p(k) / Math.log1p(n) : k / n;
}

/** The step of n at a position; the inverse of `positionOf`. */
function stepAtPosition(position, n) {
  const at = Math.min(Math.max(position, 0), 1);
  return Math.round(n > LOGARITHMIC_FROM ? Math.expm1(at * Math.log1p(n)) : at * n);
}

/** The step a key leads to from step k of n, or null for a key that leads nowhere. */
export function stepAfterKey(event, k, n) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const stride = event.shiftKey ? STRIDE : 1;
  const strides = { ArrowRight: stride, ArrowUp: stride, ArrowLeft: -stride, ArrowDown: -stride, PageUp: STRIDE, PageDown: -STRIDE };
  return placeAfterKey(event.key, k, n, strides);
}

/** The nearest of 1, 2, 5, 10, 20, … that is not below a number. */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least);
}
