// Keeps what the server says of a session in the browser's tab, and gives it back to the next session.

import { forget, store, stored, storedNames } from "../shared/storage.js";

// A message that leaves together with one of a view inside a fragment makes only that fragment run, so ours
// waits until theirs have left. One that got lost all the same is said again, ever more slowly.
const SAY_AFTER_MS = 40;
const SAY_AGAIN_AFTER_MS = 300;
const TABS = new WeakMap(); // by host: what the server said last, and the timer of a message under way

/** Forget the texts of messages that were removed. */
function forgetMessages(kept) {
  for (const name of storedNames()) if (name.startsWith("message ") && !kept.has(name)) forget(name);
}

function giveBack(tab, wait = SAY_AGAIN_AFTER_MS) {
  clearTimeout(tab.timer);
  const kept = stored("session");
  if (!kept || kept.session === tab.data.session) return;
  tab.send("message", { session: tab.data.session, kept: kept.value });
  tab.timer = setTimeout(() => giveBack(tab, 2 * wait), wait);
}

export default function render({ data, parentElement, setTriggerValue }) {
  if (!data) return;
  const tab = TABS.get(parentElement) ?? {};
  TABS.set(parentElement, tab);
  const waiting = tab.timer && tab.data.session === data.session;
  tab.data = data;
  tab.send = setTriggerValue;
  const kept = stored("session");
  if (!kept || kept.session === data.session || data.restored) {
    clearTimeout(tab.timer);
    tab.timer = null;
    store("session", { session: data.session, value: data.value });
    forgetMessages(new Set(data.value.rows.map(([key]) => `message ${key}`)));
  } else if (!waiting) {
    // A new session, after a reload or a lost connection. What it says of itself is not to be kept yet.
    tab.timer = setTimeout(() => giveBack(tab), SAY_AFTER_MS);
  }
  return () => {
    if (!parentElement.isConnected) clearTimeout(tab.timer);
  };
}
