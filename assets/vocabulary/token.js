// One token of a vocabulary: what it is made of, what is made of it, and where the text uses it.

import { CHIP_UNITS, vocabularyChip } from "./listing.js";
import { PART } from "./search.js";
import { appendText, chipClass } from "../shared/chips.js";
import { count, definition, mergeAndRank, mergeTree } from "../shared/inspector.js";
import { codePointName, visibleCharacter, visibleText } from "../shared/text.js";
import { element } from "../shared/view.js";

/** Draw one token; `report` is what the server says of it, or null while on the way. */
export function drawToken(target, vocabulary, i, { special, report, open }) {
  const head = element("p", "subject");
  const id = vocabulary.ids[i];
  head.append(vocabularyChip(vocabulary, i, special), element("span", "nth", `id ${id}`));
  const list = element("dl");
  definition(list, "bytes", vocabulary.hex(i)).className = "figures";
  if (vocabulary.kinds[i] !== PART) {
    const characters = Array.from(vocabulary.string(i).slice(0, CHIP_UNITS)).slice(0, 12);
    const points = characters.map((c) => `${visibleCharacter(c)} ${codePointName(c.codePointAt(0))}`);
    const dd = definition(list, "characters");
    for (const words of points) dd.append(element("span", "character", words));
    if (vocabulary.nChars[i] > points.length) dd.append(` and ${count(vocabulary.nChars[i] - points.length, "more", "more")}`);
  }
  definition(list, "kind", vocabulary.kindNames[vocabulary.kinds[i]]);
  definition(list, "script", vocabulary.scriptNames[vocabulary.scripts[i]]);
  const found = vocabulary.foundOf(i);
  if (found.length) definition(list, "audit", found.join(", "));
  if (report?.reach) drawReach(list, report.reach);
  if (report) drawReport(list, report, vocabulary, i, special, open);
  target.replaceChildren(head, list);
}

/** How texts produce a token that its own text does not: why, and one that has it. */
function drawReach(list, [, context, why]) {
  const dd = definition(list, "occurs", context === null ? `never: ${why}` : "only in context, as in ");
  if (context !== null) dd.append(element("span", "figures", visibleText(context)), element("p", "why", why));
}

function drawReport(list, report, vocabulary, own, special, open) {
  const buttons = (ids) => {
    const row = element("div", "relatives");
    for (const id of ids) {
      const i = vocabulary.indexOf(id);
      const chip = vocabularyChip(vocabulary, i, special);
      const button = element("button", chip.className);
      button.type = "button";
      button.append(...chip.childNodes);
      button.addEventListener("click", () => open(i));
      row.append(button);
    }
    return row;
  };
  if (report.error) definition(list, "more", report.error);
  if (report.rank !== null) definition(list, "made by", mergeAndRank(report.rank));
  if (report.parents.length) definition(list, "parents", buttons(report.parents));
  const children = report.error ? null : definition(list, "children", report.n_children ? count(report.n_children, "token", "tokens") : "none: no merge uses it");
  if (report.children.length && children) {
    children.append(buttons(report.children));
    if (report.n_children > report.children.length) children.append(element("p", "why", `the first ${report.children.length} are shown`));
  }
  if (report.tree || report.no_tree) definition(list, "merges", report.no_tree ?? mergeTree(report.tree));
  const uses = definition(list, "in the text", report.n_uses === null ? "" : count(report.n_uses, "time", "times"));
  uses.className = "uses";
  if (report.notice) uses.append(element("p", "why", report.notice));
  if (report.places.length) uses.append(placeList(report, chipClass(vocabulary.colour(own, special))));
}

/** Where a token is used: the character it starts at, and the text around it. */
function placeList(report, className) {
  const places = element("ul", "places");
  for (const [start, before, token, after] of report.places) {
    const place = element("li");
    const chip = element("span", className);
    appendText(chip, token);
    place.append(element("small", "", start.toLocaleString("en")), visibleText(before), chip, visibleText(after));
    places.append(place);
  }
  return places;
}
