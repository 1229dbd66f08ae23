// What is typed while an editor is being redrawn is typed into the new one.

import assert from "node:assert/strict";
import test from "node:test";
import { holdTyping, resumeTyping } from "../../assets/shared/type_ahead.js";
import { newPage } from "./page.js";

/** Make a page with nothing in focus, and an editor that is to be removed with some characters selected. */
function pageWithEditor(start = 2, end = 2) {
  const typed = [];
  const body = {};
  const page = newPage({ document: { body, activeElement: body, execCommand: (...command) => typed.push(command) } });
  const area = (canFocus = true) => {
    const root = { activeElement: null };
    const area = {
      selectionStart: start, selectionEnd: end, getRootNode: () => root,
      focus: () => { if (canFocus) root.activeElement = area; },
      setSelectionRange: (...range) => { area.range = range; },
    };
    return area;
  };
  /** Press a key; return whether the page would see it. */
  const press = (key, { altGraph = false, ...keys } = {}) => {
    const event = new Event("keydown", { cancelable: true });
    return page.dispatchEvent(Object.assign(event, { key, getModifierState: () => altGraph, ...keys }));
  };
  return { page, area, press, typed };
}

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
