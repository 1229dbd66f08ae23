// A page that was saved as a single file: one view, what it shows, and a choice of tokenizers if there are several.

import { SavedSocket } from "./socket.js";
import { Live } from "../shared/live.js";
import { radioLabel } from "../shared/view.js";

/**
 * Show what was kept: `views` are the names of those to choose from, `data` is what the page would say to each.
 * @param {(component: object) => void} component
 */
export async function showKept(component) {
  const kept = await unpackedJson(document.getElementById("kept").textContent);
  for (const [field, ofViews] of Object.entries(kept.answers)) {
    for (const [name, value] of Object.entries(ofViews)) (kept.views[name].answers ??= {})[field] = value;
  }
  const connection = new Live(() => new SavedSocket(kept));
  connection.connectAs("kept");
  const parentElement = document.getElementById("view").shadowRoot;
  const choices = parentElement.querySelector("#choices");
  const choose = (name) => {
    for (const input of choices.querySelectorAll("input")) input.checked = input.value === name;
    const data = kept.data[name];
    // Of what the page's script would be told, only a choice of the reference is kept.
    const setTriggerValue = (told, value) => { if (told === "reference") data.reference = value; };
    component({ data: { ...data, connection }, parentElement, setTriggerValue });
  };
  const names = Object.keys(kept.data);
  if (names.length > 1) choices.append(...names.map((name) => radioLabel("tokenizer", name, choose)));
  choose(names[0]);
}

/** What is packed as JSON, compressed by gzip, in base64. */
async function unpackedJson(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
