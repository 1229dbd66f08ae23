// A page that was saved as a single file: one view, what it shows, and a choice of tokenizers if there are several.

import { answerOf } from "./answers.js";
import { Live } from "../shared/live.js";
import { LocalSocket } from "../shared/local_socket.js";
import { radioLabel } from "../shared/view.js";

/**
 * Texts of documents by their names; views by theirs, each with the kind and the text of its reply, and its answers.
 * @typedef {{documents: Record<string, string>, views: Record<string, {kind: string, reply: any, answers: any}>}} Kept
 */

/** Speaks as the server's socket does, from what was kept: texts, replies and answers, since nothing can be edited here. */
class SavedSocket extends LocalSocket {
  /** @param {Kept} kept */
  constructor(kept) {
    super();
    this.kept = kept;
  }

  /** @param {string} message */
  send(message) {
    const answer = this.answer(JSON.parse(message));
    if (answer) queueMicrotask(() => this.tell(JSON.stringify(answer)));
  }

  answer([kind, name, ...rest]) {
    const { documents, views } = this.kept;
    if (kind === "follow") return ["text", name, 1, 0, documents[name]];
    if (kind === "show") return [views[name].kind, name, views[name].reply];
    if (kind === "ask") return ["answer", name, rest[0], answerOf(views[name], rest[1])];
    return null;
  }
}

/**
 * Show what was kept: `views` are the names of those to choose from, `data` is what the page would say to each.
 * @param {(component: object) => void} component
 */
export async function showKept(component) {
  const kept = await unpackedJson(document.getElementById("kept").textContent);
  for (const [field, ofViews] of Object.entries(kept.answers)) {
    for (const [name, value] of Object.entries(ofViews)) (kept.views[name].answers ??= {})[field] = value;
  }
  const connection = new Live(() => new SavedSocket(kept)).connectAs("kept");
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
