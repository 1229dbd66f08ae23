// Parts of the pictures of views: captions, names of files, how much of a text fits, and chips in flow.

import { cutsGrapheme, continuesGrapheme } from "../shared/text.js";
import { element } from "../shared/view.js";
import { countText, groupedNumber } from "../shared/words.js";

const TOKENS_MAX = 2_000;
const UNITS_MAX = 20_000;
const LINES_MAX = 200;

/** A caption in one line, with the day and the name of this app. */
export function caption(...parts) {
  const day = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  return [...parts.filter(Boolean), day, "tokviz"].join(" · ");
}

/** "156 characters, 200 bytes, 3.70 bytes per token". */
export function figuresText({ tokens, characters, bytes }) {
  const parts = [countText(characters, "character"), countText(bytes, "byte")];
  if (tokens) parts.push(`${(bytes / tokens).toFixed(2)} bytes per token`);
  return parts.join(", ");
}

/** How many tokens from the first on fit into a picture, at most `most`. */
export function nFittingTokens(tokens, most = TOKENS_MAX) {
  const { text, starts } = tokens;
  let lines = 0;
  let end = 0;
  while (end < tokens.count && end < most && tokens.end(end) <= UNITS_MAX && lines < LINES_MAX) {
    for (let i = starts[end]; i < tokens.end(end); i++) lines += Number(text.charCodeAt(i) === 10);
    end++;
  }
  while (end < tokens.count && end > 0 && (tokens.splitsBefore(end) || cutsGrapheme(text, starts[end]) || continuesGrapheme(text, starts[end]))) end--;
  return end;
}

/** "The first 2,000 tokens of 14,000", or "" if all are shown. */
export function cutText(shown, all) {
  return shown < all ? `the first ${countText(shown, "token")} of ${groupedNumber(all)}` : "";
}

/** Chips as the body of a section, laid out as on the page. */
export function flowElement(chips, className = "flow") {
  return element("div", className, element("div", "block", chips));
}

/** A name for a file, without its ending. */
export function fileName(...words) {
  return words.join(" ").replace(/[^\p{L}\p{N}._]+/gu, "-").replace(/^[-.]+|-+$/g, "");
}
