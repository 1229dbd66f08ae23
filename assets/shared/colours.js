// The colour of a token depends on its bytes alone, so that the same piece looks the same everywhere, under every
// tokenizer. Edges separate neighbours.

export const COLOURS = 24;
export const NONE = -1; // no colour: text that waits for its tokens
export const SPECIAL = -2; // special tokens are drawn inverted

/**
 * The colour of a token's bytes: FNV-1a (Fowler, Noll, Vo), its upper bits mixed into the lower ones. The factor was
 * found by search: the ten digits have ten colours, a letter has another colour after a space, and neighbours in the
 * playground's examples differ.
 * @param {Uint8Array} bytes
 */
export function colourOf(bytes) {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x26228ed7);
  return ((hash ^ (hash >>> 13)) >>> 0) % COLOURS;
}

/** A colour for each of a few numbered things; neighbouring numbers are far apart on the palette. */
export function colourOfNumber(number) {
  return (number * 7) % COLOURS;
}
