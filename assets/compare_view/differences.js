// Where several columns of tokens of one text cut it alike, and where they differ. Offsets are bytes, since a
// token may hold a part of a character.
//
// A cell is the shortest stretch of text that begins and ends at a boundary between characters where no
// column has a token that goes across. Columns agree on a cell when they have the same tokens in it.

import { partitionPoint } from "../shared/text.js";
import { PENDING } from "../shared/tokens.js";

/** For each UTF-16 unit of a text, and for its end, how many bytes come `before` it; and how many characters there are. */
export function bytesBeforeUnits(text) {
  const before = new Int32Array(text.length + 1);
  let bytes = 0;
  let characters = text.length;
  for (let i = 0; i < text.length; i++) {
    before[i] = bytes;
    const unit = text.charCodeAt(i);
    const low = i + 1 < text.length ? text.charCodeAt(i + 1) & 0xfc00 : 0;
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if ((unit & 0xfc00) === 0xd800 && low === 0xdc00) {
      before[++i] = bytes; // inside a character: counts as its start
      bytes += 4;
      characters--;
    } else bytes += 3; // a lone surrogate counts as U+FFFD, which has three as well
  }
  before[text.length] = bytes;
  return { before, characters };
}

/** Where tokens begin and end in bytes, as {starts, ends}; in order. */
export function byteSpansOf(tokens, bytesBefore) {
  const starts = new Int32Array(tokens.count);
  const ends = new Int32Array(tokens.count);
  for (let i = 0; i < tokens.count; i++) {
    starts[i] = tokens.splitsBefore(i) ? ends[i - 1] : bytesBefore[tokens.starts[i]];
    // What is not yet tokenized has no size of its own.
    ends[i] = tokens.ids[i] === PENDING ? bytesBefore[tokens.end(i)] : starts[i] + tokens.sizes[i];
  }
  return { starts, ends };
}

export class Cells {
  /** spans: {starts, ends} of each column; bytesBefore: of the text's units, up to where it is compared. */
  constructor(spans, bytesBefore) {
    this.spans = spans;
    this.everyone = 2 ** spans.length - 1;
    this.starts = []; // of each cell, in bytes
    this.firsts = spans.map(() => []); // of each column: the first token of each cell
    this.agrees = []; // of each cell
    this.different = []; // the cells that do not agree
    this.end = Math.max(0, ...spans.map(({ ends }) => ends.at(-1) ?? 0)); // of the last cell, in bytes
    this.foundRuns = null;
    this.holders = spans.map(({ starts }) => new Uint8Array(starts.length)); // for each token a bit for each column that has it
    const isCharacter = new Uint8Array(bytesBefore.at(-1) + 1);
    for (let i = 0; i < bytesBefore.length; i++) isCharacter[bytesBefore[i]] = 1;
    this.cutCells(isCharacter);
  }

  cutCells(isCharacter) {
    const { spans } = this;
    const firsts = new Int32Array(spans.length); // of each column: the first token of this cell, and of the next one
    const next = new Int32Array(spans.length);
    for (let start = 0; start < this.end;) {
      let end = start + 1;
      // A token across the end moves it on, then perhaps one of another column, until none does.
      for (let settled = false; !settled;) {
        const before = end;
        for (let c = 0; c < spans.length; c++) {
          const { starts, ends } = spans[c];
          // Empty tokens at the very end belong to the last cell.
          while (next[c] < starts.length && (starts[next[c]] < end || end === this.end)) end = Math.max(end, ends[next[c]++]);
        }
        if (end < this.end && !isCharacter[end]) end++;
        settled = end === before;
      }
      for (let c = 0; c < spans.length; c++) this.firsts[c].push(firsts[c]);
      const agrees = this.noteHolders(firsts, next);
      if (!agrees) this.different.push(this.starts.length);
      this.starts.push(start);
      this.agrees.push(agrees);
      start = end;
    }
  }

  /**
   * Note for every token of a cell which columns have one of the same span; return whether all columns have all of them.
   * `now`, the first token in each column, advances to `ends`.
   */
  noteHolders(now, ends) {
    const { spans, holders, everyone } = this;
    for (let agrees = true;;) {
      // All columns walk through the cell together; those at the first span have it.
      let start = Infinity;
      let end = Infinity;
      let having = 0;
      for (let c = 0; c < now.length; c++) {
        if (now[c] >= ends[c]) continue;
        const s = spans[c].starts[now[c]];
        const e = spans[c].ends[now[c]];
        if (s < start || (s === start && e < end)) {
          start = s;
          end = e;
          having = 0;
        }
        if (s === start && e === end) having |= 1 << c;
      }
      if (!having) return agrees;
      agrees &&= having === everyone;
      for (let c = 0; c < now.length; c++) if (having & (1 << c)) holders[c][now[c]++] = having;
    }
  }

  get count() { return this.starts.length; }

  /** The cell that holds a byte, or the last one. */
  at(byte) { return Math.max(partitionPoint(this.count, (i) => this.starts[i] > byte) - 1, 0); }

  cellEnd(cell) { return this.starts[cell + 1] ?? this.end; }

  /** Runs of cells that all agree, or all differ, as the first cells of each. */
  get runs() {
    this.foundRuns ??= this.agrees.flatMap((agrees, cell) => (agrees === this.agrees[cell - 1] ? [] : [cell]));
    return this.foundRuns;
  }

  /** The run that holds a token of a column: {first, end, agrees}, tokens of that column. */
  runOf(column, token) {
    const firsts = this.firsts[column];
    const run = partitionPoint(this.runs.length, (i) => firsts[this.runs[i]] > token) - 1;
    return {
      first: firsts[this.runs[run]],
      end: firsts[this.runs[run + 1]] ?? this.spans[column].starts.length,
      agrees: this.agrees[this.runs[run]],
    };
  }
}

/** The tokens that touch the bytes from..to-1, as [first, end]; of an empty range the token at it. */
export function tokensTouching({ starts, ends }, from, to) {
  const first = partitionPoint(starts.length, (i) => ends[i] > from);
  return [first, Math.max(partitionPoint(starts.length, (i) => starts[i] >= to), Math.min(first + 1, starts.length))];
}
