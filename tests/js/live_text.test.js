// A document in the browser: what it says, what it keeps until that has arrived, and how it goes on after a cut.

import assert from "node:assert/strict";
import test from "node:test";
import { INSERTED_MAX, LiveText } from "../../assets/shared/live_text.js";

/** The server's side: it takes edits in order, as docs/design.md says. */
class Server {
  constructor(text, { units = 20_000_000, isShared = false } = {}) { Object.assign(this, { text, units, isShared, version: 1, sequence: 0, lost: false }); }

  /** The answer to a message, or null. */
  hear([kind, name, version, sequence, ...edit]) {
    const state = [name, this.version, this.sequence];
    if (kind === "follow") {
      this.lost = false;
      return ["text", ...state, version === this.version && sequence <= this.sequence ? null : this.text];
    }
    const [start, removed, inserted, length] = edit;
    if (version !== this.version || sequence <= this.sequence) return null;
    const isNext = sequence === this.sequence + 1;
    if (!isNext && this.lost) return null;
    const fits = start + removed <= this.text.length && length === this.text.length + inserted.length - removed;
    if (!isNext || !fits) {
      this.lost = true;
      return ["again", ...state, this.text.length];
    }
    if (length > this.units) {
      this.lost = true;
      return ["full", ...state, this.units, this.isShared];
    }
    this.lost = false;
    this.text = this.text.slice(0, start) + inserted + this.text.slice(start + removed);
    this.sequence++;
    return ["seen", name, this.version, this.sequence];
  }

  put(text) {
    Object.assign(this, { text, version: this.version + 1, sequence: 0 });
    return ["text", "text", this.version, 0, text];
  }
}

/** A document and its server; `deliver` carries what is under way, `cut` loses it. */
function page(start, options) {
  const server = new Server(start, options);
  const out = [];
  const back = [];
  const text = new LiveText("text", (message) => out.push(message));
  const deliver = () => {
    while (out.length || back.length) {
      while (out.length) {
        const answer = server.hear(out.shift());
        if (answer) back.push(answer);
      }
      while (back.length) text.take(back.shift());
    }
  };
  const cut = () => { out.length = back.length = 0; };
  text.follow();
  deliver();
  return { server, text, out, back, deliver, cut };
}

test("what is typed stands there at once and arrives in order", () => {
  const { server, text, out, deliver } = page("one two");
  assert.equal(text.text, "one two");
  text.edit(7, 0, "s");
  text.edit(0, 3, "1");
  assert.equal(text.text, "1 twos");
  assert.deepEqual(out, [["edit", "text", 1, 1, 7, 0, "s", 8], ["edit", "text", 1, 2, 0, 3, "1", 6]]);
  assert.ok(!text.hasArrived);
  deliver();
  assert.ok(text.hasArrived);
  assert.equal(server.text, "1 twos");
});

test("a text from outside replaces the one there is, and later edits are of it", () => {
  const { server, text, deliver } = page("mine");
  text.edit(4, 0, "!");
  text.take(server.put("theirs"));
  assert.equal(text.text, "theirs");
  text.edit(6, 0, "?");
  deliver();
  assert.equal(server.text, "theirs?");
});

test("after a cut it goes on from what was typed meanwhile, and nothing is taken twice", () => {
  const { server, text, out, deliver, cut } = page("ab");
  text.edit(2, 0, "c");
  server.hear(out[0]); // it arrives, but the answer is lost
  text.edit(3, 0, "d");
  cut();
  text.isSettled = false;
  text.edit(4, 0, "e");
  assert.deepEqual(out, []);
  text.follow();
  text.edit(5, 0, "f");
  deliver();
  assert.equal(server.text, "abcdef");
  assert.ok(text.hasArrived);
});

test("a server that was started anew gets the text of this tab", () => {
  const { text, cut } = page("first");
  text.edit(5, 0, " and mine");
  cut();
  text.forgetServerState();
  text.edit(0, 5, "1st");
  const server = new Server("first");
  const answers = [];
  text.say = (message) => answers.push(server.hear(message));
  text.follow();
  text.take(answers.shift());
  for (const answer of answers) text.take(answer);
  assert.equal(server.text, "1st and mine");
  assert.equal(text.text, "1st and mine");
  assert.ok(text.hasArrived);
});

test("a text of this tab stays where the page shows an example before it has arrived, and gives way to what comes later", () => {
  const { server, text, out, deliver } = page("first");
  text.keepLocalText("mine");
  text.forgetServerState();
  text.follow();
  text.take(server.hear(out.shift()));
  const example = server.put("an example");
  assert.equal(server.hear(out.shift()), null); // the edit is of the text before
  text.take(example);
  assert.equal(text.text, "mine");
  deliver();
  assert.equal(server.text, "mine");
  text.take(server.put("chosen"));
  assert.equal(text.text, "chosen");
});

test("sides that hold different texts find together at that of the page", () => {
  const { server, text, deliver } = page("one");
  server.text = "another";
  text.edit(3, 0, "!");
  text.edit(4, 0, "?");
  deliver();
  assert.equal(server.text, "one!?");
  assert.ok(text.hasArrived);
});

test("a text that is too long is taken again once it is short enough", () => {
  const { server, text, deliver } = page("12345678", { units: 10 });
  text.edit(8, 0, "9");
  text.edit(9, 0, "abc");
  text.edit(0, 0, "x");
  deliver();
  assert.equal(server.text, "123456789");
  assert.equal(text.text, "x123456789abc");
  assert.equal(text.full.units, 10);
  text.edit(1, 3, "");
  deliver();
  assert.equal(server.text, "x456789abc");
  assert.ok(text.hasArrived && text.full === null);
  text.edit(0, 1, "");
  deliver();
  assert.equal(server.text, "456789abc");
});

test("a text that others leave no room for stays in the tab, and is sent again after a while, as somebody types", ({ mock }) => {
  let now = 0;
  mock.method(performance, "now", () => now);
  const { server, text, deliver } = page("12345678", { units: 10, isShared: true });
  text.edit(8, 0, "9abcdef");
  deliver();
  server.units = 20; // somebody has left
  text.edit(0, 0, "x");
  deliver();
  assert.equal(server.text, "12345678");
  now = 10_000;
  text.edit(0, 0, "y");
  deliver();
  assert.equal(server.text, "yx123456789abcdef");
  assert.ok(text.hasArrived && text.full === null);
});

test("what the server has is replaced whole where this page does not know it and its own text is too long", () => {
  const { server, text, deliver } = page("one", { units: 10 });
  server.text = "another one";
  text.edit(3, 0, " and much more than that?");
  deliver();
  assert.ok(text.full);
  text.edit(3, text.text.length - 4, "");
  deliver();
  assert.equal(text.text, "one?");
  assert.equal(server.text, "one?");
  assert.ok(text.hasArrived);
});

test("what somebody else has typed under this name stands in place of the text of this page", () => {
  const { server, text, deliver } = page("mine");
  Object.assign(server, { text: "theirs", sequence: 3 });
  text.take(["text", "text", 1, 3, null]);
  deliver();
  assert.equal(text.text, "theirs");
  assert.equal(server.text, "theirs");
});

test("a very long paste is several edits", () => {
  const { server, text, out, deliver } = page("<>");
  text.edit(1, 0, "a".repeat(INSERTED_MAX) + "b".repeat(INSERTED_MAX) + "c");
  assert.deepEqual(out.map(([, , , sequence, start, removed, { length }]) => [sequence, start, removed, length]),
    [[1, 1, 0, INSERTED_MAX], [2, 1 + INSERTED_MAX, 0, INSERTED_MAX], [3, 1 + 2 * INSERTED_MAX, 0, 1]]);
  deliver();
  assert.equal(server.text, text.text);
});

test("an edit may cut a surrogate pair, and survives JSON", () => {
  const { server, text, out, deliver } = page("😀");
  text.edit(1, 1, "😁"[1]);
  out.splice(0, out.length, ...out.map((message) => JSON.parse(JSON.stringify(message))));
  deliver();
  assert.equal(server.text, "😁");
});

test("the change since a state of the text is told, also across several edits", () => {
  const { server, text, deliver } = page("0123456789");
  text.edit(3, 0, "a");
  text.edit(8, 2, "");
  assert.deepEqual(text.changeSince(1, 0), { start: 3, oldStop: 9, newStop: 8 });
  assert.deepEqual(text.changeSince(1, 1), { start: 8, oldStop: 10, newStop: 8 });
  assert.equal(text.changeSince(1, 2), null);
  deliver();
  text.take(server.put("new"));
  assert.equal(text.changeSince(1, 2), undefined);
});

test("random typing, cuts and texts from outside leave both sides with the same", () => {
  let seed = 7;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  for (let round = 0; round < 200; round++) {
    const { server, text, out, back, deliver, cut } = page("start ".repeat(random(4)));
    for (let step = 0; step < 60; step++) {
      const what = random(12);
      if (what === 0) {
        if (random(2)) for (const message of out) server.hear(message);
        cut();
        text.isSettled = false;
        text.follow();
      } else if (what === 1) back.push(server.put("outside".slice(random(7))));
      else if (what < 5) deliver();
      else {
        const start = random(text.text.length + 1);
        text.edit(start, Math.min(random(3), text.text.length - start), ["", "x", "😀", "long ", "\r\n"][random(5)]);
      }
    }
    deliver();
    assert.equal(server.text, text.text);
    assert.ok(text.hasArrived);
  }
});
