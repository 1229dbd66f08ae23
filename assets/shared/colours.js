// The colours of tokens. A token has the colour of its id; if its left neighbour has that one already, it takes the
// opposite colour of the palette. Settled from left to right, two neighbours never look alike.

export const COLOURS = 10;
export const NONE = -1; // no colour: text that waits for its tokens
export const SPECIAL = -2; // special tokens are drawn inverted

/** The colour of a token id: golden-ratio hashing puts neighbouring ids far apart on the palette. */
export function colourOf(id) {
  return Math.floor(((Math.imul(id + 1, 0x9e3779b1) >>> 0) / 4294967296) * COLOURS);
}

/** The colour of a token that stands alone. */
export function ownColour(id, special) {
  return special.has(id) ? SPECIAL : colourOf(id);
}

/** The paler tint of a colour, for what is to keep its colour beside its equal. */
export function paler(colour) {
  return colour + COLOURS;
}

/** The colour that every eye tells well from this one, and the other way round. */
function opposite(colour) {
  return (colour + COLOURS / 2) % COLOURS;
}

/** The colour of a token beside a left neighbour that has the colour `left`: its own or, if they are equal, the other one. */
export function beside(own, left, other = opposite) {
  return own === left && own >= 0 ? other(own) : own;
}

/** Whether a token has its own colour whichever its left neighbour takes, its own or the opposite one. */
export function isKept(own, leftOwn) {
  return own < 0 || leftOwn < 0 || (own !== leftOwn && own !== opposite(leftOwn));
}

/** The colours of tokens in a row, from those that they have alone. */
export function settled(own, other = opposite) {
  let left = NONE;
  return Int8Array.from(own, (colour) => (left = beside(colour, left, other)));
}

/**
 * The colours of tokens after a change of them, from the colours of the old ones. Behind the change it looks only until
 * they agree: a colour depends on nothing but the id and the colour before it.
 */
export function settledAfter(old, ids, { start, oldStop, newStop }, special) {
  const colours = new Int8Array(ids.length);
  colours.set(old.subarray(0, start));
  colours.set(old.subarray(oldStop), newStop);
  for (let i = start, left = colours[start - 1] ?? NONE; i < ids.length; i++) {
    left = beside(ownColour(ids[i], special), left);
    if (i >= newStop && colours[i] === left) break;
    colours[i] = left;
  }
  return colours;
}

/** How many tokens right behind a change have another colour than before it. */
export function recoloured(old, now, { oldStop, newStop }) {
  let n = 0;
  while (newStop + n < now.length && old[oldStop + n] !== now[newStop + n]) n++;
  return n;
}
