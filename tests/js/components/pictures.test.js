// Pictures of views: what is in one, in which colours, and how it is saved. Letters and boxes are those of a stub.

import assert from "node:assert/strict";
import { test } from "node:test";
import { click, until, window } from "./window.js";
import { EDITING, live, module, serverOf, tokensOf } from "./shown.js";

const { cutText, fileName, figuresText, nFittingTokens } = await module("picture/words.js");
const { Tokens } = await module("shared/tokens.js");
const HOSTILE = '<script>alert(1)</script> & "x" ไทย';
const PAGE = { ...EDITING, rest: null, seams: null };
const LETTER = { actualBoundingBoxLeft: 0, actualBoundingBoxAscent: 1, actualBoundingBoxRight: 1, actualBoundingBoxDescent: 0, fontBoundingBoxAscent: 12 };
const { HTMLCanvasElement, HTMLAnchorElement, HTMLDialogElement, Element, Range } = window;
const saved = []; // names and texts of files

let column = 0;
const next = () => ({ left: (column += 8), right: column + 8, top: 0, bottom: 16, width: 8, height: 16 });
HTMLCanvasElement.prototype.getContext = function () {
  return { canvas: this, measureText: () => LETTER, fillText() {}, getImageData: (_, __, width, height) => ({ width, height, data: new Uint8Array(4 * width * height) }) };
};
globalThis.OffscreenCanvas = class {
  getContext() { return this; }

  fillRect() {}

  getImageData() { return { data: [...(this.fillStyle.match(/\d+/g) ?? [0, 0, 0]).slice(0, 3).map(Number), 255] }; }
};
HTMLDialogElement.prototype.showModal = function () { this.setAttribute("open", ""); };
HTMLDialogElement.prototype.close = function () { this.dispatchEvent(new window.Event("close")); };
const files = new Map();
const LOOK = {
  backgroundColor: "rgba(0, 0, 0, 0)", boxShadow: "none", borderTopLeftRadius: "0px", outlineStyle: "none", outlineWidth: "0px", outlineOffset: "0px",
  outlineColor: "rgba(0, 0, 0, 0)", textDecorationLine: "none", color: "rgb(10, 10, 10)", backgroundImage: "none", content: "none", fontStyle: "normal",
  fontWeight: "400", fontSize: "16px", fontFamily: "sans", borderTopStyle: "none", borderRightStyle: "none", borderBottomStyle: "none", borderLeftStyle: "none",
};

/** Begin to draw: chips have a colour by their number, and each box a place of its own. */
function draws(context) {
  context.mock.method(Element.prototype, "getClientRects", () => [next()]);
  context.mock.method(Range.prototype, "getClientRects", () => [next()]);
  context.mock.method(HTMLAnchorElement.prototype, "click", function () { saved.push([this.download, files.get(this.href)]); });
  context.mock.method(URL, "createObjectURL", (file) => {
    const address = `blob:${files.size}`;
    files.set(address, file);
    return address;
  });
  globalThis.getComputedStyle = (node, place) => {
    const colour = !place && /(?:^| )c(\d+)/.exec(node.className)?.[1];
    if (node.classList.contains("sheet")) return { ...LOOK, backgroundColor: node.classList.contains("dark") ? "rgb(1, 1, 1)" : "rgb(255, 255, 255)" };
    return colour ? { ...LOOK, backgroundColor: `rgb(200, ${colour}, 7)` } : LOOK;
  };
  saved.length = 0;
  context.after(() => {
    globalThis.getComputedStyle = window.getComputedStyle.bind(window);
  });
}

/** The text of the picture that the dialog shows. */
async function drawn(view) {
  const image = await until(() => view.find(".picture-dialog img[src]"));
  return files.get(image.src).text();
}

const unescaped = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
const coloursIn = (svg) => [...svg.matchAll(/fill="#c8([0-9a-f]{2})07"/g)].map(([, colour]) => parseInt(colour, 16));

test("a picture of hostile text is text, with every token in its colour, and says what it is", async (context) => {
  const view = await live("token_view", await serverOf("token_view", HOSTILE), PAGE);
  draws(context);
  click(view.button("Save picture"));
  const svg = await drawn(view);
  const tokens = await tokensOf("gpt2", HOSTILE);
  assert.deepEqual(coloursIn(svg).sort(), tokens.map(({ colour }) => colour).sort());
  assert.ok(!/<(script|foreignObject|a|style)\b/.test(svg));
  const lines = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => unescaped(text)).join("");
  for (const words of ['<script>alert(1)</script> & "x"', "ไทย", `${tokens.length} tokens`]) assert.ok(lines.includes(words), `${words}: ${lines}`);
  const bytes = Buffer.byteLength(HOSTILE);
  const caption = unescaped(/<desc>(.*)<\/desc>/.exec(svg)[1]);
  for (const words of ["GPT-2 · gpt2 · ", `${tokens.length} tokens, ${HOSTILE.length} characters, ${bytes} bytes`, " 20", "tokviz"]) assert.ok(caption.includes(words), caption);
  assert.equal(view.find("img").alt, caption);
  click(view.button("SVG"));
  await until(() => saved.length);
  assert.deepEqual([saved[0][0], await saved[0][1].text()], ["tokens-gpt2.svg", svg]);
  view.find("[value=Dark]").click();
  await until(async () => (await drawn(view)).includes("#010101"));
  click(view.find(".picture-dialog .close"));
  assert.ok(!view.find(".picture-dialog"));
  assert.equal(view.all(".sheet").length, 0);
});

test("an empty text has no picture, and says so", async (context) => {
  const view = await live("token_view", await serverOf("token_view", ""), PAGE);
  draws(context);
  click(view.button("Save picture"));
  const dialog = await until(() => view.find(".picture-dialog"));
  assert.equal(dialog.querySelector(".said").textContent, "There is nothing here that a picture has room for.");
  assert.equal(dialog.querySelectorAll("button").length, 1);
});

test("columns are pictured side by side with their names", async (context) => {
  const server = await serverOf("columns", "the ferries", { tokenizers: ["gpt2", "gpt2@300"] });
  const view = await live("compare_view", server, { session: "this one", restore: true, reference: "gpt2", rest: 400, seen: [1, 0] });
  draws(context);
  click(view.button("Save picture"));
  const svg = await drawn(view);
  const both = (await Promise.all(["gpt2", "gpt2@300"].map((name) => tokensOf(name, "the ferries")))).flat();
  assert.deepEqual(coloursIn(svg).sort(), both.map(({ colour }) => colour).sort());
  assert.match(svg, /<desc>GPT-2 · gpt2 \d tokens, gpt2@300 \d tokens · 11 characters, 11 bytes/);
});

test("a word's merges move in a picture, or are all shown", async (context) => {
  const machine = await live("time_machine", await serverOf("history", "lower"), { session: "this one", shows: ["gpt2", 1], step: 50_000, step_version: 0, predicting: false, presenting: false });
  await until(() => machine.find(".rows li"));
  draws(context);
  click(machine.button("Save picture of the word"));
  assert.match(await drawn(machine), /@keyframes f1/);
  assert.ok(machine.button("PNG").disabled && !machine.button("SVG").disabled);
  machine.find("[value='All steps']").click();
  await until(async () => !(await drawn(machine)).includes("@keyframes"));
  assert.ok(!machine.button("PNG").disabled);
  click(machine.find(".picture-dialog .close"));
  click(machine.button("Save picture"));
  assert.match(await drawn(machine), /<desc>gpt2\b.*50,000/);
});

test("a long text is cut at a number of tokens or lines, never inside a character, and the caption says so", () => {
  const tokens = (text, ...widths) => {
    const starts = Int32Array.from([0, ...widths].map((_, i) => widths.slice(0, i).reduce((sum, width) => sum + width, 0)));
    return new Tokens(text, Int32Array.from(widths.map((_, i) => i)), Uint8Array.from(widths), starts, Uint8Array.from(widths));
  };
  assert.equal(nFittingTokens(tokens("abc", 1, 1, 1), 2), 2);
  assert.equal(nFittingTokens(tokens("abc", 1, 1, 1)), 3);
  assert.equal(nFittingTokens(tokens("ae\u0301b", 1, 1, 1, 1), 2), 1);
  assert.equal(nFittingTokens(tokens("\n".repeat(250), ...Array.from({ length: 250 }, () => 1))), 200);
  assert.deepEqual([cutText(2_000, 14_000), cutText(3, 3)], ["the first 2,000 tokens of 14,000", ""]);
  assert.equal(figuresText({ tokens: 0, characters: 1, bytes: 3 }), "1 character, 3 bytes");
  assert.equal(figuresText({ tokens: 2, characters: 2, bytes: 3 }), "2 characters, 3 bytes, 1.50 bytes per token");
  assert.equal(fileName("tokens", "my <b> / 1.5"), "tokens-my-b-1.5");
});
