// The list of the tokens found: only the rows in sight exist.

import { PART } from "./search.js";
import { appendText, chipClass, putOnCircle } from "../shared/chips.js";
import { element } from "../shared/view.js";
import { placeAfterKey } from "../shared/walking.js";
import { groupedNumber } from "../shared/words.js";

const ROW_REM = 1.875; // the height of a row where no style sheet gives one, as `--row`
const SPARE_ROWS = 6; // kept above and below what is in sight

export class Listing {
  /** open(index) is called when a token is chosen. */
  constructor(scroller, open) {
    Object.assign(this, { scroller, open, vocabulary: null, indexes: new Int32Array(0), special: new Set(), empty: [], active: 0, opened: null });
    this.sizer = scroller.querySelector(".sizer");
    scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    scroller.addEventListener("click", (event) => {
      const row = event.target.closest(".entry");
      if (row) this.choose(Number(row.dataset.row));
    });
    scroller.addEventListener("keydown", (event) => this.handleKey(event));
  }

  /** Show what a search found, from its beginning, or the words `empty` if that is nothing. */
  show(vocabulary, indexes, special, empty) {
    Object.assign(this, { vocabulary, indexes, special, empty: [empty], active: 0 });
    this.sizer.style.height = `calc(${indexes.length} * var(--row))`;
    this.scroller.scrollTop = 0;
    this.draw();
  }

  /** The height of a row, which grows with the size of type. */
  get rowPixels() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    return (parseFloat(getComputedStyle(this.scroller).getPropertyValue("--row")) || ROW_REM) * rem;
  }

  draw() {
    const { rowPixels } = this;
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / rowPixels) - SPARE_ROWS);
    const last = Math.min(this.indexes.length, Math.ceil((this.scroller.scrollTop + this.scroller.clientHeight) / rowPixels) + SPARE_ROWS);
    const rows = [];
    for (let row = first; row < last; row++) rows.push(this.entryElement(row));
    if (!this.indexes.length) rows.push(element("p", "nothing", ...this.empty));
    this.sizer.replaceChildren(...rows);
    if (this.indexes.length) this.scroller.setAttribute("aria-activedescendant", `row-${this.active}`);
    else this.scroller.removeAttribute("aria-activedescendant");
  }

  entryElement(row) {
    const { vocabulary: v } = this;
    const i = this.indexes[row];
    const isOpen = i === this.opened;
    const node = element("div", `entry${row === this.active ? " active" : ""}${isOpen ? " open" : ""}`,
      element("span", "id", String(v.ids[i])), element("span", "", vocabularyChip(v, i, this.special)),
      element("span", "length", groupedNumber(v.nChars[i])),
      element("span", "kind quiet", v.kindNames[v.kinds[i]]), element("span", "script quiet", v.scriptNames[v.scripts[i]]),
    );
    node.dataset.row = row;
    node.style.top = `calc(${row} * var(--row))`;
    const [ariaSetSize, ariaPosInSet] = [this.indexes.length, row + 1];
    return Object.assign(node, { id: `row-${row}`, role: "option", ariaSetSize, ariaPosInSet, ariaSelected: String(isOpen) });
  }

  choose(row) {
    this.active = row;
    this.open(this.indexes[row]);
  }

  /** Say more where nothing was found. */
  addToEmpty(...more) {
    this.empty.push(...more);
    this.draw();
  }

  /** Mark a token as open, null for none. */
  markOpened(index) {
    this.opened = index;
    this.draw();
  }

  handleKey(event) {
    const last = this.indexes.length - 1;
    if (last < 0) return;
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / this.rowPixels) - 1);
    const row = placeAfterKey(event.key, this.active, last, { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page });
    if (row === null && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (row === null) this.choose(this.active);
    else {
      this.active = row;
      this.reveal(row);
      this.draw();
    }
  }

  reveal(row) {
    const [top, end] = [row, row + 1].map((each) => each * this.rowPixels);
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop) this.scroller.scrollTop = top;
    else if (end > scrollTop + clientHeight) this.scroller.scrollTop = end - clientHeight;
  }
}

export const CHIP_UNITS = 200; // that a row shows of a token

/** A token as a chip: its text, or its bytes if it holds a part of a character. */
export function vocabularyChip(vocabulary, i, special) {
  const chip = element("span", chipClass(vocabulary.colour(i, special)));
  if (vocabulary.kinds[i] === PART) chip.textContent = `<${vocabulary.hex(i)}>`;
  else {
    appendText(chip, vocabulary.string(i).slice(0, CHIP_UNITS));
    putOnCircle(chip, vocabulary.string(i));
  }
  for (const lineEnd of chip.querySelectorAll(".nl")) lineEnd.textContent = ""; // its sign is enough here
  return chip;
}
