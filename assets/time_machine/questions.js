// What is asked about the step on view once it has rested for a moment, and the step that the tab keeps.

import { storeSessionValue } from "../shared/storage.js";

const REST_MS = 40; // a step that rests this long is worth a question to the server

export class Questions {
  /** `machine` has the history, the step, the pretoken and the guess that are asked about. */
  constructor(machine) {
    this.machine = machine;
    this.isResting = false; // whether the step has rested long enough
    this.asked = null; // the last question, as JSON
    this.timer = undefined;
  }

  /** The step has moved: ask once it rests. */
  askOnceRested() {
    this.isResting = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.markRested(), REST_MS);
  }

  markRested() {
    this.isResting = true;
    const { machine } = this;
    // The server puts it into what the tab keeps only when it runs a whole page.
    if (machine.pointed === null) storeSessionValue(machine.data.session, "step", machine.k);
    this.ask();
  }

  /** Ask for what belongs to the step on view, unless that was the last question; also say which step is kept. */
  ask() {
    const { machine } = this;
    if (!this.isResting || !machine.history || machine.revision === null) return;
    const question = this.question();
    const asked = JSON.stringify(question);
    if (asked === this.asked) return;
    this.asked = asked;
    machine.connection.ask(machine.viewName, question);
  }

  question() {
    const { revision, shown, pretoken, stepVersion, k, boundary: { asked: boundary }, prediction: { isOn: predicting, asked: guess } } = this.machine;
    return {
      revision, k: shown, pretoken: pretoken?.start ?? null, stays: [stepVersion, k],
      ...(predicting ? { predicting, guess } : {}),
      ...(boundary === null ? {} : { boundary }),
    };
  }

  /** What would be asked now has come unasked, unless there is a new boundary or guess to ask about. */
  markAnswered() {
    const question = this.question();
    if (question.boundary === undefined && question.guess == null) this.asked = JSON.stringify(question);
  }

  /** The last answer no longer fits: the same question may be asked again. */
  forget() { this.asked = null; }

  leave() { clearTimeout(this.timer); }
}
