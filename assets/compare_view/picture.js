// The picture of a comparison: its columns as they are shown, all of the same part of the text.

import { caption, fileName, nFittingTokens, flowElement } from "../picture/words.js";
import { characterCount, partitionPoint } from "../shared/text.js";
import { countText, groupedNumber } from "../shared/words.js";

const TOKENS_MAX = 600; // of a column
const ABREAST = [0, 1, 2, 3, 2, 3, 3]; // columns side by side, by how many there are

/** What a picture of the compare view contains, or null if there are no tokens to draw. */
export function comparePicture({ columns, marks, characters, bytesBefore, drawnText, view }, explained) {
  const stop = Math.min(...columns.map(({ shown }) => {
    const end = nFittingTokens(shown, TOKENS_MAX);
    return end < shown.count ? shown.starts[end] : drawnText.length;
  }));
  if (!columns.some(({ shown }) => shown.count) || !stop) return null;
  const isCut = stop < drawnText.length;
  const marked = columns.some((column) => column.marked.includes(1));
  return {
    name: fileName("tokens", ...columns.map(({ name }) => name)),
    look: `compare ${view.classList.contains("glyphs") ? "glyphs" : ""}`,
    columns: ABREAST[columns.length],
    sections: columns.map((column) => sectionOf(column, stop)),
    caption: caption(
      columns.filter(({ hasProblem }) => !hasProblem).map(({ title, shown }) => `${title} ${countText(shown.count, "token")}`).join(", "),
      `${countText(characters, "character")}, ${countText(bytesBefore.at(-1), "byte")}`,
      isCut ? `shown: the first ${groupedNumber(characterCount(drawnText.slice(0, stop)))} characters` : "",
      marked ? explained[marks.value].replace(/\.$/, "") : "",
    ),
  };
}

function sectionOf(column, stop) {
  const { title, shown, hasProblem, problem } = column;
  if (hasProblem) return { name: title, body: problem };
  const end = partitionPoint(shown.count, (i) => shown.starts[i] >= stop);
  return { name: title, figures: countText(shown.count, "token"), body: flowElement(column.draw(shown, 0, end, 0)) };
}
