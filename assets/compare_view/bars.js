// How many tokens each tokenizer makes of the text, as bars against the reference.

import { count } from "../shared/inspector.js";
import { element, write } from "../shared/view.js";

/** Draw a bar for each column; `reference` is the index of the one they are compared with. */
export function drawBars(target, columns, reference) {
  while (target.children.length > columns.length) target.lastChild.remove();
  while (target.children.length < columns.length) target.append(bar());
  const counts = columns.map((column) => (column.hasProblem ? null : column.shown.count));
  const longest = Math.max(...counts, 1);
  counts.forEach((tokens, i) => {
    const [name, track, figures] = target.children[i].children;
    write(name, columns[i].name);
    track.firstChild.style.width = `${100 * (tokens ?? 0) / longest}%`;
    write(figures.firstChild, tokens === null ? "–" : count(tokens, "token", "tokens"));
    write(figures.lastChild, i === reference ? " · the reference" : difference(tokens, counts[reference], columns[reference].name));
  });
}

/** The line of one tokenizer: its name, its bar, and its figures. */
function bar() {
  const line = element("div");
  line.setAttribute("role", "listitem");
  const track = element("span", "track");
  track.append(element("div", "bar"));
  const figures = element("span");
  figures.append(element("b"), element("span", "than"));
  line.append(element("span", "name"), track, figures);
  return line;
}

/** " · 41% fewer than gpt2": a number of tokens against the reference's. */
function difference(tokens, others, name) {
  if (tokens === null || !others) return "";
  if (tokens === others) return ` · as many as ${name}`;
  const share = Math.round(100 * Math.abs(tokens - others) / others);
  return ` · ${share || "<1"}% ${tokens < others ? "fewer" : "more"} than ${name}`;
}
