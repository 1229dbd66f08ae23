// The tokens of a second tokenizer below the first, what it saves, in words, and where it cuts the text otherwise.

import { bytesBeforeUnits, byteSpansOf, Cells } from "../compare_view/differences.js";
import { ComparedPanel } from "../compare_view/panel.js";
import { ScrolledTogether } from "../compare_view/scrolling.js";
import { drawTokens, forEachChip } from "../shared/chips.js";
import { tokenName } from "../shared/inspector.js";
import { LaidTokens } from "../shared/laid_tokens.js";
import { AS_TEXT } from "../shared/panel.js";
import { PENDING } from "../shared/tokens.js";
import { writeText } from "../shared/view.js";
import { activateToken, listenToPanel } from "../shared/walking.js";

const BOTH = 3; // the bits of the two columns

export class Beside {
  /** `first` is the panel that it scrolls with; say(tokens, index) says what is pointed at, null for nothing. */
  constructor(root, first, say) {
    this.node = root.querySelector(".beside");
    this.why = this.node.querySelector(".saving");
    this.name = null; // of the tokenizer; null without one
    this.isFolded = false; // as a column of the compare view may be
    this.panel = new ComparedPanel(this.node.querySelector(".scroller"), this);
    this.scrolling = new ScrolledTogether(() => [first, this.panel]);
    for (const panel of [first, this.panel]) this.scrolling.add(panel);
    const go = (index, reveals = true) => say(this.shown, activateToken(this.panel, index, { name: (at) => this.nameOf(at), id: "active-beside", reveals }));
    listenToPanel(root, this.panel, {
      point: (index) => say(this.shown, index), enter: (index) => go(index ?? 0, false), go, choose: (index) => go(index, false), copied: (range) => range.text,
    });
    this.clear();
  }

  get shown() { return this.laid.shown; }

  nameOf(at) { return `${tokenName(this.shown, at)}${this.isMarked(at) ? ", not a token above" : ""}`; }

  clear() {
    this.laid = new LaidTokens();
    this.marked = new Uint8Array(0); // for each token whether the first tokenizer has none of the same span
    this.panel.clear();
  }

  /** Take the tokens of a reply and what is said of them; without any, there is nothing to show. */
  take(reply, hidden) {
    this.node.hidden = !reply;
    if (this.name !== (reply?.name ?? null)) {
      this.clear();
      this.name = reply?.name ?? null;
      this.panel.scroller.ariaLabel = `Tokens of ${this.name}`;
    }
    if (!reply) return;
    this.laid.take({ ...reply, hidden });
    writeText(this.why, reply.said ?? "Counting where the difference comes from…");
  }

  /** Lay the tokens on a text, as `LaidTokens` does, and draw them; `first`: those of the first tokenizer. */
  show(first, text, change, touched) {
    if (this.name === null) return;
    const changed = this.laid.lay(text, change, touched);
    const { shown, panel } = this;
    const { before } = bytesBeforeUnits(text);
    const { holders: [, holders] } = new Cells([first, shown].map((tokens) => byteSpansOf(tokens, before)), before);
    this.marked = holders.map((having, i) => Number(having !== BOTH && shown.ids[i] !== PENDING));
    const { start, oldStop } = changed ?? { start: panel.tokens.count, oldStop: panel.tokens.count };
    panel.show(shown, { front: start, back: panel.tokens.count - oldStop });
    panel.refresh();
  }

  // -- as the panel asks a column -------------------------------------------------------------

  isMarked(i) { return this.marked[i] === 1; }

  signature({ first, count, drawn }) { return drawn ? this.marked.subarray(first, first + count).join("") : ""; }

  draw(tokens, first, end, origin) {
    const out = drawTokens(tokens, first, end, origin);
    forEachChip(out, (chip, i) => chip.classList.toggle("differs", this.isMarked(origin + i)));
    return out;
  }

  asText(...range) { return AS_TEXT.asText(...range); }

  leave() {
    this.scrolling.leave();
    this.panel.observer.disconnect();
  }
}
