// Tokens as the Seams page draws them: a stretch of a text in colour, or single tokens, each above its id.

import { drawTokens, forEachChip, tokenChip, tokenFromHex } from "../shared/chips.js";
import { marksAfterReply, NO_MARKS } from "../shared/hidden_marks.js";
import { Tokens } from "../shared/tokens.js";
import { element } from "../shared/view.js";
import { countText } from "../shared/words.js";

/** The tokens of a stretch that the server sent. */
export function tokensOf({ text, ids, sizes, starts, widths, first = 0, special = [], placed, normalizes, labels, unknown, hidden }) {
  const columns = [ids, sizes, starts, widths].map((column) => Int32Array.from(column));
  const tokens = Object.assign(new Tokens(text, ...columns), { isWhole: first === 0, special: new Set(special) });
  tokens.hidden = marksAfterReply(NO_MARKS, { hidden });
  return tokens.describe({ placed, normalizes, labels, unknown });
}

/** Draw a stretch into `.flow`, and say what is left out around it; `look(index)` is the class of a token of the text. */
export function drawStretch(flow, stretch, look = () => "") {
  const tokens = tokensOf(stretch);
  const { first, behind } = stretch;
  const block = element("div", "block");
  const chips = drawTokens(tokens, 0, tokens.count);
  forEachChip(chips, (chip, i) => {
    const name = look(first + i);
    if (name) chip.classList.add(name);
  });
  block.append(...withLeftOut([first, behind], [chips]));
  flow.replaceChildren(...(tokens.count ? [block] : []));
}

/** Tokens between words that say how many are left out before and after them, by the name of one. */
export function withLeftOut([before, after], tokens, name = "token") {
  const words = (text) => element("span", "left-out", text);
  return [
    ...(before ? [words(`${countText(before, name)} before … `)] : []),
    ...tokens,
    ...(after ? [words(` … ${countText(after, name)} after`)] : []),
  ];
}

/** Tokens above their ids; `look(index)` is the class of one. */
export function tokensWithIds(tokens, look = () => "") {
  return element("span", "with-ids", ...tokens.map((token, i) =>
    element("span", `one ${look(i)}`, tokenChip(tokenFromHex(token)), element("small", "", token[1]))));
}

/** A box with a heading, an optional line on what its marks mean, and `.scroller` with something to draw into. */
export function pane(className, title, legend, ...content) {
  const scroller = Object.assign(element("div", "scroller", ...content), { tabIndex: 0, role: "group", ariaLabel: title });
  return { pane: element("section", `pane ${className}`, element("header", "", element("h2", "", title), legend), scroller), scroller };
}

/** A box whose `.flow` is to draw tokens into. */
export function tokensPane(title, legend, hint) {
  const flow = element("div", "flow");
  return { ...pane("tokens", title, legend, flow, element("p", "hint", hint)), flow };
}

/** What marks mean, from pairs of a class and words. */
export function legendOf(...entries) {
  return element("span", "legend", ...entries.map(([name, words]) => element("span", "", element("span", `sign t plain ${name}`, "ab"), ` ${words}`)));
}
