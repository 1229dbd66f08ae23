// The pictures of the time machine: its text at a step, and one word from its bytes to its tokens.

import { drawMarkedTokens } from "./step_panel.js";
import { NEVER } from "./history.js";
import { caption, cutText, figuresText, fileName, nFittingTokens, flowElement } from "../picture/words.js";
import { textOfBytes } from "../shared/chips.js";
import { characterCount, hex, visibleText } from "../shared/text.js";
import { countText, groupedNumber, mergeNumberText } from "../shared/words.js";

const BYTES_MAX = 60_000; // looked at for the tokens of a picture
const STEPS_MAX = 40; // of a word
const SOLID = "Solid: just merged";
const MARKS = `${SOLID}. Dashed: next`;

/** What a picture of the text at the step on view contains, or null if there is no text. */
export function stepPicture({ history, shown: k, pinned, tokenizer, panel, view }) {
  if (!history) return null;
  const tokens = history.tokensAt(0, cutPlace(history), k, pinned, panel.next);
  const end = nFittingTokens(tokens);
  if (!end) return null;
  const n = history.tokenCount(k);
  const characters = characterCount(history.text);
  const looks = ["glyphs", "short"].filter((name) => view.classList.contains(name));
  return {
    name: fileName("merges", tokenizer, k),
    look: ["machine", ...looks].join(" "),
    sections: [{ name: tokenizer, figures: `${countText(n, "token")} after ${mergesText(k)}`, body: flowElement(drawMarkedTokens(tokens, end), "flow run") }],
    caption: caption(
      tokenizer, `${groupedNumber(k)} of ${mergesText(history.nMerges)}`,
      `${countText(n, "token")}, ${figuresText({ tokens: n, characters, bytes: history.bytes.length })}`,
      cutText(end, pinned === null ? n : tokens.count), pinned === null ? "" : `compared with ${mergesText(pinned)}`, tokens.flags.some(Boolean) && pinned === null ? (panel.next === null ? SOLID : MARKS) : ""),
  };
}

/** Where a text that is too long for a picture is cut, in bytes. */
function cutPlace(history) {
  const { length } = history.bytes;
  let to = Math.min(length, BYTES_MAX);
  while (to < length && !history.mayCut(to)) to++;
  return to;
}

/** What a picture of the merges of one word contains: a section for each step of it, the last with its tokens. */
export function wordPicture({ history, pretoken, tokenizer, view }) {
  if (!history || !pretoken) return null;
  const { start, end } = pretoken;
  const steps = [0];
  for (let k = 0; (k = history.stepOfNextChange(k, 1, start, end)) !== null;) steps.push(k);
  const word = visibleText(history.string(start, end));
  const shown = steps.length > STEPS_MAX ? [0, ...steps.slice(1 - STEPS_MAX)] : steps;
  const sections = shown.map((k, i) => {
    const tokens = history.tokensAt(start, end, k, null, (shown[i + 1] ?? NEVER) - 1);
    return { name: k ? mergeText(history, k - 1) : "No merge yet", figures: countText(tokens.count, "token"), body: flowElement(drawMarkedTokens(tokens, tokens.count), "flow run") };
  });
  return {
    name: fileName("merges of", word, tokenizer),
    look: `machine word ${view.classList.contains("glyphs") ? "glyphs" : ""}`,
    sections,
    moves: sections.length > 1,
    caption: caption(tokenizer, `${mergesText(steps.length - 1)} in this word`, sections.at(-1).figures, shown === steps ? "" : `the last ${STEPS_MAX - 1} are shown`, sections.length > 1 ? MARKS : ""),
  };
}

function mergesText(n) { return countText(n, "merge"); }

/** "Merge 3: h + e → he". */
function mergeText(history, rank) {
  const parts = history.parts(rank);
  if (!parts) return `Token ${mergeNumberText(rank)}: ${tokenText(history.wholeOf(rank))}, taken whole`;
  const { left, right, made } = parts;
  return `Merge ${mergeNumberText(rank)}: ${tokenText(left)} + ${tokenText(right)} → ${tokenText(made)}`;
}

function tokenText({ bytes }) {
  const text = textOfBytes(bytes);
  return text === null ? `<${hex(bytes)}>` : visibleText(text);
}
