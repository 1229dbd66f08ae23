// A text and a cut that is dragged through it: the ids of both parts beside those of the whole, at every place.

import { tokensWithIds, withLeftOut } from "./drawing.js";
import { characterCount, graphemeAt, visibleCharacter } from "../shared/text.js";
import { element, writeText } from "../shared/view.js";
import { placeAfterKey } from "../shared/walking.js";

const TITLES = ["As one text", "Cut in two"];
const STRIDES = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 20, PageDown: -20 }; // characters

export class Cut {
  constructor(host) {
    this.host = host;
    this.text = "";
    this.at = null; // characters before the cut; null for none chosen
    this.isDragged = false;
    this.letters = document.createTextNode("");
    this.bar = element("span", "bar");
    this.surface = element("div", "surface scroller", this.letters, this.bar);
    Object.assign(this.surface, { tabIndex: 0, role: "slider", ariaLabel: "Where the text is cut", ariaValueMin: "0" });
    this.hint = element("p", "proof", "Drag the cut through the text, or move it with the arrow keys. Special tokens are plain text here.");
    this.words = element("p", "words");
    this.figure = element("b", "extra");
    this.ids = TITLES.map(() => element("span", "ids"));
    const rows = TITLES.map((title, i) => element("div", "compared", element("span", "quiet", title), this.ids[i]));
    this.nodes = [this.hint, this.surface, element("div", "verdict", this.figure, this.words), ...rows];
    this.listen();
    this.resized = new ResizeObserver(() => this.placeBar());
    this.resized.observe(this.surface);
  }

  /** Cut at a place that the page names: in characters, below 0 for none. */
  setChoice(at) {
    this.at = at < 0 ? null : at;
    if (this.text) this.showAndAsk(this.place, { isKept: false });
  }

  /** Where the cut is: as chosen, else in the middle. */
  get place() {
    const length = this.length;
    return Math.min(this.at ?? Math.ceil(length / 2), length);
  }

  /** Where the cut is, in UTF-16 units. */
  get units() { return [...this.text].slice(0, this.place).join("").length; }

  get length() { return characterCount(this.text); }

  take({ text }) {
    this.text = text;
    this.letters.data = text;
    for (const node of this.nodes.slice(2)) node.hidden = !text;
    this.surface.classList.toggle("empty", !text);
    if (text) this.showAndAsk(this.place, { isKept: false });
  }

  takeAnswer(answer) {
    if (answer.cut !== this.place) return;
    const { extra, whole, left, right, left_out: leftOut, changed, words } = answer;
    writeText(this.figure, extra > 0 ? `+${extra}` : extra < 0 ? `−${-extra}` : "±0");
    this.figure.classList.toggle("costs", extra > 0);
    const said = [words, insideText(this.text, this.units)].filter(Boolean).join(" ");
    writeText(this.words, said);
    const isChanged = (i) => i >= changed[0] && i < changed[1];
    this.ids[0].replaceChildren(...withLeftOut(leftOut[0], [tokensWithIds(whole)]));
    this.ids[1].replaceChildren(...withLeftOut(leftOut[1], [
      tokensWithIds(left, (i) => (isChanged(i) ? "open" : "")), element("span", "scissors", "✂"),
      tokensWithIds(right, (i) => (isChanged(left.length + i) ? "open" : "")),
    ]));
    this.surface.ariaValueText = `after ${this.place} of ${this.length} characters. ${said}`;
  }

  // -- moving it ------------------------------------------------------------------------------

  listen() {
    const { surface } = this;
    surface.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !this.text) return;
      event.preventDefault(); // no selection
      surface.focus({ preventScroll: true });
      surface.setPointerCapture(event.pointerId);
      this.isDragged = true;
      this.drag(event);
    });
    surface.addEventListener("pointermove", (event) => { if (this.isDragged) this.drag(event); });
    for (const name of ["pointerup", "pointercancel"]) surface.addEventListener(name, () => { this.isDragged = false; });
    surface.addEventListener("keydown", (event) => {
      const to = placeAfterKey(event.key, this.place, this.length, STRIDES);
      if (to === null || !this.text) return;
      event.preventDefault();
      this.choose(to);
    });
  }

  drag(event) {
    const units = unitsAt(this.letters, event.clientX, event.clientY, this.host.root);
    if (units !== null) this.choose(characterCount(this.text.slice(0, units)));
  }

  choose(at) {
    if (at === this.at) return;
    this.at = at;
    this.showAndAsk(at, { isKept: true });
  }

  showAndAsk(at, { isKept }) {
    this.placeBar();
    Object.assign(this.surface, { ariaValueMax: String(this.length), ariaValueNow: String(at) });
    this.host.ask({ cut: at });
    if (isKept) this.host.keep({ cut: at });
  }

  /** Put the bar where the cut is, over the text, so that no letter moves. */
  placeBar() {
    const { letters, bar, surface, units, text } = this;
    bar.hidden = !text;
    if (!text) return;
    const box = caretBox(letters, units);
    const frame = surface.getBoundingClientRect();
    if (!box || !frame.width) return;
    bar.style.insetInlineStart = "0";
    bar.style.transform = `translate(${box.x - frame.left - surface.clientLeft - 1}px, ${box.top - frame.top - surface.clientTop + surface.scrollTop}px)`;
    bar.style.height = `${box.height}px`;
    const top = box.top - frame.top + surface.scrollTop;
    if (top < surface.scrollTop) surface.scrollTop = top;
    else if (top + box.height > surface.scrollTop + surface.clientHeight) surface.scrollTop = top + box.height - surface.clientHeight;
  }

  leave() { this.resized.disconnect(); }
}

/** What is drawn as one and has a cut inside it, in words; "" if the cut is between what is drawn. */
function insideText(text, units) {
  const { start, end } = graphemeAt(text, units);
  if (start === units) return "";
  const before = visibleCharacter(Array.from(text.slice(start, units)).at(-1));
  const after = visibleCharacter(Array.from(text.slice(units, end))[0]);
  return `The cut is inside ${text.slice(start, end)}, between ${before} and ${after}.`;
}

/** The box of a caret before a unit of a text: its left edge, its top and its height. */
function caretBox(letters, units) {
  const range = document.createRange();
  const around = (start, stop) => {
    range.setStart(letters, start);
    range.setEnd(letters, stop);
    return [...range.getClientRects()].at(-1);
  };
  const { start, end } = graphemeAt(letters.data, units);
  const whole = start < units && around(start, end);
  // Through what is drawn as one: no browser says where one part of it ends.
  if (whole) return { x: whole.left + whole.width * (units - start) / (end - start), top: whole.top, height: whole.height };
  const caret = around(units, units);
  if (caret?.height) return { x: caret.left, top: caret.top, height: caret.height };
  const before = units > 0 ? around(units - 1, units) : null;
  const behind = units < letters.length ? around(units, units + 1) : null;
  const box = behind ?? before;
  return box && { x: behind ? box.left : box.right, top: box.top, height: box.height };
}

/** The place in a text, in UTF-16 units, that is nearest to a point of the window; null for none. */
function unitsAt(letters, x, y, root) {
  const found = document.caretPositionFromPoint?.(x, y, { shadowRoots: [root] });
  if (found?.offsetNode === letters) return wholeCharacterOffset(letters.data, found.offset);
  const range = document.createRange();
  let nearest = null;
  let least = Infinity;
  for (let i = 0; i < letters.length; i++) {
    range.setStart(letters, i);
    range.setEnd(letters, i + 1);
    const box = range.getBoundingClientRect();
    const below = Math.max(box.top - y, y - box.bottom, 0);
    for (const [edge, units] of [[box.left, i], [box.right, i + 1]]) {
      const distance = 1e4 * below + Math.abs(edge - x);
      if (distance < least) [least, nearest] = [distance, units];
    }
  }
  return nearest === null ? null : wholeCharacterOffset(letters.data, nearest);
}

/** The place, or the next one if it is inside a surrogate pair. */
function wholeCharacterOffset(text, units) {
  const unit = text.charCodeAt(units);
  return unit >= 0xdc00 && unit < 0xe000 && units > 0 ? units + 1 : units;
}
