// Another lesson or slide begins at its top: Streamlit keeps the place where the last one was left. An answer that was
// just opened comes into view, below its question.

const SETTLES_MS = 2000; // until all components of an answer are drawn
const TAKES_OVER = ["wheel", "touchstart", "keydown", "pointerdown"];

let shown = null;
let opened = "";

/** Scroll to a question with its answer, no further than needed, and again as it or what is below it grows, until somebody scrolls or it has settled. */
function bringIntoView(name) {
  const began = performance.now();
  let height = 0;
  const over = new AbortController();
  for (const type of TAKES_OVER) addEventListener(type, () => over.abort(), { capture: true, signal: over.signal });
  const look = () => {
    if (over.signal.aborted) return;
    const answer = document.querySelector(`.st-key-${name.replace(/[^\w-]/g, "-")}`);
    const now = document.documentElement.scrollHeight;
    if (answer && now !== height) {
      height = now;
      const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
      answer.scrollIntoView({ block: "nearest", behavior });
    }
    if (performance.now() - began < SETTLES_MS) requestAnimationFrame(look);
    else over.abort();
  };
  look();
}

export default function render({ data, parentElement }) {
  const { place, answer = "" } = data;
  if (shown === place && answer && answer !== opened) bringIntoView(answer);
  if (shown !== null && shown !== place) {
    for (let node = parentElement.host ?? parentElement; node; node = node.parentElement) node.scrollTop = 0;
  }
  shown = place;
  opened = answer;
}
