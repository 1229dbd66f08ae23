// What is said below the text: which token is pointed at, or what a click on one does.

import { NEVER } from "./history.js";
import { tokenChip } from "../shared/chips.js";
import { hex } from "../shared/text.js";
import { write } from "../shared/view.js";
import { mergeNumber } from "../shared/words.js";

const POINT_HINT = "Ring: the last merge. Dashes: the next. Underlined: the word below; click for another.";
const GUESS_HINT = "Ring: the last merge. Click two neighbours to guess the next.";

/** Describe a token of a history, or where it is null what can be done. */
export function describe(target, token, history, { isGuessing }) {
  if (!token) {
    write(target, isGuessing ? GUESS_HINT : POINT_HINT);
    return;
  }
  const { start, end, id } = token;
  const bytes = history.bytes.subarray(start, end);
  target.replaceChildren(tokenChip({ bytes, id }), ` id ${id}, ${origin(history, start, end)}, bytes ${hex(bytes)}`);
}

/** How the token of the bytes start..end-1 came to be. */
function origin(history, start, end) {
  if (history.special.has(start)) return "a special token, whole from the start";
  let rank = NEVER;
  for (let i = start + 1; i < end; i++) rank = Math.max(rank, history.closedBy[i]);
  return rank === NEVER ? "a single byte" : `made by merge ${mergeNumber(rank)}`;
}
