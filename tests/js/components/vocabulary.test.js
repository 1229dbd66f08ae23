// The vocabulary: a search finds tokens, and a click says what one is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, click, fill, press, until, window } from "./window.js";
import { vocabularyChip } from "../../../assets/vocabulary/listing.js";
import { live, serverOf, tokensOf } from "./shown.js";

async function opened(text = "the ferry", data = {}, options = {}, kept = {}) {
  const view = await live("vocabulary", await serverOf("vocabulary", text, options), { search: undefined, ...data }, kept);
  const scroller = view.find(".list-of-tokens");
  Object.defineProperty(scroller, "clientHeight", { value: 300 });
  await until(() => view.words(".found").some((words) => words.includes("tokens")));
  scroller.dispatchEvent(new window.Event("scroll"));
  return view;
}

const entries = (view) => view.all(".entry").map((row) => [...row.children].slice(0, 2).map(({ textContent }) => textContent));

test("a search finds tokens by their text, where and how it is asked for", async () => {
  const view = await opened();
  const query = view.find("[name=query]");
  assert.deepEqual(view.words(".found"), ["557 of 557 tokens (1 special), the longest words first: they show what it was trained on"]);
  assert.ok(entries(view)[0][1].trim().length > 4 && view.words(".entry .kind").every((kind) => kind.endsWith("letters")));
  assert.ok(view.find(".more").hidden && view.find("[type=reset]").hidden);
  fill(query, "THE");
  assert.ok(entries(view).length >= 2 && entries(view).every(([, token]) => /the/i.test(token)));
  view.find("[name=caseless]").click();
  assert.deepEqual(view.words(".nothing"), ["No token with “THE” fits all the filters."]);
  assert.equal(view.find(".opener").textContent, "More filters (1 set)");
  view.find("[name=caseless]").click();
  fill(query, "x y");
  assert.deepEqual(view.words(".nothing"), ["No token matches “x y”."]);
  await until(() => view.words(".nothing")[0].includes("This text is 2 tokens"));
  click(view.all(".nothing button")[1]);
  assert.match(view.find(".facts .subject").textContent, /^ y/);
  fill(query, "er");
  await until(() => view.find(".facts .nth").textContent === `id ${entries(view)[0][0]}` && view.find(".facts").getAttribute("aria-busy") === "false");
  click(view.all(".entry")[1]);
  const second = view.find(".facts .nth").textContent;
  fill(query, "e"); // finds it too
  assert.equal(view.find(".facts .nth").textContent, second);
  fill(query, "q q");
  assert.match(view.find(".facts").textContent, /^Choose a token/);
  view.find("[name=caseless]").click();
  fill(query, "the");
  choose(view.find("[name=where]"), "whole");
  choose(view.find("[name=space]"), "with");
  const [the] = await tokensOf("gpt2@300", " the");
  assert.deepEqual(entries(view), [[String(the.id), " the"]]);
  assert.deepEqual(view.words(".found"), ["1 of 557 tokens (1 special), shortest first"]);
  click(view.button("Clear the search"));
  await until(() => view.words(".found")[0].startsWith("557 of 557 tokens"));
});

test("by bytes and by ids, and what is wrong with a search is said", async () => {
  const view = await opened();
  for (const [query, bytes] of [["20 74 68 65", "20 74 68 65"], ["0x2074 0x6865", "20 74 68 65"], ["0x74", "74"]]) {
    fill(view.find("[name=query]"), query); // no token has this text
    assert.equal(entries(view)[0][1], bytes === "74" ? "t" : " the");
    assert.ok(view.words(".found")[0].endsWith(` of 557 tokens (1 special), with the bytes ${bytes}, shortest first`));
  }
  for (const query of ["74", "20 7", "the 65", "74 68 65 x"]) { // a text
    fill(view.find("[name=query]"), query);
    assert.doesNotMatch(view.words(".found")[0], /bytes/);
  }
  choose(view.find("[name=how]"), "hex");
  fill(view.find("[name=query]"), "20 74 68 65");
  assert.deepEqual(entries(view).map(([, token]) => token), [" the", " they", " their"]);
  fill(view.find("[name=query]"), "xyz");
  assert.match(view.words(".found")[0], /^0 Bytes in hex are written with 0 to 9 and a to f/);
  choose(view.find("[name=how]"), "id");
  fill(view.find("[name=query]"), "64, 5");
  assert.deepEqual(entries(view).map(([id]) => id), ["5", "64"]);
});

test("kinds, lengths and an order narrow it down, and the tab keeps the search", async () => {
  const view = await opened();
  choose(view.find("[name=order]"), "long");
  choose(view.find("[name=shortest]"), "3");
  const lengths = view.words(".entry .length").map(Number);
  assert.ok(lengths.every((length) => length >= 3) && lengths[0] >= lengths.at(-1));
  const kinds = [...view.find("[name=kind]").options].map(({ value }) => value);
  assert.ok(kinds.length > 2);
  choose(view.find("[name=shortest]"), "");
  choose(view.find("[name=kind]"), kinds[1]);
  const found = view.words(".found")[0];
  assert.ok(view.words(".entry .kind").every((kind) => kind === kinds[1]));
  view.remove();
  const again = await opened("the ferry", {}, {}, { keeps: true });
  await until(() => again.words(".found")[0] === found);
  assert.equal(again.find("[name=order]").value, "long");
  assert.ok(again.find("[name=kind]").classList.contains("set") && again.find(".more").hidden);
  choose(again.find("[name=where]"), "end");
  again.remove();
  const third = await opened("the ferry", {}, {}, { keeps: true });
  assert.ok(!third.find(".more").hidden); // what was set there is seen at once
});

test("a click names a token, its relatives and its uses, which follow the text", async () => {
  const view = await opened("the ferry, the other");
  fill(view.find("[name=query]"), " the");
  choose(view.find("[name=where]"), "whole");
  click(view.find(".entry"));
  const facts = view.find(".facts");
  await until(() => facts.textContent.includes("in the text1 time"));
  assert.match(facts.textContent, /bytes20 74 68 65/);
  assert.match(facts.textContent, /made bymerge \d+ \(merge 1 was learned first\)/);
  assert.equal(view.find(".entry").getAttribute("aria-selected"), "true");
  assert.match(view.find(".places li").textContent, /10/);
  assert.deepEqual([view.words(".places .before"), view.words(".places .after")], [["the␣ferry,"], ["␣other"]]);
  await view.server.put("the the the ferry");
  await until(() => facts.textContent.includes("in the text2 times"));
  const [parent] = view.all(".relatives button");
  const name = parent.textContent;
  click(parent);
  await until(() => view.find(".subject").textContent.startsWith(name) && facts.getAttribute("aria-busy") === "false");
});

test("keys walk through what was found", async () => {
  const view = await opened();
  const list = view.find(".list-of-tokens");
  assert.equal(view.find(".facts .nth").textContent, `id ${entries(view)[0][0]}`); // the first is open, without the focus
  assert.ok(view.root.activeElement !== list);
  press(view.find("[name=query]"), "ArrowDown");
  assert.ok(view.root.activeElement === list);
  for (const [key, row] of [["ArrowDown", 1], ["PageDown", 10], ["ArrowUp", 9], ["End", 556], ["Home", 0], ["ArrowUp", 0]]) {
    assert.ok(press(list, key), key);
    assert.equal(list.getAttribute("aria-activedescendant"), `row-${row}`, key);
    assert.ok(view.find(`#row-${row}`).classList.contains("active"));
  }
  press(list, "Enter");
  await until(() => view.find(".facts .nth")?.textContent === `id ${entries(view)[0][0]}`);
});

test("a search that another page asks for is filled in, once", async () => {
  const view = await opened("the", { search: { name: "one", fields: { query: "erry", where: "inside" } } });
  assert.equal(view.find("[name=query]").value, "erry");
  fill(view.find("[name=query]"), "the");
  await view.show({ search: { name: "one", fields: { query: "erry" } } });
  assert.equal(view.find("[name=query]").value, "the");
});

test("an open token is closed where its id is another's", async () => {
  const view = await opened();
  fill(view.find("[name=query]"), " the");
  click(view.find(".entry"));
  const id = view.find(".facts .nth").textContent;
  view.remove();
  const same = await opened("the ferry", {}, {}, { keeps: true });
  await until(() => same.find(".facts .nth")?.textContent === id);
  same.remove();
  const other = await opened("the ferry", {}, { tokenizer: "cl100k_base@300" }, { keeps: true });
  assert.equal(other.find(".facts .nth").textContent, `id ${entries(other)[0]?.[0]}`);
});

test("a token that begins with a mark stands on a circle, as it does in a text", () => {
  const chipOf = (text) => vocabularyChip({ colour: () => 0, kinds: [0], string: () => text, hex: () => "" }, 0, new Set());
  assert.deepEqual(["ับแก", "กับ", " the"].map((text) => chipOf(text).classList.contains("onto")), [true, false, false]);
});
