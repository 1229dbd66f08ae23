// What is typed into a textarea, as edits of a text whose line ends may be others.

import assert from "node:assert/strict";
import test from "node:test";

const frames = new Map();
Object.assign(globalThis, {
  addEventListener() {}, removeEventListener() {},
  requestAnimationFrame: (callback) => frames.set(frames.size + 1, callback).size,
  cancelAnimationFrame: (handle) => frames.delete(handle),
});
const { LiveText } = await import("../../assets/shared/live_text.js");
const { TextEditor } = await import("../../assets/shared/editor.js");

class Area extends EventTarget {
  #value = "";
  puts = 0;

  get value() { return this.#value; }

  set value(text) {
    this.puts++;
    this.#value = text;
  }

  type(value) {
    this.#value = value;
    this.dispatchEvent(new Event("input"));
  }
}

function edited(start) {
  const area = new Area();
  const text = new LiveText("text");
  text.take(["text", "text", 1, 0, start]);
  const editor = new TextEditor(area);
  editor.follow(text, { session: "s", token: "t", restore: false });
  clearTimeout(editor.saveTimer);
  const put = (value) => {
    text.take(["text", "text", text.version + 1, 0, value]);
    clearTimeout(editor.saveTimer);
  };
  return { area, editor, text, put };
}

const shown = (text) => text.replace(/\r\n?/g, "\n");

test("line ends that are not typed stay as they are", () => {
  const { area, text } = edited("a\r\nb\rc");
  area.type("a\nb!\nc");
  assert.equal(text.text, "a\r\nb!\rc");
});

test("a line feed that comes to stand behind a carriage return is a line end of its own", () => {
  const { area, text } = edited("a\rb");
  area.type("a\n\nb");
  assert.equal(shown(text.text), "a\n\nb");
  const other = edited("a\rx\nb");
  other.area.type("a\n\nb");
  assert.equal(shown(other.text.text), "a\n\nb");
});

test("an input method keeps its place where the text is the one it stands in", () => {
  const { area, editor, text, put } = edited("a");
  area.dispatchEvent(new Event("compositionstart"));
  area.type("aに");
  const { puts } = area;
  put("aに");
  area.type("aにほ");
  assert.equal(text.text, "aにほ");
  put("other");
  area.type("aにほん"); // what is composed gives way to it
  area.dispatchEvent(new Event("compositionend"));
  assert.equal(area.value, "other");
  assert.equal(area.puts, puts + 1);
  assert.ok(!editor.isWaiting);
});

test("a long text that has given way to another is not put into the textarea any more", () => {
  const { area, editor, put } = edited("a");
  editor.awaitsTokens = true;
  put("x".repeat(60_000));
  editor.tokensDrawn();
  editor.tokensDrawn();
  assert.equal(frames.size, 1);
  put("b");
  assert.equal(frames.size, 0);
  assert.equal(area.value, "b");
  assert.equal(editor.putTimer, null);
});

test("the words of a text that is too long say that nothing is sent", () => {
  const { editor, text } = edited("a");
  text.full = { text: "a", units: 1_000 };
  assert.equal(editor.notice, "The text is longer than the server accepts (1,000 UTF-16 units). Nothing you type is sent until it is shorter.");
});
