// What an answer shows, to look at: lines of coloured pieces, tables, words. Everything is text, never markup.

import { openPictureOnClick } from "../picture/button.js";
import { caption, fileName } from "../picture/words.js";
import { drawListChips, drawTokens, drawTokensApart, forEachChip } from "../shared/chips.js";
import { marksAfterReply, NO_MARKS } from "../shared/hidden_marks.js";
import { NO_TOKENS, tokensAfterReply } from "../shared/tokens.js";
import { revealView, element } from "../shared/view.js";
import { countText } from "../shared/words.js";

const LONG_WORD = /\S{14}/; // is broken where a phone has no room for it

function tokensOf(line) {
  const { raw, ...columns } = line.tokens;
  const tokens = tokensAfterReply(NO_TOKENS, { at: 0, removed: 0, shift: 0, end: line.text.length, ...columns });
  const hidden = marksAfterReply(NO_MARKS, line);
  return Object.assign(tokens, { text: line.text, hidden, raw: new Map(raw), special: new Set(line.are_tokens ? line.special : []) });
}

/** Every token over its id. */
function drawTokensOverIds(tokens) {
  return drawTokensApart(tokens).flatMap(([glyph, chip], i) => {
    const column = element("span", "over", chip, drawListChips(tokens, i, i + 1, "ids", 0));
    column.lastChild.classList.add("id");
    return glyph ? [glyph, column] : [column];
  });
}

function drawLine({ line, tokens }) {
  const header = element("header", "", element("b", "", line.label), element("span", "count", line.count));
  return Object.assign(element("section", "line", header, drawBody({ line, tokens })), { role: "listitem" });
}

function drawBody({ line, tokens }) {
  const block = element("div", line.apart || line.ids ? "block apart" : "block");
  if (line.ids) block.append(...drawTokensOverIds(tokens));
  else block.append(line.apart ? drawListChips(tokens, 0, tokens.count, "text") : drawTokens(tokens, 0, tokens.count));
  if (!tokens.count) block.append(element("span", "quiet", "–"));
  if (line.are_tokens) forEachChip(block, (chip, i) => { chip.title = `id ${tokens.ids[i]}, ${countText(tokens.sizes[i], "byte")}`; });
  return element("div", "flow", block);
}

/** What a picture of lines has; all of them, since what a lesson shows is short. */
function linesPicture(lines, hasGlyphs) {
  const names = [...new Set(lines.flatMap(({ line }) => line.tokenizer ?? []))];
  return {
    name: fileName("tokens", ...names),
    look: hasGlyphs ? "reveal glyphs" : "reveal",
    sections: lines.map(({ line, tokens }) =>
      ({ name: line.label, figures: line.count, body: element("div", "line", drawBody({ line, tokens })) })),
    caption: caption(names.join(", ")),
  };
}

function drawLines(part, root) {
  const lines = part.lines.map((line) => ({ line, tokens: tokensOf(line) }));
  const list = Object.assign(element("div", `lines ${part.look}`, ...lines.map(drawLine)), { role: "list" });
  const button = element("button", "picture", "Save picture");
  Object.assign(button, { type: "button", title: "Copy or save a picture of these lines" });
  openPictureOnClick(button, root, () => linesPicture(lines, root.querySelector(".view").classList.contains("glyphs")));
  return element("div", "pictured", list, button);
}

function drawTable(part) {
  const isNumber = (column) => part.rows.length > 0 && part.rows.every((row) => typeof row[column] === "number");
  const cell = (name, value, column) => {
    const shown = typeof value === "number" ? value.toLocaleString("en-US", { maximumFractionDigits: 2 }) : value;
    const node = element(name, isNumber(column) ? "number" : name === "td" && part.code.includes(column) ? "code" : "", shown);
    node.classList.toggle("long", LONG_WORD.test(shown));
    return node;
  };
  const row = (name, values, look = "") => element("tr", look, ...values.map((value, column) => cell(name, value, column)));
  const head = element("thead", "", row("th", part.columns));
  const body = element("tbody", "", ...part.rows.map((values, n) => row("td", values, n === part.asked ? "asked" : "")));
  return element("div", "table", element("table", "", head, body));
}

function drawPart(part, root) {
  if (part.lines) return drawLines(part, root);
  if (part.rows) return drawTable(part);
  return element("p", "words", part.words);
}

export default function render({ data, parentElement }) {
  const view = revealView(parentElement.querySelector(".view"));
  view.replaceChildren(...data.parts.map((part) => drawPart(part, parentElement)));
}
