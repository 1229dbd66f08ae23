// Tokens as the page of seams draws them: a stretch of a text in colour, or single tokens, each above its id.

import { drawTokens, tokenChip, tokenOfHex } from "../shared/chips.js";
import { marksAfter, NO_MARKS } from "../shared/hidden_marks.js";
import { count } from "../shared/inspector.js";
import { Tokens } from "../shared/tokens.js";
import { element } from "../shared/view.js";

/** The tokens of a stretch that the server sent. */
export function tokensOf({ text, ids, sizes, starts, widths, first = 0, special = [], placed, labels, unknown, hidden }) {
  const columns = [ids, sizes, starts, widths].map((column) => Int32Array.from(column));
  const tokens = Object.assign(new Tokens(text, ...columns), { isWhole: first === 0, special: new Set(special) });
  tokens.hidden = marksAfter(NO_MARKS, { hidden });
  return tokens.describe({ placed, labels, unknown });
}

/** Draw a stretch into `.flow`, what is left out around it in words; `look(index)` is the class of a token, by its number in the text. */
export function drawStretch(flow, stretch, look = () => "") {
  const tokens = tokensOf(stretch);
  const { first, behind } = stretch;
  const block = element("div", "block");
  const chips = drawTokens(tokens, 0, tokens.count);
  for (const chip of chips.querySelectorAll("[data-i]")) {
    const name = look(first + Number(chip.dataset.i));
    if (name) chip.classList.add(name);
  }
  if (first) block.append(element("span", "left-out", `${count(first, "token", "tokens")} before … `));
  block.append(chips);
  if (behind) block.append(element("span", "left-out", ` … ${count(behind, "token", "tokens")} after`));
  flow.replaceChildren(...(tokens.count ? [block] : []));
}

/** Tokens above their ids; `look(index)` is the class of one. */
export function withIds(tokens, look = () => "") {
  const list = element("span", "with-ids");
  tokens.forEach((token, i) => {
    const one = element("span", `one ${look(i)}`);
    one.append(tokenChip(tokenOfHex(token)), element("small", "", token[1]));
    list.append(one);
  });
  return list;
}

/** A box with a heading, an optional line on what its marks mean, and `.scroller > .flow` to draw into. */
export function tokensPane(title, legend, hint) {
  const pane = element("section", "pane tokens");
  const header = element("header");
  header.append(element("h3", "", title));
  if (legend) header.append(legend);
  const scroller = element("div", "scroller");
  const flow = element("div", "flow");
  scroller.append(flow, element("p", "hint", hint));
  scroller.tabIndex = 0;
  scroller.setAttribute("role", "group");
  scroller.setAttribute("aria-label", title);
  pane.append(header, scroller);
  return { pane, flow, scroller };
}

/** What marks mean: pairs of a class and words. */
export function legendOf(...entries) {
  const legend = element("span", "legend");
  for (const [name, words] of entries) {
    const entry = element("span");
    entry.append(element("span", `sign t plain ${name}`, "ab"), ` ${words}`);
    legend.append(entry);
  }
  return legend;
}
