// The vocabulary of a tokenizer: search, list, and one token opened.
//
// The server names the vocabulary by a fingerprint. Only a browser that does not have it asks for its tokens, and
// then keeps them for as long as the tab lives. A search is done here; only one that no token matches goes to the server,
// which says how it is cut. The report on the open token is asked for, and again once the text that it counts the token in
// has changed.

import { Listing } from "./listing.js";
import { unpackAndKeepVocabulary, VOCABULARIES } from "./search.js";
import { drawToken, tokenButtons } from "./token.js";
import { LiveView, mountView } from "../shared/live_view.js";
import { storeValue, storedValue } from "../shared/storage.js";
import { revealView, element, listenToGlyphSwitch } from "../shared/view.js";
import { countText, groupedNumber } from "../shared/words.js";

const REPORT_AFTER_MS = 150; // of a text that is being typed
const CUT_AFTER_MS = 250; // of a search
const UNPACKED_SOON_MS = 50;
const FIELDS = ["query", "how", "where", "space", "kind", "script", "finding", "from", "to", "shortest", "longest", "order"];
const IN_SIGHT = ["query", "kind", "script", "order"]; // the others are under “More filters”

const DEFAULTS = { how: "text", where: "inside", caseless: true }; // of the others, nothing

/** What the list is without any token. */
function emptyWords(query, isNarrowed) {
  if (!query) return "No token fits all the filters.";
  return isNarrowed ? `No token with “${query}” fits all the filters.` : `No token matches “${query}”.`;
}

/** What comes first where nobody chose an order. */
function orderWords({ order, query }) {
  if (order) return "";
  return query ? ", shortest first" : ", the longest words first: they show what it was trained on";
}

class VocabularyBrowser extends LiveView {
  constructor(root) {
    super(root);
    this.form = root.querySelector("form");
    this.facts = root.querySelector(".facts");
    this.found = root.querySelector(".found");
    this.listing = new Listing(root.querySelector(".list-of-tokens"), (i) => this.openToken(i));
    this.fingerprint = undefined; // of the vocabulary that the server names; and the vocabulary on view
    this.vocabulary = null;
    this.special = new Set(); // ids
    this.token = null; // the id of the open token, and its bytes: under another tokenizer the id is another token's
    this.tokenBytes = null;
    this.report = null; // what the server says about it, and the state of the text that a new report would be about
    this.state = null;
    this.reportTimer = this.cutTimer = undefined;
    this.asked = null; // the last question, as JSON
    this.wanted = null; // the kind, script and finding to search for once they are offered
    this.taken = null; // the name of the last search that another page asked for
    this.hasLeft = false;
    this.opener = root.querySelector(".opener");
    this.more = root.querySelector(".more");
    this.opener.addEventListener("click", () => this.openMore(this.more.hidden));
    this.restoreSearch(storedValue("vocabulary") ?? {});
    listenToGlyphSwitch(this.view);
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("input", () => this.searchAndOpen());
    this.form.addEventListener("reset", () => setTimeout(() => this.searchAndOpen()));
    this.form.elements.query.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") this.listing.scroller.focus();
    });
  }

  // -- what the page says ---------------------------------------------------------------------

  configure() {
    revealView(this.view);
    this.applySearch(this.data.search);
  }

  leave() {
    super.leave();
    this.hasLeft = true;
    clearTimeout(this.reportTimer);
    clearTimeout(this.cutTimer);
  }

  // -- what the server says -------------------------------------------------------------------

  /** Take the state of the text that a report would be about now, and at first which vocabulary this is. */
  take({ state, fingerprint, special }) {
    this.state = state;
    if (fingerprint === undefined) {
      this.markBusyIfOld();
      clearTimeout(this.reportTimer);
      this.reportTimer = setTimeout(() => this.askForReport(), REPORT_AFTER_MS);
      return;
    }
    if (fingerprint !== this.fingerprint) this.vocabulary = this.report = null;
    if (this.report) this.report.state = null; // the same text may now have other tokens
    Object.assign(this, { fingerprint, special: new Set(special), asked: null });
    this.showOrRequestVocabulary();
  }

  takeAnswer({ columns, cut, ...report }) {
    if (columns) unpackAndKeepVocabulary(columns.fingerprint, columns).then(() => this.showOrRequestVocabulary());
    if (cut) this.showCut(cut);
    if (report.id === undefined || report.id !== this.token) return;
    this.report = report;
    this.showToken();
  }

  /** Ask for the vocabulary if it is not here; once it is, show it with the open token. */
  showOrRequestVocabulary() {
    if (this.hasLeft || this.fingerprint === undefined) return;
    const known = VOCABULARIES.get(this.fingerprint);
    if (known === undefined) this.ask({ want: this.fingerprint });
    else if (known === null) setTimeout(() => this.showOrRequestVocabulary(), UNPACKED_SOON_MS);
    else {
      if (known !== this.vocabulary) this.showVocabulary(known);
      this.showToken();
      this.askForReport();
    }
  }

  askForReport() {
    if (this.token !== null && this.vocabulary && !this.isReported) this.ask({ token: this.token }, this.state);
  }

  /** Ask, unless this was the last question and about the same text. */
  ask(question, of = null) {
    const asked = JSON.stringify([question, of]);
    if (asked === this.asked) return;
    this.asked = asked;
    this.connection.ask(this.viewName, question);
  }

  /** Whether its tokens are yet to come; until then it does not count as painted. */
  get isFilling() { return this.vocabulary === null; }

  /** Whether the report is about the open token and the text as it is. */
  get isReported() { return this.report?.id === this.token && String(this.report?.state) === String(this.state); }

  markBusyIfOld() { this.facts.setAttribute("aria-busy", String(this.token !== null && !this.isReported)); }

  showVocabulary(vocabulary) {
    this.vocabulary = vocabulary;
    const present = (indexes, names) => {
      const counts = new Int32Array(names.length);
      for (let i = 0; i < indexes.length; i++) counts[indexes[i]]++;
      return names.map((name, i) => [name, counts[i]]).filter(([, count]) => count);
    };
    this.offerChoices("kind", present(vocabulary.kinds, vocabulary.kindNames));
    this.offerChoices("script", present(vocabulary.scripts, vocabulary.scriptNames).sort((a, b) => b[1] - a[1]));
    const { findingNames, findingLabels } = vocabulary;
    this.form.elements.finding.parentElement.hidden = !findingNames.length;
    this.offerChoices("finding", findingNames.map((name, n) => [name, vocabulary.nTokensWithFinding(n), findingLabels[n]]).filter(([, number]) => number));
    const open = vocabulary.indexOf(this.token ?? -1);
    if (open < 0 || vocabulary.hex(open) !== this.tokenBytes) this.token = null;
    this.search();
    if (this.token === null) this.setToken(this.listing.indexes[0] ?? -1);
    this.connection.sendPainted(this.viewName);
  }

  /** Offer names with their counts, and the words that show them, in a list; the chosen one stays chosen if it is among them. */
  offerChoices(name, entries) {
    const list = this.form.elements[name];
    const chosen = this.wanted?.[name] ?? list.value;
    list.replaceChildren(list.options[0], ...entries.map(([value, number, label = value]) =>
      Object.assign(element("option", "", `${label} (${groupedNumber(number)})`), { value })));
    list.value = entries.some(([value]) => value === chosen) ? chosen : "";
  }

  // -- searching ------------------------------------------------------------------------------

  restoreSearch(kept) {
    for (const name of FIELDS) if (typeof kept[name] === "string") this.form.elements[name].value = kept[name];
    if (typeof kept.caseless === "boolean") this.form.elements.caseless.checked = kept.caseless;
    // Kinds, scripts and findings are offered only once the vocabulary is here.
    this.wanted = { kind: kept.kind, script: kept.script, finding: kept.finding };
    this.token = Number.isInteger(kept.token) ? kept.token : null;
    this.tokenBytes = kept.tokenBytes ?? null;
    this.taken = kept.taken ?? null;
    this.openMore(FIELDS.some((name) => !IN_SIGHT.includes(name) && kept[name] && kept[name] !== DEFAULTS[name]) || kept.caseless === false);
  }

  openMore(isOpen) {
    this.more.hidden = !isOpen;
    this.opener.setAttribute("aria-expanded", String(isOpen));
  }

  /** Fill in the search that another page asked for, once: a reload keeps what somebody has made of it since. */
  applySearch(search) {
    if (!search || search.name === this.taken) return;
    if (this.vocabulary) this.view.scrollIntoView({ block: "start" }); // the search was asked for further down
    this.form.reset();
    this.restoreSearch({ ...search.fields, taken: search.name });
    this.vocabulary = null; // shown again, with this search
    this.showOrRequestVocabulary();
  }

  search() {
    if (!this.vocabulary) return;
    this.wanted = null;
    const search = Object.fromEntries(FIELDS.map((name) => [name, this.form.elements[name].value]));
    search.caseless = this.form.elements.caseless.checked;
    const { indexes, wrong, hex } = this.vocabulary.find(search);
    const set = this.markSetFields(search);
    const isNarrowed = set.length > (search.query ? 1 : 0);
    this.listing.show(this.vocabulary, indexes, this.special, wrong ?? emptyWords(search.query, isNarrowed));
    clearTimeout(this.cutTimer);
    if (!indexes.length && !isNarrowed) this.cutTimer = setTimeout(() => this.ask({ cut: search.query }), CUT_AFTER_MS);
    const [number, rest] = this.found.children;
    number.textContent = groupedNumber(indexes.length);
    const nSpecial = this.special.size ? ` (${groupedNumber(this.special.size)} special)` : "";
    const isBytes = hex ? `, with the bytes ${hex}` : "";
    rest.textContent = wrong ?? `of ${groupedNumber(this.vocabulary.count)} tokens${nSpecial}${isBytes}${indexes.length ? orderWords(search) : ""}`;
    storeValue("vocabulary", { ...search, token: this.token, tokenBytes: this.tokenBytes, taken: this.taken });
  }

  /** Search, and if the open token is not found, open the first one that is. Its report is asked for once nobody types. */
  searchAndOpen() {
    this.search();
    const { vocabulary, listing: { indexes } } = this;
    if (!vocabulary || indexes.includes(vocabulary.indexOf(this.token ?? -1))) return;
    this.setToken(indexes[0] ?? -1);
    this.showToken();
    clearTimeout(this.reportTimer);
    this.reportTimer = setTimeout(() => this.askForReport(), REPORT_AFTER_MS);
  }

  /** Say how a text is cut that no token matches, with the tokens to open. */
  showCut([query, ids, n]) {
    if (!this.vocabulary || this.listing.indexes.length || query !== this.form.elements.query.value) return;
    const tokens = tokenButtons(ids, this.vocabulary, this.special, (i) => this.openToken(i));
    this.listing.addToEmpty(` This text is ${countText(n, "token")}: `, tokens, n > ids.length ? " …" : "");
    this.askForReport(); // a question that waits gives way to a newer one
  }

  /** Mark the fields that narrow the search down, count those under “More filters”, and return their names. */
  markSetFields(search) {
    const set = Object.keys(search).filter((name) => name !== "order" && search[name] !== (DEFAULTS[name] ?? ""));
    for (const name of Object.keys(search)) this.form.elements[name].classList.toggle("set", set.includes(name));
    const n = set.filter((name) => !IN_SIGHT.includes(name)).length;
    this.opener.textContent = n ? `More filters (${n} set)` : "More filters";
    this.form.querySelector("[type=reset]").hidden = !set.length;
    return set;
  }

  // -- one token ------------------------------------------------------------------------------

  openToken(i) {
    if (!this.vocabulary) return; // another one is on its way
    if (this.vocabulary.ids[i] !== this.token) this.report = null;
    this.setToken(i);
    this.showToken();
    this.askForReport();
  }

  /** Make a token the open one; -1 for none. */
  setToken(i) {
    const { vocabulary } = this;
    Object.assign(this, i < 0 ? { token: null, tokenBytes: null } : { token: vocabulary.ids[i], tokenBytes: vocabulary.hex(i) });
    storeValue("vocabulary", { ...storedValue("vocabulary"), token: this.token, tokenBytes: this.tokenBytes });
  }

  showToken() {
    if (!this.vocabulary) return;
    this.markBusyIfOld();
    const i = this.token === null ? -1 : this.vocabulary.indexOf(this.token);
    if (this.listing.opened !== i) this.listing.markOpened(i);
    if (i < 0) {
      this.facts.replaceChildren(element("p", "quiet", "Choose a token to see what it is made of, what is made of it, and where the text uses it."));
      return;
    }
    const report = this.report?.id === this.token ? this.report : null;
    drawToken(this.facts, this.vocabulary, i, { special: this.special, report, open: (other) => this.openToken(other) });
  }
}

export default (component) => mountView(VocabularyBrowser, component);
