// The tokens of a second tokenizer below the first, what it saves, in words, and where it cuts the text otherwise.

import { ComparedColumn } from "../compare_view/column.js";
import { bytesBeforeUnits, byteSpansOf, Cells } from "../compare_view/differences.js";
import { ScrolledTogether } from "../compare_view/scrolling.js";
import { writeText } from "../shared/view.js";
import { listenToPanel } from "../shared/walking.js";

export class Beside extends ComparedColumn {
  /** `first` is the panel that it scrolls with; say(tokens, index) says what is pointed at, null for nothing. */
  constructor(root, first, say) {
    super({ isFolded: false, referenceIndex: 0 }, root.querySelector(".beside"));
    this.why = this.node.querySelector(".saving");
    const panels = [first, this.panel];
    this.scrolling = new ScrolledTogether(() => panels);
    for (const panel of panels) this.scrolling.add(panel);
    const point = (index) => say(this.shown, index);
    const go = (index, reveals = true) => point(this.activate(index, reveals));
    listenToPanel(root, this.panel, {
      point, enter: (index) => go(index ?? 0, false), go: (index) => go(index), choose: (index) => go(index, false), copied: (range) => range.text,
    });
  }

  /** Take the tokens of a reply and what is said of them, which is nothing of an empty text; then nothing is shown. */
  takeReply(reply, hidden) {
    this.node.hidden = !reply || reply.said === "";
    if (!reply) return;
    if (this.name !== reply.name) {
      this.name = reply.name;
      this.laid.tokenizer = null;
      this.panel.scroller.ariaLabel = `Tokens of ${reply.name}`;
    }
    this.laid.take({ ...reply, hidden });
    writeText(this.why, reply.said ?? "Counting where the difference comes from…");
  }

  /** Lay the tokens on a text, as `LaidTokens` does, and draw them; `first`: those of the first tokenizer. */
  showBelow(first, ...text) {
    if (this.node.hidden) return;
    this.lay(...text);
    const { before } = bytesBeforeUnits(text[0]);
    this.show(1, new Cells([first, this.shown].map((tokens) => byteSpansOf(tokens, before)), before), "reference");
  }

  leave() {
    super.leave();
    this.scrolling.leave();
  }
}
