// What is typed into a textarea, as edits of a text whose line ends may be others.

import assert from "node:assert/strict";
import test from "node:test";

const frames = new Map();
Object.assign(globalThis, {
  addEventListener() {}, removeEventListener() {}, location: { pathname: "/" },
  requestAnimationFrame: (callback) => frames.set(frames.size + 1, callback).size,
  cancelAnimationFrame: (handle) => frames.delete(handle),
});
const { LiveText } = await import("../../assets/shared/live_text.js");
const { TextEditor } = await import("../../assets/editor/text_editor.js");

class Area extends EventTarget {
  #value = "";
  puts = 0;

  get value() { return this.#value; }

  set value(text) {
    this.puts++;
    this.#value = text;
  }

  focus() {}

  setSelectionRange() {}

  /** Press a key with Ctrl; return whether the browser's own doing was prevented. */
  press(key) {
    const event = new Event("keydown", { cancelable: true });
    return !this.dispatchEvent(Object.assign(event, { key, ctrlKey: true }));
  }

  type(value) {
    this.#value = value;
    this.dispatchEvent(new Event("input"));
  }
}

function edited(start, name = "text") {
  const area = new Area();
  const text = new LiveText(name);
  text.take(["text", name, 1, 0, start]);
  const editor = new TextEditor(area);
  editor.attachText(text, { session: "s", token: "t", restore: false });
  clearTimeout(editor.saveTimer);
  const put = (value) => {
    text.take(["text", name, text.version + 1, 0, value]);
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
  text.full = { text: "a", units: 199_999, isShared: true };
  assert.equal(editor.notice, "The server has no room for a longer text right now. Yours is safe in this tab, and will be sent once it is down to 199,999 UTF-16 units or others have left.");
});

test("a text that somebody typed comes back, one that nobody touched does not", () => {
  const { area, editor, put } = edited("a sample", "comes back");
  put("another sample");
  assert.equal(editor.own.next(area.value), undefined);
  area.type("another sample, and more");
  put("a third sample");
  assert.equal(editor.own.next(area.value), "another sample, and more");
  editor.bringBack();
  assert.equal(area.value, "another sample, and more");
  assert.equal(editor.text.text, area.value);
  assert.equal(editor.own.next(area.value), undefined);
});

test("of several texts one gets each, one after the other", () => {
  const { area, editor, put } = edited("", "several");
  for (const text of ["one", "two", "three"]) {
    area.type(text);
    put(`the sample after ${text}`);
  }
  const seen = [];
  for (let i = 0; i < 4; i++) {
    editor.bringBack();
    seen.push(area.value);
  }
  assert.deepEqual(seen, ["three", "two", "one", "three"]);
});

test("Ctrl+Z goes back through what was replaced, as long as nothing is typed", () => {
  const { area, editor, put } = edited("", "undone");
  area.type("mine");
  put("sample 1");
  put("sample 2");
  assert.ok(area.press("z"));
  assert.equal(area.value, "sample 1");
  assert.ok(area.press("z"));
  assert.equal(area.value, "mine");
  assert.equal(editor.text.text, "mine");
  area.type("mine!");
  assert.ok(!area.press("z"), "the browser's own undo is for what was typed");
  put("sample 3");
  editor.clear();
  assert.equal(area.value, "");
  assert.ok(area.press("z"));
  assert.equal(area.value, "sample 3");
});

test("an edit from another editor of the same text replaces nothing, and another text is read from its beginning", () => {
  const { area, editor, put } = edited("a", "elsewhere");
  area.type("ab");
  area.scrollTop = 500;
  editor.text.edit(2, 0, "c", "another editor");
  assert.equal(area.value, "abc");
  assert.equal(area.scrollTop, 500);
  assert.equal(editor.own.next(area.value), undefined);
  put("a sample");
  assert.equal(area.scrollTop, 0);
});
