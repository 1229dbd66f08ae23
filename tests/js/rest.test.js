// The page's script is told that the typing rests, and again until a run has seen the text.

import assert from "node:assert/strict";
import test from "node:test";
import { Rest } from "../../assets/editor/rest.js";
import { newPage } from "./page.js";

test("a page is told once all has arrived, and again until it has seen the text", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  newPage({ location: { pathname: "/" } });
  let told = 0;
  const rest = new Rest(() => { told++; });
  const text = { version: 1, sequence: 1, hasArrived: false };
  rest.setOptions({ rest: 400, seen: [1, 0] });
  rest.tellOnceRested(text);
  mock.timers.tick(400);
  assert.equal(told, 0); // it is still on its way
  text.hasArrived = true;
  mock.timers.tick(400);
  assert.equal(told, 1);
  mock.timers.tick(2_000);
  assert.equal(told, 2); // the request got lost
  rest.setOptions({ rest: 400, seen: [1, 1] });
  mock.timers.tick(60_000);
  assert.equal(told, 2);
  text.sequence = 2;
  rest.tellOnceRested(text);
  mock.timers.tick(300);
  text.sequence = 3;
  rest.tellOnceRested(text); // typing goes on
  mock.timers.tick(300);
  assert.equal(told, 2);
  mock.timers.tick(100);
  assert.equal(told, 3);
});

test("a page that wants to know nothing is told nothing", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  newPage({ location: { pathname: "/" } });
  const rest = new Rest(() => assert.fail());
  rest.setOptions({ rest: null, seen: null });
  rest.tellOnceRested({ version: 1, sequence: 1, hasArrived: true });
  mock.timers.tick(60_000);
});

test("a page that may be left is not told, and if it stays it is told later", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const page = newPage({ location: { pathname: "/" } });
  const LINK = { localName: "a", href: "/train", pathname: "/train", target: "", download: "" };
  const click = (path, keys = {}) => page.dispatchEvent(Object.assign(new Event("click"), { composedPath: () => path, ...keys }));
  let told = 0;
  const rest = new Rest(() => { told++; });
  const text = { version: 1, sequence: 0, hasArrived: true };
  const toldAfter = (milliseconds, happens) => {
    rest.heldUntil = 0;
    rest.setOptions({ rest: 400, seen: [1, text.sequence] });
    text.sequence++;
    told = 0;
    rest.tellOnceRested(text);
    happens();
    mock.timers.tick(milliseconds - 1);
    assert.equal(told, 0);
    mock.timers.tick(1);
    assert.equal(told, 1);
  };
  toldAfter(400, () => {});
  toldAfter(400, () => click([{ localName: "textarea" }]));
  toldAfter(2_000, () => click([{ localName: "button" }]));
  toldAfter(10_000, () => click([{ localName: "span" }, LINK]));
  toldAfter(10_000, () => { click([LINK]); click([{ localName: "button" }]); });
  toldAfter(2_000, () => click([LINK], { ctrlKey: true }));
  toldAfter(2_000, () => click([{ ...LINK, target: "_blank" }]));
  toldAfter(2_000, () => click([{ ...LINK, download: "tokens.csv" }]));
  toldAfter(2_000, () => click([{ ...LINK, pathname: "/" }])); // to another lesson, say
  toldAfter(400, () => page.dispatchEvent(new Event("popstate")));
  location.pathname = "/train";
  toldAfter(10_000, () => page.dispatchEvent(new Event("popstate")));
  rest.heldUntil = 0;
  rest.leave();
  click([LINK]);
  page.dispatchEvent(new Event("popstate"));
  assert.equal(rest.heldUntil, 0);
});
