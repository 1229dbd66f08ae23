// What is typed while an editor is being redrawn is typed into the new one.

import assert from "node:assert/strict";
import test from "node:test";
import { guardFocus, holdTyping, isHeld, resumeTyping } from "../../assets/editor/type_ahead.js";
import { newPage } from "./page.js";

/** Make a page with nothing in focus, and an editor that is to be removed with some characters selected. */
function pageWithEditor(start = 2, end = 2) {
  const typed = [];
  const body = {};
  let observe;
  const page = newPage({
    document: { body, activeElement: body, querySelector: () => null, execCommand: (...command) => typed.push(command) },
    MutationObserver: class {
      constructor(seen) { observe = seen; }

      observe() {}

      disconnect() {}
    },
  });
  const area = (canFocus = true, isOneLine = false) => {
    const root = { activeElement: null };
    const area = {
      selectionStart: start, selectionEnd: end, isConnected: true, readOnly: false, getRootNode: () => root,
      focus: () => { if (canFocus) root.activeElement = area; },
      setSelectionRange: (...range) => { area.range = range; },
      matches: (selector) => isOneLine && selector.includes(".one-line"),
    };
    return area;
  };
  /** Press a key; return whether the page would see it. */
  const press = (key, { altGraph = false, ...keys } = {}) => {
    const event = new Event("keydown", { cancelable: true });
    return page.dispatchEvent(Object.assign(event, { key, getModifierState: () => altGraph, ...keys }));
  };
  const newDialog = () => ({ matches: (selector) => selector === "[role=dialog]", isConnected: true });
  /** Have a dialog take the focus of an editor; return how it closes, and gives the focus to what is `next`. */
  const takeFocus = (area, dialog = newDialog(), next = body) => {
    const composedPath = () => [area, body];
    page.dispatchEvent(Object.assign(new Event("focusout"), { relatedTarget: dialog, composedPath }));
    document.activeElement = dialog;
    return () => {
      dialog.isConnected = false;
      document.activeElement = next;
      observe();
    };
  };
  return { page, area, press, takeFocus, typed };
}

test("an editor of one line gets no line end", () => {
  const { area, press, typed } = pageWithEditor();
  holdTyping("text", area(true, true));
  for (const key of ["a", "Enter", "b"]) assert.equal(press(key), false);
  resumeTyping("text", area(true, true));
  assert.deepEqual(typed, [["insertText", false, "ab"]]);
});

test("caret and keys go to the editor that comes back", () => {
  const { area, press, typed } = pageWithEditor(1, 3);
  holdTyping("text", area());
  for (const key of ["r", "ก", "Enter", "c", "Backspace", "👩"]) assert.equal(press(key), false);
  for (const key of ["ArrowLeft", "Shift", undefined]) assert.equal(press(key), true);
  assert.equal(press("c", { ctrlKey: true }), true);
  assert.equal(press("@", { ctrlKey: true, altKey: true, altGraph: true }), false);
  const other = area();
  resumeTyping("other", other);
  assert.equal(other.range, undefined);
  const hidden = area(false);
  resumeTyping("text", hidden);
  assert.equal(hidden.range, undefined);
  const back = area();
  resumeTyping("text", back);
  assert.deepEqual([back.range, typed], [[1, 3], [["insertText", false, "rก\n👩@"]]]);
  assert.equal(press("c"), true);
});

test("who clicks elsewhere, or waits too long, is left alone", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { page, area, press } = pageWithEditor();
  for (const leave of [() => page.dispatchEvent(new Event("pointerdown")), () => mock.timers.tick(4_000)]) {
    holdTyping("text", area());
    assert.equal(press("c"), false);
    leave();
    assert.equal(press("c"), true);
    const back = area();
    resumeTyping("text", back);
    assert.equal(back.range, undefined);
  }
  holdTyping("text", area());
  document.activeElement = {};
  assert.equal(press("c"), true);
  const back = area();
  resumeTyping("text", back);
  assert.equal(back.range, undefined);
});

test("what a dialog takes the focus of has it again when the dialog closes, and what is typed meanwhile", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { page, area, press, takeFocus, typed } = pageWithEditor(1, 3);
  guardFocus();
  const editor = area();
  const close = takeFocus(editor);
  assert.ok(isHeld(editor));
  for (const key of ["Backspace", "r", "c"]) assert.equal(press(key), false);
  mock.timers.tick(60_000); // a server may be away for long
  page.dispatchEvent(new Event("pointerdown")); // on what closes the dialog
  assert.equal(press("s"), false);
  close();
  assert.deepEqual([editor.range, typed], [[1, 3], [["delete"], ["insertText", false, "rcs"]]]);
  assert.ok(!isHeld(editor));
  assert.equal(press("c"), true);
});

test("an editor that is redrawn while a dialog has its focus goes on once it has its text", () => {
  const { area, press, takeFocus, typed } = pageWithEditor();
  guardFocus();
  const editor = area();
  const close = takeFocus(editor);
  press("a");
  editor.isConnected = false;
  holdTyping("text", editor);
  press("b");
  const redrawn = area();
  redrawn.readOnly = true;
  resumeTyping("text", redrawn);
  assert.equal(press("c"), false);
  close();
  assert.equal(press("d"), false);
  redrawn.readOnly = false;
  resumeTyping("text", redrawn);
  assert.deepEqual([redrawn.range, typed], [[2, 2], [["insertText", false, "abcd"]]]);
});

test("a dialog that somebody clicks in, and its buttons, keep their keys", () => {
  const { area, press, takeFocus } = pageWithEditor();
  guardFocus();
  const editor = area();
  document.querySelector = () => ({}); // what is being pressed
  takeFocus(editor);
  assert.ok(!isHeld(editor));
  document.querySelector = () => null;
  takeFocus(editor, { matches: () => false });
  assert.ok(!isHeld(editor));
  const button = Object.assign(area(), { selectionStart: null });
  takeFocus(button);
  assert.ok(!isHeld(button));
  const close = takeFocus(editor);
  document.activeElement = {};
  assert.equal(press(" "), true);
  close();
  assert.deepEqual(editor.range, [2, 2]);
});

test("who is elsewhere when a dialog closes stays there", () => {
  const { area, takeFocus } = pageWithEditor();
  guardFocus();
  const editor = area();
  takeFocus(editor, undefined, {})();
  assert.equal(editor.range, undefined);
});
