// The page's script is told that the typing rests, and again until a run has seen the text.

import assert from "node:assert/strict";
import test from "node:test";
import { Rest } from "../../assets/shared/rest.js";

test("a page is told once all has arrived, and again until it has seen the text", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let told = 0;
  const rest = new Rest(() => { told++; });
  const text = { version: 1, sequence: 1, hasArrived: false };
  rest.receive({ rest: 400, seen: [1, 0] });
  rest.changed(text);
  mock.timers.tick(400);
  assert.equal(told, 0); // it is still on its way
  text.hasArrived = true;
  mock.timers.tick(400);
  assert.equal(told, 1);
  mock.timers.tick(2_000);
  assert.equal(told, 2); // the request got lost
  rest.receive({ rest: 400, seen: [1, 1] });
  mock.timers.tick(60_000);
  assert.equal(told, 2);
  text.sequence = 2;
  rest.changed(text);
  mock.timers.tick(300);
  text.sequence = 3;
  rest.changed(text); // typing goes on
  mock.timers.tick(300);
  assert.equal(told, 2);
  mock.timers.tick(100);
  assert.equal(told, 3);
});

test("a page that wants to know nothing is told nothing", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const rest = new Rest(() => assert.fail());
  rest.receive({ rest: null, seen: null });
  rest.changed({ version: 1, sequence: 1, hasArrived: true });
  mock.timers.tick(60_000);
});
