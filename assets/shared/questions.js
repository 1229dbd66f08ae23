// Questions to the server: one at a time, the newest wins, and one that got lost is asked again.

const LOST_AFTER_MS = 4000; // an unanswered question was lost with its connection

export class Questions {
  /** wanted() returns what there is to ask at this moment, as plain data. */
  constructor(root, wanted) {
    Object.assign(this, { root, wanted, n: 0, inFlight: null, asked: null });
    this.client = crypto.randomUUID?.() ?? String(Math.random());
  }

  /** Take what the server says it has read. */
  receive({ client, ack }, setTriggerValue) {
    this.send = (message) => setTriggerValue("message", message);
    if (client === this.client && this.inFlight && ack >= this.inFlight) this.inFlight = null;
  }

  /** Ask what is wanted, unless a question is under way or this one has been asked. */
  pump() {
    if (!this.send || this.inFlight) return;
    const question = this.wanted();
    const key = JSON.stringify(question);
    if (key === this.asked) return;
    this.asked = key;
    const n = (this.inFlight = ++this.n);
    this.send({ client: this.client, n, ...question });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.inFlight !== n || !this.root.host?.isConnected) return;
      this.inFlight = null;
      this.forget();
      this.pump();
    }, LOST_AFTER_MS);
  }

  /** What is wanted now came without a question. */
  settle() { this.asked = JSON.stringify(this.wanted()); }

  /** Ask again, also what was asked before. */
  forget() { this.asked = null; }

  leave() { clearTimeout(this.timer); }
}
