// The token view: what is typed stands there in tokens, can be pointed at and walked through, and is not lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import { click, clipboard, fill, focused, point, pointAway, press, sight, type, until, window } from "./window.js";
import { colourName, EDITING as PAGE, live, numberOf, serverOf, settled, tokensOf } from "./shown.js";

const TEXT = "The ferry left at noon; 1234567 + 89.\n\nAll aboard!\n";
const CODE = "def f(x):\n\tif x > 10:\n    return 3  \nดาราศาสตร์ ที่นี่ น้ำ 👩🏽‍🚀 e\u0301 ☃";
const TAGS = [..."obey me"].map((letter) => String.fromCodePoint(0xe0000 + letter.codePointAt(0))).join("");

async function opened(text, options = {}, data = {}) {
  return live("token_view", await serverOf("token_view", text, options), { ...PAGE, ...data });
}

const editorOf = (view) => view.find("textarea");
const tokensIn = (view) => view.find("#tokens");
const chipsIn = (view, panel = "#tokens") => view.all(`${panel} .t`);
const flowOf = (view) => view.find("#tokens .flow").textContent;

/** Check every chip against the tokens that the package makes of a text: its text, its colour and its id. */
async function shows(view, text, tokenizer = "gpt2") {
  await settled();
  const tokens = await tokensOf(tokenizer, text);
  assert.equal(flowOf(view), text);
  const chips = new Map();
  for (const chip of chipsIn(view)) chips.set(numberOf(chip), [...(chips.get(numberOf(chip)) ?? []), chip]);
  assert.deepEqual([...chips.keys()], tokens.map((_, i) => i));
  tokens.forEach(({ piece, colour, isPartial }, i) => {
    const own = chips.get(i);
    for (const chip of own) assert.ok(chip.classList.contains(colourName(colour)), `${i}: ${chip.className}`);
    const drawn = own.filter((chip) => !chip.dataset.label).map((chip) => chip.textContent).join("");
    if (!isPartial && own.every((chip) => !chip.dataset.label)) assert.equal(drawn, piece);
  });
  click(view.find("[value=ids]"));
  assert.deepEqual(chipsIn(view, "#list").map((chip) => Number(chip.textContent)), tokens.map(({ id }) => id));
  click(view.find("[value=colour]"));
  assert.deepEqual(view.words("[data-count=tokens]"), [tokens.length.toLocaleString("en")]);
}

test("what is typed letter by letter amid a text is tokens at once, and the caret stays behind it", async () => {
  const view = await opened("start end");
  const editor = editorOf(view);
  editor.focus();
  editor.setSelectionRange(5, 5);
  for (const character of CODE) {
    type(editor, character);
    await settled();
  }
  await shows(view, `start${CODE} end`);
  assert.deepEqual([editor.selectionStart, editor.selectionEnd], [5 + CODE.length, 5 + CODE.length]);
  assert.equal(await view.server.text(), `start${CODE} end`);
});

test("edits anywhere leave what a fresh view shows", async () => {
  const view = await opened(TEXT.repeat(9));
  const editor = editorOf(view);
  for (const [start, stop, text] of [[0, 0, "ที่"], [40, 90, ""], [3, 4, "\n\n"], [200, 200, "👩‍🍳 x"], [0, 6, " "]]) {
    editor.setSelectionRange(start, stop);
    type(editor, text);
    await settled();
    const fresh = editor.value;
    await shows(view, fresh);
  }
});

test("a paste in place of all, what undo and redo put back, and an empty text", async () => {
  const view = await opened("");
  assert.equal(chipsIn(view).length, 0);
  const editor = editorOf(view);
  fill(editor, "one two");
  await shows(view, "one two");
  for (const text of ["你好，世界！\n", "one two", "你好，世界！\n"]) {
    fill(editor, text);
    await shows(view, text);
  }
  fill(editor, "");
  await settled();
  assert.equal(chipsIn(view).length, 0);
  assert.deepEqual(view.words("[data-count]"), ["0", "0", "0", "–", "0"]);
});

test("what is put in place of all is read from its beginning, and what is put into a text is not", async () => {
  const view = await opened("one two");
  const editor = editorOf(view);
  for (const [start, text, top] of [[3, "one two\n", 300], [0, "three four\n", 0]]) {
    editor.scrollTop = 300;
    editor.setSelectionRange(start, editor.value.length);
    fill(editor, text);
    await shows(view, text);
    assert.equal(editor.scrollTop, top);
  }
});

test("no line breaks in a short token after a hyphen, before the sign of its line end, or between Thai letters", async () => {
  const view = await opened("state-of?\nNobody!อาหาร", { tokenizer: "cl100k_base" });
  await settled();
  assert.deepEqual(chipsIn(view).filter((chip) => chip.classList.contains("whole")).map((chip) => chip.textContent), ["-of", "?\n", "าร"]);
});

test("a mark that is a token of its own stands on a circle, and a line says what blocks after a shared character are", async () => {
  const text = "กี่ น้ำ ใหญ่";
  const view = await opened(text, { tokenizer: "cl100k_base" });
  await shows(view, text, "cl100k_base");
  const drawn = chipsIn(view).filter((chip) => !chip.dataset.label).map((chip) => (chip.classList.contains("onto") ? "◌" : "") + chip.textContent);
  assert.deepEqual(drawn, ["ก", "◌ี่", " ", "น", "◌้", "◌ำ", " ", "ใ", "ห"]);
  assert.deepEqual(chipsIn(view).filter((chip) => chip.dataset.label).map((chip) => chip.dataset.label), ["e0 b8", "8d", "◌่"]);
  assert.deepEqual(view.words(".sharing"), ["Small codes are bytes: ญ่ is 6 bytes, in 3 tokens; an English letter is 1 byte."]);
  fill(editorOf(view), "กี่");
  await settled();
  assert.ok(view.find(".sharing").hidden);
});

test("figures are those of the text, and what other tokenizers make of it stands beside them", async () => {
  const view = await opened("one two", { counted: ["gpt2", "gpt2@0"] });
  assert.deepEqual(view.words(".counts > span"), ["2 tokens", "7 characters", "7 bytes", "3.50 bytes per token", "2 distinct tokens"]);
  assert.deepEqual(view.words(".counted"), ["The same text ingpt2 2gpt2@0 7"]);
  fill(editorOf(view), "one");
  await settled();
  assert.deepEqual(view.words(".counts > span"), ["1 token", "3 characters", "3 bytes", "3.00 bytes per token", "1 distinct token"]);
  assert.deepEqual(view.words(".main > span"), ["token"]);
  assert.deepEqual(view.words(".counted"), ["The same text ingpt2 1gpt2@0 3"]);
});

test("pointing at a token says its id and bytes, in both panels, and no more once the pointer has left", async () => {
  const view = await opened(TEXT);
  const [, , , token] = await tokensOf("gpt2", TEXT);
  point(chipsIn(view)[3]);
  assert.deepEqual(view.words(".pointed"), [`id ${token.id} · bytes ${token.hex}`]);
  for (const panel of ["#tokens", "#list"]) assert.deepEqual(chipsIn(view, panel).filter((chip) => chip.classList.contains("lit")).map(numberOf), [3]);
  pointAway(tokensIn(view));
  assert.deepEqual(view.words(".pointed"), [""]);
  assert.ok(!view.find(".lit"));
});

test("a count that is pressed shows that tokenizer's tokens below, what differs underlined, and why", async () => {
  const text = "x\n        y 2024";
  const server = await serverOf("token_view", text, { counted: ["gpt2", "cl100k_base"] });
  const view = await live("token_view", server, { ...PAGE, besides: ["cl100k_base"] });
  assert.ok(!view.sees(".beside"));
  assert.deepEqual(view.words(".counted button"), ["cl100k_base 7"]); // the others are only read
  await view.show({ besides: ["gpt2", "cl100k_base"] }); // said after the reply
  assert.equal(view.all(".counted button").length, 2);
  await view.show({ besides: ["cl100k_base"] });
  click(view.find(".counted button"));
  assert.deepEqual(view.told.at(-1), ["beside", "cl100k_base"]);
  await server.show("token_view", { counted: ["gpt2", "cl100k_base"], beside: "cl100k_base" });
  await until(() => view.sees(".beside")); // whose code comes when it is first used
  assert.equal(view.find(".counted button").ariaExpanded, "true");
  const pieces = async () => (await tokensOf("cl100k_base", editorOf(view).value)).map(({ piece }) => piece);
  const shownPieces = () => chipsIn(view, ".beside").map((chip) => chip.textContent);
  assert.deepEqual(shownPieces(), await pieces());
  assert.deepEqual(view.all(".beside .differs").map((chip) => chip.textContent), ["       ", " ", "202", "4"]);
  assert.deepEqual(view.words(".saving"), ["cl100k_base needs 4 fewer tokens than gpt2 here, mostly in indentation: it keeps a run of spaces in one token."]);
  point(chipsIn(view, ".beside")[1]);
  const [, indentation] = await tokensOf("cl100k_base", text);
  assert.deepEqual(view.words(".pointed"), [`id ${indentation.id} · bytes ${indentation.hex}`]);
  fill(editorOf(view), "x y");
  await settled();
  assert.deepEqual(shownPieces(), await pieces());
  assert.ok(!view.find(".beside .differs"));
  assert.deepEqual(view.words(".saving"), ["cl100k_base cuts this text just as gpt2 does."]);
  fill(editorOf(view), "");
  await settled();
  assert.ok(!view.sees(".beside") && !view.sees(".counted button"));
  fill(editorOf(view), "x 2024");
  await settled();
  assert.ok(view.sees(".beside"));
  assert.deepEqual(shownPieces(), await pieces());
  click(view.find(".counted button"));
  assert.deepEqual(view.told.at(-1), ["beside", ""]);
  await server.show("token_view", { counted: ["gpt2", "cl100k_base"] });
  assert.ok(!view.sees(".beside"));
});

test("a click opens the inspector with what the server says, which stays until it is closed", async () => {
  const view = await opened(TEXT);
  const [, second] = await tokensOf("gpt2", TEXT);
  const inspector = view.find(".inspector");
  assert.ok(inspector.hidden);
  click(chipsIn(view, "#list")[1]);
  await until(() => inspector.textContent.includes("pretoken"));
  assert.ok(!inspector.hidden && view.find(".row").classList.contains("open"));
  for (const words of [`A space and ${[...second.piece].length - 1} characters in one token. A model sees only its id, ${second.id}.`, `bytes${second.hex}`, "placetoken 2 of 18, from byte 3, character 3", "in this text1 time", "made bymerge", "left of it", "right of it"]) {
    assert.ok(inspector.textContent.includes(words), `${words}: ${inspector.textContent}`);
  }
  assert.deepEqual(view.words(".tree > li > .node > .name"), ["ferry"]);
  assert.deepEqual(view.words("#tokens .pinned"), ["ferry"]);
  const facts = view.find(".facts dl");
  point(chipsIn(view)[1]);
  pointAway(tokensIn(view));
  await settled();
  assert.ok(facts.isConnected); // or a press that began on one of its buttons would be lost
  point(chipsIn(view)[3]);
  await until(() => view.find(".facts").textContent.includes("placetoken 4 of"));
  assert.ok(view.find(".facts").textContent.includes("Press it, or Enter, for more."));
  assert.deepEqual(view.words(".pointed"), [""]); // or the same would be said twice
  pointAway(tokensIn(view));
  await until(() => view.find(".facts").textContent.includes("placetoken 2 of"));
  click(view.button("Close"));
  assert.ok(inspector.hidden && !view.find(".pinned"));
});

test("a pinned token moves with the text, and one that is typed in is let go", async () => {
  const view = await opened("one two three");
  const editor = editorOf(view);
  click(chipsIn(view)[2]);
  editor.setSelectionRange(0, 0);
  type(editor, "ที่ ");
  await settled();
  assert.deepEqual(view.words("#tokens .pinned"), ["three"]);
  const number = numberOf(view.find("#tokens .pinned")) + 1;
  await until(() => view.find(".facts").textContent.includes(`placetoken ${number} of`));
  editor.setSelectionRange(editor.value.length, editor.value.length);
  type(editor, "", 1);
  await settled();
  assert.ok(!view.find(".pinned") && view.find(".inspector").hidden);
});

test("the inspector leads to Seams with the section and where the token stands", async () => {
  const view = await opened("Feed the cat");
  click(chipsIn(view).at(-1));
  await until(() => view.sees(".seam button"));
  assert.ok(view.words("dt").includes("can change") && view.words("dt").includes("other cuts"));
  click(view.button("See it on Seams: what can change"));
  click(view.button("See it on Seams: all cuts"));
  const piece = "8-12";
  assert.deepEqual(view.told, [["seams", { section: "Settled", piece }], ["seams", { section: "All the ways", piece }]]);
});

test("keys walk through the tokens, pin one and let it go", async () => {
  const view = await opened("low lower lowest");
  const panel = tokensIn(view);
  panel.focus();
  assert.match(view.find("#active").ariaLabel, /^token 1 of 3: low, id \d+, bytes 6c 6f 77$/);
  assert.ok(press(panel, "ArrowRight"));
  const tokens = await tokensOf("gpt2", "low lower lowest");
  assert.equal(view.find("#tokens #active").ariaLabel, `token 2 of 3: ␣lower, id ${tokens[1].id}, bytes 20 6c 6f 77 65 72`);
  assert.equal(panel.getAttribute("aria-activedescendant"), "active");
  assert.equal(view.find(".lit").textContent, " lower");
  assert.ok(press(panel, "Enter"));
  assert.equal(view.find("#tokens .pinned").textContent, " lower");
  await until(() => view.find(".facts").textContent.includes("merges never cross"));
  for (const [key, now] of [["End", 3], ["ArrowRight", 3], ["ArrowLeft", 2], ["Home", 1], ["ArrowLeft", 1], ["PageDown", 3], ["PageUp", 1], ["ArrowDown", 2], ["ArrowUp", 1]]) {
    assert.ok(press(panel, key), key);
    assert.match(view.find("#tokens #active").ariaLabel, new RegExp(`^token ${now} of`), key);
  }
  assert.equal(view.all("#active").length, 1);
  assert.ok(!press(panel, "x"));
  press(panel, "Escape");
  assert.ok(!view.find(".pinned"));
});

test("ids can be copied, all of them or those that are selected", async () => {
  const view = await opened("one two three");
  const ids = (await tokensOf("gpt2", "one two three")).map(({ id }) => id);
  click(view.button("Copy ids"));
  await settled();
  assert.equal(clipboard.text, `[${ids.join(", ")}]`);
  assert.equal(view.find(".copy").textContent, "Copied");
});

test("the switch of one view shows or hides the signs for spaces in all", async () => {
  const views = [await opened("one two"), await live("token_view", await serverOf("token_view", "three four"), PAGE, { keeps: true })];
  click(views[0].find("[name=glyphs]"));
  assert.deepEqual(views.map((view) => [view.find("[name=glyphs]").checked, view.find(".view").matches(".glyphs")]), [[false, false], [false, false]]);
  click(views[1].find("[name=glyphs]"));
  assert.ok(views.every((view) => view.find(".view").matches(".glyphs")));
});

test("the way to show tokens is kept by the tab", async () => {
  const view = await opened("one ที่");
  click(view.find("[value=bytes]"));
  assert.deepEqual([tokensIn(view).hidden, view.find("#list").hidden], [true, false]);
  assert.equal(chipsIn(view, "#list")[0].textContent, "6f 6e 65");
  click(view.find("[value=text]"));
  assert.equal(chipsIn(view, "#list")[0].textContent, "one");
  click(view.find("[name=glyphs]"));
  assert.ok(!view.find(".view").classList.contains("glyphs"));
  view.remove();
  const again = await live("token_view", await serverOf("token_view", "one"), PAGE, { keeps: true });
  assert.deepEqual([tokensIn(again).hidden, again.find("[value=text]").checked, again.find("[name=glyphs]").checked], [true, true, false]);
});

test("what the server is slow to say waits in grey where it was typed, and the rest keeps its colours", async () => {
  const view = await opened("one two three");
  view.server.hold();
  const editor = editorOf(view);
  editor.setSelectionRange(13, 13);
  type(editor, " ที่นี่");
  assert.ok(!view.find(".pending"));
  await until(() => view.find(".pending"));
  assert.equal(flowOf(view), "one two three ที่นี่");
  assert.deepEqual(chipsIn(view).map((chip) => chip.classList.contains("pending")), [false, false, false, true]);
  await view.server.release();
  await shows(view, "one two three ที่นี่");
});

test("what is typed while the connection is lost arrives once it is back", async () => {
  const view = await opened("one");
  const { live: connection, socket } = view.server;
  socket.onclose({ code: 1006 });
  fill(editorOf(view), "one and more");
  await until(() => connection.socket && connection.socket !== socket);
  await shows(view, "one and more");
  assert.equal(await view.server.text(), "one and more");
});

test("a question that was asked as the connection was lost is asked again", async () => {
  const view = await opened("one two");
  view.server.hold();
  click(chipsIn(view)[1]);
  await settled();
  assert.ok(!view.words("dt").includes("made by"));
  view.server.socket.onclose({ code: 1006 });
  await until(() => view.words("dt").includes("made by"));
});

test("a new session of the server gets what the tab has, unless a link brings another text", async () => {
  const view = await opened("start");
  fill(editorOf(view), "mine");
  dispatchEvent(new window.Event("pagehide"));
  view.remove();
  const reloaded = await live("token_view", await serverOf("token_view", "start"), { ...PAGE, session: "next" }, { keeps: true });
  await shows(reloaded, "mine");
  assert.equal(await reloaded.server.text(), "mine");
  reloaded.remove();
  const linked = await live("token_view", await serverOf("token_view", "linked"), { ...PAGE, session: "third", restore: false }, { keeps: true });
  await shows(linked, "linked");
});

test("an example of another page gives way to this page's own, and one of that page alone to any, unseen", async () => {
  const reaches = async (from, here) => {
    const first = await live("token_view", await serverOf("token_view", "sample"), { ...PAGE, example: "sample", ...from });
    dispatchEvent(new window.Event("pagehide"));
    first.remove();
    const [key, kept] = Object.entries(sessionStorage).find(([, value]) => value.includes("sample"));
    sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(kept), exampleOn: "/other" }));
    const data = { ...PAGE, session: "next", example: "this", ...here };
    const view = await live("token_view", await serverOf("token_view", "this"), data, { keeps: true });
    const text = await view.server.text();
    await shows(view, text);
    view.remove();
    return text;
  };
  assert.equal(await reaches({}, { shows_own: true }), "this");
  assert.equal(await reaches({ shows_own: true }, {}), "this");
  assert.equal(await reaches({}, {}), "sample"); // somebody chose it, and it is shown on every page
});

test("a text that a button replaces comes back with Ctrl+Z and with Your text, and Clear empties the editor", async () => {
  const view = await opened("start");
  const editor = editorOf(view);
  fill(editor, "mine");
  await view.server.put("3221+2334");
  await shows(view, "3221+2334");
  assert.equal(editor.value, "3221+2334");
  assert.ok(press(editor, "z", { ctrlKey: true }));
  await shows(view, "mine");
  await view.server.put("ภาษาไทย");
  assert.ok(!view.button("Your text").hidden);
  click(view.button("Your text"));
  assert.equal(editor.value, "mine");
  assert.ok(focused() === editor);
  click(view.button("Clear"));
  assert.equal(editor.value, "");
  click(view.button("Your text"));
  await shows(view, "mine");
  assert.ok(!press(editor, "z")); // a letter is only a letter
});

test("an input method is not disturbed by a text from elsewhere until it is done", async () => {
  const view = await opened("水 ");
  const editor = editorOf(view);
  editor.focus();
  editor.dispatchEvent(new window.Event("compositionstart"));
  fill(editor, "水 ni");
  await view.server.put("another");
  assert.equal(editor.value, "水 ni");
  editor.dispatchEvent(new window.Event("compositionend"));
  await shows(view, "another");
});

test("the page is told once the typing rests, and again until it has seen the text", async ({ mock }) => {
  const view = await opened("one");
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  fill(editorOf(view), "one two");
  mock.timers.tick(399);
  assert.deepEqual(view.told, []);
  await settled();
  mock.timers.tick(1);
  await settled();
  assert.deepEqual(view.told.map(([name]) => name), ["rest"]);
  mock.timers.tick(2_000);
  assert.equal(view.told.length, 2);
  view.show({ seen: [1, 1] });
  mock.timers.tick(60_000);
  assert.equal(view.told.length, 2);
  fill(editorOf(view), "x");
  view.remove();
  mock.timers.tick(60_000);
  assert.equal(view.told.length, 2);
});

test("what the tokens are is said to a screen reader once the typing rests", async ({ mock }) => {
  const view = await opened("one");
  mock.timers.enable({ apis: ["setTimeout"] });
  fill(editorOf(view), "one two");
  await settled();
  assert.equal(view.find("[aria-live]").textContent, "");
  mock.timers.tick(1_200);
  assert.equal(view.find("[aria-live]").textContent, "2 tokens, 7 characters, 7 bytes");
});

test("hostile text is text, in every panel and in the inspector", async () => {
  const hostile = `<img src=x onerror="hit = 1"><script>hit = 1</script>"'></textarea>\u202e<b>\u0000\u001b${"&lt;"}`;
  const view = await opened("");
  fill(editorOf(view), hostile);
  await shows(view, hostile);
  for (const mode of ["text", "bytes"]) click(view.find(`[value=${mode}]`));
  click(chipsIn(view)[0]);
  await until(() => view.find(".facts").textContent.includes("in this text"));
  assert.equal(view.all("img, script, #tokens b").length, 0);
  assert.ok(view.all("#tokens .k").some((mark) => mark.dataset.label === "RLO"));
});

test("spaces, line ends and what cannot be seen are signs, and several tokens of one character share it", async () => {
  const view = await opened("a\tb\n  ☃\u200b");
  assert.ok(view.find(".tab") && view.find(".nl") && view.find(".s"));
  assert.equal(view.find(".glyph").textContent, " ☃"); // the token that holds its beginning holds the space too
  assert.equal(Number(view.find(".glyph").dataset.count), view.all(".shared .part").length);
  click(view.find(".shared .part"));
  await until(() => view.find(".facts").textContent.includes("holds"));
  assert.match(view.find(".facts").textContent, /holdsbytes? 1.* of 3 of ☃/);
});

test("special tokens are inverted where they are allowed", async () => {
  const view = await opened("a<|endoftext|>", { allowed_special: "all" });
  assert.deepEqual(view.words(".special"), ["<|endoftext|>", "<|endoftext|>"]);
  click(view.find(".special"));
  assert.ok(view.find(".facts").textContent.includes("kindspecial token"));
});

test("an unknown token is named as the vocabulary writes it", async () => {
  const view = await opened("the ☃ ferry", { tokenizer: "wordpiece" });
  assert.equal(flowOf(view), "the ☃ ferry");
  assert.deepEqual(view.all("#tokens .gap").map((gap) => gap.textContent), [" ", " "]); // which no token covers
  const unknown = view.find("#tokens .unknown");
  assert.equal(unknown.textContent, "☃");
  click(unknown);
  assert.match(view.find(".facts").textContent, /\[UNK\].*stands for☃, which is not in the vocabulary/);
  click(view.find("[value=text]"));
  assert.deepEqual(view.words("#list .written"), ["[UNK]"]);
});

test("what hides is marked as it is typed, said in words, cleaned and brought back", async () => {
  const view = await opened("Hi paypal ", { finds_hidden: true });
  const line = view.find(".hiding");
  const editor = editorOf(view);
  assert.ok(line.hidden);
  editor.setSelectionRange(10, 10);
  type(editor, `Hi${TAGS} p\u0430ypal`);
  await settled();
  assert.match(line.textContent, /^Hidden in the text: 7 tag characters, 1 look-alike letter; \d+ more tokens. It spells obey me/);
  assert.equal(line.querySelector("q").textContent, "obey me");
  assert.equal(view.find("#tokens .hides .k").dataset.label, "tag o");
  assert.ok(view.words("#tokens .hides").includes("\u0430"));
  const kind = view.button("7 tag characters");
  kind.focus();
  click(kind);
  assert.ok(view.sees(".why") && view.find(".why").textContent.length > 20);
  assert.equal(focused().textContent, "7 tag characters");
  assert.equal(focused().ariaExpanded, "true");
  click(focused());
  assert.ok(!view.sees(".why"));
  click(view.button("Clean the text"));
  await shows(view, "Hi paypal Hi paypal");
  assert.equal(editor.value, "Hi paypal Hi paypal");
  assert.ok(!view.find("#tokens .hides"));
  assert.match(line.textContent, /Nothing is hidden in the text any more/);
  click(view.button("Undo"));
  await settled();
  assert.equal(editor.value, `Hi paypal Hi${TAGS} p\u0430ypal`);
  assert.match(line.textContent, /7 tag characters/);
  await view.server.show("token_view"); // whose page marks nothing
  assert.ok(line.hidden && !view.find("#tokens .hides"));
});

test("what is hidden again after the text was cleaned is said again", async () => {
  const view = await opened("a\u200bb", { finds_hidden: true });
  click(view.button("Clean the text"));
  await settled();
  type(editorOf(view), "\u200b");
  await settled();
  assert.match(view.find(".hiding").textContent, /^Hidden in the text: 1 zero-width character/);
  assert.equal(view.button("Clean the text").title.slice(0, 7), "Removes");
});

test("a text in another normal form is said quietly, and normalised", async () => {
  const view = await opened("cafe\u0301", { finds_hidden: true });
  assert.ok(view.find(".hiding").classList.contains("form"));
  assert.match(view.find(".hiding").textContent, /^In another normal form: /);
  click(view.button("Normalise"));
  await settled();
  assert.equal(editorOf(view).value, "caf\u00e9");
});

test("another tokenizer recolours the same text, under its name", async () => {
  const view = await opened("unbelievable ferries");
  await view.server.show("token_view", { tokenizer: "gpt2@500" });
  await shows(view, "unbelievable ferries", "gpt2@500");
  assert.deepEqual(view.words(".tokenizer"), ["GPT-2"]);
});

test("a text that looks like a chat is offered to be seen as one", async () => {
  const view = await opened("<|im_start|>user\nHi<|im_end|>\n", { finds_chat: true });
  assert.match(view.find(".chat").textContent, /^This looks like a chat \(ChatML\)\./);
  click(view.button("See it under Chat"));
  assert.deepEqual(view.told.map(([name]) => name), ["chat"]);
  fill(editorOf(view), "no chat");
  await settled();
  assert.ok(view.find(".chat").hidden);
});

test("the messages of a chat say their share and fold away", async () => {
  const server = await serverOf("prompt", "", { messages: [["system", "Be brief."], ["user", "Hello there"]] });
  const view = await live("token_view", server, { ...PAGE, document: null, source: null, editable: false, seen: null });
  assert.deepEqual(view.words(".messages button").map((words) => words.replace(/ .*/, "")), ["1", "2", "beginning"]);
  assert.ok(flowOf(view).includes("Be brief.") && view.find("#tokens .scaffolding"));
  const [system] = view.all(".messages button");
  assert.match(system.title, /^\d+ tokens, \d+ of them scaffolding$/);
  click(system);
  assert.equal(system.ariaExpanded, "false");
  assert.ok(view.all("#tokens .folded").some((chip) => chip.textContent.includes("Be brief.")));
  click(system);
  assert.ok(!view.find("#tokens .folded"));
});

test("the message in use keeps the focus as a chat is typed", async () => {
  const server = await serverOf("prompt", "", { messages: [["system", "Be brief."], ["user", "Hello there"]] });
  const view = await live("token_view", server, { ...PAGE, document: null, source: null, editable: false, seen: null });
  const [, user] = view.all(".messages button");
  user.focus();
  click(user);
  await server.put("Hello there, and more", "message 1");
  assert.ok(!user.isConnected && focused().dataset.owner === user.dataset.owner);
  assert.equal(focused().ariaExpanded, "false");
  assert.ok(view.all("#tokens .folded").some((chip) => chip.textContent.includes("and more")));
});

test("of a long text only what is in sight holds chips, and all of it is there", async (context) => {
  context.after(() => { sight.holds = () => true; });
  sight.holds = (node) => node.block?.first < 200;
  const text = "the ferry left at noon, and nobody saw it.\n".repeat(150);
  const view = await opened(text);
  assert.equal(flowOf(view), text);
  const blocks = view.all("#tokens .block");
  assert.deepEqual(blocks.map((node) => node.classList.contains("undrawn")), blocks.map((node) => node.block.first >= 200));
  assert.ok(blocks.every((node) => node.classList.contains("undrawn") === !node.querySelector("[data-i]")));
  assert.ok(Number(blocks.at(-1).style.getPropertyValue("--lines")) >= 1);
  const editor = editorOf(view);
  editor.setSelectionRange(text.length, text.length);
  type(editor, "More.");
  await settled();
  assert.equal(flowOf(view), `${text}More.`);
  const panel = tokensIn(view);
  panel.focus();
  press(panel, "End");
  assert.match(view.find("#tokens #active").ariaLabel, /: \., id 13/);
});

test("an editor of one line takes no line ends", async () => {
  const view = await opened("one", {}, { rows: 1, panes: [], view: null });
  const editor = editorOf(view);
  const breaks = new window.InputEvent("beforeinput", { inputType: "insertLineBreak", cancelable: true });
  editor.dispatchEvent(breaks);
  assert.ok(breaks.defaultPrevented);
  fill(editor, "two\nlines");
  assert.equal(editor.value, "two lines");
});
