// What is copied of tokens: those that are selected in the list, or all ids as JSON.

import { visibleToken } from "../shared/chips.js";
import { element } from "../shared/view.js";

const COPIED_FOR_MS = 1_500;

/** The ids, texts or bytes of the tokens first..last, as the list shows them. */
export function listed(tokens, { first, last }, mode) {
  const values = [];
  for (let i = first; i <= last; i++) {
    values.push(mode === "ids" ? tokens.ids[i] : mode === "bytes" ? tokens.hex(i) : visibleToken(tokens, i));
  }
  return values.join(mode === "ids" ? ", " : " ");
}

export class CopyButton {
  /** ids() are what is copied. */
  constructor(root, ids) {
    this.root = root;
    this.ids = ids;
    this.button = root.querySelector(".copy");
    this.timer = undefined;
    this.button.addEventListener("click", () => this.copy());
  }

  /** Copy all ids as JSON, and say so on the button for a moment. */
  async copy() {
    const copied = await copyText(`[${this.ids().join(", ")}]`, this.root);
    this.button.textContent = copied ? "Copied" : "Not allowed";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.button.textContent = "Copy ids"; }, COPIED_FOR_MS);
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
