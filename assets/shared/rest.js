// Tells the script of a page that the typing rests, and again until a run has seen the text: a request can get lost.

const SAY_AGAIN_MS = 2_000; // then ever more slowly

export class Rest {
  /** say() tells the page. */
  constructor(say) { this.say = say; }

  /** Take from the page for how many milliseconds typing must rest, null for no matter, and which state of the text it saw. */
  receive({ rest, seen }) { Object.assign(this, { rest, seen }); }

  /** The text has changed: tell the page of it once the typing rests and all has arrived. */
  changed(text) {
    clearTimeout(this.timer);
    if (this.rest === null) return;
    this.timer = setTimeout(() => (text.hasArrived ? this.tell(text) : this.changed(text)), this.rest);
  }

  tell(text, wait = SAY_AGAIN_MS) {
    const [version, sequence] = this.seen;
    if (version === text.version && sequence >= text.sequence) return;
    this.say();
    this.timer = setTimeout(() => this.tell(text, 2 * wait), wait);
  }

  leave() { clearTimeout(this.timer); }
}
