// What the browser's tab remembers, so that a reload or a lost connection loses nothing; and the browser, for its other tabs.

export const STORED_UNITS_MAX = 1_000_000; // of the text, in UTF-16 units: a tab may store about five million
export const SAVE_AFTER_MS = 300;

/** @typedef {"sessionStorage" | "localStorage"} Area of the tab, or of the browser */

/** @param {string} name @param {Area} area */
export function storedValue(name, area = "sessionStorage") {
  try {
    return JSON.parse(globalThis[area].getItem(`tokviz.${name}`));
  } catch {
    return null; // storage is switched off, or holds something else
  }
}

/** @param {string} name @param {any} value @param {Area} area */
export function storeValue(name, value, area = "sessionStorage") {
  try {
    globalThis[area].setItem(`tokviz.${name}`, JSON.stringify(value));
  } catch {
    // Switched off or full: it then lives as long as the server's session. What is out of date must not return.
    removeStored(name, area);
  }
}

/** What the tab keeps of a session: {session, value: {values, tokenizers}}, or null. */
export function storedSession() {
  const kept = storedValue("session");
  return kept?.value?.values ? kept : null;
}

/** Put a value into what the tab keeps of this session, as the server does when it runs a whole page. */
export function storeSessionValue(session, name, value) {
  const kept = storedSession();
  if (kept?.session !== session) return;
  kept.value.values[name] = value;
  storeValue("session", kept);
}

export function storedNames() {
  try {
    return Object.keys(sessionStorage).filter((key) => key.startsWith("tokviz.")).map((key) => key.slice(7));
  } catch {
    return [];
  }
}

/** @param {string} name @param {Area} area */
export function removeStored(name, area = "sessionStorage") {
  try {
    globalThis[area].removeItem(`tokviz.${name}`);
  } catch {
    // Switched off: there is nothing to forget.
  }
}
