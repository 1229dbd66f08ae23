// What is asked about the step that is shown, once it has rested for a moment, and the step that the tab keeps.

import { store, stored } from "../shared/storage.js";

const REST_MS = 40; // a step that stands so long is worth a question to the server

export class Questions {
  /** `machine` has the history, the step, the pretoken and the guess that are asked about. */
  constructor(machine) {
    this.machine = machine;
    this.isResting = false; // whether the step has stood long enough
    this.asked = null; // the last question, as JSON
    this.timer = undefined;
  }

  /** The step has moved: ask once it rests. */
  moved() {
    this.isResting = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.rest(), REST_MS);
  }

  rest() {
    this.isResting = true;
    if (this.machine.pointed === null) this.remember();
    this.ask();
  }

  /** Ask for what belongs to the step that is shown, unless that was the last question; say where one stays. */
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

  /** What would be asked now has been answered without a question, but for a boundary or a guess that came meanwhile. */
  answered() {
    const question = this.question();
    if (question.boundary === undefined && question.guess == null) this.asked = JSON.stringify(question);
  }

  /** The last answer fits no more: the same question may be asked again. */
  forget() { this.asked = null; }

  /** Put the step into what the tab keeps of this session, for the server's part is written by whole pages only. */
  remember() {
    const { data: { session }, k } = this.machine;
    const kept = stored("session");
    if (!kept || kept.session !== session || !kept.value?.options) return;
    kept.value.options.step = k;
    store("session", kept);
  }

  leave() { clearTimeout(this.timer); }
}
