// What stands around the views: buttons, what a tab keeps, the keyboard's ways, lessons.

import assert from "node:assert/strict";
import { test } from "node:test";
import { click, clipboard, fill, focused, press, until, window } from "./window.js";
import { module, settled, shown } from "./shown.js";
import { FakeSocket, sockets } from "../sockets.js";

const { document } = window;
for (const name of ["KeyboardEvent", "localStorage"]) globalThis[name] ??= window[name];

// -- the keyboard -------------------------------------------------------------------------------

test("the key / and the way for the keyboard lead to the first text that is in sight", async () => {
  const skip = await shown("navigation", {});
  const editor = document.createElement("div");
  editor.attachShadow({ mode: "open" }).innerHTML = "<textarea></textarea>";
  const hidden = document.createElement("textarea");
  hidden.checkVisibility = () => false;
  document.body.append(hidden, editor);
  const area = editor.shadowRoot.querySelector("textarea");
  area.checkVisibility = () => true;
  assert.ok(press(document.body, "/"));
  assert.ok(focused() === area);
  assert.ok(!press(area, "/")); // is typed
  area.blur();
  assert.ok(!press(document.body, "/", { ctrlKey: true }) && !press(document.body, "a"));
  assert.ok(focused() !== area);
  click(skip.find("button"));
  assert.ok(focused() === area);
  hidden.remove();
  editor.remove();
});

// -- buttons ------------------------------------------------------------------------------------

test("a button copies the text that it has now, and says so for a moment", async ({ mock }) => {
  const button = await shown("action_button", { label: "Copy the link", text: "one" });
  mock.timers.enable({ apis: ["setTimeout"] });
  assert.equal(button.find("button").textContent, "Copy the link");
  button.show({ text: "two" });
  click(button.find("button"));
  await settled();
  assert.deepEqual([clipboard.text, button.find("button").textContent], ["two", "Copied"]);
  mock.timers.tick(1_500);
  assert.equal(button.find("button").textContent, "Copy the link");
  const { writeText } = navigator.clipboard;
  navigator.clipboard.writeText = () => Promise.reject(new Error("not secure"));
  button.show({ text: "three" });
  click(button.find("button"));
  await settled();
  assert.deepEqual([clipboard.text, button.find("button").textContent, button.all("textarea").length], ["three", "Copied", 0]);
  navigator.clipboard.writeText = writeText;
});

test("a button prints the page, and another lesson begins at its top", async () => {
  let printed = 0;
  globalThis.print = () => printed++;
  for (const [part, n] of [["answers", 1], ["tasks", 2]]) {
    click((await shown("action_button", { label: "Print", part })).find("button"));
    assert.deepEqual([printed, document.documentElement.dataset.printed], [n, part]);
    dispatchEvent(new window.Event("afterprint"));
    assert.equal(document.documentElement.dataset.printed, undefined);
  }
  const top = await shown("new_place", { place: "one" });
  document.body.scrollTop = 400;
  top.show({ place: "one" });
  assert.equal(document.body.scrollTop, 400);
  top.show({ place: "two" });
  assert.equal(document.body.scrollTop, 0);
});

test("tokenizers of this computer are filtered and opened with one click", async () => {
  const names = Array.from({ length: 9 }, (_, i) => ({ name: `model ${i}`, family: i % 2 ? "BPE" : "Unigram", size: "1 kB", folder: `/models/<b>${i}` }));
  const list = await shown("local_tokenizers", { search: 7, tokenizers: names });
  assert.equal(list.all("li").length, 9);
  fill(list.find("input"), "bpe 3");
  assert.deepEqual(list.words(".title"), ["model 3"]);
  assert.equal(list.find(".folder").title, "/models/<b>3");
  click(list.find("li button"));
  assert.deepEqual(list.told, [["message", { search: 7, number: 3 }]]);
  fill(list.find("input"), "none such");
  assert.equal(list.find(".said").textContent, "No name, family or folder has these words.");
  await list.show({ tokenizers: names.slice(0, 2) });
  assert.ok(list.find(".filter").hidden && list.all("li").length === 2);
});

test("of a GGUF file only its header is sent, and what is wrong with one is said", async () => {
  const opener = await shown("gguf_file", { bytesMax: 8_000_000 });
  const input = opener.find("input");
  const choose = (name, ...parts) => {
    const file = Object.assign(new Blob(parts), { name });
    Object.defineProperty(input, "files", { value: [file], configurable: true });
    input.onchange();
  };
  globalThis.FileReader = class {
    async readAsDataURL(blob) {
      this.result = `data:;base64,${Buffer.from(await blob.arrayBuffer()).toString("base64")}`;
      this.onload();
    }
  };
  const header = new Uint8Array(24);
  header.set(new TextEncoder().encode("GGUF"));
  header[4] = 3;
  choose("large.gguf", header, new Uint8Array(3_000_000));
  await until(() => opener.told.length);
  const [[name, message]] = opener.told;
  assert.deepEqual([name, message.name], ["message", "large.gguf"]);
  const unpacked = new Blob([Buffer.from(message.header, "base64")]).stream().pipeThrough(new DecompressionStream("gzip"));
  assert.deepEqual(new Uint8Array(await new Response(unpacked).arrayBuffer()), header);
  choose("broken.gguf", header.subarray(0, 15));
  await until(() => opener.find(".said").textContent.startsWith("broken.gguf"));
  assert.equal(opener.find(".said").textContent, "broken.gguf: The file ends in the middle of its header: is the download complete?");
  choose("none.gguf", "{}");
  await until(() => opener.find(".said").textContent.startsWith("none.gguf"));
});

// -- what a tab keeps ---------------------------------------------------------------------------

test("a tab keeps what a session says, gives it back to the next one, and forgets messages that are gone", async () => {
  const says = (session, options, restored = false) => ({ session, restored, lasting: { theme: "big" }, value: { values: { ...options, rows: [["a", "user"]] } } });
  sessionStorage.clear();
  const memory = await shown("tab_memory", says("first", { step: 3 }));
  sessionStorage.setItem("tokviz.message a", '"one"');
  sessionStorage.setItem("tokviz.message b", '"two"');
  await memory.show(says("first", { step: 4 }));
  const kept = () => JSON.parse(sessionStorage.getItem("tokviz.session"));
  assert.deepEqual([kept().session, kept().value.values], ["first", { step: 4, rows: [["a", "user"]] }]);
  assert.deepEqual([sessionStorage.getItem("tokviz.message a"), sessionStorage.getItem("tokviz.message b")], ['"one"', null]);
  assert.match(document.cookie, /tokviz=%7B%22theme%22%3A%22big%22%7D/);
  assert.deepEqual(memory.told, []);
  await memory.show(says("second", {}));
  assert.deepEqual(memory.told, [["message", { session: "second", kept: { values: { step: 4, rows: [["a", "user"]] } } }]]);
  assert.equal(kept().session, "first"); // what the new one says of itself is not to be kept yet
  await memory.show(says("second", { step: 4 }, true));
  assert.equal(kept().session, "second");
});

// -- lessons ------------------------------------------------------------------------------------

const QUESTION = { question: "q1", kind: "options", ask: "How many?", options: ["two", "three"], solution: null, guess: [], verdict: "" };

test("an option is picked, told, and judged", async () => {
  const lesson = await shown("prediction", QUESTION);
  const [two, three] = lesson.all("button");
  click(two);
  click(three);
  assert.deepEqual(lesson.told, [["message", { question: "q1", guess: [0] }], ["message", { question: "q1", guess: [1] }]]);
  assert.deepEqual([two.getAttribute("aria-pressed"), three.getAttribute("aria-pressed")], ["false", "true"]);
  assert.ok(three.classList.contains("picked"));
  await lesson.show({ solution: [0], guess: [1], verdict: "No: two." });
  assert.ok(two.classList.contains("right") && three.classList.contains("missed") && three.disabled);
  assert.deepEqual([lesson.find(".said").textContent, lesson.find(".said").className], ["No: two.", "said wrong"]);
  await lesson.show({ ...QUESTION, question: "q2", guess: [] });
  assert.ok(!lesson.find(".picked") && !lesson.find("button").disabled);
});

test("cuts are made and taken back between characters", async () => {
  const lesson = await shown("prediction", { ...QUESTION, kind: "cuts", text: "a 你", options: undefined });
  assert.deepEqual(lesson.words(".character"), ["a", "␣", "你"]);
  assert.match(lesson.find(".said").textContent, /^Press between two letters/);
  const cut = lesson.button("Cut between ␣ and 你, after 2 of 3");
  click(cut);
  assert.equal(lesson.find(".said").textContent, "1 cut, so 2 tokens");
  click(cut);
  assert.deepEqual(lesson.told.map(([, { guess }]) => guess), [[2], []]);
  await lesson.show({ solution: [1], verdict: "Right: one.", guess: [1] });
  assert.equal(lesson.find(".said").className, "said right");
});

test("a new kind of question is one entry of the table", async () => {
  const { KINDS } = await module("prediction/kinds.js");
  KINDS.order = {
    row: "in-order",
    draw: ({ items }, button) => items.map((item, i) => button(i, "option", item)),
    select: (guess, place) => [...guess.filter((other) => other !== place), place],
    words: (guess) => `${guess.length} in order`,
  };
  const lesson = await shown("prediction", { ...QUESTION, kind: "order", items: ["long", "short"], options: undefined });
  assert.deepEqual([lesson.find(".row-of").className, lesson.find(".said").textContent], ["row-of in-order", "0 in order"]);
  click(lesson.button("short"));
  click(lesson.button("long"));
  assert.deepEqual([lesson.told.at(-1), lesson.find(".said").textContent], [["message", { question: "q1", guess: [1, 0] }], "2 in order"]);
  delete KINDS.order;
});

test("an answer is lines of tokens, tables and words, and all of it is text", async () => {
  const packed = (...numbers) => [1, Buffer.from(numbers).toString("base64")];
  const tokens = { ids: packed(3, 4), sizes: packed(2, 1), widths: packed(2, 1), advances: packed(0, 2), from: 0, raw: [] };
  const line = { label: "gpt2", count: "2 tokens", text: "<b>", tokens, are_tokens: true, special: [], tokenizer: "gpt2" };
  const parts = [{ lines: [line, { ...line, apart: true }, { ...line, ids: true }] }, { columns: ["word", "n"], rows: [["<i>", 1_234.5], ["cloneembedreportprint", 2]], code: [0] }, { words: "So <b>." }];
  const answer = await shown("reveal", { parts });
  assert.equal(answer.all("i, .words b").length, 0);
  assert.deepEqual(answer.all("[role=list] > [role=listitem]").length, 3);
  assert.deepEqual(answer.words(".line header"), ["gpt22 tokens", "gpt22 tokens", "gpt22 tokens"]);
  assert.deepEqual([...answer.all(".line")[0].querySelectorAll("[data-i]")].map(({ textContent, title }) => [textContent, title]), [["<b", "id 3, 2 bytes"], [">", "id 4, 1 byte"]]);
  assert.deepEqual([...answer.all(".line")[2].querySelectorAll(".over .id")].map(({ textContent }) => textContent), ["3", "4"]);
  assert.ok(answer.all(".line")[1].querySelector(".apart"));
  assert.deepEqual(answer.words("td"), ["<i>", "1,234.5", "cloneembedreportprint", "2"]);
  assert.deepEqual(answer.all("td").map(({ className }) => className), ["code", "number", "code long", "number"]);
  assert.deepEqual(answer.words(".words"), ["So <b>."]);
});

test("a character that tokens share is drawn once before them, each over its id", async () => {
  const packed = (...numbers) => [1, Buffer.from(numbers).toString("base64")];
  const tokens = { ids: packed(5, 6, 7), sizes: packed(3, 1, 1), widths: packed(2, 2, 1), advances: packed(0, 0, 2), from: 0, raw: [] };
  const line = { label: "gpt2", count: "3 tokens", text: "🦊!", tokens, ids: true, are_tokens: true, special: [], tokenizer: "gpt2" };
  const answer = await shown("reveal", { parts: [{ lines: [line] }] });
  assert.deepEqual(answer.words(".block > *"), ["🦊", "5", "6", "!7"]);
  assert.deepEqual(answer.all(".over .part").map(({ dataset }) => dataset.label), ["f0 9f a6", "8a"]);
  assert.deepEqual(answer.all(".glyph").map(({ dataset }) => dataset.count), ["2"]);
  assert.deepEqual(answer.all("[data-i]").filter(({ title }) => title === "id 5, 3 bytes").length, 2);
});

/** Draw rows of these widths where there is room for 800 pixels. */
function drawn([group, name], widths) {
  const host = document.querySelector("#drawn").attachShadow({ mode: "open" });
  host.innerHTML = `<div class="${group}">${`<div class="${name}" style="font-size: 40px"></div>`.repeat(widths.length)}</div>`;
  return [...host.querySelectorAll(`.${name}`)].map((row, i) =>
    Object.defineProperties(row, { clientWidth: { value: 800 }, scrollWidth: { get: () => Math.max(800, widths[i]) } }));
}

test("a slide has the largest type that fits, and Enter answers its question", async () => {
  document.body.innerHTML = `<div data-testid="stMainBlockContainer"><div class="st-key-slide"><div id="drawn"></div><div class="st-key-_reveal_1"><button data-testid="stBaseButton-primary">Answer</button></div></div></div>`;
  const page = document.documentElement;
  const fit = () => Number(page.style.getPropertyValue("--fit"));
  let room = 2;
  for (const side of ["scrollHeight", "scrollWidth"]) Object.defineProperty(page, side, { get: () => (fit() > room ? 900 : 700), configurable: true });
  for (const side of ["clientHeight", "clientWidth"]) Object.defineProperty(page, side, { get: () => 800, configurable: true });
  const { default: render } = await module("slide/component.js");
  page.style.fontSize = "40px";
  render({ data: { lesson: "spelling", note: "title-0" } });
  await until(() => fit() === 1);
  room = 0.81;
  window.dispatchEvent(new window.Event("resize"));
  assert.deepEqual([fit(), page.style.getPropertyValue("--tokens")], [0.8, "1"]);
  room = 0;
  window.dispatchEvent(new window.Event("resize"));
  assert.equal(fit(), 0.45);
  // Rows shrink to one size, in which all are one line, unless it would be too small to read.
  const widths = [700, 1_000];
  const rows = drawn(["lines", "flow"], widths);
  const shrunk = () => rows.map((row) => [row.className, row.style.getPropertyValue("--row-size")]);
  window.dispatchEvent(new window.Event("resize"));
  assert.deepEqual(shrunk(), [["flow", "31.36px"], ["flow", "31.36px"]]);
  // The bytes of tokens that share a character are not to be much smaller than all else.
  const part = rows[0].appendChild(Object.assign(document.createElement("span"), { className: "part" }));
  for (const [size, breaks] of [["29px", "flow breaks"], ["30px", "flow"]]) {
    part.style.fontSize = size;
    window.dispatchEvent(new window.Event("resize"));
    assert.deepEqual(rows.map((row) => row.className), [breaks, breaks]);
  }
  widths[1] = 5_000;
  window.dispatchEvent(new window.Event("resize"));
  assert.deepEqual(shrunk(), [["flow breaks", ""], ["flow breaks", ""]]);
  let answered = 0;
  document.querySelector("button").addEventListener("click", () => answered++);
  press(document.body, "Enter");
  assert.equal(answered, 1);
  press(document.querySelector("button"), "Enter"); // which the browser presses
  press(document.body, " ");
  assert.equal(answered, 1);
  document.body.replaceChildren();
  window.dispatchEvent(new window.Event("resize"));
  assert.ok(!press(document.body, "Enter"));
  page.removeAttribute("style");
});

test("the notes of a second window follow the slide of the first", async () => {
  document.body.innerHTML = `<div class="st-key-note-title-0"></div><div class="st-key-note-answer-2"></div>`;
  const { storeValue } = await module("shared/storage.js");
  const marked = () => [...document.querySelectorAll("[data-current]")].map(({ className }) => className);
  const tell = (slide) => {
    storeValue("presented", slide, "localStorage");
    window.dispatchEvent(Object.assign(new window.Event("storage"), { key: "tokviz.presented" }));
  };
  storeValue("presented", { lesson: "unicode", note: "answer-2" }, "localStorage");
  const { default: render } = await module("notes/component.js");
  render({ data: { lesson: "spelling" } }); // what was presented before is of another lesson
  assert.deepEqual(marked(), []);
  tell({ lesson: "spelling", note: "answer-2" });
  assert.deepEqual(marked(), ["st-key-note-answer-2"]);
  tell({ lesson: "spelling", note: "title-0" });
  assert.deepEqual(marked(), ["st-key-note-title-0"]);
});

// -- the connection -----------------------------------------------------------------------------

test("a connection that was away for long is said to be back, for a while", async ({ mock }) => {
  const { pageConnection } = await module("shared/live.js");
  globalThis.WebSocket = Object.assign(FakeSocket, { CONNECTING: 0, CLOSED: 3 });
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const line = await shown("connection", {});
  pageConnection().connectAs("a token");
  sockets.at(-1).open();
  sockets.at(-1).tell("gone", "x");
  sockets.at(-1).onclose({ code: 1006 });
  mock.timers.tick(3_000);
  sockets.at(-1).open();
  sockets.at(-1).tell("gone", "x");
  assert.equal(line.find("p").textContent, "The connection is back.");
  mock.timers.tick(10_000);
  assert.equal(line.find("p").textContent, "");
});

// -- the header ---------------------------------------------------------------------------------

test("links open as the web has them, and the header is their landmark", async () => {
  const header = document.createElement("div");
  header.className = "st-key-header";
  document.body.append(header);
  const navigation = await shown("navigation", {});
  header.append(navigation.host);
  await navigation.show({});
  assert.equal(header.getAttribute("role"), "navigation");
  const link = document.createElement("a");
  link.setAttribute("href", "");
  link.dataset.testid = "stPageLink-NavLink";
  let opened = 0;
  link.addEventListener("click", (event) => (opened++, event.preventDefault()));
  header.append(link);
  link.dispatchEvent(new window.Event("focusin", { bubbles: true }));
  assert.equal(link.getAttribute("href"), "./");
  link.dispatchEvent(new window.MouseEvent("click", { bubbles: true, cancelable: true }));
  link.dispatchEvent(new window.MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey: true }));
  assert.equal(opened, 1);
  header.remove();
});

test("a theme is chosen as in the menu, and other pages begin with it", async () => {
  const menu = document.createElement("div");
  menu.innerHTML = '<button data-testid="stMainMenu"></button><button data-testid="stMainMenuItem-theme-Dark"></button>';
  document.body.append(menu);
  const pressed = [];
  for (const each of menu.children) each.addEventListener("click", () => pressed.push(each.dataset.testid));
  localStorage.setItem(`stActiveTheme-${location.pathname}-v2`, '"Dark"');
  const theme = await shown("theme", { pages: ["", "merges"] });
  click(theme.button("Dark"));
  await until(() => localStorage.getItem(`stActiveTheme-${new URL("./merges", location.href).pathname}-v2`) === '"Dark"');
  assert.deepEqual(pressed, ["stMainMenu", "stMainMenuItem-theme-Dark"]);
  menu.remove();
});

test("the sections of a page are listed, if there are several", async () => {
  const main = document.createElement("div");
  main.dataset.testid = "stMain";
  main.innerHTML = "<h2>What it costs</h2><h3>The mix decides</h3>";
  document.body.append(main);
  const gone = [];
  for (const heading of main.children) Object.assign(heading, { checkVisibility: () => true, scrollIntoView: () => gone.push(heading.textContent) });
  const sections = await shown("sections", {});
  assert.deepEqual(sections.words("li"), ["What it costs", "The mix decides"]);
  click(sections.find("li button"));
  assert.deepEqual(gone, ["What it costs"]);
  main.firstChild.remove();
  await sections.show({});
  assert.ok(sections.find(".view").hidden);
  main.remove();
});
