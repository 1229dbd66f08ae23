// Which tokens of a text are settled whatever follows, and what changes the others.

import { drawStretch, legendOf, tokensPane, tokensWithIds } from "./drawing.js";
import { visibleText } from "../shared/text.js";
import { element, writeText } from "../shared/view.js";
import { groupedNumber } from "../shared/words.js";

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

  take({ stretch, settled, open, examples, more, words, proof, space }) {
    const isOpen = new Set(open);
    drawStretch(this.text.flow, stretch, (i) => (isOpen.has(i) ? "open" : ""));
    this.text.scroller.scrollTop = 0; // its end
    writeText(this.words, words);
    this.words.classList.toggle("all-settled", Boolean(words) && !open.length && settled > 0);
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
