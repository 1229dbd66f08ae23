// A text in chunks, each with the tokens it has by itself; those that repeat the chunk before are marked.

import { drawStretch, legendOf, tokensPane } from "./drawing.js";
import { element, writeText } from "../shared/view.js";
import { countText } from "../shared/words.js";

export class Chunks {
  constructor() {
    this.words = element("p", "words");
    this.text = tokensPane("The text in chunks", legendOf(["same", "repeated from the chunk before"]), "Type a text to cut it into chunks.");
    this.nodes = [this.words, this.text.pane];
  }

  take({ chunks, words }) {
    this.text.flow.replaceChildren(...chunks.map(({ stretch, repeated, n_tokens: count }, n) => {
      const flow = element("div");
      drawStretch(flow, stretch, (i) => (i < repeated ? "same" : ""));
      return element("div", "chunk", element("span", "left-out", `${n + 1} · ${countText(count, "token")}`), flow);
    }));
    writeText(this.words, words);
  }
}
