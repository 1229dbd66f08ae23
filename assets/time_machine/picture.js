// The pictures of the time machine: its text at a step, and one word from its bytes to its tokens.

import { drawMarked } from "./step_panel.js";
import { NEVER } from "./history.js";
import { caption, cutWords, figures, fileName, fitting, flowing } from "../picture/words.js";
import { textOfBytes } from "../shared/chips.js";
import { characterCount, hex, visibleText } from "../shared/text.js";
import { count, grouped, mergeNumber } from "../shared/words.js";

const BYTES_MAX = 60_000; // looked at for the tokens of a picture
const STEPS_MAX = 40; // of a word
const RING = "Ring: joined by the last merge";
const MARKS = `${RING}. Dashes: joined by the next`;

/** What a picture of the text at the step on view contains, or null if there is no text. */
export function stepPicture({ history, shown: k, pinned, tokenizer, panel, view }) {
  if (!history) return null;
  const tokens = history.tokensAt(0, cutPlace(history), k, pinned, panel.next);
  const end = fitting(tokens);
  if (!end) return null;
  const n = history.tokenCount(k);
  const characters = characterCount(history.text);
  const looks = ["glyphs", "short"].filter((name) => view.classList.contains(name));
  return {
    name: fileName("merges", tokenizer, k),
    look: ["machine", ...looks].join(" "),
    sections: [{ name: tokenizer, figures: `${count(n, "token")} after ${merges(k)}`, body: flowing(drawMarked(tokens, end), "flow run") }],
    caption: caption(
      tokenizer, `${grouped(k)} of ${merges(history.nMerges)}`,
      `${count(n, "token")}, ${figures({ tokens: n, characters, bytes: history.bytes.length })}`,
      cutWords(end, pinned === null ? n : tokens.count), pinned === null ? "" : `compared with ${merges(pinned)}`, tokens.flags.some(Boolean) && pinned === null ? (panel.next === null ? RING : MARKS) : ""),
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
  for (let k = 0; (k = history.change(k, 1, start, end)) !== null;) steps.push(k);
  const word = visibleText(history.string(start, end));
  const shown = steps.length > STEPS_MAX ? [0, ...steps.slice(1 - STEPS_MAX)] : steps;
  const sections = shown.map((k, i) => {
    const tokens = history.tokensAt(start, end, k, null, (shown[i + 1] ?? NEVER) - 1);
    return { name: k ? mergeWords(history, k - 1) : "No merge yet", figures: count(tokens.count, "token"), body: flowing(drawMarked(tokens, tokens.count), "flow run") };
  });
  return {
    name: fileName("merges of", word, tokenizer),
    look: `machine word ${view.classList.contains("glyphs") ? "glyphs" : ""}`,
    title: word,
    sections,
    moves: sections.length > 1,
    caption: caption(tokenizer, `${merges(steps.length - 1)} in this word`, sections.at(-1).figures, shown === steps ? "" : `the last ${STEPS_MAX - 1} are shown`, sections.length > 1 ? MARKS : ""),
  };
}

function merges(n) { return count(n, "merge"); }

/** "Merge 3: h + e → he". */
function mergeWords(history, rank) {
  const parts = history.parts(rank);
  if (!parts) return `Token ${mergeNumber(rank)}: ${nameOf(history.wholeOf(rank))}, taken whole`;
  const { left, right, made } = parts;
  return `Merge ${mergeNumber(rank)}: ${nameOf(left)} + ${nameOf(right)} → ${nameOf(made)}`;
}

function nameOf({ bytes }) {
  const text = textOfBytes(bytes);
  return text === null ? `<${hex(bytes)}>` : visibleText(text);
}
