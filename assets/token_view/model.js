// The tokens of a text as flat arrays, how a reply changes them, and how they follow the typing.

const PENDING = -1; // the id of text that is typed, but not yet tokenized

class Tokens {
  /**
   * starts has one entry more than there are tokens: where the tokenized text ends. Of a tokenizer that is not
   * byte-level, text may lie between two tokens and belong to neither, and a token may be empty.
   */
  constructor(text, ids, sizes, starts, widths) {
    Object.assign(this, { text, ids, sizes, starts, widths, count: ids.length });
  }

  end(i) { return this.starts[i] + this.widths[i]; }

  /** Where the text drawn with a token begins: what lies between it and the token before is drawn with it. */
  from(i) {
    if (!this.placed) return this.starts[i]; // nothing lies between; and these may be a part of all tokens
    return i === 0 ? 0 : Math.min(this.end(i - 1), this.starts[i]);
  }

  /** Where the text drawn with the tokens before i ends. */
  until(i) { return i === this.count ? this.starts[i] : this.end(i - 1); }

  /** How the vocabulary writes a token that the text does not tell: an unknown, empty, or normalised one. */
  written(i) {
    const name = this.labels?.get(this.ids[i]);
    if (name === undefined) return null;
    return this.ids[i] === this.unknown || !this.widths[i] || (this.isPartial(i) && !this.place(i).valid) ? name : null;
  }

  string(i) { return this.text.slice(this.starts[i], this.end(i)); }

  /** Whether the token begins inside a character that the token before it shares. */
  splitsBefore(i) { return i > 0 && i < this.count && this.starts[i] < this.end(i - 1); }

  /** Whether the token holds a part of a character that a neighbour holds the rest of. */
  isPartial(i) { return this.splitsBefore(i) || this.splitsBefore(i + 1); }

  /** The token that covers a UTF-16 offset, or the last one. */
  at(offset) {
    return lowest(this.count - 1, (i) => this.end(i) > offset);
  }

  /** Where a token lies: its segment's characters, and which bytes of each it holds. */
  place(i) {
    let first = i;
    while (this.splitsBefore(first)) first--;
    let last = i;
    while (this.splitsBefore(last + 1)) last++;
    let byteStart = 0;
    let total = 0;
    for (let j = first; j <= last; j++) {
      if (j < i) byteStart += this.sizes[j];
      total += this.sizes[j];
    }
    const text = this.text.slice(this.starts[first], this.end(last));
    const characters = charactersOf(text);
    const end = characters.at(-1);
    // Bytes that are no valid UTF-8 show as U+FFFD, and then the text does not tell the bytes.
    const valid = end !== undefined && end.byteStart + end.byteSize === total;
    return { start: this.starts[first], text, characters, byteStart, byteEnd: byteStart + this.sizes[i], valid };
  }

  /** The token's bytes in hex; of bytes that are no valid UTF-8, what the server said. */
  hex(i) {
    if (this.raw?.has(i)) return this.raw.get(i);
    if (!this.isPartial(i)) return hex(utf8.encode(this.string(i)));
    const place = this.place(i);
    return hex(utf8.encode(place.text).subarray(place.byteStart, place.byteEnd));
  }

  /** [{text, from, to, of, start}] of the characters a token touches; from-to count its bytes from 1. */
  parts(i) {
    const place = this.place(i);
    if (!place.valid) return [];
    return place.characters
      .filter((c) => c.byteStart < place.byteEnd && c.byteStart + c.byteSize > place.byteStart)
      .map((c) => ({
        text: c.text,
        start: place.start + c.start,
        from: Math.max(place.byteStart - c.byteStart, 0) + 1,
        to: Math.min(place.byteEnd - c.byteStart, c.byteSize),
        of: c.byteSize,
      }));
  }
}

const NO_TOKENS = new Tokens("", new Int32Array(0), new Int32Array(0), new Int32Array(1), new Int32Array(0));

/** Numbers sent as [bytes per number, base64 of little-endian unsigned numbers]. */
function numbers([width, base64]) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  const Kind = { 1: Uint8Array, 2: Uint16Array, 4: Int32Array }[width];
  return new Kind(bytes.buffer);
}

function spliced(old, at, removed, added) {
  const array = new Int32Array(old.length - removed + added.length);
  array.set(old.subarray(0, at));
  array.set(added, at);
  array.set(old.subarray(at + removed), at + added.length);
  return array;
}

/** The tokens a reply describes: it names what changed since the reply it is based on. */
function tokensOfReply(base, reply) {
  const { at, removed } = reply.tokens;
  const [from, cut, insert] = reply.text;
  const text = cut === base.text.length ? insert : base.text.slice(0, from) + insert + base.text.slice(from + cut);
  const ids = spliced(base.ids, at, removed, numbers(reply.tokens.ids));
  const sizes = spliced(base.sizes, at, removed, numbers(reply.tokens.sizes));
  const widths = spliced(base.widths, at, removed, numbers(reply.tokens.widths));
  const advances = numbers(reply.tokens.advances);
  const starts = new Int32Array(ids.length + 1);
  // The first token begins at `lead`; what lies before it is no token's.
  const moved = reply.tokens.lead - base.starts[0];
  for (let i = 0; i <= at; i++) starts[i] = base.starts[i] + moved;
  let start = starts[at];
  for (let i = 0; i < advances.length; i++) starts[at + i + 1] = start += advances[i];
  const shift = start - base.starts[at + removed];
  for (let i = at + removed + 1, j = at + advances.length + 1; j < starts.length; i++, j++) {
    starts[j] = base.starts[i] + shift;
  }
  const tokens = new Tokens(text, ids, sizes, starts, widths);
  if (reply.tokens.raw) tokens.raw = new Map(reply.tokens.raw);
  if (reply.placed) Object.assign(tokens, { placed: true, labels: new Map(reply.labels), unknown: reply.unknown });
  return tokens;
}

/** The tokens of an earlier text laid on the text as it is now; what changed is one PENDING token. */
function rebased(tokens, text) {
  if (tokens.text === text) return tokens;
  const { prefix, suffix } = commonEnds(tokens.text, text);
  const shift = text.length - tokens.text.length;
  const covered = tokens.starts[tokens.count];
  let kept = tokens.count === 0 ? 0 : tokens.at(prefix);
  if (kept === tokens.count - 1 && tokens.end(kept) <= prefix) kept = tokens.count;
  while (kept > 0 && (tokens.splitsBefore(kept) || insideGrapheme(text, tokens.starts[kept]))) kept--;
  let after = Math.max(kept, tokens.count === 0 ? 0 : tokens.at(tokens.text.length - suffix));
  while (after < tokens.count && (tokens.starts[after] < tokens.text.length - suffix || tokens.splitsBefore(after))) after++;
  const from = tokens.from(kept);
  // A text beyond the limit is covered only in part, and typing there changes nothing on view.
  let to = tokens.starts[after] + shift;
  if (after === tokens.count && covered < tokens.text.length) to = Math.min(text.length, Math.max(from, covered));
  const pending = to > from ? [PENDING] : [];
  const ids = spliced(tokens.ids, kept, after - kept, pending);
  const sizes = spliced(tokens.sizes, kept, after - kept, pending.map(() => 0));
  const widths = spliced(tokens.widths, kept, after - kept, pending.map(() => to - from));
  const starts = new Int32Array(ids.length + 1);
  starts.set(tokens.starts.subarray(0, kept + 1));
  const next = kept + pending.length;
  starts[kept] = from;
  for (let i = after, j = next; j < starts.length; i++, j++) starts[j] = tokens.starts[i] + shift;
  starts[next] = to;
  const moved = new Tokens(text, ids, sizes, starts, widths);
  const { raw, placed, labels, unknown } = tokens;
  Object.assign(moved, { raw, placed, labels, unknown });
  return moved;
}

/** How many tokens at the front and, of the rest, at the end are the same in both, text included. */
function sameTokens(old, now) {
  const shorter = Math.min(old.count, now.count);
  const ends = commonEnds(old.text, now.text);
  // In equal texts everything is a prefix; tokens at the end are the same all the same.
  const suffix = old.text === now.text ? old.text.length : ends.suffix;
  let front = 0;
  while (front < shorter && old.starts[front] === now.starts[front] && old.ids[front] === now.ids[front] && old.widths[front] === now.widths[front] &&
    old.starts[front + 1] === now.starts[front + 1] && old.sizes[front] === now.sizes[front] &&
    old.end(front) <= ends.prefix) front++;
  const sharedFrom = now.text.length - suffix;
  const oldSharedFrom = old.text.length - suffix;
  let back = 0;
  while (back < shorter - front) {
    const i = old.count - 1 - back;
    const j = now.count - 1 - back;
    if (old.ids[i] !== now.ids[j] || old.widths[i] !== now.widths[j] || old.sizes[i] !== now.sizes[j] ||
      old.text.length - old.starts[i] !== now.text.length - now.starts[j] ||
      old.starts[i] < oldSharedFrom || now.starts[j] < sharedFrom) break;
    back++;
  }
  return { front, back };
}
