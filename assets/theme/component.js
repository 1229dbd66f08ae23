// Light or dark, beside the other display settings. Streamlit has this choice in its own menu, and keeps it for each
// page separately.

import { revealView } from "../shared/view.js";

const KEPT = "stActiveTheme-"; // as Streamlit keeps it, before the path

export default function render({ data, parentElement }) {
  const view = parentElement.querySelector(".view");
  for (const choice of view.querySelectorAll("button")) choice.onclick = () => choose(view, choice.value, data.pages);
  show(view);
  revealView(view);
}

/** Press what the menu has for a theme, and have other pages begin with it too. */
async function choose(view, theme, pages) {
  const menu = document.querySelector("[data-testid=stMainMenu]");
  (menu?.querySelector("button") ?? menu)?.click();
  const item = await found(`[data-testid="stMainMenuItem-theme-${theme}"]`);
  item?.click();
  await new Promise(requestAnimationFrame);
  if (item?.isConnected) document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  copyToOtherPages(pages);
  show(view);
}

/** What a selector finds once it is there; null if it is not after some frames. */
async function found(selector) {
  for (let frame = 0; frame < 30; frame++) {
    const node = document.querySelector(selector);
    if (node) return node;
    await new Promise(requestAnimationFrame);
  }
  return null;
}

/** Keep the choice for the addresses of all pages. */
function copyToOtherPages(pages) {
  const here = keyOfThisPage();
  if (!here) return;
  const end = here.slice((KEPT + location.pathname).length);
  for (const page of pages) {
    const { pathname } = new URL(`./${page}`, location.href);
    localStorage.setItem(KEPT + pathname + end, localStorage.getItem(here));
  }
}

/** The key under which Streamlit keeps the choice for this address. */
function keyOfThisPage() {
  return Object.keys(localStorage).find((key) => key.startsWith(`${KEPT}${location.pathname}-`));
}

function show(view) {
  const shown = (localStorage.getItem(keyOfThisPage() ?? "") ?? "System").replaceAll('"', "");
  for (const choice of view.querySelectorAll("button")) choice.setAttribute("aria-pressed", String(choice.value === shown));
}
