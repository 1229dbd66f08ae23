// Play: from change to change at a speed, or through the whole timeline in one sweep.

import { positionOf, stepAtPosition } from "./timeline.js";

const SWEEP_MS = 12_000; // of a play through the whole timeline

export class Player {
  /** `machine` holds the history and the step k; keep(k) of it goes to a step. */
  constructor(machine, button, speed) {
    Object.assign(this, { machine, button, speed, playing: false, timer: undefined, frame: undefined });
    speed.addEventListener("change", () => this.playing && this.start());
  }

  toggle() {
    if (this.playing) this.stop();
    else this.start();
  }

  /** Play from this step on; from the end, where nothing changes any more, start over. */
  start() {
    const { machine } = this;
    this.stop();
    machine.keep(machine.history.change(machine.k, 1) === null ? 0 : machine.k);
    this.playing = true;
    this.button.textContent = "Pause";
    if (this.speed.value === "all") this.sweep(performance.now(), positionOf(machine.k, machine.history.nMerges));
    else this.timer = setInterval(() => this.onward(), 1000 / Number(this.speed.value));
  }

  onward() {
    const next = this.machine.history.change(this.machine.k, 1);
    if (next === null) this.stop();
    else this.machine.keep(next);
  }

  sweep(began, from) {
    this.frame = requestAnimationFrame((now) => {
      const at = from + (now - began) / SWEEP_MS;
      const k = stepAtPosition(at, this.machine.history.nMerges);
      if (k !== this.machine.k) this.machine.keep(k);
      if (at >= 1) this.stop();
      else this.sweep(began, from);
    });
  }

  stop() {
    this.playing = false;
    clearInterval(this.timer);
    cancelAnimationFrame(this.frame);
    this.button.textContent = "Play";
  }
}
