// Shows a component with the data of a reply, as soon as its code is there, and sends its messages once the page rests.

const FURNISHED = new WeakMap(); // by the place: the name of the component whose markup it has
const AGAIN_AFTER_MS = 100; // for a message that began no run

function furnish(place, name, { html, sheet }) {
  FURNISHED.set(place, name);
  place.adoptedStyleSheets = [sheet];
  place.replaceChildren(document.createRange().createContextualFragment(html));
}

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

export default async function ({ name, data, parentElement: place, setTriggerValue, ...rest }) {
  const code = await codeOf(name).promise;
  if (FURNISHED.get(place) !== name) furnish(place, name, code);
  const post = (globalThis.tokvizPost ??= new Post());
  const send = (...message) => post.add(place, () => setTriggerValue(...message));
  return code.render({ data: JSON.parse(new TextDecoder().decode(data)), parentElement: place, setTriggerValue: send, ...rest });
}
