// KeptSocket: speaks as the server's socket does, from what was kept when the page was saved.
//
// docs/design.md has the messages. Nothing can be edited here, so only texts, replies and answers are told.

import { answerOf } from "./kept_answers.js";

/**
 * Texts of documents by their names; views by theirs, each with the kind and the text of its reply, and its answers.
 * @typedef {{documents: Record<string, string>, views: Record<string, {kind: string, reply: any, answers: any}>}} Kept
 */

export class KeptSocket {
  /** @param {Kept} kept */
  constructor(kept) {
    this.kept = kept;
    this.readyState = WebSocket.CONNECTING;
    this.onopen = this.onmessage = this.onclose = null;
    queueMicrotask(() => {
      this.readyState = WebSocket.OPEN;
      this.onopen?.();
    });
  }

  /** @param {string} message */
  send(message) {
    const answer = this.answer(JSON.parse(message));
    if (answer) queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(answer) }));
  }

  answer([kind, name, ...rest]) {
    const { documents, views } = this.kept;
    if (kind === "follow") return ["text", name, 1, 0, documents[name]];
    if (kind === "show") return [views[name].kind, name, views[name].reply];
    if (kind === "ask") return ["answer", name, rest[0], answerOf(views[name], rest[1])];
    return null;
  }

  close() { this.readyState = WebSocket.CLOSED; }
}
