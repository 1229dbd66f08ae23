// The connection of a page: which documents it follows, and when it connects again.

import assert from "node:assert/strict";
import test from "node:test";
import { FakeSocket, sockets } from "./sockets.js";

Object.assign(globalThis, { WebSocket: FakeSocket, addEventListener() {}, document: { addEventListener() {} } });
Object.assign(globalThis, { requestAnimationFrame: (paint) => setImmediate(paint) });
const { Live } = await import("../../assets/shared/live.js");

/** A page with a document under edit that the server has told. */
function page(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const live = new Live();
  live.connectAs("first");
  sockets.at(-1).open();
  const text = live.openText("text");
  text.listen(() => {});
  sockets.at(-1).tell("text", "text", 1, 0, "one");
  return { live, text };
}

const follows = () => sockets.at(-1).sent.filter(([kind]) => kind === "follow").length;

test("a document that the script of a new server has yet to make is followed once it is shown", (t) => {
  const { live, text } = page(t);
  text.edit(3, 0, " two");
  sockets.at(-1).onclose({ code: 4404 });
  live.connectAs("second");
  sockets.at(-1).open();
  sockets.at(-1).tell("gone", "text");
  assert.equal(follows(), 1);
  assert.equal(live.openText("text"), text);
  assert.equal(follows(), 2);
  sockets.at(-1).tell("text", "text", 1, 0, "start");
  assert.equal(text.text, "one two");
  assert.deepEqual(sockets.at(-1).sent.at(-1), ["edit", "text", 1, 1, 0, 5, "one two", 7]);
});

test("one that is shown before the answer that there is none is followed again at once, and only once", (t) => {
  const { live } = page(t);
  live.connectAs("second");
  sockets.at(-1).open();
  live.openText("text");
  for (let i = 0; i < 3; i++) sockets.at(-1).tell("gone", "text");
  assert.equal(follows(), 2);
});

test("one that went with its editor is another one when it comes back", (t) => {
  const { live } = page(t);
  const text = live.openText("another");
  const unlisten = text.listen(() => {});
  sockets.at(-1).tell("text", "another", 1, 0, "old");
  sockets.at(-1).tell("gone", "another");
  unlisten();
  assert.notEqual(live.openText("another"), text);
});

test("a token that was refused is not tried again", (t) => {
  const { live } = page(t);
  sockets.at(-1).onclose({ code: 4404 });
  const tried = sockets.length;
  live.connectAs("first");
  assert.equal(sockets.length, tried);
  live.connectAs("second");
  assert.equal(sockets.length, tried + 1);
});

test("the page's script is woken until it has brought a new token", (t) => {
  const { live } = page(t);
  let wakes = 0;
  live.wake = () => { wakes += 1; };
  sockets.at(-1).onclose({ code: 4404 });
  t.mock.timers.tick(1_000);
  assert.equal(wakes, 1);
  t.mock.timers.tick(2_000);
  assert.equal(wakes, 2);
  live.connectAs("second");
  t.mock.timers.tick(600_000);
  assert.equal(wakes, 2);
});

/** How long after a socket was closed with a code the next one is tried, for several in a row that each say a word. */
function waits(t, code) {
  const { text } = page(t);
  return [0, 1, 2].map(() => {
    const tried = sockets.length;
    sockets.at(-1).onclose({ code });
    let waited = 0;
    for (; sockets.length === tried; waited += 50) t.mock.timers.tick(50);
    sockets.at(-1).open();
    sockets.at(-1).tell("seen", "text", 1, 0);
    assert.ok(text.version);
    return waited;
  });
}

test("it connects again at once, but ever more slowly where the server has turned it away", (t) => {
  assert.deepEqual(waits(t, 1006), [100, 100, 100]);
  t.mock.timers.reset();
  for (const code of [4400, 4409]) {
    assert.deepEqual(waits(t, code), [100, 200, 400]);
    t.mock.timers.reset();
  }
});

test("the edits of a document have arrived that a view of it names, whoever shows the view", (t) => {
  const { live, text } = page(t);
  live.show("of ids", { textName: "text", take() {} });
  text.edit(3, 0, "!");
  sockets.at(-1).tell("tokens", "of ids", { state: [1, 1] });
  assert.ok(text.hasArrived);
});

test("the server is told once what is shown has been painted, and again under each connection", async (t) => {
  const { live } = page(t);
  live.show("view", { textName: "text", take() {} });
  for (let i = 0; i < 2; i++) {
    for (let revision = 1; revision < 3; revision++) sockets.at(-1).tell("tokens", "view", { state: [1, 0], revision });
    assert.deepEqual(sockets.at(-1).sent.at(-1), ["show", "view"]);
    while (sockets.at(-1).sent.at(-1)[0] !== "painted") await new Promise(setImmediate);
    assert.deepEqual(sockets.at(-1).sent.slice(-2), [["show", "view"], ["painted", "view"]]);
    t.mock.timers.tick(60_000); // no answer is due
    assert.equal(sockets.at(-1).readyState, FakeSocket.OPEN);
    sockets.at(-1).onclose({ code: 1006 });
    t.mock.timers.tick(100);
    sockets.at(-1).open();
  }
});

test("a view that is still filling counts as painted once it says so", async (t) => {
  const { live } = page(t);
  live.show("view", { textName: "text", isFilling: true, take() {} });
  sockets.at(-1).tell("vocabulary", "view", { state: [1, 0] });
  for (let i = 0; i < 10; i++) await new Promise(setImmediate);
  assert.deepEqual(sockets.at(-1).sent.at(-1), ["show", "view"]);
  for (let i = 0; i < 2; i++) live.sendPainted("view");
  for (let i = 0; i < 10; i++) await new Promise(setImmediate);
  assert.deepEqual(sockets.at(-1).sent.slice(-2), [["show", "view"], ["painted", "view"]]);
});

test("of two that are shown under a name the last is told, and the first again once that has gone", (t) => {
  const { live } = page(t);
  const told = [];
  const view = (called) => ({ textName: "text", take: () => told.push(called) });
  const [stays, comes] = [view("stays"), view("comes")];
  const said = () => sockets.at(-1).sent.filter(([kind]) => kind === "show" || kind === "hide").map(([kind]) => kind);
  const reply = () => sockets.at(-1).tell("columns", "view", { state: [1, 0] });
  for (const each of [stays, comes]) live.show("view", each);
  reply();
  live.hide("view", comes);
  assert.deepEqual(said(), ["show", "show", "show"]);
  reply();
  assert.deepEqual(told, ["comes", "stays"]);
  live.show("view", comes);
  live.hide("view", stays);
  assert.deepEqual(said(), ["show", "show", "show", "show"]);
  live.hide("view", comes);
  assert.equal(said().at(-1), "hide");
  assert.equal(live.shown.size, 0);
});

test("the first word of the server is noted", async (t) => {
  const { live } = page(t);
  await live.firstWord;
});

test("the page is told for how long the connection was lost, once there is an answer again", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const live = new Live();
  const away = [];
  live.returned = (milliseconds) => away.push(milliseconds);
  live.connectAs("first");
  sockets.at(-1).onclose({ code: 1006 }); // it has yet to be there
  t.mock.timers.tick(100);
  sockets.at(-1).open();
  live.openText("text");
  sockets.at(-1).tell("text", "text", 1, 0, "one");
  for (const code of [1006, 4404]) {
    sockets.at(-1).onclose({ code });
    t.mock.timers.tick(3_000);
  }
  live.connectAs("second");
  sockets.at(-1).open();
  assert.deepEqual(away, []);
  for (let i = 0; i < 2; i++) sockets.at(-1).tell("text", "text", 1, 0, "one");
  assert.deepEqual(away, [6_000]);
  sockets.at(-1).onclose({ code: 4409 }); // another tab has taken its place: nothing was lost
  t.mock.timers.tick(3_000);
  sockets.at(-1).open();
  sockets.at(-1).tell("text", "text", 1, 0, "one");
  assert.equal(away.length, 1);
});

test("what speaks as a socket does is enough to follow a text and to show a view", () => {
  const made = [];
  const live = new Live((token) => {
    const socket = new FakeSocket("", ["tokviz", token]);
    made.push(socket);
    return socket;
  });
  const replies = [];
  live.connectAs("kept");
  live.show("view", { textName: "text", take: (reply) => replies.push(reply) });
  const text = live.openText("text");
  made[0].open();
  assert.deepEqual(made[0].sent, [["follow", "text", null, null], ["show", "view"]]);
  made[0].tell("text", "text", 1, 0, "one");
  made[0].tell("tokens", "view", { state: [1, 0], revision: 1 });
  assert.equal(made.length, 1);
  assert.equal(made[0].token, "kept");
  assert.deepEqual([text.text, replies.length], ["one", 1]);
});

test("what the socket cannot send yet waits, in order, and is dropped with the socket", (t) => {
  const { live, text } = page(t);
  const socket = sockets.at(-1);
  const before = socket.sent.length;
  socket.bufferedAmount = 5_000_000;
  for (const key of "abc") text.edit(0, 0, key);
  t.mock.timers.tick(500);
  assert.equal(socket.sent.length, before);
  socket.bufferedAmount = 0;
  t.mock.timers.tick(100);
  assert.deepEqual(socket.sent.slice(before).map((edit) => edit[6]), ["a", "b", "c"]);
  socket.bufferedAmount = 5_000_000;
  text.edit(0, 0, "d");
  socket.onclose({ code: 1006 });
  live.open();
  sockets.at(-1).open();
  sockets.at(-1).tell("text", "text", 1, 3, null);
  assert.deepEqual(sockets.at(-1).sent.filter(([kind]) => kind === "edit").map((edit) => edit[6]), ["d"]);
});
