// The line about what is hidden in a text: what it is, costs and spells; and a button that cleans the text.

import { FORM } from "../shared/hidden_marks.js";
import { button, element, writeText } from "../shared/view.js";
import { countText, groupedNumber } from "../shared/words.js";

const CLEANS = "Removes invisible characters, replaces look-alikes with the letters they imitate, and puts everything in normal form C";

const COSTS_AFTER_MS = 800; // of a long text, once nobody types

export class HiddenLine {
  /**
   * ask(question) asks the server about the text of the editor; both are null if there is none.
   * @param {HTMLElement} line
   * @param {?import("./text_editor.js").TextEditor} editor
   * @param {?((question: object) => void)} ask
   */
  constructor(line, editor = null, ask = null) {
    this.line = line;
    this.editor = editor;
    this.ask = ask;
    this.said = null; // what the line says, as JSON
    this.explained = null; // the number of the kind whose explanation is shown
    this.isCleaned = false; // whether the text has just been cleaned
    this.costsTimer = undefined;
    this.words = element("span");
    this.why = element("span", "why");
    this.button = button("clean", "Clean the text", () => this.cleanOrUndo());
    line.replaceChildren(this.words, this.button, this.why);
  }

  /** Take what a reply says, which is null if nothing has changed. */
  take({ hidden, tokenizer }) {
    if (hidden === undefined) this.line.hidden = true;
    else if (hidden) this.setSaid(hidden);
    else if (tokenizer) this.setSaid({ found: [], messages: [], costs: [], is_long: false });
    if (this.isCleaned && this.editor.area.value !== this.editor.untouched) this.isCleaned = false;
    if (!this.said?.found.length) this.show();
    clearTimeout(this.costsTimer);
    if (hidden !== undefined && this.said?.is_long) this.costsTimer = setTimeout(() => this.ask?.({ costs: true }), COSTS_AFTER_MS);
  }

  /** The costs in a long text are asked for later; until then the old ones stay. */
  setSaid(said) {
    const { found } = said;
    this.said = said.is_long ? { ...said, costs: this.said?.costs ?? [] } : said;
    if (found.length) this.isCleaned = false;
    this.show();
  }

  show() {
    const { found, messages, costs } = this.said ?? { found: [], messages: [], costs: [] };
    const { line, words, button: cleans } = this;
    line.hidden = !found.length && !this.isCleaned;
    cleans.hidden = this.ask === null;
    const isForm = found.every(([, , kind]) => kind === FORM);
    line.classList.toggle("form", isForm);
    cleans.textContent = this.isCleaned ? "Undo" : isForm ? "Normalise" : "Clean the text";
    cleans.title = this.isCleaned ? "Bring back the text as it was" : CLEANS;
    this.showExplanation(found);
    if (!found.length) {
      words.textContent = this.isCleaned ? "Nothing is hidden in the text any more." : "";
      return;
    }
    words.replaceChildren(element("b", "", isForm ? "In another normal form: " : "Hidden in the text: "));
    found.forEach(([what, , kind], i) => {
      words.append(i ? " " : "", element("span", "item", this.kindButton(what, kind), i < found.length - 1 ? "," : costs.length ? ";" : ""));
    });
    words.append(costs.length ? ` ${costText(costs)}` : "");
    messages.forEach((message, i) => words.append(i ? " and " : ". It spells ", element("q", "", message)));
  }

  /** What is hidden, as a button that explains it. */
  kindButton(what, kind) {
    const made = button("kind", what, () => {
      this.explained = kind === this.explained ? null : kind;
      this.show();
      this.words.querySelector(`[data-kind="${kind}"]`)?.focus({ preventScroll: true });
    });
    made.ariaExpanded = String(kind === this.explained);
    made.dataset.kind = kind;
    return made;
  }

  showExplanation(found) {
    const [, why] = found.find(([, , kind]) => kind === this.explained) ?? [null, ""];
    if (!why) this.explained = null;
    writeText(this.why, why);
    this.why.hidden = !why;
  }

  cleanOrUndo() {
    if (this.isCleaned) {
      this.isCleaned = false;
      this.editor.restoreReplaced();
      this.show();
    } else this.ask({ without: true });
  }

  /** Take an answer with the costs or the cleaned text; return whether it was one of these. */
  takeAnswer({ costs, without, state }, text) {
    if (costs !== undefined && this.said) {
      this.said.costs = costs;
      this.show();
    }
    if (without !== undefined) this.clean(without, state, text);
    return costs !== undefined || without !== undefined;
  }

  leave() { clearTimeout(this.costsTimer); }

  /** Put the cleaned text into the editor, if that still has the text that was cleaned. */
  clean(without, state, text) {
    if (text.changeSince(...state) !== null) this.ask({ without: true });
    else if (without !== text.text) {
      this.editor.replaceText(without, this.editor.isOwn);
      this.isCleaned = true;
    }
  }
}

/** "25 more tokens", "25 more tokens in GPT-2, 12 in GPT-4o", "3 fewer tokens in GPT-2, 12 more tokens in GPT-4o". */
export function costText(costs) {
  const areAllMore = costs.every(([, extra]) => extra >= 0);
  const words = costs.map(([name, extra], i) => {
    const number = Math.abs(extra);
    const more = extra < 0 ? "fewer" : "more";
    const figure = i && areAllMore ? groupedNumber(number) : countText(number, `${more} token`, `${more} tokens`);
    return name ? `${figure} in ${name}` : figure;
  });
  return words.join(", ");
}
