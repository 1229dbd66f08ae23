// How many of its tokens each message of a chat has; a press folds or unfolds a message.

import { button, element } from "../shared/view.js";
import { countText, groupedNumber } from "../shared/words.js";

export class Messages {
  /** A press changes `folded`, the set of messages that are not shown, and then calls redraw(). */
  constructor(root, folded, redraw) {
    this.root = root;
    this.folded = folded;
    this.redraw = redraw;
    this.line = root.querySelector(".messages");
    this.foldedKeys = new Set(); // which stay the same when other messages go
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
    line.replaceChildren(...messages.map((message) => this.messageButton(...message)));
    if (messages.length) line.append(element("span", "legend", "Tokens without a colour are scaffolding: the format adds them around what is said."));
    if (focused !== undefined) line.querySelector(`[data-owner="${focused}"]`)?.focus({ preventScroll: true });
  }

  messageButton(name, owner, share, key) {
    const made = button("message", name, () => {
      this.toggle(owner, key);
      made.ariaExpanded = String(!this.folded.has(owner));
      this.redraw();
    });
    made.dataset.owner = owner;
    made.disabled = share === null;
    made.ariaExpanded = String(!this.folded.has(owner));
    if (share === null) made.append(element("span", "", " left out"));
    else {
      const [all, scaffolding] = share;
      made.append(" ", element("b", "", groupedNumber(all)));
      made.title = `${countText(all, "token")}, ${groupedNumber(scaffolding)} of them scaffolding`;
      if (owner >= 0) made.append(element("span", "", ` (${groupedNumber(scaffolding)} scaffolding)`));
    }
    return made;
  }

  toggle(owner, key) {
    if (this.folded.delete(owner)) this.foldedKeys.delete(key);
    else {
      this.folded.add(owner);
      this.foldedKeys.add(key);
    }
  }
}
