// What the time machine asks about a step, and when.

import assert from "node:assert/strict";
import test from "node:test";
import { Questions } from "../../assets/time_machine/questions.js";

function newMachine() {
  const said = [];
  const machine = {
    said, revision: 1, shown: 5, k: 5, pointed: 5, stepVersion: 0, pretoken: { start: 0 }, history: {}, viewName: "history",
    boundary: { asked: null }, prediction: { isOn: false, asked: null },
    connection: { ask: (_, question) => { said.push(question); } },
  };
  return machine;
}

test("a step that rests is asked about, and no more once an answer came by itself", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const machine = newMachine();
  const questions = new Questions(machine);
  questions.askOnceRested();
  mock.timers.tick(39);
  assert.equal(machine.said.length, 0);
  mock.timers.tick(1);
  assert.equal(machine.said.length, 1);
  machine.shown = 6;
  questions.askOnceRested();
  questions.markAnswered();
  mock.timers.tick(40);
  assert.equal(machine.said.length, 1);
});

for (const [what, ask] of [
  ["a boundary", (machine) => { machine.boundary.asked = 3; }],
  ["a guess", (machine) => { machine.prediction = { isOn: true, asked: [1, 2] }; }],
]) {
  test(`an answer that knows nothing of ${what} does not stand for one that does`, ({ mock }) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const machine = newMachine();
    const questions = new Questions(machine);
    questions.askOnceRested();
    ask(machine);
    questions.ask(); // too early: the step does not rest yet
    questions.markAnswered();
    mock.timers.tick(40);
    assert.equal(machine.said.length, 1);
    const [{ boundary, guess }] = machine.said;
    assert.deepEqual(boundary ?? guess, machine.boundary.asked ?? machine.prediction.asked);
  });
}
