// Hands over the code of components, and sends their messages once the page rests.

const AGAIN_AFTER_MS = 100; // for a message that began no run

/** The messages of all components of the page: one at a time, none while the page runs.
 *
 * When a run of the whole page ends and that of a fragment begins at once, Streamlit drops what the first had to show
 * of the fragment, but says that it has ended: the browser then takes the component away, with the caret in it.
 */
class Post {
  constructor() {
    this.waiting = [];
    this.app = document.querySelector("[data-test-script-state]");
    if (this.app) new MutationObserver(() => this.send()).observe(this.app, { attributeFilter: ["data-test-script-state"] });
  }

  get isBusy() { return ["running", "rerunRequested"].includes(this.app?.dataset.testScriptState); }

  add(place, message) {
    this.waiting.push([place, message]);
    this.send();
  }

  send() {
    clearTimeout(this.timer);
    if (this.isBusy || !this.waiting.length) return;
    const [place, message] = this.waiting.shift();
    if (place.isConnected) message();
    this.timer = setTimeout(() => this.send(), AGAIN_AFTER_MS);
  }
}

/** Hand over the code of a component: its markup, its style sheet, and a function that returns how its data is shown. */
function hand(name, html, css, scope) {
  const entry = codeOf(name);
  if (entry.given) return; // by another page of this tab
  entry.given = true;
  const post = (globalThis.tokvizPost ??= new Post());
  const furnished = new WeakSet(); // the places that have the markup
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  const render = scope();
  entry.resolve(({ data, parentElement: place, setTriggerValue, ...rest }) => {
    if (!furnished.has(place)) {
      furnished.add(place);
      place.adoptedStyleSheets = [sheet];
      place.replaceChildren(document.createRange().createContextualFragment(html));
    }
    const send = (...message) => post.add(place, () => setTriggerValue(...message));
    return render({ data: JSON.parse(new TextDecoder().decode(data)), parentElement: place, setTriggerValue: send, ...rest });
  });
}
