// The page of seams: one section at a time, drawn from the replies of its view.

import { Canonical } from "./canonical.js";
import { Cut } from "./cut.js";
import { Chunks, SettledTokens, TwoTexts } from "./texts.js";
import { Conversation, Mask, Turns } from "./turns.js";
import { Ways } from "./ways.js";
import { LiveView, mountView } from "../shared/live_view.js";
import { revealView, listenToGlyphSwitch } from "../shared/view.js";

const SECTIONS = {
  settled: SettledTokens, "two texts": TwoTexts, ids: Canonical, cut: Cut, chunks: Chunks, ways: Ways,
  turns: Turns, mask: Mask, formats: Conversation,
};
const KEPT_AFTER_MS = 500; // after which the page keeps a choice

class Seams extends LiveView {
  constructor(root) {
    super(root);
    this.place = root.querySelector(".section");
    this.section = null; // what is drawn
    this.name = null; // of the section
    this.revision = null;
    this.keepTimer = undefined;
    listenToGlyphSwitch(this.view);
  }

  configure(before) {
    if (before && before.view !== this.data.view) this.revision = null; // its answers are not for the other section
    if (!before || String(before.version) === String(this.data.version)) return;
    clearTimeout(this.keepTimer); // the page names another choice
    if (before.view === this.data.view) this.section?.setChoice?.(this.data.at);
  }

  take(reply) {
    if (reply.section !== this.name) {
      this.name = reply.section;
      this.section?.leave?.();
      this.section = new SECTIONS[reply.section](this);
      this.place.replaceChildren(...this.section.nodes);
      this.section.setChoice?.(this.data.at);
    }
    this.revision = reply.revision;
    this.writeNotice(reply.notice);
    this.section.take(reply);
    this.announce([reply.words ?? ""].flat().join(" "));
    revealView(this.view);
  }

  takeAnswer(answer) {
    if (answer.revision === this.revision || answer.error) this.section?.takeAnswer?.(answer);
  }

  ask(question) { this.connection.ask(this.viewName, { ...question, revision: this.revision }); }

  /** Have the page keep what was chosen here, unless something else is chosen soon. */
  keep(message) {
    clearTimeout(this.keepTimer);
    this.keepTimer = setTimeout(() => this.tellPage("message", message), KEPT_AFTER_MS);
  }

  leave() {
    super.leave();
    clearTimeout(this.keepTimer);
    this.section?.leave?.();
  }
}

export default (component) => mountView(Seams, component);
