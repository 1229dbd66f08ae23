// The token view: an editor, its tokens, the same tokens as a list, and an inspector.
//
// What is typed goes to the server at once, one message at a time; whatever is typed meanwhile goes
// with the next. Every reply holds a `version` of the text. A version this editor did not write was
// set from outside, and only such a version ever replaces the editor's content.

const RESEND_AFTER_MS = 4000; // an unanswered message was lost with its connection
const RESTORE_AFTER_MS = 1000; // one sent while a page begins is lost more often, and nothing is right until it came
const PENDING_AFTER_MS = 150; // a slower reply: show the typed text untokenized meanwhile
const ANNOUNCE_AFTER_MS = 1200;
const FACTS_AFTER_MS = 350;
const COPIED_FOR_MS = 1500;
const LONG_TEXT = 50_000; // UTF-16 units; a textarea of this length takes about 20 ms to lay out
// Guesses for blocks that were never drawn; the browser remembers the heights of those that were.
const UNITS_PER_ROW = 60;
const IDS_PER_ROW = 12;
const VIEWS = new WeakMap();

class TokenView {
  constructor(root) {
    this.root = root;
    this.client = crypto.randomUUID?.() ?? String(Math.random());
    this.base = NO_TOKENS; // the tokens of the last reply
    this.shown = NO_TOKENS; // the same, laid on the text as it is now
    this.special = new Set();
    this.text = "";
    this.serverText = "";
    this.version = null;
    this.reply = null;
    this.messages = 0;
    this.inFlight = null;
    this.wanted = {}; // what the next message asks for, beside the text
    this.pinned = null;
    this.facts = null;
    const find = (selector) => root.querySelector(selector);
    this.view = find(".view");
    this.editor = find("textarea");
    this.panel = new TokenPanel(find("#tokens"), {
      draw: (tokens, first, end) => drawTokens(tokens, first, end, this.special),
      asText: (tokens, first, end) => tokens.text.slice(tokens.starts[first], tokens.end(end - 1)),
      rows: (count, text) => Math.ceil(text.length / UNITS_PER_ROW) + text.split("\n").length - 1,
      longest: 1000,
    });
    this.list = new TokenPanel(find("#list"), {
      draw: (tokens, first, end) => drawList(tokens, first, end, this.mode, this.special),
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

  receive({ data, setTriggerValue }) {
    this.send = (message) => setTriggerValue("message", message);
    followTheme(this.view);
    if (!data || data.reply === this.reply) return;
    if (data.client === this.client && this.inFlight && data.ack >= this.inFlight.n) this.inFlight = null;
    if (data.base !== null && data.base !== this.reply) {
      // A reply went missing, or this view was mounted anew: ask for everything.
      this.wanted.resync = true;
      this.pump();
      return;
    }
    const first = this.version === null;
    const restarted = !first && data.session !== this.session;
    const fromOutside = data.version !== this.version && data.author !== this.client;
    this.data = data;
    this.reply = data.reply;
    this.session = data.session;
    this.version = data.version;
    this.base = tokensOfReply(data.base === null ? NO_TOKENS : this.base, data);
    this.serverText = this.base.text;
    this.configure(data);
    if (first || restarted) this.mount(data, restarted);
    else if (fromOutside || !data.editable) this.replaceText(this.serverText);
    this.show();
    this.showCounts(data.counts);
    this.showFacts(data.facts);
    this.followCaret();
    this.save();
    this.pump();
  }

  /** The first reply of a server's session: take its text, or give it what this tab still has. */
  mount(data, restarted) {
    const kept = data.storage ? stored(data.storage) : null;
    const own = restarted && data.editable ? this.text : null;
    if (kept && kept.session === data.session) {
      // Keys struck in the last moment before the page changed had not reached the server.
      const unsent = data.editable && kept.unsent?.includes(textHash(this.serverText));
      this.replaceText(unsent ? kept.text : this.serverText);
    } else if (data.storage && data.restore && (kept || own !== null)) {
      const text = own ?? kept.text ?? this.serverText;
      this.wanted.restore = { text };
      if (own === null) this.replaceText(text);
    } else {
      this.replaceText(this.serverText);
    }
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
      this.pin(null);
      this.facts = null;
      for (const panel of this.panels) panel.clear();
      this.shown = NO_TOKENS;
    }
    this.notice.hidden = !data.notice;
    if (this.notice.textContent !== data.notice) this.notice.textContent = data.notice ?? "";
  }

  // -- the editor -----------------------------------------------------------------------------

  listen() {
    this.editor.addEventListener("input", () => this.typed());
    this.editor.addEventListener("compositionstart", () => { this.composing = true; });
    this.editor.addEventListener("compositionend", () => {
      this.composing = false;
      if (this.waiting !== undefined) this.replaceText(this.waiting);
    });
    addEventListener("pagehide", this.leaving = () => this.save(true));
    for (const panel of this.panels) this.listenTo(panel);
    this.close.addEventListener("click", () => this.pin(null));
    this.copyButton.addEventListener("click", () => this.copyIds());
    this.view.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.pinned !== null && !event.isComposing) this.pin(null);
    });
  }

  typed() {
    this.lastTyped = performance.now();
    const value = this.editor.value;
    this.text = this.editorIsText ? value : withLineEnds(this.text, value);
    this.editorIsText ||= this.text === value;
    this.pump();
    clearTimeout(this.pendingTimer);
    this.pendingTimer = setTimeout(() => {
      if (this.text !== this.shown.text) this.show();
    }, PENDING_AFTER_MS);
    this.save();
  }

  /** Put a text into the editor that was not typed there. */
  replaceText(text) {
    if (this.composing) {
      this.waiting = text; // an input method is at work, and would lose its place
      return;
    }
    this.waiting = undefined;
    this.text = text;
    if (!this.data.editable) return;
    const shown = text.replace(/\r\n?/g, "\n"); // as every textarea does
    this.editorIsText = shown === text;
    if (text.length < LONG_TEXT) this.fill(shown);
    else this.fillAfterPaint(shown);
  }

  fill(shown) {
    this.filling = null;
    this.editor.readOnly = false;
    if (this.editor.value !== shown) this.editor.value = shown;
  }

  /** Laying out a long text in a textarea takes longer than all else: let the tokens be painted first. */
  fillAfterPaint(shown) {
    if (this.editor.value === shown) return;
    this.editor.readOnly = true;
    this.filling = shown;
    requestAnimationFrame(() => setTimeout(() => {
      if (this.filling === shown) this.fill(shown);
    }));
  }

  // -- messages -------------------------------------------------------------------------------

  /** Send what is to be said, unless a message is under way. */
  pump() {
    if (this.inFlight || !this.send) return;
    const message = { ...this.wanted };
    if (this.version !== null && !message.restore && this.data.editable && this.text !== this.serverText && this.waiting === undefined) {
      message.edit = this.edit();
    }
    if (!Object.keys(message).length) return;
    this.wanted = {};
    const n = ++this.messages;
    this.inFlight = { n, message, text: this.text };
    this.send({ client: this.client, n, version: this.version, have: this.reply, ...message });
    clearTimeout(this.resendTimer);
    this.resendTimer = setTimeout(() => this.resend(n), message.restore ? RESTORE_AFTER_MS : RESEND_AFTER_MS);
  }

  resend(n) {
    if (this.inFlight?.n !== n || !this.root.host?.isConnected) return;
    const { edit, ...rest } = this.inFlight.message;
    this.wanted = { ...rest, ...this.wanted };
    this.inFlight = null;
    this.pump();
  }

  /** The edit that turns the server's text into ours, in UTF-16 units. */
  edit() {
    const { prefix, suffix } = commonEnds(this.serverText, this.text);
    return {
      start: prefix,
      removed: this.serverText.length - prefix - suffix,
      insert: this.text.slice(prefix, this.text.length - suffix),
      length: this.text.length,
    };
  }

  // -- drawing --------------------------------------------------------------------------------

  show() {
    clearTimeout(this.pendingTimer);
    const tokens = rebased(this.base, this.data.editable ? this.text : this.base.text);
    const same = sameTokens(this.shown, tokens);
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
    clearTimeout(this.announceTimer);
    if (this.announced !== undefined && this.announced !== words) {
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
    this.activeChip?.removeAttribute("id");
    Object.assign(chip, { id: "active", role: "option", ariaLabel: tokenName(this.shown, index), ariaSelected: String(index === this.pinned) });
    chip.setAttribute("role", "option");
    this.activeChip = chip;
    panel.scroller.setAttribute("aria-activedescendant", "active");
    if (reveal) this.light(index);
  }

  walk(panel, event) {
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() === "a") this.selectAll(panel, event);
      return;
    }
    const now = panel.marks.active ?? 0;
    const steps = {
      ArrowRight: () => now + 1, ArrowLeft: () => now - 1,
      ArrowDown: () => rowNeighbour(panel, now, 1), ArrowUp: () => rowNeighbour(panel, now, -1),
      Home: () => 0, End: () => this.shown.count - 1,
      PageDown: () => now + 100, PageUp: () => now - 100,
    };
    if (steps[event.key]) {
      event.preventDefault();
      this.activate(panel, steps[event.key]());
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

  selectAll(panel, event) {
    event.preventDefault();
    const range = document.createRange();
    range.selectNodeContents(panel.flow);
    const selection = this.root.getSelection?.() ?? document.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }

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

  // -- the tab's memory -----------------------------------------------------------------------

  save(now = false) {
    if (!this.data?.storage) return;
    clearTimeout(this.saveTimer);
    if (!now) {
      this.saveTimer = setTimeout(() => this.save(true), SAVE_AFTER_MS);
      return;
    }
    if (this.wanted.restore || this.inFlight?.message.restore) return;
    store(this.data.storage, {
      session: this.session,
      text: this.text.length > STORED_UNITS_MAX ? null : this.text,
      // The server may stand at the text it told last, or at the one under way to it.
      unsent: this.text === this.serverText ? null : [this.serverText, this.inFlight?.text ?? ""].map(textHash),
    });
  }

  leave() {
    this.save(true);
    for (const timer of ["pendingTimer", "announceTimer", "factsTimer", "saveTimer", "resendTimer"]) clearTimeout(this[timer]);
    removeEventListener("pagehide", this.leaving);
    for (const panel of this.panels) panel.observer.disconnect();
    VIEWS.delete(this.root);
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

/** The text after an edit, with the carriage returns that a textarea does not show. */
function withLineEnds(text, value) {
  const shown = text.replace(/\r\n?/g, "\n");
  const { prefix, suffix } = commonEnds(shown, value);
  return text.slice(0, unitsBefore(text, prefix)) + value.slice(prefix, value.length - suffix) +
    text.slice(unitsBefore(text, shown.length - suffix));
}

/** The offset in a text of an offset in the same text with every CR LF as one line feed. */
function unitsBefore(text, offset) {
  let at = 0;
  for (let shown = 0; shown < offset; shown++) at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
  return at;
}

/** The token nearest in the row above (-1) or below (+1). */
function rowNeighbour(panel, index, direction) {
  const here = panel.chip(index)?.getBoundingClientRect();
  if (!here) return index + direction;
  const x = here.left + here.width / 2;
  let best = null;
  let rowTop = null;
  for (let i = index + direction; i >= 0 && i < panel.tokens.count && Math.abs(i - index) < 400; i += direction) {
    const box = panel.chip(i)?.getBoundingClientRect();
    if (!box || Math.abs(box.top - here.top) < here.height / 2) continue;
    rowTop ??= box.top;
    if (Math.abs(box.top - rowTop) > here.height / 2) break;
    const distance = Math.abs(box.left + box.width / 2 - x);
    if (best === null || distance < best.distance) best = { i, distance };
  }
  return best?.i ?? index + direction;
}

function listValue(tokens, i, mode) {
  if (mode === "ids") return tokens.ids[i];
  return mode === "bytes" ? tokens.hex(i) : visibleToken(tokens, i);
}

/** The tokens and the text a selection in a panel covers, or null. */
function selectedTokens(root, panel) {
  const { tokens } = panel;
  if (!tokens.count) return null;
  const selection = root.getSelection?.() ?? document.getSelection();
  const range = selection?.getComposedRanges?.({ shadowRoots: [root] })[0] ?? (selection?.rangeCount ? selection.getRangeAt(0) : null);
  if (!range || range.collapsed) return null;
  const from = placeOf(panel, range.startContainer, range.startOffset);
  const to = placeOf(panel, range.endContainer, range.endOffset);
  if (!from || !to) return null;
  return { first: from.index, last: to.index, text: tokens.text.slice(from.offset, to.offset) };
}

/** The token and the UTF-16 offset in the text of a place in a panel's document. */
function placeOf(panel, container, offset) {
  const { tokens } = panel;
  const inFlow = container === panel.flow || panel.flow.contains(container);
  if (!inFlow) return null;
  const block = (container.nodeType === 1 ? container : container.parentElement).closest(".block")?.block ??
    panel.blocks[Math.min(offset, panel.blocks.length - 1)];
  if (container === panel.flow) {
    const ended = offset >= panel.blocks.length;
    const index = ended ? tokens.count - 1 : block.first;
    return { index, offset: ended ? tokens.starts[tokens.count] : tokens.starts[index] };
  }
  // Everything in a block is the text itself, in order: count the units before the place.
  const before = document.createRange();
  before.setStart(block.node, 0);
  before.setEnd(container, offset);
  const at = tokens.starts[block.first] + before.toString().length;
  const chip = (container.nodeType === 1 ? container : container.parentElement).closest("[data-i]");
  return { index: chip ? block.first + Number(chip.dataset.i) : tokens.at(at), offset: at };
}

export default function (component) {
  const root = component.parentElement;
  let view = VIEWS.get(root);
  if (!view) VIEWS.set(root, (view = new TokenView(root)));
  view.receive(component);
  return () => {
    if (!root.host?.isConnected) view.leave();
  };
}
