// What two texts have differently, in runs of whole words, signs and special tokens.

const PIECES = /<[^<>\s]+>|\[[^[\]\s]+\]|[\p{L}\p{M}\p{N}]+|./gsu;

/**
 * Cut each of two texts into [what both have, what only it has] in turn, by the longest common subsequence of their
 * pieces: "a b" and "a c" give [["a ", "b"]] and [["a ", "c"]].
 */
export function changedRuns(...texts) {
  const pieces = texts.map((text) => text.match(PIECES) ?? []);
  const [some, others] = pieces;
  const common = Array.from({ length: some.length + 1 }, () => new Uint16Array(others.length + 1)); // from there on
  for (let i = some.length - 1; i >= 0; i--) {
    for (let j = others.length - 1; j >= 0; j--) {
      common[i][j] = some[i] === others[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const runs = [[], []];
  const add = (side, piece, own) => {
    const last = runs[side].at(-1);
    if (!last || (last[1] && !own)) runs[side].push(own ? ["", piece] : [piece, ""]);
    else last[own] += piece;
  };
  for (let i = 0, j = 0; i < some.length || j < others.length;) {
    if (i < some.length && some[i] === others[j]) {
      add(0, some[i++], 0);
      add(1, others[j++], 0);
    } else if (j === others.length || (i < some.length && common[i + 1][j] >= common[i][j + 1])) add(0, some[i++], 1);
    else add(1, others[j++], 1);
  }
  return runs;
}
