// Tells the script of a page that the typing rests, and again until a run has seen the text: a request can get lost.
//
// A page that somebody leaves must not be told any more: what is asked for in its name, once Streamlit has been asked
// for another, brings up an empty page.

const SAY_AGAIN_MS = 2_000; // then ever more slowly
const CLICKED_MS = 1_000; // what was clicked may have the page run, or leave it
const LEAVING_MS = 10_000; // so long another page may take to come, on a slow network

export class Rest {
  /** say() tells the page. */
  constructor(say) {
    this.say = say;
    this.heldUntil = 0;
    this.clicked = (event) => this.hold(leadsAway(event) ? LEAVING_MS : CLICKED_MS);
    this.goneBack = () => this.hold(LEAVING_MS);
    addEventListener("click", this.clicked, true);
    addEventListener("popstate", this.goneBack);
  }

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
    const held = this.heldUntil - Date.now();
    if (held <= 0) this.say();
    this.timer = setTimeout(() => this.tell(text, held <= 0 ? 2 * wait : wait), held <= 0 ? wait : held);
  }

  hold(milliseconds) { this.heldUntil = Math.max(this.heldUntil, Date.now() + milliseconds); }

  leave() {
    clearTimeout(this.timer);
    removeEventListener("click", this.clicked, true);
    removeEventListener("popstate", this.goneBack);
  }
}

/** Whether a click is on a link that opens in this tab. */
function leadsAway(event) {
  const link = event.composedPath().find((node) => node.localName === "a" && node.href);
  return Boolean(link) && link.target !== "_blank" && !event.ctrlKey && !event.metaKey && !event.shiftKey;
}
