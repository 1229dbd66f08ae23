// One token of a vocabulary: what it is made of, what is made of it, and where the text uses it.

import { CHIP_UNITS, vocabularyChip } from "./listing.js";
import { PART } from "./search.js";
import { chipClass, visibleElement } from "../shared/chips.js";
import { addCharacters, addDefinition, mergeTree } from "../shared/inspector.js";
import { codePointName, visibleCharacter, visibleText } from "../shared/text.js";
import { button, element } from "../shared/view.js";
import { countText, groupedNumber, mergePlaceText } from "../shared/words.js";

/** Draw one token; `report` is what the server says about it, null until it comes. */
export function drawToken(target, vocabulary, i, { special, report, open }) {
  const head = element("p", "subject", vocabularyChip(vocabulary, i, special), element("span", "nth", `id ${vocabulary.ids[i]}`));
  const list = element("dl");
  addDefinition(list, "bytes", vocabulary.hex(i)).className = "figures";
  if (vocabulary.kinds[i] !== PART) {
    const characters = Array.from(vocabulary.string(i).slice(0, CHIP_UNITS));
    addCharacters(list, characters.map((c) => `${visibleCharacter(c)} ${codePointName(c.codePointAt(0))}`), vocabulary.nChars[i]);
  }
  addDefinition(list, "kind", vocabulary.kindNames[vocabulary.kinds[i]]);
  addDefinition(list, "script", vocabulary.scriptNames[vocabulary.scripts[i]]);
  for (const fact of list.children) fact.classList.add("written"); // of what it is written with, not of merges
  const found = vocabulary.findingsOf(i);
  if (found.length) addDefinition(list, "audit", found.join(", "));
  if (report?.reach) drawReach(list, report.reach);
  if (report) drawReport(list, report, vocabulary, i, special, open);
  target.replaceChildren(head, list);
}

/** For a token that its own text does not produce: why, and a text that does, if there is one. */
function drawReach(list, [, context, why]) {
  const dd = addDefinition(list, "occurs", context === null ? `never: ${why}` : "only in context, as in ");
  if (context !== null) dd.append(element("span", "figures", visibleText(context)), element("p", "quiet", why));
}

/** Buttons that open tokens, by their ids. */
export function tokenButtons(ids, vocabulary, special, open) {
  return element("span", "relatives", ...ids.map((id) => {
    const i = vocabulary.indexOf(id);
    const chip = vocabularyChip(vocabulary, i, special);
    return button(chip.className, [...chip.childNodes], () => open(i));
  }));
}

function drawReport(list, report, vocabulary, own, special, open) {
  const buttons = (ids) => tokenButtons(ids, vocabulary, special, open);
  if (report.error) addDefinition(list, "more", report.error);
  if (report.rank !== null) addDefinition(list, "made by", report.unmerged ?? mergePlaceText(report.rank));
  if (report.parents.length) addDefinition(list, "parents", buttons(report.parents));
  const children = report.error ? null : addDefinition(list, "children", report.n_children ? countText(report.n_children, "token") : "none: no merge uses it");
  children?.classList.add("children");
  if (report.children.length && children) {
    children.append(buttons(report.children));
    if (report.n_children > report.children.length) children.append(element("p", "quiet", `the first ${report.children.length} are shown`));
  }
  if (report.tree || report.no_tree) addDefinition(list, "merges", report.no_tree ?? mergeTree(report.tree));
  const uses = addDefinition(list, "in the text", report.n_uses === null ? "" : countText(report.n_uses, "time"));
  uses.className = "uses";
  if (report.notice) uses.append(element("p", "quiet", report.notice));
  if (report.places.length) uses.append(placeList(report, chipClass(vocabulary.colour(own, special))));
}

/** Where a token is used: the character it starts at, and the text around it, the token in the middle. */
function placeList(report, className) {
  return element("ul", "places", ...report.places.map(([start, before, token, after]) => Object.assign(
    element("li", "", element("small", "", groupedNumber(start)), element("span", "before", visibleText(before)),
      visibleElement("span", className, token), element("span", "after", visibleText(after))), { dir: "auto" })));
}
