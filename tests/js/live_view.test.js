// What all views of the live socket do: when they ask for all there is to show, and when they show a text without it.

import assert from "node:assert/strict";
import test from "node:test";
import { FakeSocket, sockets } from "./sockets.js";

Object.assign(globalThis, {
  WebSocket: FakeSocket, addEventListener() {}, document: { addEventListener() {} }, getComputedStyle: () => ({ color: "rgb(0, 0, 0)" }),
});
const { LiveView } = await import("../../assets/shared/live_view.js");

const root = { querySelector: () => ({ classList: { toggle() {} } }) };
const page = (token, view) => ({ data: { token, view, document: "text" } });

class View extends LiveView {
  shows = 0;

  configure() { this.followText(this.connection.text(this.textName)); }

  show() {
    super.show();
    this.shows++;
  }
}

test("a view asks for all there is to show once, and again under another name or in another session", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const view = new LiveView(root);
  assert.equal(view.receive(page("one", "first")), true);
  sockets.at(-1).open();
  assert.equal(view.receive(page("one", "first")), false);
  assert.equal(view.receive(page("one", "second")), true);
  assert.deepEqual(sockets.at(-1).sent, [["show", "first"], ["hide", "first"], ["show", "second"]]);
  assert.equal(view.receive(page("two", "second")), true);
  sockets.at(-1).open();
  assert.deepEqual(sockets.at(-1).sent, [["show", "second"]]);
  assert.equal(view.receive(page("two", null)), false);
  view.leave();
  assert.deepEqual(sockets.at(-1).sent.at(-1), ["hide", "second"]);
});

test("a text that changes is shown once no reply has come for a while, and not after the view has left", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const view = new View(root);
  view.receive(page("three", "view"));
  sockets.at(-1).open();
  const { text } = view;
  sockets.at(-1).tell("text", "text", 1, 0, "one");
  view.show();
  t.mock.timers.tick(1_000);
  assert.equal(view.shows, 1);
  text.edit(3, 0, " two");
  text.edit(7, 0, " three");
  t.mock.timers.tick(1_000);
  assert.equal(view.shows, 2);
  text.edit(0, 3, "");
  view.leave();
  text.edit(0, 1, "");
  t.mock.timers.tick(1_000);
  assert.equal(view.shows, 2);
});
