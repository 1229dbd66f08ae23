// Pretokens, underlined in the colour of the alternative that cut them, and the alternatives with a switch each.
//
// The server sends pretokens as it sends tokens, with the number of the alternative for an id, 0 if none matched. They are
// laid on the text as it is now. A switch tells the page, whose view then cuts again.

import { LiveView, mountView } from "../shared/live_view.js";
import { AS_TEXT, TokenPanel } from "../shared/panel.js";
import { drawTokens, forEachChip, visibleElement } from "../shared/chips.js";
import { characterCount, visibleText } from "../shared/text.js";
import { laidTokensAndChange, NO_TOKENS, PENDING, tokensAfterReply, tokensChange } from "../shared/tokens.js";
import { revealView, element, listenToGlyphSwitch, writeFigure } from "../shared/view.js";
import { placeAfterKey } from "../shared/walking.js";
import { countText, groupedNumber } from "../shared/words.js";

const POINT_HINT = "Choose a pretoken to see what cut it, or an alternative to see what it cuts.";

class Cuts extends LiveView {
  constructor(root) {
    super(root);
    this.base = null; // the pretokens of the last reply
    this.state = null; // the state of the text that they belong to
    this.isLaid = false; // whether the text has changed since
    this.pattern = null;
    this.alternatives = [];
    this.list = root.querySelector(".alternatives ol");
    this.under = root.querySelector(".under");
    this.under.textContent = POINT_HINT;
    this.panel = new TokenPanel(root.querySelector("#tokens"), { ...AS_TEXT, draw: drawPretokens });
    listenToGlyphSwitch(this.view);
    this.listen();
  }

  configure() { this.followText(this.connection.openText(this.data.document)); }

  take(reply) {
    if (!this.base && !reply.alternatives) return; // a change of what an earlier view was sent; all of it comes next
    this.state = reply.state;
    this.base = tokensAfterReply(reply.alternatives ? NO_TOKENS : this.base, reply);
    this.writeNotice(reply.notice);
    for (const [name, number] of Object.entries(reply.counts)) {
      writeFigure(this.root.querySelector(`[data-count=${name}]`), number);
    }
    this.show();
    if (reply.alternatives) this.showAlternatives(reply);
    this.showCounts(reply.cut);
    revealView(this.view);
  }

  leave() {
    super.leave();
    this.panel.observer.disconnect();
  }

  /** Lay the pretokens of the last reply on the text as it is now; if that was replaced, others will come. */
  show() {
    super.show();
    const change = this.state && this.text.text !== null ? this.text.changeSince(...this.state) : undefined;
    if (change === undefined) return;
    const { laid, changed } = laidTokensAndChange(this.base, this.text.text, change);
    this.isLaid = changed !== null;
    laid.ids = laid.ids.map((number) => Math.max(number - 1, PENDING)); // what no alternative cut looks the same
    this.point(null); // what is pointed at may be another pretoken now
    this.panel.show(laid, tokensChange(this.panel.tokens, laid));
  }

  // -- the alternatives -----------------------------------------------------------------------

  showAlternatives({ pattern, alternatives }) {
    Object.assign(this, { pattern, alternatives });
    const focused = [...this.list.children].indexOf(this.root.activeElement?.closest?.("li")); // it keeps the focus
    this.list.replaceChildren(...this.alternatives.flatMap((alternative, i) => {
      const item = this.alternativeItem(alternative, i);
      return this.hasParts && alternative.part !== this.alternatives[i - 1]?.part ? [this.partItem(alternative.part), item] : [item];
    }));
    this.list.children[focused]?.querySelector("input").focus();
  }

  /** Whether the pattern cuts several times in turn. */
  get hasParts() { return this.alternatives.some((alternative) => alternative.part > 1); }

  /** The heading of a part, whose switch is that of all its alternatives. */
  partItem(part) {
    const numbers = this.alternatives.flatMap((alternative, i) => (alternative.part === part ? [i] : []));
    const what = part === 1 ? "cuts the text" : `cuts each piece that part ${part - 1} left`;
    return element("li", "part", element("span", "what", `Part ${part} ${what}`), this.switchOf(`Part ${part}`, numbers));
  }

  alternativeItem(alternative, number) {
    const badge = underlined(element("span", "t plain number", number + 1), number);
    const what = element("span", "what", badge, element("span", "", alternative.name));
    const item = element("li", alternative.on ? "glyphs" : "glyphs off",
      element("div", "head", what, element("span", "share"), this.switchOf(`Alternative ${number + 1}`, [number])),
      visibleElement("code", "regex", alternative.regex),
      alternative.explanation ? element("p", "says", alternative.explanation) : null);
    item.dataset.number = number;
    return item;
  }

  /** Say how many pretokens each alternative has cut. */
  showCounts(counts) {
    this.list.querySelectorAll(".share").forEach((share, i) => {
      share.replaceChildren(element("b", "", groupedNumber(counts[i])), counts[i] === 1 ? " pretoken" : " pretokens");
    });
  }

  /** A switch for some of the alternatives, on if any of them is. */
  switchOf(ariaLabel, numbers) {
    const checked = numbers.some((number) => this.alternatives[number].on);
    const input = Object.assign(element("input"), { type: "checkbox", checked, role: "switch", ariaLabel });
    input.addEventListener("change", () => {
      for (const number of numbers) this.alternatives[number].on = input.checked;
      this.tellPage("message", { pattern: this.pattern, off: this.alternatives.flatMap((each, i) => (each.on ? [] : [i])) });
    });
    return input;
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
    const last = this.panel.tokens.count - 1;
    const index = placeAfterKey(event.key, this.panel.marks.lit ?? -1, last, { ArrowRight: 1, ArrowLeft: -1 });
    if (index === null || last < 0) return;
    event.preventDefault();
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
    const part = this.hasParts && alternative ? ` of part ${alternative.part}` : "";
    const words = alternative ? `cut by alternative ${tokens.ids[index] + 1}${part}, “${alternative.name}”`
      : this.isLaid ? "not cut yet" : "not matched by any alternative";
    const length = characterCount(tokens.string(index));
    this.under.textContent = `${visibleText(tokens.string(index).slice(0, 200))}: ${words}; ${countText(length, "character")}, ` +
      `pretoken ${groupedNumber(index + 1)} of ${groupedNumber(tokens.count)}`;
  }

  /** Light an alternative, and if `all` every pretoken it cut. */
  light(number, all = false) {
    for (const item of this.list.querySelectorAll("li.lit")) item.classList.remove("lit");
    for (const chip of this.panel.flow.querySelectorAll(".also")) chip.classList.remove("also");
    if (number === null) return;
    this.list.querySelector(`[data-number="${number}"]`)?.classList.add("lit");
    if (!all) return;
    forEachChip(this.panel.flow, (chip) => { if (this.panel.tokens.ids[this.panel.indexAt(chip)] === number) chip.classList.add("also"); });
  }
}

/** Draw pretokens, each underlined in the colour of its alternative. */
function drawPretokens(tokens, first, end, origin) {
  const out = drawTokens(tokens, first, end, origin);
  forEachChip(out, (chip, i) => { if (tokens.ids[origin + i] !== PENDING) underlined(chip, tokens.ids[origin + i]); });
  return out;
}

function underlined(node, number) {
  node.classList.add("by");
  node.style.setProperty("--by", number);
  return node;
}

export default (component) => mountView(Cuts, component);
