// SavedSocket: speaks as the server's socket does, from what was kept when the page was saved.
//
// docs/design.md has the messages. Nothing can be edited here, so there are only texts, replies and answers.

import { answerOf } from "./answers.js";
import { LocalSocket } from "../shared/local_socket.js";

/**
 * Texts of documents by their names; views by theirs, each with the kind and the text of its reply, and its answers.
 * @typedef {{documents: Record<string, string>, views: Record<string, {kind: string, reply: any, answers: any}>}} Kept
 */

export class SavedSocket extends LocalSocket {
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
