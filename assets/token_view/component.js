// The token view: an editor, its tokens in colour or as a list, and an inspector.
//
// The tokens of a reply are of the text as the server had it. They are laid on the text as it is now.

import { composed, moved } from "../shared/change.js";
import { TextEditor } from "../editor/text_editor.js";
import { count, drawInspector, tokenName } from "../shared/inspector.js";
import { LaidTokens } from "../shared/laid_tokens.js";
import { live } from "../shared/live.js";
import { mounted } from "../shared/mounted.js";
import { AS_TEXT, TokenPanel } from "../shared/panel.js";
import { drawList, drawTokens, visibleToken } from "../shared/chips.js";
import { Rest } from "../editor/rest.js";
import { textButtons } from "../editor/text_buttons.js";
import { store, stored } from "../shared/storage.js";
import { PENDING } from "../shared/tokens.js";
import { forgetOption, selectAll, selectedTokens, tokenAfterKey } from "../shared/walking.js";
import { appear, element, followTheme, switchGlyphs } from "../shared/view.js";

const ANNOUNCE_AFTER_MS = 1200;
const FACTS_AFTER_MS = 350;
const PENDING_AFTER_MS = 150; // a slower reply: show the typed text untokenized meanwhile
const COPIED_FOR_MS = 1500;
const TIP_PIXELS = 14; // between the pointer and what it says of the token there
const IDS_PER_ROW = 12; // a guess for blocks that were never drawn

class TokenView {
  constructor(root, data) {
    this.root = root;
    this.view = root.querySelector(".view");
    this.editor = root.querySelector("textarea");
    if (data?.rows === 1) keepToOneLine(this.editor);
    this.typing = new TextEditor(this.editor);
    this.rest = new Rest(() => this.tellPage("rest", performance.now()));
    this.tokens = new LaidTokens();
    this.foldedKeys = new Set(); // of messages of a chat, which keep them though others go
    this.ownText = ""; // of tokens that are made of other documents
    this.touched = null; // the change of the text since it was drawn
    this.pinned = null;
    this.facts = null;
    const find = (selector) => root.querySelector(selector);
    this.panel = new TokenPanel(find("#tokens"), {
      ...AS_TEXT,
      draw: drawTokens,
    });
    this.list = new TokenPanel(find("#list"), {
      draw: (tokens, first, end, origin) => drawList(tokens, first, end, this.mode, origin),
      asText: () => "",
      rows: (count) => Math.ceil(count / IDS_PER_ROW),
      longest: 240,
    });
    this.panels = [this.panel, this.list];
    this.inspector = find(".inspector .facts");
    this.drawer = find(".inspector");
    this.tip = find(".tip");
    this.close = find(".close");
    this.copyButton = find(".copy");
    this.spoken = find("[aria-live]");
    this.notice = find(".notice");
    this.options();
    this.listen();
  }

  get shown() { return this.tokens.shown; }

  get special() { return this.tokens.special; }

  // -- options the component keeps for itself ------------------------------------------------

  options() {
    const kept = stored("view") ?? {};
    this.mode = ["ids", "text", "bytes"].includes(kept.mode) ? kept.mode : "colour";
    for (const radio of this.root.querySelectorAll("[name=mode]")) {
      radio.checked = radio.value === this.mode;
      radio.addEventListener("change", () => {
        this.mode = radio.value;
        this.showMode();
        this.list.redraw();
        store("view", { ...stored("view"), mode: this.mode });
      });
    }
    switchGlyphs(this.view, this.root.querySelector("[name=glyphs]"));
  }

  /** Show the tokens in colour, or as a list, where the page offers that. */
  showMode() {
    const isList = this.mode !== "colour" && this.data.panes.includes("list");
    this.panel.scroller.hidden = isList;
    this.list.scroller.hidden = !isList;
  }

  // -- what the page says ---------------------------------------------------------------------

  receive({ data, setTriggerValue }) {
    followTheme(this.view);
    if (!data) return;
    this.data = data;
    this.tellPage = setTriggerValue;
    this.rest.receive(data);
    this.configure(data);
    this.typing.awaitsTokens = data.view !== null;
    if (data.document === null) this.appear();
    this.connection = live(data.token);
    if (data.document !== null) this.followText(this.connection.text(data.document));
    if (data.view === null || (this.viewName === data.view && this.isAsked === data.token)) return;
    if (this.viewName) this.connection.hide(this.viewName, this);
    this.viewName = data.view;
    this.isAsked = data.token;
    this.connection.show(data.view, this);
  }

  /** The document that the tokens are of, edited here or elsewhere on the page; null where they are of several. */
  get textName() { return this.data.of; }

  /** Be seen, once there is a text; until then nobody can type what that would replace. */
  appear() {
    if (this.text?.text === null) return;
    appear(this.view);
  }

  followText(text) {
    if (this.text === text) return this.typing.follow(text, this.data);
    this.unlisten?.();
    this.text = text;
    this.typing.follow(text, this.data);
    this.tokens.isOther = true;
    this.made = undefined; // the tokens of the other document are not laid on this one
    this.touched = null;
    this.unlisten = text.listen(({ change, by }) => this.textChanged(change, by));
    this.showLater();
    this.appear();
  }

  textChanged(change, by) {
    this.appear();
    if (change) {
      this.touched = composed(this.touched, change);
      this.showLater();
    } else this.tokens.isOther = true; // its tokens come of themselves
    this.showNotice();
    if (by !== null || this.text.edits.length) this.rest.changed(this.text);
  }

  // -- what the server says -------------------------------------------------------------------

  take(reply) {
    this.tokens.take(reply);
    this.showMessages(reply.parts?.messages ?? []);
    if (reply.tokenizer) this.root.querySelector(".tokenizer").textContent = reply.tokenizer.name;
    this.of = reply.of;
    this.made = reply.made;
    if (reply.text) this.takeText(reply.text);
    this.said = reply.notice;
    this.showNotice();
    if (this.text && this.text.changeSince(...this.of) === undefined) this.showLater(); // of a text that is replaced
    else this.show();
    // Whose a token is may change where the token does not.
    if (reply.parts) for (const panel of this.panels) panel.redraw();
    this.showCounts(reply.counts);
    this.showCounted(reply.counted ?? [], reply.uncounted);
    this.followCaret();
  }

  /** The text of tokens that are made of other documents, as a change of the one there was. */
  takeText([start, removed, inserted]) {
    this.ownText = this.ownText.slice(0, start) + inserted + this.ownText.slice(start + removed);
    this.touched = composed(this.touched, { start, oldStop: start + removed, newStop: start + inserted.length });
  }

  takeAnswer(answer) {
    if (answer.index === undefined || answer.index !== this.pinned || answer.id !== this.shown.ids[answer.index]) return;
    this.facts = answer;
    if ((this.lit ?? this.pinned) === this.pinned) this.inspect();
  }

  configure(data) {
    const style = this.view.style;
    style.setProperty("--height", typeof data.height === "number" ? `${data.height}px` : data.height);
    const shown = (selector, on) => {
      const node = this.root.querySelector(selector);
      if (node.hidden === on) node.hidden = !on;
    };
    shown(".edit", data.editable);
    shown(".tokens", data.panes.includes("tokens"));
    shown(".tokens .modes", data.panes.includes("list"));
    shown(".copy", data.panes.includes("list"));
    shown(".counts", data.panes.includes("counts"));
    this.showMode();
    this.layOut();
    this.root.querySelector(".edit header").classList.toggle("hidden", !data.label_visible);
    this.view.classList.toggle("in-rows", data.rows !== null);
    this.view.classList.toggle("big", data.big);
    if (data.label_visible && data.rows === null && !this.hasButtons) {
      textButtons(this.root.querySelector("label[for=editor]"), this.typing);
      this.hasButtons = true;
    }
    if (data.rows > 1) this.editor.rows = data.rows;
    if (data.units_max !== null) this.editor.maxLength = data.units_max;
    if (this.label !== data.label) {
      this.label = data.label;
      this.root.querySelector("label[for=editor]").textContent = data.label;
    }
    if (this.editor.placeholder !== data.placeholder) this.editor.placeholder = data.placeholder;
  }

  /** Give the panes that are shown their columns: by classes and not `:has`, which would look at every chip. */
  layOut() {
    const { panes, editable } = this.data;
    const isOpen = this.pinned !== null && panes.includes("inspector");
    this.drawer.hidden = !isOpen;
    const { classList } = this.root.querySelector(".row");
    classList.toggle("single", !editable || !panes.includes("tokens"));
    classList.toggle("open", isOpen);
  }

  showNotice() {
    const words = [this.said, this.data.editable && this.typing.notice].filter(Boolean).join(" ");
    this.notice.hidden = !words;
    if (this.notice.textContent !== words) this.notice.textContent = words;
  }

  listen() {
    for (const panel of this.panels) this.listenTo(panel);
    this.close.addEventListener("click", () => this.pin(null));
    this.copyButton.addEventListener("click", () => this.copyIds());
    this.view.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.pinned !== null && !event.isComposing) this.pin(null);
    });
  }

  // -- drawing --------------------------------------------------------------------------------

  showLater() {
    clearTimeout(this.pendingTimer);
    if (this.viewName) this.pendingTimer = setTimeout(() => this.show(), PENDING_AFTER_MS);
  }

  /** Lay the tokens of the last reply on the text as it is now, and draw what has changed. */
  show() {
    clearTimeout(this.pendingTimer);
    if (this.made === undefined || (this.text && this.text.text === null)) return;
    const [text, change] = this.text ? [this.text.text, this.text.changeSince(...this.of)] : [this.ownText, null];
    const old = this.shown;
    const changed = this.tokens.lay(text, change, this.touched);
    this.touched = null;
    this.draw(old, changed);
    if (change !== undefined) this.typing.tokensDrawn();
    this.inspect();
    this.askForFactsLater();
  }

  draw(old, change) {
    const front = change ? change.start : old.count;
    const back = change ? old.count - change.oldStop : 0;
    const marks = Object.fromEntries(Object.entries(this.panel.marks).map(([name, index]) => [name, moved(index, change)]));
    for (const panel of this.panels) {
      if (!this.data.panes.includes(panel === this.list ? "list" : "tokens")) continue;
      for (const name of Object.keys(panel.marks)) {
        if (panel.marks[name] !== marks[name] && marks[name] == null) panel.mark(name, null);
      }
      panel.marks = { ...marks };
      panel.show(this.shown, { front, back, recoloured: change?.recoloured });
    }
    const pinned = moved(this.pinned, change);
    if (pinned === null) this.pin(null);
    else this.pinned = pinned;
  }

  showCounts(counts) {
    const number = (value) => value.toLocaleString("en");
    const shown = {
      tokens: number(counts.tokens),
      characters: number(counts.characters),
      bytes: number(counts.bytes),
      ratio: counts.tokens ? (counts.bytes / counts.tokens).toFixed(2) : "–",
      distinct: number(counts.distinct),
    };
    for (const node of this.root.querySelectorAll("[data-count]")) {
      const value = shown[node.dataset.count];
      if (value !== undefined && node.textContent !== value) node.textContent = value;
    }
    this.root.querySelector(".main > span").textContent = counts.tokens === 1 ? "token" : "tokens";
    // A view that is only read tells no counts but those it shows: the page may count otherwise.
    if (!this.data.editable && !this.data.panes.includes("counts")) return;
    const words = `${count(counts.tokens, "token", "tokens")}, ${count(counts.characters, "character", "characters")}, ` +
      `${count(counts.bytes, "byte", "bytes")}`;
    if (this.announced === words) return;
    clearTimeout(this.announceTimer);
    if (this.announced !== undefined) {
      this.announceTimer = setTimeout(() => { this.spoken.textContent = words; }, ANNOUNCE_AFTER_MS);
    }
    this.announced = words;
  }

  /** Show how many tokens other tokenizers make of the text, and why that is not known of some. */
  showCounted(counted, uncounted) {
    const words = JSON.stringify([counted, uncounted]);
    if (this.counted === words) return;
    this.counted = words;
    const figures = counted.map(([name, tokens]) => {
      const figure = element("span", "", `${name} `);
      figure.append(element("b", "", tokens.toLocaleString("en")));
      return figure;
    });
    if (uncounted) figures.push(element("span", "", uncounted));
    this.root.querySelector(".counted").replaceChildren(...figures);
  }

  /** Show what each message of a chat has of its tokens; pressing one folds it, or unfolds it. */
  showMessages(messages) {
    const words = JSON.stringify(messages);
    if (this.messages === words) return;
    this.messages = words;
    const { folded } = this.tokens;
    folded.clear();
    for (const [, owner, , key] of messages) if (this.foldedKeys.has(key)) folded.add(owner);
    const line = this.root.querySelector(".messages");
    const focused = this.root.activeElement?.dataset?.owner;
    line.hidden = !messages.length;
    line.replaceChildren(...messages.map((message) => this.messageButton(...message)));
    if (messages.length) line.append(element("span", "legend", "Grey tokens are scaffolding."));
    if (focused !== undefined) line.querySelector(`[data-owner="${focused}"]`)?.focus({ preventScroll: true });
  }

  messageButton(name, owner, share, key) {
    const button = element("button", "message", name);
    button.type = "button";
    button.dataset.owner = owner;
    button.disabled = share === null;
    const { folded } = this.tokens;
    button.ariaExpanded = String(!folded.has(owner));
    if (share === null) button.append(element("span", "", " left out"));
    else {
      const [all, scaffolding] = share;
      button.append(" ", element("b", "", all.toLocaleString("en")));
      button.title = `${count(all, "token", "tokens")}, ${scaffolding.toLocaleString("en")} of them scaffolding`;
      if (owner >= 0) button.append(element("span", "", ` (${scaffolding.toLocaleString("en")} scaffolding)`));
    }
    button.addEventListener("click", () => {
      if (folded.delete(owner)) this.foldedKeys.delete(key);
      else {
        folded.add(owner);
        this.foldedKeys.add(key);
      }
      button.ariaExpanded = String(!folded.has(owner));
      for (const panel of this.panels) panel.redraw();
    });
    return button;
  }

  /** Keep the tokens of what is being typed in sight, unless the reader is busy in the panel. */
  followCaret() {
    if (this.root.activeElement !== this.editor || !(performance.now() - this.typing.lastTyped < 1000)) return;
    if (this.panel.scroller.matches(":hover") || !this.shown.count) return;
    const caret = this.editor.selectionEnd;
    this.panel.reveal(this.shown.at(Math.max(caret - 1, 0)));
  }

  // -- pointing, walking, pinning -------------------------------------------------------------

  listenTo(panel) {
    const { scroller } = panel;
    scroller.addEventListener("pointerover", (event) => this.point(panel.indexAt(event.target), event));
    scroller.addEventListener("pointerleave", () => this.point(null));
    scroller.addEventListener("click", (event) => {
      const index = panel.indexAt(event.target);
      const selection = this.root.getSelection?.() ?? document.getSelection();
      if (index === null || !selection?.isCollapsed) return;
      this.activate(panel, index, false);
      this.pin(index === this.pinned ? null : index);
    });
    scroller.addEventListener("keydown", (event) => this.walk(panel, event));
    scroller.addEventListener("focus", () => this.activate(panel, panel.marks.active ?? this.pinned ?? 0, false));
    scroller.addEventListener("blur", () => this.light(null));
    scroller.addEventListener("copy", (event) => this.copy(panel, event));
  }

  /** Light the token under the pointer, and say its id and its bytes there. */
  point(index, event) {
    this.light(index);
    const { tip, shown } = this;
    tip.hidden = this.lit === null || event.pointerType === "touch" || !this.data.panes.includes("inspector");
    if (tip.hidden) return;
    tip.textContent = `id ${shown.ids[this.lit]} · bytes ${shown.hex(this.lit)}`;
    const isRight = event.clientX > innerWidth - 240;
    tip.style.translate = isRight ? "-100%" : "";
    tip.style.left = `${event.clientX + (isRight ? -TIP_PIXELS : TIP_PIXELS)}px`;
    tip.style.top = `${event.clientY + TIP_PIXELS}px`;
  }

  light(index) {
    if (index !== null && this.shown.ids[index] === PENDING) index = null;
    if (this.lit === index) return;
    this.lit = index;
    for (const panel of this.panels) panel.mark("lit", index);
    // The inspector has a layout to make, which in a long text takes longer than all else: light first.
    requestAnimationFrame(() => setTimeout(() => this.inspect()));
  }

  activate(panel, index, reveal = true) {
    if (!this.shown.count) return;
    index = Math.min(Math.max(index, 0), this.shown.count - 1);
    for (const each of this.panels) each.mark("active", index);
    if (reveal) for (const each of this.panels) each.reveal(index);
    const chip = panel.chip(index);
    if (!chip) return;
    forgetOption(this.activeChip);
    Object.assign(chip, { id: "active", role: "option", ariaLabel: tokenName(this.shown, index), ariaSelected: String(index === this.pinned) });
    this.activeChip = chip;
    panel.scroller.setAttribute("aria-activedescendant", "active");
    if (reveal) this.light(index);
  }

  walk(panel, event) {
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() === "a") selectAll(this.root, panel, event);
      return;
    }
    const now = panel.marks.active ?? 0;
    const next = tokenAfterKey(panel, now, event.key);
    if (next !== null) {
      event.preventDefault();
      this.activate(panel, next);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.pin(now === this.pinned ? null : now);
    }
  }

  pin(index) {
    if (index !== null && (index >= this.shown.count || this.shown.ids[index] === PENDING)) return;
    if (this.pinned === index) return;
    this.pinned = index;
    this.facts = null;
    for (const panel of this.panels) panel.mark("pinned", index);
    this.layOut();
    this.inspect();
    if (index === null) return;
    for (const panel of this.panels) if (!panel.scroller.hidden) panel.reveal(index);
    this.askForFacts();
  }

  /** The inspector shows the token under the pointer, else the pinned one. */
  inspect() {
    if (this.data && !this.data.panes.includes("inspector")) return;
    const index = this.lit ?? this.pinned;
    if (index == null || index >= this.shown.count || this.shown.ids[index] === PENDING) {
      if (this.inspected !== null) {
        this.inspector.replaceChildren(element("p", "empty",
          "Point at a token, or walk to it with the arrow keys. Click it, or press Enter, to keep it here."));
      }
      this.inspected = null;
      return;
    }
    const pinned = index === this.pinned;
    this.inspected = index;
    drawInspector(this.inspector, this.shown, index, { special: this.special, facts: pinned ? this.facts : null, pinned });
  }

  askForFacts() {
    if (this.pinned === null || this.tokens.laidChange) return; // the next reply brings the numbers to ask by
    this.factsMade = this.made;
    this.connection.ask(this.viewName, { token: this.pinned, made: this.made });
  }

  /** After an edit a pinned token may have other neighbours: ask again once the typing pauses. */
  askForFactsLater() {
    clearTimeout(this.factsTimer);
    if (this.pinned === null || this.factsMade === this.made) return;
    this.factsTimer = setTimeout(() => this.askForFacts(), FACTS_AFTER_MS);
  }

  // -- copying --------------------------------------------------------------------------------

  /** Copy the text the tokens stand for; from the list its ids, texts or bytes. */
  copy(panel, event) {
    const range = selectedTokens(this.root, panel);
    if (!range) return;
    const { first, last, text } = range;
    const values = [];
    if (panel === this.list) for (let i = first; i <= last; i++) values.push(listValue(this.shown, i, this.mode));
    event.clipboardData.setData("text/plain", panel === this.list ? values.join(this.mode === "ids" ? ", " : " ") : text);
    event.preventDefault();
  }

  /** Copy all ids as JSON, and say so on the button for a moment. */
  async copyIds() {
    const copied = await copyText(`[${this.tokens.base.ids.join(", ")}]`, this.root);
    this.copyButton.textContent = copied ? "Copied" : "Not allowed";
    clearTimeout(this.copyTimer);
    this.copyTimer = setTimeout(() => { this.copyButton.textContent = "Copy ids"; }, COPIED_FOR_MS);
  }

  leave() {
    this.typing.leave();
    this.unlisten?.();
    if (this.viewName) this.connection.hide(this.viewName, this);
    for (const timer of ["announceTimer", "factsTimer", "pendingTimer"]) clearTimeout(this[timer]);
    this.rest.leave();
    for (const panel of this.panels) panel.observer.disconnect();
  }
}

/** Let an editor take no line ends: its text wraps, and line ends that are pasted become spaces. */
function keepToOneLine(area) {
  area.classList.add("one-line");
  area.rows = 1;
  area.addEventListener("beforeinput", (event) => {
    if (event.inputType === "insertLineBreak") event.preventDefault();
  });
  area.addEventListener("input", () => {
    const { value, selectionEnd } = area;
    if (!value.includes("\n")) return;
    area.value = value.replaceAll("\n", " ");
    area.setSelectionRange(selectionEnd, selectionEnd);
  });
}

/** Put a text on the clipboard; a page that is not served securely may only do so through a selection. */
async function copyText(text, root) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const holder = element("textarea", "hidden");
    holder.value = text;
    root.append(holder);
    holder.select();
    const copied = document.execCommand("copy");
    holder.remove();
    return copied;
  }
}

function listValue(tokens, i, mode) {
  if (mode === "ids") return tokens.ids[i];
  return mode === "bytes" ? tokens.hex(i) : visibleToken(tokens, i);
}

export default (component) => mounted(TokenView, component);
