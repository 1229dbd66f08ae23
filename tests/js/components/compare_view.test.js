// The compare view: what differs between columns, and how one gets from difference to difference.

import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, click, fill, point, pointAway, press, type, until } from "./window.js";
import { live, module, numberOf, serverOf, settled, tokensOf } from "./shown.js";

const PAGE = { session: "this one", restore: true, reference: "gpt2", rest: 400, seen: [1, 0] };
const NAMES = ["gpt2", "gpt2@300", "gpt2@3000"];
const TEXT = "unbelievable 3221+2334=5555\n\nดาราศาสตร์ 👩‍🍳 the same words here\n\tdef f(x):\n\t\treturn x\n";

async function opened(text = TEXT, tokenizers = NAMES, options = {}) {
  return live("compare_view", await serverOf("columns", text, { tokenizers, ...options }), PAGE);
}

/** Where the tokens of each column lie in the text, in bytes. */
async function spansOf(text, names = NAMES) {
  return Promise.all(names.map(async (name) => {
    let at = 0;
    return (await tokensOf(name, text)).map(({ hex }) => [at, at += hex.split(" ").length]);
  }));
}

/** The stretches of a text, as short as can be, that not all columns cut alike. */
function differencesOf(text, columns) {
  const ends = [];
  let at = 0;
  for (const character of text) {
    at += Buffer.byteLength(character);
    if (!columns.flat().some(([start, end]) => start < at && at < end)) ends.push(at);
  }
  const cells = ends.map((end, i) => [ends[i - 1] ?? 0, end]);
  const inside = (spans, [start, end]) => String(spans.filter((span) => span[0] >= start && span[0] < end));
  return cells.filter((cell) => columns.some((spans) => inside(spans, cell) !== inside(columns[0], cell)));
}

function chipsOf(view, i) { return [...view.all(".column")[i].querySelectorAll("[data-i]")]; }

/** Of each column the tokens that carry a class. */
function carrying(view, name) {
  return view.all(".column").map((_, i) => [...new Set(chipsOf(view, i).filter((chip) => chip.classList.contains(name)).map(numberOf))]);
}

const touching = (columns, [start, end]) => columns.map((spans) => spans.flatMap(([from, to], i) => (from < end && to > start ? [i] : [])));

test("a token is underlined where not all columns have its span, where none else has it, or where the reference has not", async () => {
  const view = await opened();
  const columns = await spansOf(TEXT);
  const has = (i, span) => columns[i].some((other) => String(other) === String(span));
  const expected = (rule) => columns.map((spans, i) => spans.flatMap((span, n) => (rule(i, span) ? [n] : [])));
  const others = (i) => [0, 1, 2].filter((j) => j !== i);
  assert.deepEqual(carrying(view, "differs"), expected((i, span) => others(i).some((j) => !has(j, span))));
  assert.deepEqual(view.words("[data-figure=marked]"), expected((i, span) => others(i).some((j) => !has(j, span))).map(({ length }) => String(length)));
  choose(view.find("[name=marks]"), "alone");
  assert.deepEqual(carrying(view, "differs"), expected((i, span) => others(i).every((j) => !has(j, span))));
  assert.match(view.find(".explained").textContent, /in every other column/);
  choose(view.find("[name=marks]"), "reference");
  click(view.button("reference: gpt2@300"));
  assert.deepEqual(view.told, [["reference", "gpt2@300"]]);
  assert.deepEqual(carrying(view, "differs"), expected((i, span) => (i === 1 ? others(1).some((j) => !has(j, span)) : !has(1, span))));
  assert.deepEqual(view.all(".reference").map(({ ariaPressed }) => ariaPressed), ["false", "true", "false"]);
});

test("columns are compared in whole characters, though tokens cut them", async () => {
  const { bytesBeforeUnits, Cells } = await module("compare_view/differences.js");
  const { before, characters } = bytesBeforeUnits("ดa👍");
  assert.deepEqual([[...before], characters], [[0, 3, 4, 4, 8], 3]);
  const spans = (...ends) => ({ starts: Int32Array.from([0, ...ends.slice(0, -1)]), ends: Int32Array.from(ends) });
  const cells = new Cells([spans(1, 3, 4, 8), spans(1, 3, 4, 6, 8)], before);
  assert.deepEqual([cells.starts, cells.agrees, cells.different], [[0, 3, 4], [true, true, false], [2]]);
});

test("jumps go through the differences in order, by buttons and keys, and round at the ends", async () => {
  const view = await opened();
  const columns = await spansOf(TEXT);
  const found = differencesOf(TEXT, columns);
  const at = (number) => {
    assert.equal(view.find(".found").textContent, `${number + 1} of ${found.length} differences`);
    assert.deepEqual(carrying(view, "pinned"), touching(columns, found[number]));
  };
  assert.equal(view.find(".found").textContent, `${found.length} differences`);
  const [previous, next] = view.all("[data-do]");
  click(next);
  at(0);
  click(next);
  at(1);
  click(previous);
  click(previous);
  at(found.length - 1);
  assert.match(view.find("[aria-live]").textContent, /^Difference \d+ of \d+ differences: GPT-2 · gpt2: \d tokens?, ids \d.*; gpt2@300: /);
  const column = view.all(".column .scroller")[2];
  column.focus();
  assert.ok(press(column, "n"));
  at(0);
  press(column, "n");
  at(1);
  assert.equal(column.getAttribute("aria-activedescendant"), "active-2");
  press(column, "p");
  at(0);
  assert.ok(!press(view.find("textarea"), "n")); // which is typed there
  press(column, "Escape");
  assert.deepEqual(carrying(view, "pinned"), [[], [], []]);
});

test("pointing lights the same characters in every column, and says their ids below", async () => {
  const view = await opened();
  const columns = await spansOf(TEXT);
  point(chipsOf(view, 1)[2]);
  const lit = touching(columns, columns[1][2]);
  assert.deepEqual(carrying(view, "lit"), lit);
  const ids = (await tokensOf("gpt2@300", TEXT)).map(({ id }) => id);
  await until(() => view.words(".under")[1].startsWith(String(ids[2])));
  pointAway(view.all(".column .scroller")[1]);
  assert.deepEqual(carrying(view, "lit"), [[], [], []]);
  await until(() => view.words(".under").every((words) => words === ""));
});

test("a click pins what is clicked, which moves with the text and is let go with its token", async () => {
  const view = await opened("one 3221+2334 end", ["gpt2", "gpt2@300"]);
  const names = ["gpt2", "gpt2@300"];
  const last = chipsOf(view, 0).at(-1);
  click(last);
  assert.equal(view.all(".column")[0].querySelector(".pinned").textContent, " end");
  const editor = view.find("textarea");
  editor.setSelectionRange(0, 0);
  type(editor, "ที่ ");
  await settled();
  const columns = await spansOf("ที่ one 3221+2334 end", names);
  assert.deepEqual(carrying(view, "pinned"), touching(columns, columns[0].at(-1)));
  editor.setSelectionRange(editor.value.length, editor.value.length);
  type(editor, "", 1);
  await settled();
  assert.deepEqual(carrying(view, "pinned"), [[], []]);
  click(chipsOf(view, 0)[0]);
  click(chipsOf(view, 0)[0]);
  assert.deepEqual(carrying(view, "pinned"), [[], []]);
});

test("keys walk along a column, and name a token that differs as such", async () => {
  const view = await opened("unbelievable", ["gpt2", "gpt2@300"]);
  const column = view.all(".column .scroller")[1];
  column.focus();
  assert.ok(press(column, "ArrowRight"));
  assert.match(view.find("#active-1").ariaLabel, /^token 2 of \d+: .*, differs$/);
  press(column, "Enter");
  assert.deepEqual(carrying(view, "pinned")[1], [1]);
  press(column, "End");
  assert.equal(numberOf(view.find("#active-1")), chipsOf(view, 1).length - 1);
});

test("the filter leaves what differs, and counts the rest", async () => {
  const text = "The same words here, and then: indivisibility.";
  const view = await opened(text, ["gpt2", "gpt2@3000"]);
  const columns = await spansOf(text, ["gpt2", "gpt2@3000"]);
  const whole = chipsOf(view, 0).length;
  view.find("[name=fold]").click();
  const shown = chipsOf(view, 0).length;
  const counted = [...view.all(".column")[0].querySelectorAll(".fold")].map(({ dataset }) => Number(dataset.label.slice(2)));
  assert.ok(shown < whole && counted.length > 0);
  assert.equal(shown + counted.reduce((sum, n) => sum + n, 0), columns[0].length);
  assert.match(view.find(".fold").getAttribute("aria-label"), /^\d+ tokens the same in all columns$/);
  view.find("[name=fold]").click();
  assert.equal(chipsOf(view, 0).length, whole);
});

test("bars and figures say how many tokens each makes against the reference", async () => {
  const view = await opened("low lower lowest", ["gpt2", "gpt2@0"]);
  assert.deepEqual(view.words(".bars [role=listitem]"), ["GPT-2 · gpt23 tokens · the reference", "gpt2@016 tokens · 433% more"]);
  assert.deepEqual(view.all(".bar").map(({ style }) => style.width), [`${100 * 3 / 16}%`, "100%"]);
  assert.deepEqual(view.words("[data-figure=ratio]"), ["5.33", "1.00"]);
  await view.show({ reference: "gpt2@0" });
  assert.deepEqual(view.words(".bars .than"), ["· 81% fewer", "· the reference"]);
  assert.deepEqual(view.words(".size"), ["16 characters, 16 bytes"]);
});

test("columns come, go and change places", async () => {
  const view = await opened("low", ["gpt2", "gpt2@300"]);
  assert.deepEqual(view.words(".column h2"), ["GPT-2 · gpt2", "gpt2@300"]);
  await view.server.show("columns", { tokenizers: ["gpt2@300", "gpt2", "gpt2@0"] });
  assert.deepEqual(view.words(".column h2"), ["gpt2@300", "GPT-2 · gpt2", "gpt2@0"]);
  assert.deepEqual(view.all(".column .scroller").map((each) => each.getAttribute("aria-label")), ["Tokens of gpt2@300", "Tokens of GPT-2 · gpt2", "Tokens of gpt2@0"]);
  await view.server.show("columns", { tokenizers: ["gpt2"] });
  assert.deepEqual(view.words(".column h2"), ["GPT-2 · gpt2"]);
  assert.ok(view.all("[data-do]").every(({ disabled }) => disabled));
});

test("all columns follow what is typed, and say so once it rests", async ({ mock }) => {
  const view = await opened("one", ["gpt2", "gpt2@0"]);
  mock.timers.enable({ apis: ["setTimeout"] });
  fill(view.find("textarea"), "one two");
  await settled();
  assert.deepEqual(view.words(".column [data-figure=tokens]"), ["2", "7"]);
  mock.timers.tick(1_200);
  assert.equal(view.find("[aria-live]").textContent, "GPT-2 · gpt2 2 tokens, gpt2@0 7 tokens, 2 differences");
  for (const column of view.all(".column .flow")) assert.equal(column.textContent, "one two");
});

test("the same text in all columns has no differences, and an empty one says nothing", async () => {
  const view = await opened("low", ["gpt2", "gpt2@30000"]);
  assert.equal(view.find(".found").textContent, "No differences: all columns have the same tokens");
  fill(view.find("textarea"), "");
  await settled();
  assert.deepEqual(view.words(".column [data-figure=ratio]"), ["–", "–"]);
});

test("what hides is marked in every column, and cleaned for all", async () => {
  const view = await opened("p\u0430ypal", ["gpt2", "gpt2@300"], { finds_hidden: true });
  assert.match(view.find(".hiding").textContent, /1 look-alike letter; \d+ more tokens? in GPT-2/);
  assert.equal(view.all(".column .hides").length, 2);
  click(view.button("Clean the text"));
  await settled();
  assert.equal(view.find("textarea").value, "paypal");
});
