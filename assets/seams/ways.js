// All the ways to cut a piece of a text into tokens: how many, those with names, a random one, and a slider through all.

import { drawStretch, tokensOf, tokensPane } from "./drawing.js";
import { drawTokens } from "../shared/chips.js";
import { NONE } from "../shared/colours.js";
import { AS_TEXT, TokenPanel } from "../shared/panel.js";
import { visibleText } from "../shared/text.js";
import { button, element, writeText } from "../shared/view.js";
import { activateToken, listenToPanel, selectedTokens } from "../shared/walking.js";
import { countText, groupedNumber } from "../shared/words.js";

const STEPS = 10_000n; // of the slider, if there are more ways
const DRAW = "draw"; // a random way
const DIGITS = 15; // of a number in a sentence
const NAMES = { own: "BPE’s own", shortest: "Fewest tokens", greedy: "Longest match first", bytes: "Single bytes" };

export class Ways {
  constructor(host) {
    this.host = host;
    this.piece = null; // [start, stop] in UTF-16 units of the text; null for none chosen
    this.pieceText = null; // its text, null until an answer brings it
    this.text = "";
    this.way = null; // the number of the way that was chosen, as a string, or "draw"; null for BPE's own
    this.number = 0n; // of the way on view
    this.count = 1n;
    const text = tokensPane("Choose a piece: press it, or select text", null, "Type a text, and choose a piece of it here.");
    text.pane.classList.add("pieces");
    text.scroller.setAttribute("role", "listbox");
    this.panel = new TokenPanel(text.scroller, { ...AS_TEXT, draw: drawTokens });
    this.words = element("p", "words");
    this.digits = element("p", "digits");
    const shown = tokensPane("One of them", null, "");
    this.flow = shown.flow;
    this.title = shown.pane.querySelector("h2");
    this.controls = this.makeControls();
    this.below = [this.words, this.digits, this.controls, shown.pane];
    this.nodes = [text.pane, ...this.below];
    this.listen(text.scroller);
  }

  makeControls() {
    this.slider = Object.assign(element("input"), { type: "range", min: "0", ariaLabel: "Which way" });
    this.slider.addEventListener("input", () => this.goToWay(this.numberAt(BigInt(this.slider.value))));
    const step = (words, ariaLabel, by) => Object.assign(button("plain", words, () => this.goToWay(this.number + by)), { ariaLabel });
    this.named = Object.entries(NAMES).map(([name, words]) => {
      const one = button("plain", words, () => this.goToWay(BigInt(one.dataset.number)));
      one.dataset.name = name;
      return one;
    });
    const draw = button("plain draw", "Draw one at random", () => {
      this.way = DRAW;
      this.ask();
    });
    return element("div", "ways", element("div", "named", ...this.named, draw),
      element("div", "slide", step("‹", "The way before", -1n), this.slider, step("›", "The next way", 1n)));
  }

  /** Show a piece and a way that the page names: [piece as "start-stop", number], empty for none chosen. */
  setChoice([piece, way]) {
    const ends = /^(\d{1,9})-(\d{1,9})$/.exec(piece);
    this.piece = ends && [Number(ends[1]), Number(ends[2])];
    this.way = /^\d+$/.test(way) ? way : null;
    this.pieceText = null;
    if (this.panel.tokens.count) this.ask();
  }

  take({ stretch, longest }) {
    const tokens = Object.assign(tokensOf(stretch), { colours: stretch.ids.map(() => NONE) });
    this.panel.clear();
    this.panel.show(tokens, { start: 0, oldStop: 0, newStop: tokens.count });
    this.longest = longest;
    this.movePiece(stretch.text);
    for (const node of this.below) node.hidden = !tokens.count;
    if (tokens.count) this.ask();
  }

  /** Move the piece with a text that has changed, as long as it is in it; for another piece show BPE's own way. */
  movePiece(text) {
    const shift = text.length - this.text.length;
    const isIn = ([start, stop]) => (this.pieceText === null ? stop <= text.length : text.slice(start, stop) === this.pieceText);
    const moved = this.piece?.map((at) => at + shift);
    this.text = text;
    if (this.piece === null) {
      const isOther = this.pieceText !== null && text.slice(...this.longest) !== this.pieceText;
      if (!isOther || this.way === null) return;
      this.way = null;
      this.keep();
    } else if (!isIn(this.piece)) {
      this.piece = moved[0] >= 0 && isIn(moved) ? moved : null;
      if (this.piece === null) this.way = null;
      this.keep();
    }
  }

  ask() {
    const piece = this.piece ?? this.longest;
    if (piece[1] > piece[0]) this.host.ask({ piece, ...(this.way === null ? {} : { way: this.way }) });
  }

  /** Show the way with a number, or the nearest there is. */
  goToWay(number) {
    const last = this.count - 1n;
    this.way = String(number < 0n ? 0n : number > last ? last : number);
    this.ask();
    this.keep();
  }

  choose(piece) {
    this.piece = piece;
    this.way = this.pieceText = null;
    this.ask();
    this.keep();
  }

  keep() { this.host.keep({ piece: this.piece?.join("-") ?? "", way: this.way ?? "" }); }

  takeAnswer(answer) {
    const asked = this.piece ?? this.longest;
    if (answer.piece && String(answer.piece) !== String(asked)) return;
    this.markPiece(asked);
    const isCut = answer.count !== undefined;
    for (const node of this.below.slice(1)) node.hidden = !isCut;
    if (!isCut) return writeText(this.words, answer.words ?? answer.error ?? "");
    this.count = BigInt(answer.count);
    this.number = BigInt(answer.number);
    this.pieceText = answer.stretch.text;
    if (this.way === DRAW) {
      this.way = answer.number;
      this.keep();
    }
    this.showCount(answer);
    const names = answer.known.filter(([, number]) => number === answer.number).map(([name]) => NAMES[name]);
    writeText(this.title, `${names.join(", ") || `Way ${wayNumber(answer.number)}`}: ${countText(answer.stretch.ids.length, "token")}`);
    drawStretch(this.flow, answer.stretch);
    this.showControls(answer);
    return undefined;
  }

  showCount({ count: number, stretch }) {
    const isLong = number.length > DIGITS;
    const ways = number === "1" ? "way" : "ways";
    const said = isLong ? `about ${number[0]}.${number.slice(1, 3)} × 10` : groupedNumber(number);
    const piece = visibleText(stretch.text.length > 40 ? `${stretch.text.slice(0, 40)}…` : stretch.text);
    this.words.replaceChildren(element("code", "continuation", piece), " can be cut into tokens in ", element("b", "", said),
      isLong ? element("sup", "", number.length - 1) : "", ` ${ways}. Encoding always takes the same one.`);
    this.digits.hidden = !isLong;
    writeText(this.digits, isLong ? `Exactly ${groupedNumber(number)}` : "");
  }

  showControls({ known, number }) {
    for (const [name, itsNumber, n_tokens] of known) {
      const one = this.named.find((each) => each.dataset.name === name);
      one.dataset.number = itsNumber;
      one.ariaPressed = String(itsNumber === number);
      writeText(one, `${NAMES[name]} (${n_tokens})`);
    }
    const last = this.count - 1n;
    const steps = last < STEPS ? last : STEPS;
    this.slider.max = String(steps);
    this.slider.disabled = !steps;
    const at = last ? (BigInt(number) * steps) / last : 0n;
    if (this.numberAt(BigInt(this.slider.value)) !== BigInt(number)) this.slider.value = String(at);
    this.slider.ariaValueText = `way ${wayNumber(number)} of ${groupedNumber(this.count)}`;
  }

  numberAt(step) {
    const last = this.count - 1n;
    return last < STEPS ? step : (step * last) / STEPS;
  }

  // -- choosing a piece -----------------------------------------------------------------------

  listen(scroller) {
    const { panel, host } = this;
    const name = (index) => visibleText(panel.tokens.string(index));
    const walk = (index) => activateToken(panel, index, { name, selected: panel.marks.pinned ?? null });
    listenToPanel(host.root, panel, {
      point: (index) => panel.mark("lit", index),
      enter: (index) => walk(index ?? panel.marks.pinned ?? 0),
      go: walk,
      choose: (index) => this.choose([panel.tokens.starts[index], panel.tokens.end(index)]),
      copied: (range) => range.text,
    });
    scroller.addEventListener("pointerup", () => {
      const chosen = selectedTokens(host.root, panel);
      if (chosen && chosen.stop > chosen.start) this.choose([chosen.start, chosen.stop]);
    });
  }

  /** Mark the pretoken that the piece is, if it is one. */
  markPiece([start, stop]) {
    const { tokens } = this.panel;
    const index = tokens.at(start);
    this.panel.mark("pinned", tokens.starts[index] === start && tokens.end(index) === stop ? index : null);
  }

  leave() { this.panel.observer.disconnect(); }
}

/** The number of a way, counted from 1; the server and links count from 0. */
function wayNumber(number) { return groupedNumber(BigInt(number) + 1n); }
