// Replies about tokens, as the server packs them.

/** Numbers as they are sent. */
export const packed = (numbers) => [4, Buffer.from(Int32Array.from(numbers).buffer).toString("base64")];

/** A reply that puts tokens [id, start, width], of as many bytes, in the place of `removed` ones from the token `at` on. */
export function tokensReply(at, removed, tokens, { end, shift = 0, from = tokens[0]?.[1] ?? 0, ...rest }) {
  const starts = tokens.map(([, start]) => start);
  const widths = packed(tokens.map(([, , width]) => width));
  const advances = packed(starts.map((start, i) => (i ? start - starts[i - 1] : 0)));
  return { at, removed, shift, end, from, ids: packed(tokens.map(([id]) => id)), sizes: widths, widths, advances, ...rest };
}
