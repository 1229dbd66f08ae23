// The smaller live views: pretokens by what cut them, a text as Unicode sees it, and what the same costs in other texts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { point, pointAway, press, until } from "./window.js";
import { live, serverOf } from "./shown.js";

const cutBy = (view) => view.all("#tokens [data-i]").filter((chip) => chip.classList.contains("also")).length;

test("pretokens are underlined in the colour of what cut them, and pointing says which", async () => {
  const view = await live("cuts", await serverOf("cuts", "It's 12  ok"));
  assert.deepEqual(view.all("#tokens [data-i]").map((chip) => chip.textContent), ["It", "'s", " 12", " ", " ok"]);
  assert.deepEqual(view.words("[data-count]"), ["5", "4", "0", "3"]);
  const [, , twelve] = view.all("#tokens [data-i]");
  const number = view.all(".alternatives li").findIndex((item) => item.querySelector(".number").style.getPropertyValue("--by") === twelve.style.getPropertyValue("--by"));
  point(twelve);
  assert.match(view.find(".under").textContent, new RegExp(`^␣12: cut by alternative ${number + 1}, “.*”; 3 characters, pretoken 3 of 5$`));
  assert.ok(view.all(".alternatives li")[number].classList.contains("lit"));
  pointAway(view.find("#tokens"));
  assert.match(view.find(".under").textContent, /^Choose a pretoken/);
  assert.ok(!view.find(".lit"));
  const letters = view.all(".share").findIndex((share) => share.textContent === "2 pretokens");
  point(view.all(".alternatives li")[letters]);
  assert.equal(cutBy(view), 2);
  pointAway(view.find(".alternatives ol"));
  assert.equal(cutBy(view), 0);
});

test("keys walk through the pretokens, and a switch goes to the page", async () => {
  const view = await live("cuts", await serverOf("cuts", "It's 12  ok"));
  const panel = view.find("#tokens");
  for (const [key, number] of [["ArrowRight", 1], ["End", 5], ["ArrowRight", 5], ["ArrowLeft", 4], ["Home", 1]]) {
    press(panel, key);
    assert.match(view.find(".under").textContent, new RegExp(`pretoken ${number} of 5$`), key);
  }
  const toggle = view.find("[role=switch]");
  assert.equal(toggle.ariaLabel, "Alternative 1");
  toggle.click();
  assert.deepEqual(view.told, [["message", { pattern: "gpt2", off: [0] }]]);
  await view.server.show("cuts", { off: [0] });
  assert.deepEqual(view.all("#tokens [data-i]").map((chip) => chip.textContent).slice(0, 3), ["It", "'", "s"]);
  assert.ok(view.find(".alternatives li").classList.contains("off") && !view.find("[role=switch]").checked);
});

test("a pattern of several parts has a heading and a switch for each", async () => {
  const view = await live("cuts", await serverOf("cuts", "ab 12", { pattern: "starcoder" }));
  assert.deepEqual(view.words(".alternatives li.part"), ["Part 1 cuts the text", "Part 2 cuts each piece that part 1 left"]);
  const [letters, , one] = view.all("#tokens [data-i]");
  point(letters);
  assert.match(view.find(".under").textContent, /^ab: cut by alternative 3 of part 2, “letters”/);
  assert.equal(view.find("li.lit .number").textContent, "3");
  point(one);
  assert.match(view.find(".under").textContent, /^1: cut by alternative 1 of part 1, “digit”/);
  assert.equal(view.find("li.lit .number").textContent, "1");
  const second = view.all("li.part [role=switch]")[1];
  assert.equal(second.ariaLabel, "Part 2");
  second.focus();
  second.click();
  const off = [1, 2, 3, 4, 5, 6, 7];
  assert.deepEqual(view.told, [["message", { pattern: "starcoder", off }]]);
  await view.server.show("cuts", { pattern: "starcoder", off });
  assert.deepEqual(view.all("#tokens [data-i]").map((chip) => chip.textContent), ["ab ", "1", "2"]);
  assert.ok(!view.all("li.part [role=switch]")[1].checked && view.all("li.part [role=switch]")[0].checked);
});

test("pretokens follow a text that is edited elsewhere", async () => {
  const view = await live("cuts", await serverOf("cuts", "one two"));
  await view.server.put("one two, three");
  assert.deepEqual(view.all("#tokens [data-i]").map((chip) => chip.textContent), ["one", " two", ",", " three"]);
  await view.server.put("one");
  assert.deepEqual(view.words(".counts > span"), ["1 pretoken", "1 alternative at work", "0 matched by none", "3 characters in the longest"]);
});

test("a row for each code point with its bytes in three encodings, and the normal forms", async () => {
  const view = await live("unicode_view", await serverOf("unicode_view", "e\u0301👍\u200b"));
  const rows = view.all("tbody.text tr").map((row) => [...row.cells].map(({ textContent }) => textContent.replace(/\s+/g, " ").trim()));
  assert.equal(rows.length, 4);
  assert.deepEqual(rows[0].slice(0, 2), ["e\u0301", "e"]);
  assert.deepEqual(view.all("tbody.text tr")[0].cells[0].rowSpan, 2);
  assert.match(rows[1][1], /^U\+0301 769 combining mark ?COMBINING ACUTE ACCENT$/);
  assert.equal(rows[1].length, 5);
  assert.match(rows[2][3], /^f0 240 ?9f 159 ?91 145 ?8d 141$/);
  assert.equal(rows[3][1], "ZWSP");
  assert.ok(view.all(".byte.zero").length > 0);
  assert.deepEqual(view.words(".counts > span"), ["4characters (code points)", "3as a reader sees them"]);
  assert.deepEqual(view.words("th.encoding"), ["UTF-8 10 bytes", "UTF-16 10 bytes, 1 zero", "UTF-32 16 bytes, 8 zero"]);
  assert.deepEqual(view.words(".forms dt"), ["NFC and NFKCcomposed"]);
  assert.deepEqual(view.words(".forms .written"), ["é👍\u200b"]);
  assert.deepEqual(view.words(".forms .points b"), ["U+00E9"]);
  assert.deepEqual(view.words(".forms p"), ["NFD and NFKD leave it as it is."]);
  await view.server.put("é");
  assert.deepEqual(view.words(".forms p"), ["NFC and NFKC leave it as it is."]);
  await view.server.put("a");
  assert.deepEqual(view.words(".forms p"), ["NFC, NFD, NFKC and NFKD leave it as it is."]);
  await view.server.put("²");
  assert.deepEqual(view.words(".forms p"), ["NFC and NFD leave it as it is."]);
  await view.server.put("");
  assert.ok(view.find("table").hidden && !view.find(".hint").hidden);
});

test("rows before and after an edit stay, and rows that wait for a frame come", async () => {
  const text = "abcdefghij".repeat(8);
  const view = await live("unicode_view", await serverOf("unicode_view", text));
  await until(() => view.all("tbody.text tr").length === 80);
  const [first] = view.all("tbody.text tr");
  const code = (row) => row.querySelector(".one").textContent;
  await view.server.put(`${text.slice(0, 40)}X${text.slice(41)}`);
  assert.equal(view.all("tbody.text tr").map(code).join(""), `${text.slice(0, 40)}X${text.slice(41)}`);
  assert.ok(first.isConnected || view.all("tbody.text tr").length === 80);
});

test("texts that say the same are counted, each as a multiple of the first", async () => {
  const texts = ["one two three four", "หนึ่ง สอง", ""];
  const server = await serverOf("ratios", "", { texts, tokenizers: ["gpt2", "gpt2@300"] });
  const view = await live("ratios", server, { document: null, rows: ["English", "Thai", "Own"], columns: ["gpt2", "300"] });
  const cells = () => view.all("tbody tr").map((row) => [...row.cells].map((cell) => [...cell.children].map(({ textContent }) => textContent).join(" ") || cell.textContent));
  assert.deepEqual(view.words("thead th"), ["gpt2", "300"]);
  const [[, first], [, thai], [, own]] = cells().map((row) => row);
  assert.equal(first.trim(), "4");
  const [ratio, count] = thai.split(" ");
  assert.equal(ratio, `${(Number(count) / 4).toFixed(Number(count) / 4 < 2 ? 2 : 1)}×`);
  assert.equal(own.trim(), "0");
  await server.put("one", "text 1");
  assert.equal(cells()[1][1], "0.25× 1");
  await view.show({ rows: ["English"] });
  assert.equal(view.all("tbody tr").length, 1);
});
