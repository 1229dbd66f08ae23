// How many tokens each tokenizer makes of the text, as bars against the reference.

import { element, writeText } from "../shared/view.js";
import { countText, groupedNumber } from "../shared/words.js";

/** Draw a bar for each column; `reference` is the index of the one they are compared with. */
export function drawBars(target, columns, reference) {
  while (target.children.length > columns.length) target.lastChild.remove();
  while (target.children.length < columns.length) target.append(barLine());
  const counts = columns.map((column) => (column.hasProblem ? null : column.shown.count));
  const longest = Math.max(...counts, 1);
  counts.forEach((tokens, i) => {
    const { ids, unknown: lost } = columns[i].shown;
    const unknown = tokens && lost != null ? ids.filter((id) => id === lost).length : 0;
    const [name, track, figures] = target.children[i].children;
    writeText(name, columns[i].title);
    track.firstChild.style.width = `${100 * (tokens ?? 0) / longest}%`;
    track.firstChild.firstChild.style.width = `${100 * unknown / (tokens || 1)}%`;
    writeText(figures.firstChild, tokens === null ? "–" : countText(tokens, "token"));
    writeText(figures.children[1], unknown ? ` · ${groupedNumber(unknown)} unknown` : "");
    writeText(figures.lastChild, i === reference ? " · the reference" : differenceText(tokens, counts[reference]));
  });
}

/** The line of one tokenizer: its name, its bar, and its figures. */
function barLine() {
  const track = element("span", "track", element("div", "bar", element("div", "lost")));
  const figures = element("span", "", element("b"), element("span", "unknown"), element("span", "than quiet"));
  return Object.assign(element("div", "", element("span", "name"), track, figures), { role: "listitem" });
}

/** " · 41% fewer": a number of tokens against the reference's. */
function differenceText(tokens, others) {
  if (tokens === null || !others) return "";
  if (tokens === others) return " · as many";
  const share = Math.round(100 * Math.abs(tokens - others) / others);
  return ` · ${share || "<1"}% ${tokens < others ? "fewer" : "more"}`;
}
