// What is copied of tokens that are selected in the list.

import { visibleToken } from "../shared/chips.js";

/** The ids, texts or bytes of the tokens first..last, as the list shows them. */
export function listed(tokens, { first, last }, mode) {
  const values = [];
  for (let i = first; i <= last; i++) {
    values.push(mode === "ids" ? tokens.ids[i] : mode === "bytes" ? tokens.hex(i) : visibleToken(tokens, i));
  }
  return values.join(mode === "ids" ? ", " : " ");
}
