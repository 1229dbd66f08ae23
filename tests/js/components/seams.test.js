// Seams: what can still change, what two texts share, other ids, a cut, and all the ways to cut a piece.

import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, click, press, until } from "./window.js";
import { live, serverOf, settled } from "./shown.js";

async function opened(section, text, data = {}, options = {}) {
  return live("seams", await serverOf("seams", text, { section, ...options }), { view: section, at: -1, version: [0, 0, 0], ...data });
}

test("what can still change is marked, with a text that changes it", async () => {
  const view = await opened("settled", "Feed the cat");
  assert.deepEqual(view.words(".flow .open"), ["cat"]);
  assert.match(view.words(".examples li")[0], /^Followed by /);
  assert.ok(view.sees(".words"));
  await view.server.put("Feed the cat ");
  assert.match(view.find(".aside").textContent, /^Leave out the space at the end/);
  assert.ok(!view.find(".aside").hidden);
  await view.server.put("");
  assert.ok(view.find(".aside").hidden && !view.find(".flow .block"));
});

test("a text whose tokens are all settled is said to be so", async ({ mock }) => {
  const view = await opened("settled", "a<|endoftext|>", {}, { allowed_special: "all" });
  assert.match(view.find(".words").textContent, /^Whatever follows, all 2 tokens stay/);
  assert.ok(!view.find(".flow .open"));
  mock.timers.enable({ apis: ["setTimeout"] });
  await view.server.put("ab");
  mock.timers.tick(1_200);
  assert.equal(view.find("[aria-live]").textContent, view.find(".words").textContent);
});

test("the first words on what was an empty text are said", async ({ mock }) => {
  const view = await opened("settled", "");
  mock.timers.enable({ apis: ["setTimeout"] });
  await view.server.put("ab");
  mock.timers.tick(1_200);
  assert.equal(view.find("[aria-live]").textContent, view.find(".words").textContent);
});

test("two texts say what they share in characters and tokens", async () => {
  const view = await opened("two texts", "one two three", {}, { other: "one two four" });
  const figures = Object.fromEntries(view.words(".counts > span").map((words) => words.match(/^(\d+)(.*)$/).slice(1).reverse()));
  assert.equal(figures["shared characters"], "8");
  assert.equal(figures["shared tokens"], "2");
  assert.deepEqual(view.words(".flow .same"), ["one", "two", "one", "two"]);
});

test("ids are compared with those that their text gives", async () => {
  const view = await opened("ids", "68, 69, 70");
  assert.equal(view.all(".ids-row .one").length > 0, true);
  await view.server.put("76 78 70");
  await settled();
  assert.ok(view.words(".words")[0].length > 10);
  await view.server.put("");
  assert.equal(view.words(".words")[0], "Paste ids, or take those of the text.");
});

test("a text is drawn in chunks, with what each repeats of the one before", async () => {
  const view = await opened("chunks", "one two three four five six seven eight nine");
  assert.deepEqual(view.words(".chunk .left-out"), ["1 · 6 tokens", "2 · 5 tokens"]);
  assert.deepEqual(view.words(".flow .same"), ["five", "six"]);
  assert.match(view.words(".words")[0], /^2 chunks of 5 to 6 tokens: 11 tokens in all, where the whole text has 9. Each repeats the end/);
  await view.server.put("");
  assert.ok(!view.find(".chunk") && !view.words(".words")[0]);
});

test("a cut is moved by keys, and says what it costs at every place", async ({ mock }) => {
  const view = await opened("cut", "unbelievable");
  const cut = view.find(".surface");
  await until(() => view.find(".extra").textContent.startsWith("+"));
  assert.ok(view.find(".extra").classList.contains("costs"));
  assert.deepEqual([cut.getAttribute("aria-valuenow"), cut.getAttribute("aria-valuemax")], ["6", "12"]);
  mock.timers.enable({ apis: ["setTimeout"] });
  for (const [key, at] of [["ArrowRight", 7], ["ArrowLeft", 6], ["Home", 0], ["ArrowLeft", 0], ["End", 12], ["PageUp", 12], ["PageDown", 0], ["ArrowUp", 1]]) {
    assert.ok(press(cut, key), key);
    assert.equal(cut.getAttribute("aria-valuenow"), String(at), key);
  }
  await until(() => cut.ariaValueText?.startsWith("after 1 of 12 characters."));
  assert.match(view.find(".extra").textContent, /^(\+|−|±)\d$/);
  assert.equal(view.find(".extra").classList.contains("costs"), view.find(".extra").textContent.startsWith("+"));
  assert.ok(view.words(".compared")[1].includes("✂"));
  mock.timers.tick(500);
  assert.deepEqual(view.told, [["message", { cut: 1 }]]);
  await view.show({ at: 3, version: [1, 0, 0] });
  assert.equal(cut.getAttribute("aria-valuenow"), "3");
  const thai = await opened("cut", "มะตัวน");
  await thai.show({ at: 3, version: [1, 0, 0] });
  await until(() => thai.words(".words")[0]?.endsWith("between ต and ◌ั."));
  await thai.show({ at: 2, version: [2, 0, 0] });
  await until(() => thai.words(".words")[0] && !thai.words(".words")[0].includes("inside"));
  const long = await opened("cut", "one two three four five six seven eight nine ten");
  await until(() => long.words(".compared")[1]?.includes("✂"));
  for (const row of long.words(".compared")) assert.match(row, /^(As one text|Cut in two)\d tokens? before … .* … \d tokens? after$/);
});

test("a piece is chosen by a click, and its ways are gone through", async ({ mock }) => {
  const view = await opened("ways", "the unbelievable cat", { at: ["", ""] });
  await until(() => view.find(".words b"));
  const chip = view.all(".pieces .t").find((each) => each.textContent === " cat");
  mock.timers.enable({ apis: ["setTimeout"] });
  click(chip);
  await until(() => view.words(".words code")[0] === "␣cat");
  assert.ok(view.find(".pieces .pinned").textContent === " cat");
  assert.match(view.find(".words").textContent, /can be cut into tokens in \d+ ways/);
  const ways = Number(view.find(".words b").textContent);
  assert.match(view.words("h2")[1], /^BPE’s own.*: 1 token$/);
  const slider = view.find("input[type=range]");
  assert.equal(slider.max, String(ways - 1));
  click(view.all(".named button").find(({ dataset }) => dataset.name === "bytes"));
  await until(() => /Single bytes.*: 4 tokens$/.test(view.words("h2")[1]));
  assert.deepEqual(view.all(".flow")[1].querySelectorAll("[data-i]").length, 4);
  choose(slider, "0");
  await until(() => slider.ariaValueText === `way 1 of ${ways}`);
  click(view.button("The next way"));
  await until(() => slider.ariaValueText === `way 2 of ${ways}`);
  click(view.button("The way before"));
  click(view.button("The way before"));
  await until(() => slider.ariaValueText === `way 1 of ${ways}`);
  mock.timers.tick(500);
  assert.deepEqual(view.told.at(-1), ["message", { piece: "16-20", way: "0" }]);
  const panel = view.find("[role=listbox]");
  panel.focus();
  press(panel, "Home");
  press(panel, "Enter");
  await until(() => view.words(".words code")[0] === "the");
  await view.server.put("xx the unbelievable cat");
  await until(() => view.words(".words code")[0] === "the" || view.words(".words code")[0] === "␣the");
});

test("a section that is left gives way to another", async () => {
  const view = await opened("settled", "Feed the cat");
  await view.server.show("seams", { section: "cut" });
  await view.show({ view: "cut" });
  assert.ok(view.find(".surface") && !view.find(".examples"));
});
