// Pretokens in the colour of the alternative that cut them, and the alternatives with a switch each.
//
// The server sends pretokens as the rest of the family sends tokens: in the place of a token's id stands the
// number of the alternative, and PENDING where none matched. A switch is told to the server, which cuts anew.

import { count } from "../shared/inspector.js";
import { mounted } from "../shared/mounted.js";
import { AS_TEXT, TokenPanel } from "../shared/panel.js";
import { appear, appendText, chipClass, drawTokens, element, switchGlyphs } from "../shared/pieces.js";
import { charactersOf, utf8, visibleText } from "../shared/text.js";
import { numbers, sameTokens, Tokens } from "../shared/tokens.js";

const POINT_HINT = "Point at a pretoken to see what cut it, or at an alternative to see what it cuts.";

class Cuts {
  constructor(root) {
    this.root = root;
    this.view = root.querySelector(".view");
    this.list = root.querySelector(".alternatives ol");
    this.under = root.querySelector(".under");
    this.under.textContent = POINT_HINT;
    this.panel = new TokenPanel(root.querySelector("#tokens"), {
      ...AS_TEXT,
      draw: (tokens, first, end, origin) => drawTokens(tokens, first, end, new Set(), origin),
    });
    switchGlyphs(this.view, root.querySelector("[name=glyphs]"));
    this.listen();
  }

  receive({ data, setTriggerValue }) {
    appear(this.view);
    this.send = (message) => setTriggerValue("message", message);
    if (!data || data.made === this.made) return;
    this.made = data.made;
    this.pattern = data.pattern;
    this.alternatives = data.alternatives;
    const notice = this.root.querySelector(".notice");
    notice.hidden = !data.notice;
    notice.textContent = data.notice ?? "";
    for (const [name, number] of Object.entries(data.counts)) {
      this.root.querySelector(`[data-count=${name}]`).textContent = number.toLocaleString("en");
    }
    this.point(null); // what is pointed at may be another pretoken now
    this.show(data);
    this.showAlternatives();
  }

  leave() { this.panel.observer.disconnect(); }

  show({ text, numbers: of, widths }) {
    const ids = Int32Array.from(numbers(of), (number) => number - 1); // 0 is none, which PENDING means here
    const units = numbers(widths);
    const starts = new Int32Array(ids.length + 1);
    units.forEach((width, i) => { starts[i + 1] = starts[i] + width; });
    const sizes = Int32Array.from(units, (width, i) => utf8.encode(text.slice(starts[i], starts[i] + width)).length);
    const tokens = new Tokens(text, ids, sizes, starts, units);
    const same = sameTokens(this.panel.tokens, tokens);
    this.panel.show(tokens, same);
  }

  // -- the alternatives -----------------------------------------------------------------------

  showAlternatives() {
    // What is open stays open, and the switch in use keeps the focus.
    const open = new Set([...this.list.querySelectorAll("details[open]")].map((node) => node.dataset.regex));
    const focused = this.root.activeElement?.closest?.("li")?.dataset.number;
    this.list.replaceChildren(...this.alternatives.map((alternative, i) => this.alternativeItem(alternative, i, open)));
    if (focused !== undefined) this.list.children[focused]?.querySelector("input").focus();
  }

  alternativeItem(alternative, number, open) {
    const item = element("li", alternative.on ? "glyphs" : "glyphs off");
    item.dataset.number = number;
    const head = element("div", "head");
    const what = element("span", "what");
    what.append(element("span", `number ${chipClass(number, new Set())}`, number + 1), element("span", "", alternative.name));
    const share = element("span", "share");
    share.append(element("b", "", alternative.count.toLocaleString("en")), ` ${alternative.count === 1 ? "pretoken" : "pretokens"}`);
    head.append(what, share, this.switchOf(alternative, number));
    const code = element("code", "regex");
    appendText(code, alternative.regex);
    item.append(head, code);
    if (alternative.explanation) item.append(element("p", "says", alternative.explanation));
    if (alternative.pieces.length) item.append(pieceList(alternative, open.has(alternative.regex)));
    return item;
  }

  switchOf(alternative, number) {
    const label = element("label", "switch");
    const input = element("input");
    Object.assign(input, { type: "checkbox", checked: alternative.on, ariaLabel: `Alternative ${number + 1}` });
    input.setAttribute("role", "switch");
    input.addEventListener("change", () => {
      this.alternatives[number].on = input.checked;
      this.send({ pattern: this.pattern, off: this.alternatives.flatMap((each, i) => (each.on ? [] : [i])) });
    });
    label.append(input, element("span"));
    return label;
  }

  // -- pointing -------------------------------------------------------------------------------

  listen() {
    const { scroller } = this.panel;
    scroller.addEventListener("pointerover", (event) => this.point(this.panel.indexAt(event.target)));
    scroller.addEventListener("pointerleave", () => this.point(null));
    scroller.addEventListener("keydown", (event) => this.walk(event));
    scroller.addEventListener("blur", () => this.point(null));
    this.list.addEventListener("pointerover", (event) => {
      const number = event.target.closest("li")?.dataset.number;
      this.light(number === undefined ? null : Number(number), true);
    });
    this.list.addEventListener("pointerleave", () => this.light(null));
  }

  walk(event) {
    const now = this.panel.marks.lit ?? -1;
    const last = this.panel.tokens.count - 1;
    const to = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: last }[event.key];
    if (to === undefined || last < 0) return;
    event.preventDefault();
    const index = Math.min(Math.max(to, 0), last);
    this.panel.reveal(index);
    this.point(index);
  }

  /** Light one pretoken, and its alternative. */
  point(index) {
    this.panel.mark("lit", index);
    if (index === null) {
      this.light(null);
      this.under.textContent = POINT_HINT;
      return;
    }
    const { tokens } = this.panel;
    const alternative = this.alternatives[tokens.ids[index]];
    this.light(alternative ? tokens.ids[index] : null);
    const words = alternative ? `cut by alternative ${tokens.ids[index] + 1}, “${alternative.name}”` : "left over: no alternative matches here";
    const length = charactersOf(tokens.string(index)).length;
    this.under.textContent = `${visibleText(tokens.string(index).slice(0, 200))} — ${words}; ${count(length, "character", "characters")}, ` +
      `pretoken ${(index + 1).toLocaleString("en")} of ${tokens.count.toLocaleString("en")}`;
  }

  /** Light an alternative, and if `all` every pretoken it cut. */
  light(number, all = false) {
    for (const item of this.list.querySelectorAll("li.lit")) item.classList.remove("lit");
    for (const chip of this.panel.flow.querySelectorAll(".also")) chip.classList.remove("also");
    if (number === null) return;
    this.list.children[number]?.classList.add("lit");
    if (!all) return;
    for (const chip of this.panel.flow.querySelectorAll("[data-i]")) {
      if (this.panel.tokens.ids[this.panel.indexAt(chip)] === number) chip.classList.add("also");
    }
  }
}

/** The pieces of an alternative, each with its meaning, to be opened. */
function pieceList(alternative, open) {
  const details = element("details");
  details.open = open;
  details.dataset.regex = alternative.regex;
  const list = element("dl");
  for (const [piece, words] of alternative.pieces) {
    const term = element("dt");
    appendText(term, piece);
    list.append(term, element("dd", "", words));
  }
  details.append(element("summary", "", "piece by piece"), list);
  return details;
}

export default (component) => mounted(Cuts, component);
