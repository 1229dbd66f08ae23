// Keeps what the server says about a session in the browser's tab, and gives it back to the next session. It also runs the
// page again when a new server does not know it.

import { pageConnection } from "../shared/live.js";
import { removeStored, storeValue, storedSession, storedValue, storedNames } from "../shared/storage.js";

const YEAR_S = 31_536_000;
const SAY_AGAIN_AFTER_MS = 2_000; // if the server has not heard; then ever more slowly
let say = null; // how to tell the server
let given = null; // the session that was given what the tab has
let timer = null;
let lasting = null; // what the cookie holds
let isTouched = false; // whether anybody has done anything on the page since it was loaded
for (const kind of ["pointerdown", "keydown", "input"]) addEventListener(kind, () => { isTouched = true; }, { capture: true });
if (performance.getEntriesByType("navigation")[0]?.type === "navigate") stopPresenting();

export default function render({ data, parentElement, setTriggerValue }) {
  say = setTriggerValue;
  pageConnection().wake = () => say("message", { session: null });
  keepLasting(data.lasting);
  const kept = storedValue("session");
  if (data.restored && given === data.session && isLost(kept?.value, data.value)) {
    given = null; // and give it back this once
    giveBack({ session: data.session, kept: kept.value });
    return;
  }
  if (!kept || kept.session === data.session || data.restored) {
    clearTimeout(timer);
    storeValue("session", { session: data.session, value: data.value });
    const messages = (data.value.values.rows ?? []).map(([key]) => `message ${key}`);
    for (const name of storedNames()) if (name.startsWith("message ") && !messages.includes(name)) removeStored(name);
  } else if (given !== data.session) {
    // A new session, after a reload or a lost connection. What it says of itself is not to be kept yet.
    given = data.session;
    giveBack({ session: given, kept: kept.value });
  }
  return () => {
    if (parentElement.isConnected || say !== setTriggerValue) return;
    clearTimeout(timer); // there is nobody to tell
    given = null;
  };
}

/**
 * Whether options that were given back are gone again, though nobody has touched the page since it was loaded: a widget
 * that did not have its value yet sent the one it was first shown with.
 */
function isLost(kept, now) {
  if (!kept?.values || isTouched) return false;
  return Object.keys(kept.values).some((name) => name !== "training_job" && !(name in now.values));
}

/** Begin a visit as usual: an address that was typed or followed shows the usual page, and only a reload goes on presenting. */
function stopPresenting() {
  const kept = storedSession();
  if (!kept) return;
  delete kept.value.values.presenting;
  storeValue("session", kept);
}

/** Keep options for later visits in a cookie, which a new session has before it shows anything. */
function keepLasting(options) {
  const value = encodeURIComponent(JSON.stringify(options));
  if (value !== lasting) document.cookie = `tokviz=${value}; path=/; max-age=${YEAR_S}; SameSite=Strict`;
  lasting = value;
}

function giveBack(message, wait = SAY_AGAIN_AFTER_MS) {
  clearTimeout(timer);
  say("message", message);
  timer = setTimeout(giveBack, wait, message, 2 * wait);
}
