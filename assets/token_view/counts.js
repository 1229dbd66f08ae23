// The figures of a text's tokens, and how many tokens other tokenizers make of it.

import { element, writeText } from "../shared/view.js";
import { countText, groupedNumber } from "../shared/words.js";

export class Counts {
  constructor(root) {
    this.figures = root.querySelectorAll("[data-count]");
    this.unit = root.querySelector(".main > span");
    this.others = root.querySelector(".counted");
    this.counted = null; // what is shown of other tokenizers, as JSON
  }

  show({ tokens, characters, bytes, distinct }) {
    const numbers = { tokens, characters, bytes, distinct };
    const ratio = tokens ? (bytes / tokens).toFixed(2) : "–";
    for (const node of this.figures) writeText(node, node.dataset.count === "ratio" ? ratio : groupedNumber(numbers[node.dataset.count]));
    writeText(this.unit, tokens === 1 ? "token" : "tokens");
  }

  /** Show how many tokens other tokenizers make of the text, and why some have not counted it. */
  showOthers(counted, uncounted) {
    const words = JSON.stringify([counted, uncounted]);
    if (this.counted === words) return;
    this.counted = words;
    const figures = counted.map(([name, tokens]) => element("span", "", `${name} `, element("b", "", groupedNumber(tokens))));
    if (figures.length) figures.unshift(element("span", "same", "The same text in"));
    if (uncounted) figures.push(element("span", "", uncounted));
    this.others.replaceChildren(...figures);
  }
}

/** "3 tokens, 11 characters, 11 bytes". */
export function countsText({ tokens, characters, bytes }) {
  return `${countText(tokens, "token")}, ${countText(characters, "character")}, ${countText(bytes, "byte")}`;
}
