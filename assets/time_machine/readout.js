// The readout of a step: how many merges and tokens, the merges before and after it in words, and how the
// pinned step differs.

import { mergeWords } from "./decision.js";
import { element } from "../shared/view.js";
import { count, grouped } from "../shared/words.js";

export class Readout {
  constructor(root) {
    this.figures = Object.fromEntries([...root.querySelectorAll("[data-figure]")].map((node) => [node.dataset.figure, node]));
    this.just = root.querySelector(".just");
    this.soon = root.querySelector(".soon-words");
    this.compare = root.querySelector(".compare");
  }

  show(history, k, pinned, tokenizer) {
    const tokens = history.tokenCount(k);
    this.figures.step.textContent = grouped(k);
    this.figures.after.textContent = `${count(k, "merge")} · ${tokenizer}`;
    this.figures.of.textContent = `of ${grouped(history.nMerges)} merges made`;
    this.figures.tokens.textContent = grouped(tokens);
    this.figures.ratio.textContent = tokens ? (history.bytes.length / tokens).toFixed(2) : "–";
    this.compare.hidden = pinned === null;
    if (pinned !== null) this.compare.replaceChildren(...comparison(history, k, pinned, tokens));
  }

  /** Name the merge just made and, unless it is hidden, the next; `answer` tells those not made in this text. */
  name(history, k, answer, isHidden) {
    if (k > 0) mergeWords(this.just, history, k - 1, answer?.just);
    else this.just.textContent = "nothing yet: every token is a single byte";
    this.soon.parentElement.hidden = isHidden;
    if (isHidden) this.soon.replaceChildren();
    else if (k < history.nMerges) mergeWords(this.soon, history, k, answer?.next);
    else this.soon.textContent = "nothing: all merges are made";
  }
}

function comparison(history, k, pinned, tokens) {
  const then = history.tokenCount(pinned);
  const sign = element("b", pinned < k ? "sign pinned-only" : "sign now-only");
  const differ = Math.abs(tokens - then);
  return [`Pinned after ${count(pinned, "merge")}: ${count(then, "token")}. Here: ${grouped(tokens)}. ` +
    `${count(differ, "boundary differs", "boundaries differ")}`,
    ...(differ ? [", marked ", sign, pinned < k ? " where only the pinned step has one." : " where the pinned step has none."] : ["."])];
}
