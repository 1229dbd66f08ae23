// Which token is pointed at, active and pinned, and what the inspector says about it.

import { movedIndex } from "../shared/change.js";
import { bytesOrNameText, sharingText } from "../shared/chips.js";
import { drawInspector, tokenName } from "../shared/inspector.js";
import { characterCount } from "../shared/text.js";
import { PENDING } from "../shared/tokens.js";
import { element, writeText } from "../shared/view.js";
import { activateToken, listenToPanel } from "../shared/walking.js";

const FACTS_AFTER_MS = 350;
const SAID_BYTES = 16; // of a token below the tokens, where the line has room; the inspector has them all
const ROOM_ABOVE_SHEET = 24; // pixels

export class Pointing {
  /** `view` has the panels and the tokens on view; copied(panel, range) returns what is copied. */
  constructor(view, copied) {
    this.view = view;
    this.lit = null;
    this.pinned = null;
    this.facts = null; // what the server says about the pinned token, and the number of the reply in which it was asked for
    this.factsRevision = null;
    this.factsTimer = undefined;
    this.inspector = view.root.querySelector(".inspector .facts");
    this.pointed = view.root.querySelector(".pointed");
    this.sharing = view.root.querySelector(".sharing");
    for (const panel of view.panels) this.listenTo(panel, copied);
    view.root.querySelector(".close").addEventListener("click", () => this.pin(null));
    view.view.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.pinned !== null && !event.isComposing) this.pin(null);
    });
  }

  listenTo(panel, copied) {
    listenToPanel(this.view.root, panel, {
      point: (index) => this.light(index),
      enter: (index) => this.activate(panel, index ?? this.pinned ?? 0, false),
      go: (index) => this.activate(panel, index, true),
      choose: (index) => {
        this.activate(panel, index, false);
        this.pin(index === this.pinned ? null : index);
      },
      copied: (range) => copied(panel, range),
    });
  }

  /** Whether there is a token with this index, and it is not pending. */
  isToken(index) {
    const { ids, count } = this.view.shown;
    return index !== null && index < count && ids[index] !== PENDING;
  }

  /** Say below the tokens which id and bytes one of them has, null for none, and what the blocks of a shared character are. */
  say(tokens, index) {
    if (!this.view.data.panes.includes("inspector")) return; // there is no such line
    const said = index === null ? [] : [`id ${tokens.ids[index]}`, ` · ${bytesOrNameText(tokens, index, SAID_BYTES)}`];
    this.pointed.replaceChildren(...said.map((words) => element("code", "", words)));
    if (index !== null) return;
    writeText(this.sharing, this.view.isList ? "" : sharingText(this.view.shown));
    this.sharing.hidden = !this.sharing.textContent;
  }

  /** Say which token is under the pointer, unless the inspector does. */
  sayLit() { this.say(this.view.shown, this.pinned === null && this.isToken(this.lit) ? this.lit : null); }

  /** Light the token under the pointer, and say its id and bytes. */
  light(index) {
    const lit = this.isToken(index) ? index : null;
    if (this.lit === lit) return;
    const inspected = this.lit ?? this.pinned;
    this.lit = lit;
    this.sayLit();
    for (const panel of this.view.panels) panel.mark("lit", lit);
    // If the same token stays in the inspector, so do its buttons: the pointer may have left the token to press one.
    if ((lit ?? this.pinned) === inspected) return;
    // Laying out the inspector takes longest in a long text, so light the token first.
    requestAnimationFrame(() => setTimeout(() => this.inspect()));
  }

  /** Make a token the active one, which keys go on from. */
  activate(panel, index, reveals) {
    const { shown, panels } = this.view;
    const at = activateToken(panel, index, { name: (i) => tokenName(shown, i), selected: this.pinned, reveals, panels });
    if (reveals) this.light(at);
  }

  pin(index) {
    if (this.pinned === index || (index !== null && !this.isToken(index))) return;
    const { panels } = this.view;
    this.pinned = index;
    this.facts = null;
    for (const panel of panels) panel.mark("pinned", index);
    this.view.layOut();
    this.sayLit();
    this.inspect();
    if (index === null) return;
    for (const panel of panels) if (!panel.scroller.hidden) this.reveal(panel, index);
    this.askForFacts();
  }

  /** Scroll a panel until a token is in sight, and the page until the sheet at its lower edge leaves it there. */
  reveal(panel, index) {
    panel.reveal(index);
    const { drawer } = this.view;
    if (getComputedStyle(drawer).position !== "sticky") return;
    const covered = panel.chip(index).getBoundingClientRect().bottom + ROOM_ABOVE_SHEET - drawer.getBoundingClientRect().top;
    if (covered > 0) scrollBy({ top: covered });
  }

  /** Follow a change of the tokens. */
  move(change) {
    const pinned = movedIndex(this.pinned, change);
    this.lit = movedIndex(this.lit, change);
    if (pinned === null) this.pin(null);
    else this.pinned = pinned;
  }

  // -- the inspector --------------------------------------------------------------------------

  /** The inspector shows the token under the pointer, else the pinned one. */
  inspect() {
    const { shown, data, tokens: { special } } = this.view;
    if (!data.panes.includes("inspector")) return;
    const index = this.lit ?? this.pinned;
    if (!this.isToken(index)) return; // it is closed
    const pinned = index === this.pinned;
    const toSeams = data.seams ? (section) => this.view.tellPage("seams", { section, piece: `${shown.starts[index]}-${shown.end(index)}` }) : null;
    drawInspector(this.inspector, shown, index, { special, facts: pinned ? this.facts : null, pinned, toSeams, isPiece: canShowWays(shown, index, data.seams) });
  }

  /** Take what the server says about a token. */
  take(facts) {
    if (facts.index === undefined || facts.index !== this.pinned || facts.id !== this.view.shown.ids[facts.index]) return;
    this.facts = facts;
    if ((this.lit ?? this.pinned) === this.pinned) this.inspect();
  }

  askForFacts() {
    const { tokens, revision, connection, viewName } = this.view;
    if (this.pinned === null || tokens.laidChange) return; // its number may have changed; the next reply brings the new one
    this.factsRevision = revision;
    connection.ask(viewName, { token: this.pinned, revision });
  }

  /** After an edit a pinned token may have other neighbours: ask again once the typing pauses. */
  askForFactsLater() {
    clearTimeout(this.factsTimer);
    if (this.pinned === null || this.factsRevision === this.view.revision) return;
    this.factsTimer = setTimeout(() => this.askForFacts(), FACTS_AFTER_MS);
  }

  leave() { clearTimeout(this.factsTimer); }
}

/** Whether All the ways on Seams can show a token: it holds whole characters, all among the first charactersMax of the text. */
export function canShowWays(tokens, index, charactersMax) {
  const end = tokens.end(index); // in UTF-16 units, one or two for each character
  if (tokens.isPartial(index) || end > 2 * charactersMax) return false;
  return end <= charactersMax || characterCount(tokens.text.slice(0, end)) <= charactersMax;
}
