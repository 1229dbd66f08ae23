// On every page, when the server was away: gives the focus back to where it was, and says that the connection is back.

import { pageConnection } from "../shared/live.js";
import { guardFocus } from "../editor/type_ahead.js";

const WORTH_SAYING_MS = 2_000; // Streamlit says after three seconds that the server does not answer
const SAID_FOR_MS = 10_000;
let timer = null;

export default function render({ parentElement }) {
  guardFocus();
  pageConnection().returned = (milliseconds) => {
    if (milliseconds < WORTH_SAYING_MS) return;
    const line = parentElement.querySelector("p");
    line.textContent = "The connection is back.";
    clearTimeout(timer);
    timer = setTimeout(() => { line.textContent = ""; }, SAID_FOR_MS);
  };
}
