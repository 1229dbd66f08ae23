// The picture of a token view: its tokens as they are shown, in colour or as a list.

import { caption, cutWords, figures, fileName, fitting, flowing } from "../picture/words.js";
import { drawList, drawTokens } from "../shared/chips.js";
import { count } from "../shared/words.js";

/** What a picture of a token view contains, or null if there are no tokens to draw. */
export function tokensPicture({ tokens: { tokenizer }, shown, mode, isList, figures: counts, view }) {
  const end = fitting(shown);
  if (!end || !tokenizer) return null;
  const body = isList ? flowing(drawList(shown, 0, end, mode)) : flowing(drawTokens(shown, 0, end));
  const look = [isList ? "list" : "", view.classList.contains("glyphs") ? "glyphs" : ""].join(" ");
  const tokens = count(counts.tokens, "token");
  return {
    name: fileName("tokens", tokenizer.name),
    look,
    sections: [{ name: tokenizer.name, figures: tokens, body }],
    caption: caption(tokenizer.name, `${tokens}, ${figures(counts)}`, cutWords(end, counts.tokens)),
  };
}
