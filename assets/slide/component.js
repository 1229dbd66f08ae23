// A slide: its type is as large as lets all of it be seen without scrolling, and Enter answers its question.

const SIZES = [1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5]; // of the type that a screen can have
const REVEAL = '[class*="st-key-_reveal_"] [data-testid^="stBaseButton-primary"]';
const TAKES_ENTER = "a, button, input, select, summary, textarea, [contenteditable]";

const page = document.documentElement;
let slide = null;
let fitted = "";

function boxOf(element) {
  const { width, height } = element.getBoundingClientRect();
  return `${width} ${height} ${innerWidth} ${innerHeight}`;
}

/** The tables of a slide, which would scroll sideways; components draw them in shadow roots. */
function tables() {
  return [...slide.querySelectorAll("*")].flatMap((node) => [...(node.shadowRoot?.querySelectorAll(".table") ?? [])]);
}

function isWhole(wide) {
  return page.scrollHeight <= page.clientHeight && page.scrollWidth <= page.clientWidth
    && wide.every((table) => table.scrollWidth <= table.clientWidth);
}

/** Choose the largest type; what is too long even for the smallest scrolls. */
function fit() {
  const wide = tables();
  let [low, high] = [0, SIZES.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    page.style.setProperty("--fit", SIZES[middle]);
    if (isWhole(wide)) high = middle;
    else low = middle + 1;
  }
  page.style.setProperty("--fit", SIZES[low]);
  fitted = boxOf(slide);
}

// Before the next frame is painted, so that nobody sees a slide that does not fit. Observed again only in that frame:
// the change of size is our own.
const observer = new ResizeObserver(() => {
  if (slide?.isConnected && boxOf(slide) === fitted) return;
  observer.disconnect();
  if (slide?.isConnected) fit();
  requestAnimationFrame(observe);
});

function observe() {
  slide = document.querySelector(".st-key-slide");
  if (slide) observer.observe(slide);
}

/** Enter opens the answer wherever the focus is, unless it means something there; on what is picked it does not. */
function answer(event) {
  if (event.key !== "Enter" || event.defaultPrevented || event.repeat || event.isComposing) return;
  const [target] = event.composedPath();
  const isPicked = target.matches?.(".prediction .picked");
  if (target.matches?.(TAKES_ENTER) && !isPicked) return;
  const button = slide?.isConnected && slide.querySelector(REVEAL);
  if (!button) return;
  event.preventDefault();
  button.click();
}

addEventListener("keydown", answer);
addEventListener("resize", () => { if (slide?.isConnected) fit(); });

export default function render() {
  fitted = "";
  observer.disconnect();
  observe();
}
