// Tells the page's script that the typing rests, again and again until a run has seen the text: a request can get lost.
//
// A page that is being left must be left alone: a request in its name, sent after Streamlit has been asked for another
// page, brings up an empty page.

const SAY_AGAIN_MS = 2_000; // then ever more slowly
const CLICKED_MS = 2_000; // a button may lead to another page; mostly it runs this one, which then has seen the text
const LEAVING_MS = 10_000; // how long another page may take to come on a slow network

export class Rest {
  /**
   * say() tells the page.
   * @param {() => void} say
   */
  constructor(say) {
    this.say = say;
    /** @type {?number} for how many milliseconds typing must rest; null to tell the page nothing */
    this.rest = null;
    /** @type {?[number, number]} the version and the sequence of the text that the page has seen */
    this.seen = null;
    this.timer = undefined;
    this.heldUntil = 0;
    this.path = location.pathname;
    this.left = new AbortController();
    const { signal } = this.left;
    addEventListener("click", (event) => this.hold(holdMilliseconds(event)), { capture: true, signal });
    addEventListener("popstate", () => this.hold(location.pathname === this.path ? 0 : LEAVING_MS), { signal });
  }

  /** Take what the page says. */
  setOptions({ rest, seen }) { Object.assign(this, { rest, seen }); }

  /** The text has changed: tell the page once the typing rests and everything has arrived. */
  tellOnceRested(text) {
    clearTimeout(this.timer);
    if (this.rest === null) return;
    this.timer = setTimeout(() => (text.hasArrived ? this.tell(text) : this.tellOnceRested(text)), this.rest);
  }

  tell(text, wait = SAY_AGAIN_MS) {
    const [version, sequence] = this.seen;
    if (version === text.version && sequence >= text.sequence) return;
    const held = this.heldUntil - Date.now();
    if (held > 0) {
      this.timer = setTimeout(() => this.tell(text, wait), held);
      return;
    }
    this.say();
    this.timer = setTimeout(() => this.tell(text, 2 * wait), wait);
  }

  hold(milliseconds) { this.heldUntil = Math.max(this.heldUntil, Date.now() + milliseconds); }

  leave() {
    clearTimeout(this.timer);
    this.left.abort();
  }
}

/** For how many milliseconds after a click the page may be about to be left. */
function holdMilliseconds(event) {
  const path = event.composedPath();
  const link = path.find((node) => node.localName === "a" && node.href);
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || link?.target === "_blank" || link?.download;
  if (link && !isElsewhere && link.pathname !== location.pathname) return LEAVING_MS;
  return ["input", "textarea"].includes(path[0].localName) ? 0 : CLICKED_MS;
}
