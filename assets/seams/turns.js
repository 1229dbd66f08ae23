// Conversations turn by turn, what is trained on, and two formats beside each other.

import { differenceItem, drawPlaces } from "./canonical.js";
import { drawStretch, legendOf, tokensPane } from "./drawing.js";
import { largestScale } from "../shared/panel.js";
import { button, element, writeText } from "../shared/view.js";
import { placeAfterKey } from "../shared/walking.js";
import { countText, groupedNumber } from "../shared/words.js";

const PARTS = [["kept", "cached"], ["again", "computed again"], ["new", "new"]]; // of a turn, in its bar and beside it
const ARROWS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** What the sections about a conversation show: which one it is, the words on it, and what two prompts have differently. */
export class Conversation {
  constructor(host) {
    this.host = host;
    this.chosen = [0, -1]; // conversation and turn
    this.which = Object.assign(element("select"), { ariaLabel: "Conversation" });
    this.which.addEventListener("change", () => this.choose(this.which.selectedIndex, -1));
    this.words = element("p", "words");
    this.changes = element("ul", "examples changes");
    this.nodes = [this.words, this.which, this.changes];
  }

  choose(...chosen) {
    this.host.ask({ chosen });
  }

  take(reply) {
    const { names, chosen, words, changes = [], more, formats } = reply;
    this.which.hidden = names.length < 2;
    if (names.join() !== [...this.which.options].map((each) => each.text).join()) {
      this.which.replaceChildren(...names.map((name) => element("option", "", name)));
    }
    this.chosen = chosen;
    this.which.selectedIndex = chosen[0];
    writeText(this.words, words);
    drawPlaces(this.changes, changes.map((change) => changeItem(change, formats)), more);
  }

  takeAnswer(reply) {
    if (reply.error) return;
    this.take(reply);
    this.host.announce(reply.words);
  }
}

export class Turns extends Conversation {
  constructor(host) {
    super(host);
    this.rows = Object.assign(element("div", "turn-rows"), { role: "group", ariaLabel: "Turns" });
    this.rows.addEventListener("keydown", (event) => this.walk(event));
    this.sentences = element("p");
    const legend = legendOf(["same", "cached"], ["open", "computed again"], ["", "new"]);
    this.prompt = tokensPane("The prompt of this turn", legend, "Write a message.");
    this.differences = element("ul", "examples");
    this.nodes.splice(2, 0, this.rows, this.sentences);
    this.nodes.push(this.differences, this.prompt.pane);
    new ResizeObserver(() => this.fitPrompt()).observe(this.prompt.pane);
  }

  walk(event) {
    const turn = placeAfterKey(event.key, this.turn, this.rows.children.length - 1, ARROWS);
    if (turn === null) return;
    event.preventDefault();
    this.choose(this.chosen[0], turn);
    this.rows.children[turn].focus();
  }

  take(reply) {
    super.take(reply);
    const { rows = [], turn, sentences = [], stretch, cached, old, differences = [], more_places: more } = reply;
    this.prompt.pane.hidden = !stretch;
    this.sentences.textContent = sentences.join(" ");
    drawPlaces(this.differences, differences.map(differenceItem), more);
    this.turn = turn;
    while (this.rows.children.length > rows.length) this.rows.lastChild.remove();
    while (this.rows.children.length < rows.length) this.rows.append(this.rowOf(this.rows.children.length));
    const longest = Math.max(...rows.map(([, tokens]) => tokens), 1);
    for (const [n, row] of rows.entries()) writeRow(this.rows.children[n], row, longest, n === turn);
    if (stretch) drawStretch(this.prompt.flow, stretch, (i) => (i < cached ? "same" : i < old ? "open" : ""));
    this.fitPrompt();
  }

  /** Draw the prompt small enough to be seen whole, where a room looks on, or scroll to where it goes beyond the cache. */
  fitPrompt() {
    const { pane, flow } = this.prompt;
    const [least] = getComputedStyle(pane).getPropertyValue("--scales").split(" ").map(Number);
    flow.style.removeProperty("--scale");
    if (!least) return; // elsewhere one scrolls it oneself
    const scroller = flow.parentElement;
    const isHigher = () => flow.offsetHeight > scroller.clientHeight;
    const setScale = (scale) => flow.style.setProperty("--scale", scale);
    setScale(largestScale(least, 1, (scale) => {
      setScale(scale);
      return isHigher();
    }));
    scroller.scrollTop = 0;
    const beyond = flow.querySelector(".t:not(.same)")?.getBoundingClientRect();
    const frame = scroller.getBoundingClientRect();
    if (beyond && beyond.bottom > frame.bottom) scroller.scrollTop = beyond.top - beyond.height - frame.top;
  }

  rowOf(n) {
    const parts = PARTS.map(([key]) => element("i", key));
    const content = [element("span"), element("span", "share", ...parts), element("span", "figures")];
    return button("turn", content, () => this.choose(this.chosen[0], n));
  }
}

function writeRow(node, [name, tokens, cached, again], longest, isChosen) {
  const [title, share, figures] = node.children;
  writeText(title, name);
  const sizes = [cached, again, tokens - cached - again];
  const parts = PARTS.flatMap(([key, words], n) => (sizes[n] ? [element("i", key), ` ${groupedNumber(sizes[n])} ${words}`] : []));
  const joined = parts.flatMap((part, n) => (n && n % 2 === 0 ? [" + ", part] : [part]));
  figures.replaceChildren(countText(tokens, "token"), ...(parts.length > 2 ? [": ", ...joined] : []));
  for (const [n, size] of sizes.entries()) {
    share.children[n].hidden = !size; // or there would be a gap beside it
    share.children[n].style.flexGrow = size;
  }
  share.style.width = `${(100 * tokens) / longest}%`;
  node.ariaPressed = isChosen;
  node.tabIndex = isChosen ? 0 : -1;
}

/** A stretch that two prompts have differently, one above the other, what differs marked. */
function changeItem({ whose, old, new: now, line }, formats) {
  const parts = [[formats ? "" : "was", old], ["now", now]].map(([name, runs], n) => [
    formats ? element("small", "quiet", formats[n]) : null,
    runs.length ? writtenText(name, runs) : element("div", "written left-out", "nothing"),
  ]);
  const item = element("li", "", element("p", "", whose), ...parts.flat());
  if (line) item.append(element("p", "", `Line ${line[0]} of the template: `, element("code", "", line[1])));
  return item;
}

function writtenText(name, runs) {
  return element("div", `written ${name}`, ...runs.map(([text, isMarked]) =>
    (isMarked ? element("mark", "", visibleText(text)) : visibleText(text))));
}

const visibleText = (text) => text.replaceAll("\n", "↵\n").replaceAll("\t", "⇥\t");

export class Mask extends Conversation {
  constructor(host) {
    super(host);
    const legend = legendOf(["same", "trained on"], ["open", "reaches across an edge, or in doubt"]);
    this.chat = tokensPane("The complete chat", legend, "Write a message.");
    this.nodes.push(this.chat.pane);
  }

  take(reply) {
    super.take(reply);
    const { stretch, trained, straddling, differing } = reply;
    this.chat.pane.hidden = !stretch;
    if (!stretch) return;
    const doubtful = new Set([...straddling, ...differing]);
    drawStretch(this.chat.flow, stretch, (i) => (doubtful.has(i) ? "open" : trained[i] ? "same" : ""));
  }
}
