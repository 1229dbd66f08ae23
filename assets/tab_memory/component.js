// Keeps what the server says of a session in the browser's tab, and gives it back to the next session.

const ASKED = new WeakMap(); // by host: the session that was given back what the tab holds

export default function ({ data, parentElement, setTriggerValue }) {
  if (!data) return;
  const kept = stored("session");
  if (kept && kept.session !== data.session && !data.restored) {
    // A new session, after a reload or a lost connection. What it says of itself is not to be kept yet.
    if (ASKED.get(parentElement) === data.session) return;
    ASKED.set(parentElement, data.session);
    setTriggerValue("message", { session: data.session, kept: kept.value, text: stored("text")?.text ?? null });
    return;
  }
  store("session", { session: data.session, value: data.value });
}
