// What all views of the live socket do: when they ask for all there is to show, and when they show a text without it.

import assert from "node:assert/strict";
import test from "node:test";
import { FakeSocket, sockets } from "./sockets.js";

Object.assign(globalThis, {
  WebSocket: FakeSocket, addEventListener() {}, document: { hidden: true, addEventListener() {} },
});
const { LiveView } = await import("../../assets/shared/live_view.js");

const root = { querySelector: () => ({ classList: { toggle() {} } }) };
const page = (token, view) => ({ data: { token, view, document: "text" } });

class View extends LiveView {
  shows = 0;

  configure() { this.followText(this.connection.openText(this.textName)); }

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

const ahead = (name) => [["text", name, 1, 0, "one"], ["tokens", "ahead", { state: [1, 0], revision: 1 }]];
const pageAhead = (token) => ({ token, view: "ahead", document: token, ahead: ahead(token) }); // a document that no other test has

class Telling extends View {
  replies = [];

  take(reply) { this.replies.push([this.text.text, reply.revision]); }
}

test("a view shows what the page says ahead of the socket, which says it again, and no longer heeds it later", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const view = new Telling(root);
  const data = pageAhead("four");
  view.receive({ data });
  assert.deepEqual(view.replies, [["one", 1]]);
  const socket = sockets.at(-1);
  socket.open();
  assert.deepEqual(socket.sent, [["follow", "four", 1, 0], ["show", "ahead"]]);
  socket.tell("text", "four", 1, 0, null);
  socket.tell("tokens", "ahead", { state: [1, 0], revision: 2 });
  view.text.edit(3, 0, " two");
  assert.deepEqual(socket.sent.at(-1), ["edit", "four", 1, 1, 3, 0, " two", 7]);
  view.receive({ data }); // once more, since a script has run again
  assert.deepEqual(view.replies, [["one", 1], ["one", 2]]);
  assert.equal(view.text.text, "one two");
  view.leave();
});

test("what is typed between the page's words and the socket is sent once that is open", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const view = new Telling(root);
  view.receive({ data: pageAhead("five") });
  view.text.edit(3, 0, "s");
  const socket = sockets.at(-1);
  socket.open();
  socket.tell("text", "five", 1, 0, null);
  assert.deepEqual(socket.sent, [["follow", "five", 1, 0], ["show", "ahead"], ["edit", "five", 1, 1, 3, 0, "s", 4]]);
  view.leave();
});

test("where the tab keeps another text, or asks an earlier session for it, nothing is shown ahead", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  for (const keep of [(text) => text.keepLocalText("mine"), (text) => text.resume("earlier")]) {
    const view = new Telling(root);
    view.configure = () => {
      Telling.prototype.configure.call(view);
      keep(view.text);
    };
    view.receive({ data: pageAhead(`six ${sockets.length}`) });
    assert.deepEqual(view.replies, []);
    assert.notEqual(view.text.text, "one");
    view.leave();
  }
});
