// Two texts and what they share at their beginning, in characters and in tokens.

import { drawStretch, legendOf, tokensPane } from "./drawing.js";
import { element } from "../shared/view.js";
import { groupedNumber } from "../shared/words.js";

const FIGURES = {
  characters: ["shared character", "shared characters"],
  tokens: ["shared token", "shared tokens"],
  lost: ["cut differently", "cut differently"],
  cached: ["token from the cache", "tokens from the cache"],
  computed: ["computed", "computed"],
};

export class TwoTexts {
  constructor() {
    this.figures = Object.assign(element("div", "counts"), { role: "group", ariaLabel: "What the texts share" });
    this.words = element("p", "words");
    this.panes = [
      tokensPane("The first in tokens", legendOf(["same", "shared"], ["open", "shared text, cut differently"]), "Type the first text above."),
      tokensPane("The second in tokens", null, "Type the second text above."),
    ];
    this.nodes = [this.figures, this.words, element("div", "row two", ...this.panes.map(({ pane }) => pane))];
  }

  take({ counts, lines, words }) {
    this.figures.replaceChildren(...Object.entries(FIGURES).map(([name, [one, many]]) =>
      element("span", "", element("b", "", groupedNumber(counts[name])), element("span", "", counts[name] === 1 ? one : many))));
    this.words.textContent = words.join(" ");
    for (const [n, { stretch, shared, lost }] of lines.entries()) {
      drawStretch(this.panes[n].flow, stretch, (i) => (i < shared ? "same" : i < lost ? "open" : ""));
    }
  }
}
