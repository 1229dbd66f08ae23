// The sections that show texts in tokens: which of them are settled whatever follows and what changes the others, what two
// texts share at their beginning, and a text in chunks, each with the tokens it has by itself.

import { drawStretch, legendOf, tokensPane, tokensWithIds } from "./drawing.js";
import { visibleText } from "../shared/text.js";
import { element, writeText } from "../shared/view.js";
import { countText, groupedNumber } from "../shared/words.js";

export class SettledTokens {
  constructor() {
    this.words = element("p", "words");
    this.text = tokensPane("The text in tokens", legendOf(["open", "can still change"]),
      "Type a text to see which of its tokens stay, whatever follows.");
    this.text.pane.classList.add("from-end"); // where what is open is
    this.examples = element("ul", "examples");
    this.proof = element("p", "proof");
    this.space = element("aside", "aside");
    this.nodes = [this.words, this.text.pane, this.examples, this.proof, this.space];
  }

  take({ stretch, open, examples, more, words, proof, space }) {
    const isOpen = new Set(open);
    drawStretch(this.text.flow, stretch, (i) => (isOpen.has(i) ? "open" : ""));
    this.text.scroller.scrollTop = 0; // its end
    writeText(this.words, words);
    writeText(this.proof, proof);
    this.examples.replaceChildren(...examples.map(exampleItem));
    if (more) this.examples.append(element("li", "left-out", `and ${more} more`));
    this.drawSpace(space);
  }

  /** If the text ends in a space, explain why that makes prompts work worse. */
  drawSpace(space) {
    this.space.hidden = !space;
    if (!space) return;
    const { whole, alone, now } = space;
    const words = element("p", "",
      "Leave out the space at the end. Models learn a word with the space before it, as one token: ", tokensWithIds([whole]),
      ". Here the space is a token of its own, ", tokensWithIds(now), ", and after it comes ", tokensWithIds(alone),
      ", which a model has hardly ever seen there.",
    );
    this.space.replaceChildren(words);
  }
}

/** Followed by “ch”: [ cat] becomes [ catch]. */
function exampleItem({ continuation, tokens, now, then, is_long: isLong }) {
  if (continuation === null) return element("li", "", openTokensText(tokens));
  const more = element("code", "continuation", visibleText(continuation));
  const rest = isLong ? "…" : null;
  return element("li", "", "Followed by ", more, ": ", tokensWithIds(now), rest, element("span", "turns", "→"), tokensWithIds(then), rest);
}

/** "Tokens 5 and 6 may change, though no text was found that changes them." */
export function openTokensText(tokens) {
  const numbers = tokens.map((i) => groupedNumber(i + 1));
  const listed = [numbers.slice(0, -1).join(", "), numbers.at(-1)].filter(Boolean).join(" and ");
  const [name, it] = tokens.length === 1 ? ["Token", "it"] : ["Tokens", "them"];
  return `${name} ${listed} may change, though no text was found that changes ${it}.`;
}

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
