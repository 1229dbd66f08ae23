// A text as Unicode sees it: a row for each code point with its bytes, and the four normal forms.

import { LiveView, mountView } from "../shared/live_view.js";
import { visibleCharacter } from "../shared/text.js";
import { callAfterPaint, element, revealView, writeText } from "../shared/view.js";
import { countText, groupedNumber } from "../shared/words.js";

const DRAWN_FIRST = 30; // graphemes, more than are in sight; three hundred take a tenth of a second
const FORM_WORDS = { NFC: "composed", NFD: "decomposed", NFKC: "composed, look-alikes replaced", NFKD: "decomposed, look-alikes replaced" };

/** Bytes as boxes, in hex and decimal. Zeros look different: UTF-16 is often half zeros. */
function byteBoxes(bytes) {
  if (bytes === null) return element("td", "bytes", element("span", "none", "none"));
  return element("td", "bytes", ...bytes.split(" ").map((byte) =>
    element("span", byte === "00" ? "byte zero" : "byte", `${byte} `, element("small", "", parseInt(byte, 16)))));
}

function characterRow(character, seen) {
  // An invisible grapheme is named in its own cell.
  const isNamed = seen?.rows === 1 && visibleCharacter(seen.text) !== seen.text;
  const grapheme = seen && Object.assign(element("td", "seen", isNamed ? "" : seen.text), { rowSpan: seen.rows });
  const shown = visibleCharacter(character.text);
  const point = element("span", "point", `${character.code_point} `, element("small", "", character.number));
  const what = element("td", "what", point, element("span", "category", ` ${character.category}`), element("span", "name", character.name));
  return element("tr", seen ? "" : "inside", grapheme, element("td", shown.length > 2 ? "one named" : "one", shown), what,
    ...["utf8", "utf16", "utf32"].map((encoding) => byteBoxes(character[encoding])));
}

/** The rows of a grapheme, which is a list of characters. */
function graphemeRows(characters) {
  const seen = { rows: characters.length, text: characters.map((character) => character.text).join("") };
  return characters.map((character, i) => characterRow(character, i === 0 ? seen : null));
}

/** What the text has, above the table, and in the head of each encoding its size in that. */
function drawSizes(target, heads, { characters, graphemes, sizes }) {
  const figures = [
    [characters, characters === 1 ? "character (code point)" : "characters (code points)"],
    [graphemes, graphemes === 1 ? "as a reader sees it" : "as a reader sees them"],
  ];
  target.replaceChildren(...figures.map(([number, label]) => element("span", "", element("b", "", groupedNumber(number)), element("span", "", label))));
  sizes.forEach(({ encoding, n_bytes: n, n_zero: zero }, i) => heads[i].replaceChildren(encoding,
    element("small", "", ` ${countText(n, "byte")}${zero ? `, ${groupedNumber(zero)} zero` : ""}`)));
}

/** What forms with the same result have in common, in words. */
function sharedFormWords(forms) {
  const [first, ...rest] = forms.map(({ form }) => FORM_WORDS[form].split(", "));
  return first.filter((words) => rest.every((other) => other.includes(words))).join(", ");
}

/** The normal forms that change the text, each result once, the new code points in bold, and then in a line the names of those that leave it as it is. */
function drawForms(section, forms) {
  const changed = forms.filter(({ unchanged }) => !unchanged);
  const results = [...new Set(changed.map(({ text }) => text))];
  const groups = results.map((text) => changed.filter((form) => form.text === text));
  section.querySelector("dl").replaceChildren(...groups.flatMap((alike) => [
    element("dt", "", alike.map(({ form }) => form).join(" and "), element("small", "", sharedFormWords(alike))),
    element("dd", "", element("span", "written", alike[0].text), element("span", "points", `${countText(alike[0].length, "code point")}: `,
      ...alike[0].points.flatMap(([point, isNew]) => [isNew ? element("b", "", point) : point, " "]))),
  ]));
  const names = forms.filter(({ unchanged }) => unchanged).map(({ form }) => form);
  const leave = names.length === 1 ? "leaves" : "leave";
  writeText(section.querySelector("p"), names.length ? `${names.join(", ").replace(/, (\w+)$/, " and $1")} ${leave} it as it is.` : "");
}

class UnicodeView extends LiveView {
  constructor(root) {
    super(root);
    this.body = root.querySelector("tbody.text");
    this.heads = root.querySelectorAll("th.encoding");
    this.rows = []; // those of each grapheme
    this.rest = []; // of these, the last, which are drawn once the first have been painted
  }

  drawRest() { this.body.append(...this.rest.splice(0).flat()); }

  take(reply) {
    const find = (selector) => this.root.querySelector(selector);
    this.drawRest();
    const drawsAll = this.rows.length > 0; // so that what is read keeps its place
    drawSizes(find(".counts"), this.heads, reply);
    if (reply.mark) {
      find("tbody.mark").replaceChildren(characterRow(reply.mark, { rows: 1, text: reply.mark.text }));
      this.body.replaceChildren();
      this.rows = [];
    }
    const next = this.rows[reply.at + reply.removed]?.[0] ?? null;
    const rows = reply.clusters.map(graphemeRows);
    for (const row of this.rows.splice(reply.at, reply.removed, ...rows).flat()) row.remove();
    if (!drawsAll) this.rest = rows.splice(DRAWN_FIRST);
    const drawn = document.createDocumentFragment();
    drawn.append(...rows.flat());
    this.body.insertBefore(drawn, next);
    if (this.rest.length) callAfterPaint(() => this.drawRest());
    const empty = !this.rows.length;
    find("table").hidden = empty;
    find(".hint").hidden = !empty;
    find(".forms").hidden = empty;
    this.writeNotice(reply.notice);
    drawForms(find(".forms"), reply.forms);
    revealView(this.view);
  }
}

export default (component) => mountView(UnicodeView, component);
