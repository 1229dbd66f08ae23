// What a reply of the server to this view has changed: its text, and the tokens of a column.

import { insideGrapheme, commonEnds } from "../shared/text.js";
import { numbers, PENDING, spliced, Tokens } from "../shared/tokens.js";

/** The text after the change that a reply names: so many units removed from an offset on, a text put in. */
export function textOfReply(text, [from, removed, insert]) {
  return removed === text.length ? insert : text.slice(0, from) + insert + text.slice(from + removed);
}

/** The tokens of a text, from what a reply says has changed since the tokens it is based on. */
export function tokensOfReply(base, change, text) {
  const { at, removed } = change;
  const ids = spliced(base.ids, at, removed, numbers(change.ids));
  const sizes = spliced(base.sizes, at, removed, numbers(change.sizes));
  const widths = spliced(base.widths, at, removed, numbers(change.widths));
  const advances = numbers(change.advances);
  const starts = new Int32Array(ids.length + 1);
  starts.set(base.starts.subarray(0, at));
  let start = at === 0 ? 0 : base.starts[at - 1];
  for (let i = 0; i < advances.length; i++) starts[at + i] = start += advances[i];
  const shift = start - (at + removed === 0 ? 0 : base.starts[at + removed - 1]);
  for (let i = at + removed, j = at + advances.length; j < ids.length; i++, j++) starts[j] = base.starts[i] + shift;
  starts[ids.length] = change.end;
  const tokens = Object.assign(new Tokens(text, ids, sizes, starts, widths), { isWhole: true });
  if (change.raw) tokens.raw = new Map(change.raw);
  return tokens;
}

/** The tokens of an earlier text laid on the text as it is now; what changed is one PENDING token. */
export function rebased(tokens, text) {
  if (tokens.text === text) return tokens;
  const { prefix, suffix } = commonEnds(tokens.text, text);
  const shift = text.length - tokens.text.length;
  const covered = tokens.starts[tokens.count];
  let kept = tokens.count === 0 ? 0 : tokens.at(prefix);
  if (kept === tokens.count - 1 && tokens.end(kept) <= prefix) kept = tokens.count;
  while (kept > 0 && (tokens.splitsBefore(kept) || insideGrapheme(text, tokens.starts[kept]))) kept--;
  let after = Math.max(kept, tokens.count === 0 ? 0 : tokens.at(tokens.text.length - suffix));
  while (after < tokens.count && (tokens.starts[after] < tokens.text.length - suffix || tokens.splitsBefore(after))) after++;
  const from = tokens.gapStart(kept);
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
  const moved = Object.assign(new Tokens(text, ids, sizes, starts, widths), { isWhole: true });
  const { raw, placed, labels, unknown } = tokens;
  return Object.assign(moved, { raw, placed, labels, unknown });
}
