// What each message of a chat has of its tokens; pressing one folds it, or unfolds it.

import { count } from "../shared/inspector.js";
import { element } from "../shared/view.js";

export class Messages {
  /** `folded` is the set of those that are not shown; redraw() is called after a press, which changes it. */
  constructor(root, folded, redraw) {
    this.root = root;
    this.folded = folded;
    this.redraw = redraw;
    this.line = root.querySelector(".messages");
    this.foldedKeys = new Set(); // messages keep their keys though others go
    this.shown = null; // the messages, as JSON
  }

  show(messages) {
    const words = JSON.stringify(messages);
    if (this.shown === words) return;
    this.shown = words;
    this.folded.clear();
    for (const [, owner, , key] of messages) if (this.foldedKeys.has(key)) this.folded.add(owner);
    const { line } = this;
    const focused = this.root.activeElement?.dataset?.owner;
    line.hidden = !messages.length;
    line.replaceChildren(...messages.map((message) => this.button(...message)));
    if (messages.length) line.append(element("span", "legend", "Grey tokens are scaffolding."));
    if (focused !== undefined) line.querySelector(`[data-owner="${focused}"]`)?.focus({ preventScroll: true });
  }

  button(name, owner, share, key) {
    const button = element("button", "message", name);
    button.type = "button";
    button.dataset.owner = owner;
    button.disabled = share === null;
    button.ariaExpanded = String(!this.folded.has(owner));
    if (share === null) button.append(element("span", "", " left out"));
    else {
      const [all, scaffolding] = share;
      button.append(" ", element("b", "", all.toLocaleString("en")));
      button.title = `${count(all, "token", "tokens")}, ${scaffolding.toLocaleString("en")} of them scaffolding`;
      if (owner >= 0) button.append(element("span", "", ` (${scaffolding.toLocaleString("en")} scaffolding)`));
    }
    button.addEventListener("click", () => {
      this.toggle(owner, key);
      button.ariaExpanded = String(!this.folded.has(owner));
      this.redraw();
    });
    return button;
  }

  toggle(owner, key) {
    if (this.folded.delete(owner)) this.foldedKeys.delete(key);
    else {
      this.folded.add(owner);
      this.foldedKeys.add(key);
    }
  }
}
