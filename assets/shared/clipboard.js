// The clipboard, and buttons that copy to it.

import { element } from "./view.js";

const COPIED_FOR_MS = 1_500;

/** Have a button copy what text() returns, and say so on it for a moment. */
export function copyOnClick(button, text, root) {
  const label = button.textContent;
  let timer = 0;
  button.addEventListener("click", async () => {
    button.textContent = (await copyText(text(), root)) ? "Copied" : "Not allowed";
    clearTimeout(timer);
    timer = setTimeout(() => { button.textContent = label; }, COPIED_FOR_MS);
  });
}

/** Put a text on the clipboard; a page that is not served securely can only do so through a selection. */
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
