// The tab's memory: what it gives back after a reload stays, until somebody changes it.

import assert from "node:assert/strict";
import { after, beforeEach, describe, test } from "node:test";

const items = new Map();
globalThis.sessionStorage = {
  getItem: (name) => items.get(name) ?? null,
  setItem: (name, value) => items.set(name, value),
  removeItem: (name) => items.delete(name),
  key: (i) => [...items.keys()][i] ?? null,
  get length() { return items.size; },
};
const { setTimeout } = globalThis;
globalThis.document = { cookie: "", addEventListener: () => {} };
const listeners = {};
globalThis.addEventListener = (kind, listener) => { listeners[kind] = listener; };
globalThis.setTimeout = () => 0;

const { default: render } = await import("../../assets/tab_memory/component.js");
const { storeSessionValue, storeValue, storedValue } = await import("../../assets/shared/storage.js");

let said = [];
const options = { price: 2, tokenizer: "gpt2" };
const value = (options) => ({ values: { ...options, rows: [] } });

function run(session, shown, restored) {
  const setTriggerValue = (name, message) => said.push(message);
  render({ data: { session, value: value(shown), lasting: {}, restored }, parentElement: { isConnected: true }, setTriggerValue });
}

describe("the memory of a tab", () => {
  after(() => { globalThis.setTimeout = setTimeout; });

  let session = 0;
  beforeEach(() => {
    said = [];
    session += 1;
    storeValue("session", { session: "before", value: value(options) });
    run(`new ${session}`, {}, false);
    assert.deepEqual(said, [{ session: `new ${session}`, kept: value(options) }]);
    run(`new ${session}`, options, true);
    said = [];
  });

  test("an option that a late message of a widget has undone is given back, once", () => {
    run(`new ${session}`, { tokenizer: "gpt2" }, true);
    assert.deepEqual(said, [{ session: `new ${session}`, kept: value(options) }]);
    assert.deepEqual(storedValue("session").value, value(options));
    run(`new ${session}`, { tokenizer: "gpt2" }, true);
    assert.equal(said.length, 1);
  });

  test("a training that ends, and another value, change nothing that was given back", () => {
    storeValue("session", { session: `new ${session}`, value: value({ ...options, training_job: "1" }) });
    run(`new ${session}`, { ...options, tokenizer: "mine" }, true);
    assert.deepEqual(said, []);
    assert.deepEqual(storedValue("session").value, value({ ...options, tokenizer: "mine" }));
  });

  test("what somebody changes is kept", () => {
    listeners.keydown();
    run(`new ${session}`, { tokenizer: "gpt2" }, true);
    assert.deepEqual(said, []);
    assert.deepEqual(storedValue("session").value, value({ tokenizer: "gpt2" }));
  });
});

test("a value that a component notes is in what the next session is given, and in no other session's", () => {
  items.clear();
  storeValue("session", { session: "one", value: value(options) });
  storeSessionValue("two", "step", 5);
  assert.deepEqual(storedValue("session").value, value(options));
  storeSessionValue("one", "step", 5);
  assert.deepEqual(storedValue("session").value, value({ ...options, step: 5 }));
});

test("a reload goes on presenting, an address that is typed or followed does not", async () => {
  const { getEntriesByType } = performance;
  after(() => { performance.getEntriesByType = getEntriesByType; });
  for (const [type, kept] of [["reload", { ...options, presenting: true }], ["navigate", options]]) {
    storeValue("session", { session: "before", value: value({ ...options, presenting: true }) });
    performance.getEntriesByType = () => [{ type }];
    await import(`../../assets/tab_memory/component.js?${type}`);
    assert.deepEqual(storedValue("session").value, value(kept));
  }
});
