// The picture of a token view: its tokens as they are shown, in colour or as a list.

import { caption, cutText, figuresText, fileName, nFittingTokens, flowElement } from "../picture/words.js";
import { drawListChips, drawTokens } from "../shared/chips.js";
import { countText } from "../shared/words.js";

/** What a picture of a token view contains, or null if there are no tokens to draw. */
export function tokensPicture({ tokens: { tokenizer }, shown, mode, isList, figures: counts, view }) {
  const end = nFittingTokens(shown);
  if (!end || !tokenizer) return null;
  const body = isList ? flowElement(drawListChips(shown, 0, end, mode)) : flowElement(drawTokens(shown, 0, end));
  const look = [isList ? "list" : "", view.classList.contains("glyphs") ? "glyphs" : ""].join(" ");
  const tokens = countText(counts.tokens, "token");
  return {
    name: fileName("tokens", tokenizer.name),
    look,
    sections: [{ name: tokenizer.title, figures: tokens, body }],
    caption: caption(tokenizer.title, `${tokens}, ${figuresText(counts)}`, cutText(end, counts.tokens)),
  };
}
