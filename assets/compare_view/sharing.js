// Where a page is presented, the columns are below each other and share the screen in whole lines.

import { largestScale } from "../shared/panel.js";
import { partitionPoint } from "../shared/text.js";

/**
 * How many lines each of several columns gets of `n`, so that all show the text up to the same place, the last that has
 * room in all of them. `starts`: where each line of each column begins in the text; `least`: lines that each needs anyway.
 */
export function sharedLines(starts, least, n) {
  const linesBefore = (place) => starts.map((lines, i) => Math.max(least[i], partitionPoint(lines.length, (line) => lines[line] >= place)));
  const places = [...starts.flat(), Infinity].sort((a, b) => a - b);
  const tooFar = partitionPoint(places.length, (i) => sum(linesBefore(places[i])) > n);
  return linesBefore(places[Math.max(tooFar - 1, 0)]);
}

/**
 * Give each column its lines of the room, in pixels; all in the largest type that leaves everything in sight. `scales`: the
 * smallest and the largest multiple of the usual type, or null where it stays as it is.
 */
export function shareRoom(columns, room, scales) {
  const panels = columns.map(({ panel }) => panel);
  const [first] = panels;
  const setLines = (lines) => lines.forEach((n, i) => columns[i].node.style.setProperty("--shown", n));
  setLines(columns.map(() => 0)); // what is below a name stretches to the lines of its column
  const names = columns.map(({ nameHeight }) => nameHeight);
  const least = () => names.map((height) => Math.ceil(height / first.lineHeight));
  const setScale = (scale) => { for (const panel of panels) panel.setScale(scale); };
  const isTooLarge = (scale) => {
    setScale(scale);
    const needs = least().map((n, i) => Math.max(n, Math.round(panels[i].flow.offsetHeight / first.lineHeight)));
    return sum(needs) * first.lineHeight > room || panels.some(({ flow }) => flow.scrollWidth > flow.clientWidth);
  };
  setScale(scales ? largestScale(...scales, isTooLarge) : "");
  const n = Math.floor(room / first.lineHeight);
  setLines(sharedLines(panels.map((panel) => panel.lineStarts(n)), least(), n));
}

function sum(numbers) { return numbers.reduce((a, b) => a + b, 0); }
