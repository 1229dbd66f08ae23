// The figures of a text's tokens, and how many tokens other tokenizers make of it.

import { button, element, writeFigure, writeText } from "../shared/view.js";
import { countText, groupedNumber } from "../shared/words.js";

export class Counts {
  /** `open` gets the name of a tokenizer that is pressed, "" if that is the one beside. */
  constructor(root, open) {
    this.open = open;
    this.figures = root.querySelectorAll("[data-count]");
    this.others = root.querySelector(".counted");
    this.counted = null; // what is shown of other tokenizers, as JSON
  }

  show({ tokens, characters, bytes, distinct }) {
    const numbers = { tokens, characters, bytes, distinct };
    for (const node of this.figures) {
      if (node.dataset.count === "ratio") writeText(node, tokens ? (bytes / tokens).toFixed(2) : "–");
      else writeFigure(node, numbers[node.dataset.count]);
    }
  }

  /**
   * Show how many tokens other tokenizers make of a text that is not empty, and why some have not counted it. A press
   * shows the tokens of those that `openable` names; `beside` is the one whose tokens are shown.
   */
  showOthers(counted, uncounted, openable = [], beside = "") {
    const words = JSON.stringify([counted, uncounted, openable, beside]);
    if (this.counted === words) return;
    this.counted = words;
    const focused = this.others.getRootNode().activeElement?.dataset.name;
    const shown = counted.some(([, tokens]) => tokens) ? counted : [];
    const figures = shown.map(([name, tokens]) => {
      const said = [`${name} `, element("b", "", groupedNumber(tokens))];
      if (!openable.includes(name)) return element("span", "", ...said);
      const link = button("other", said, () => this.open(name === beside ? "" : name));
      link.dataset.name = name;
      return Object.assign(link, { ariaExpanded: String(name === beside), title: "Show its tokens below, and where the difference comes from" });
    });
    if (figures.length) figures.unshift(element("span", "same", "The same text in"));
    if (uncounted) figures.push(element("span", "", uncounted));
    this.others.replaceChildren(...figures);
    if (focused) figures.find(({ dataset }) => dataset.name === focused)?.focus({ preventScroll: true });
  }
}

/** "3 tokens, 11 characters, 11 bytes". */
export function countsText({ tokens, characters, bytes }) {
  return `${countText(tokens, "token")}, ${countText(characters, "character")}, ${countText(bytes, "byte")}`;
}
