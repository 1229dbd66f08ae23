// A slide: its type is as large as lets all of it be seen without scrolling, its rows of tokens shrink to one line each,
// and Enter answers its question.

import { storeValue } from "../shared/storage.js";
import { partitionPoint } from "../shared/text.js";

// How much of the type that a screen can have, and how much larger tokens are. Few sizes, so that type does not jump from
// slide to slide; the last are for texts that are longer than our examples.
const SIZES = [
  [1, 2.2], [1, 2], [1, 1.8], [1, 1.6], [1, 1.4], [1, 1.2], [1, 1], [0.9, 1], [0.8, 1], [0.7, 1], [0.6, 1], [0.45, 1],
];
// The smallest type of a row of tokens, and of the ids below it, as a share of the slide's; if a row needs smaller type,
// all break. On a screen they are never smaller than that many pixels.
const LEAST_SHARE = 0.6;
// Rows that are smaller than this share of the slide's type break too where all the rest keeps this size.
const SMALL_SHARE = 0.85;
const SMALL_PART_SHARE = 0.75; // and so do all, if the bytes in one are smaller than this
const ROWS_BREAK_FROM = 0.9;
const LEAST_PIXELS = 13;
const ID_SHARE = 0.78; // how large an id is, as a share of its token's type
const HARDLY_LARGER = 1.3; // type for which a text or its tokens are not to break
const REVEAL = '[class*="st-key-_reveal_"] [data-testid^="stBaseButton-primary"]';
const TAKES_ENTER = "a, button, input, select, summary, textarea, [contenteditable]";
const BOX = "input:not([type=checkbox], [type=radio]), textarea";
// What a clicker's keys press: the answer with a number that was typed, else the next slide.
const PRESSED = { PageUp: ".st-key-slide_back button", PageDown: `[data-testid="stForm"] ${REVEAL}, .st-key-slide_next button` };

const page = document.documentElement;
const sizeOf = (node) => parseFloat(getComputedStyle(node).fontSize);
let slide = null;
let fitted = "";

/** What changes if the slide needs another size; the slide before, which goes last, can be in the page still. */
function layoutKey(element) {
  const { width, height } = element.getBoundingClientRect();
  return `${width} ${height} ${page.scrollHeight} ${innerWidth} ${innerHeight}`;
}

/** How many lines a text or its tokens have; what is around them is less than a line. */
function linesOf(node) {
  return Math.floor(node.clientHeight / parseFloat(getComputedStyle(node).lineHeight));
}

/** What components draw on a slide, in their shadow roots. */
function drawn(slide, selector) {
  return [...slide.querySelectorAll("*")].flatMap((node) => [...(node.shadowRoot?.querySelectorAll(selector) ?? [])]);
}

/** Shrink rows to one line each, all in type of one size, so that they can be compared; if that is too small, let them all break. */
function shrinkRows(rows, least) {
  for (const row of rows) {
    row.classList.remove("breaks");
    row.style.removeProperty("--row-size");
  }
  const share = ({ clientWidth, scrollWidth }) => (scrollWidth > clientWidth ? 0.98 * clientWidth / scrollWidth : 1);
  const shrink = () => {
    const size = Math.min(...rows.map((row) => share(row) * sizeOf(row)));
    for (const row of rows) row.style.setProperty("--row-size", `${size}px`);
    return size;
  };
  shrink();
  if (shrink() >= least) return; // twice, since gaps of whole pixels do not shrink as letters do
  for (const row of rows) {
    row.classList.add("breaks");
    row.style.removeProperty("--row-size");
  }
}

/** Whether what a frame holds fits into it, the tables of a slide included, which would scroll sideways. */
function fits(frame, wide) {
  return [frame, ...wide].every((node) => node.scrollWidth <= node.clientWidth) && frame.scrollHeight <= frame.clientHeight;
}

/** Choose the largest type for a slide in a frame; what is too long even for the smallest scrolls. */
function fitType(slide, frame) {
  const wide = drawn(slide, ".table");
  const setSize = ([fit, tokens]) => {
    frame.style.setProperty("--fit", fit);
    frame.style.setProperty("--tokens", tokens);
  };
  setSize(SIZES[0]);
  const least = Math.max(LEAST_SHARE * sizeOf(page), frame === page ? LEAST_PIXELS : 0);
  const rows = drawn(slide, ".lines .flow");
  const hasIds = (row) => row.querySelector(".id") !== null;
  shrinkRows(rows.filter((row) => !hasIds(row)), least);
  shrinkRows(rows.filter(hasIds), least / ID_SHARE);
  shrinkRows(drawn(slide, ".row-of.cuts"), least);
  const choose = () => {
    const largest = partitionPoint(SIZES.length - 1, (i) => {
      setSize(SIZES[i]);
      return fits(frame, wide);
    });
    const [fit, tokens] = SIZES[largest];
    const linesAt = (size) => {
      setSize(size);
      return drawn(slide, "textarea, #tokens .flow, .lines .flow.breaks").reduce((sum, node) => sum + linesOf(node), 0);
    };
    const alike = SIZES.slice(largest).filter((size) => size[0] === fit && tokens <= HARDLY_LARGER * size[1]);
    setSize(alike.reduce((best, size) => (linesAt(size) < linesAt(best) ? size : best)));
    return fit;
  };
  const fit = choose();
  const isSmall = (share) => (node) => sizeOf(node.querySelector(".id") ?? node) < share * sizeOf(page);
  const small = drawn(slide, ".lines .part").some(isSmall(SMALL_PART_SHARE)) ? rows : rows.filter(isSmall(SMALL_SHARE));
  if (!small.length) return;
  for (const row of small) row.classList.add("breaks");
  if (choose() >= Math.min(fit, ROWS_BREAK_FROM)) return;
  for (const row of small) row.classList.remove("breaks");
  choose();
}

function fitSlide() {
  fitType(slide, page);
  fitted = layoutKey(slide);
}

// Slides to print are fitted anew whenever a component on one has drawn something.
const sheets = new ResizeObserver((changed) => {
  for (const { target } of changed) {
    const height = () => target.getBoundingClientRect().height;
    if (fittedSheets.get(target) === height()) continue;
    fitType(target, target.parentElement);
    fittedSheets.set(target, height());
  }
});
const fittedSheets = new WeakMap(); // their heights

function fitAgain() {
  if (slide?.isConnected && layoutKey(slide) === fitted) return;
  observer.disconnect();
  leaving.disconnect();
  if (slide?.isConnected) fitSlide();
  requestAnimationFrame(observe);
}

// Called before the next frame is painted, so that nobody sees a slide that does not fit. We observe again only from
// that frame on, since until then the changes of size are our own.
const observer = new ResizeObserver(fitAgain);
// What the page showed before may go after the slide was fitted, without a change of size that the observer would see.
const leaving = new MutationObserver(fitAgain);

function observe() {
  slide = document.querySelector(".st-key-slide");
  if (!slide) return;
  const container = slide.closest("[data-testid=stMainBlockContainer]");
  observer.observe(slide);
  observer.observe(container);
  leaving.observe(container, { childList: true, subtree: true });
}

/** Enter opens the answer wherever the focus is, unless it means something there; on what is picked it does not. */
function answerOnEnter(event) {
  if (event.key !== "Enter" || event.defaultPrevented || event.repeat || event.isComposing) return;
  const [target] = event.composedPath();
  const isPicked = target.matches?.(".prediction .picked");
  if (target.matches?.(TAKES_ENTER) && !isPicked) return;
  const button = slide?.isConnected && slide.querySelector(REVEAL);
  if (!button) return;
  event.preventDefault();
  button.click();
}

/** A clicker turns the slide wherever the focus is, and Esc leaves the box in which somebody types before it ends the presentation. */
function turnOrLeaveBox(event) {
  const [target] = event.composedPath();
  const presses = PRESSED[event.key];
  if (!(presses || (event.key === "Escape" && target.matches?.(BOX))) || event.isComposing || !slide?.isConnected) return;
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("[role=dialog]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (target.matches?.(BOX)) target.blur();
  if (presses && !event.repeat) [...document.querySelectorAll(presses)].at(-1)?.click();
}

addEventListener("keydown", turnOrLeaveBox, { capture: true });
addEventListener("keydown", answerOnEnter);
addEventListener("resize", () => { if (slide?.isConnected) fitSlide(); });

export default function render({ data }) {
  if (data.sheets) {
    for (const sheet of document.querySelectorAll('[class*="st-key-sheet-"]')) sheets.observe(sheet);
    return;
  }
  storeValue("presented", data, "localStorage"); // for notes in another window
  fitted = "";
  observer.disconnect();
  observe();
}
