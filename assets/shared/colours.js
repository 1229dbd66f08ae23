// The colour of a token depends on its bytes alone, so that the same piece looks the same everywhere, under every
// tokenizer. A colour is one of 24 tints with one of three edges (`palette.py`).

export const COLOURS = 72;
export const NONE = -1; // no colour: text that waits for its tokens
export const SPECIAL = -2; // special tokens are drawn inverted

/**
 * The colour of a token's bytes: FNV-1a (Fowler, Noll, Vo), its upper bits mixed into the lower ones. The factor was
 * found by search: the ten digits have ten tints, a letter has another tint after a space, no two neighbours in what is
 * shown first have one tint, and few neighbours in the samples look the same.
 * @param {Uint8Array} bytes
 */
export function colourOf(bytes) {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0xf0ee1239);
  return ((hash ^ (hash >>> 13)) >>> 0) % COLOURS;
}
