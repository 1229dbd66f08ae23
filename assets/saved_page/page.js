// A page that was saved as a single file: one view, what it shows, and a choice of tokenizers if there are several.

import { SavedSocket } from "./socket.js";
import { Live } from "../shared/live.js";
import { radio } from "../shared/view.js";

/**
 * Show what was kept: `views` are the names of those to choose from, `data` is what the page would say to each.
 * @param {(component: object) => void} component
 */
export async function showKept(component) {
  const kept = await unpacked(document.getElementById("kept").textContent);
  const page = new KeptPage(component, kept);
  page.choose(Object.keys(kept.data)[0]);
}

/** What is packed as JSON, compressed by gzip, in base64. */
async function unpacked(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

class KeptPage {
  constructor(component, kept) {
    this.component = component;
    this.data = kept.data;
    this.root = document.getElementById("view").shadowRoot;
    this.connection = new Live(() => new SavedSocket(kept));
    this.connection.become("kept");
    this.name = null;
    this.choices = document.getElementById("choices");
    const names = Object.keys(kept.data);
    if (names.length > 1) this.choices.append(...names.map((name) => radio("tokenizer", name, () => this.choose(name))));
  }

  choose(name) {
    this.name = name;
    for (const input of this.choices.querySelectorAll("input")) input.checked = input.value === name;
    this.show();
  }

  show() {
    this.component({
      data: { ...this.data[this.name], connection: this.connection },
      parentElement: this.root,
      setTriggerValue: (...told) => this.told(...told),
    });
  }

  /** Take what the page's script would be told; only a choice of the reference is kept. */
  told(name, value) {
    if (name === "reference") this.data[this.name].reference = value;
  }
}
