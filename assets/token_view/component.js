// The token view: an editor, its tokens, the same tokens as a list, and an inspector.

const ANNOUNCE_AFTER_MS = 1200;
const FACTS_AFTER_MS = 350;
const COPIED_FOR_MS = 1500;
const IDS_PER_ROW = 12; // a guess for blocks that were never drawn

class TokenView extends LiveEditor {
  constructor(root) {
    super(root);
    this.base = NO_TOKENS; // the tokens of the last reply
    this.shown = NO_TOKENS; // the same, laid on the text as it is now
    this.special = new Set();
    this.pinned = null;
    this.facts = null;
    const find = (selector) => root.querySelector(selector);
    this.panel = new TokenPanel(find("#tokens"), {
      ...AS_TEXT,
      draw: (tokens, first, end, origin) => drawTokens(tokens, first, end, this.special, origin),
    });
    this.list = new TokenPanel(find("#list"), {
      draw: (tokens, first, end, origin) => drawList(tokens, first, end, this.mode, this.special, origin),
      asText: () => "",
      rows: (count) => Math.ceil(count / IDS_PER_ROW),
      longest: 240,
    });
    this.panels = [this.panel, this.list];
    this.inspector = find(".inspector .facts");
    this.close = find(".close");
    this.copyButton = find(".copy");
    this.live = find("[aria-live]");
    this.notice = find(".notice");
    this.options();
    this.listen();
  }

  // -- options the component keeps for itself ------------------------------------------------

  options() {
    const kept = stored("view") ?? {};
    this.mode = ["ids", "text", "bytes"].includes(kept.mode) ? kept.mode : "ids";
    for (const radio of this.root.querySelectorAll("[name=mode]")) {
      radio.checked = radio.value === this.mode;
      radio.addEventListener("change", () => {
        this.mode = radio.value;
        this.list.redraw();
        store("view", { ...stored("view"), mode: this.mode });
      });
    }
    switchGlyphs(this.view, this.root.querySelector("[name=glyphs]"));
  }

  // -- what the server says -------------------------------------------------------------------

  take(data, isWhole) {
    this.base = tokensOfReply(isWhole ? NO_TOKENS : this.base, data.tokens, this.serverText).describe(data);
    this.configure(data);
  }

  get shownText() { return this.shown.text; }

  shownReply(data) {
    this.showCounts(data.counts);
    this.showFacts(data.facts);
    this.followCaret();
  }

  configure(data) {
    const style = this.view.style;
    style.setProperty("--height", `${data.height}px`);
    style.setProperty("--list-height", `${data.list_height}px`);
    const shown = (selector, on) => {
      const node = this.root.querySelector(selector);
      if (node.hidden === on) node.hidden = !on;
    };
    shown(".edit", data.editable);
    shown(".tokens", data.panes.includes("tokens"));
    shown(".list", data.panes.includes("list"));
    shown(".inspector", data.panes.includes("inspector"));
    shown(".counts", data.panes.includes("counts"));
    shown(".bottom", data.panes.includes("list") || data.panes.includes("inspector"));
    // A class and not `:has`, which would have the browser look at every chip when one of them lights.
    for (const row of this.root.querySelectorAll(".row")) {
      row.classList.toggle("single", [...row.children].some((pane) => pane.hidden));
    }
    if (this.label !== data.label) {
      this.label = data.label;
      this.root.querySelector("label[for=editor]").textContent = data.label;
    }
    if (this.editor.placeholder !== data.placeholder) this.editor.placeholder = data.placeholder;
    const special = data.special.join();
    if (this.tokenizer !== data.tokenizer || this.specialIds !== special) {
      // The same id now means another token.
      this.tokenizer = data.tokenizer;
      this.root.querySelector(".tokenizer").textContent = data.tokenizer;
      this.specialIds = special;
      this.special = new Set(data.special);
      this.isRenamed = true;
      this.pin(null);
      this.facts = null;
    }
    this.notice.hidden = !data.notice;
    if (this.notice.textContent !== data.notice) this.notice.textContent = data.notice ?? "";
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

  show() {
    const tokens = rebased(this.base, this.data.editable ? this.text : this.base.text);
    const same = this.isRenamed ? { front: 0, back: 0 } : sameTokens(this.shown, tokens);
    this.isRenamed = false;
    const moved = (index) => {
      if (index == null || index < same.front) return index;
      return index >= this.shown.count - same.back ? index + tokens.count - this.shown.count : null;
    };
    const marks = Object.fromEntries(Object.entries(this.panel.marks).map(([name, index]) => [name, moved(index)]));
    const pinned = moved(this.pinned);
    this.shown = tokens;
    for (const panel of this.panels) {
      if (!this.data.panes.includes(panel === this.list ? "list" : "tokens")) continue;
      for (const name of Object.keys(panel.marks)) {
        if (panel.marks[name] !== marks[name] && marks[name] == null) panel.mark(name, null);
      }
      panel.marks = { ...marks };
      panel.show(tokens, same);
    }
    if (pinned !== this.pinned) {
      if (pinned === null) this.pin(null);
      else this.pinned = pinned;
    }
    this.inspect();
    this.askForFactsLater();
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
    const words = `${count(counts.tokens, "token", "tokens")}, ${count(counts.characters, "character", "characters")}, ` +
      `${count(counts.bytes, "byte", "bytes")}`;
    if (this.announced === words) return;
    clearTimeout(this.announceTimer);
    if (this.announced !== undefined) {
      this.announceTimer = setTimeout(() => { this.live.textContent = words; }, ANNOUNCE_AFTER_MS);
    }
    this.announced = words;
  }

  /** Keep the tokens of what is being typed in sight, unless the reader is busy in the panel. */
  followCaret() {
    if (this.root.activeElement !== this.editor || !(performance.now() - this.lastTyped < 1000)) return;
    if (this.panel.scroller.matches(":hover") || !this.shown.count) return;
    const caret = this.editor.selectionEnd;
    this.panel.reveal(this.shown.at(Math.max(caret - 1, 0)));
  }

  // -- pointing, walking, pinning -------------------------------------------------------------

  listenTo(panel) {
    const { scroller } = panel;
    scroller.addEventListener("pointerover", (event) => this.light(panel.indexAt(event.target)));
    scroller.addEventListener("pointerleave", () => this.light(null));
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
    this.close.hidden = index === null;
    this.inspect();
    this.wanted.inspect = index;
    this.pump();
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

  showFacts(facts) {
    if (!facts || facts.index !== this.pinned || facts.id !== this.shown.ids[facts.index]) return;
    this.facts = facts;
    if ((this.lit ?? this.pinned) === this.pinned) this.inspect();
  }

  /** After an edit a pinned token may have other neighbours: ask again once the typing pauses. */
  askForFactsLater() {
    clearTimeout(this.factsTimer);
    if (this.pinned === null) return;
    const { made } = this.data;
    if (this.factsMade === made) return;
    this.factsTimer = setTimeout(() => {
      this.factsMade = made;
      if (this.pinned === null) return;
      this.wanted.inspect = this.pinned;
      this.pump();
    }, FACTS_AFTER_MS);
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
    const copied = await copyText(`[${this.base.ids.join(", ")}]`, this.root);
    this.copyButton.textContent = copied ? "Copied" : "Not allowed";
    clearTimeout(this.copyTimer);
    this.copyTimer = setTimeout(() => { this.copyButton.textContent = "Copy ids"; }, COPIED_FOR_MS);
  }

  leave() {
    super.leave();
    for (const timer of ["announceTimer", "factsTimer"]) clearTimeout(this[timer]);
    for (const panel of this.panels) panel.observer.disconnect();
  }
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

const render = (component) => mounted(TokenView, component);
