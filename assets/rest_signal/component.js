// Tells the server, in the fragment this stands in, that the typing in a compare view rests.

const SIGNALS = new WeakMap(); // by host: how to tell the server

export default function render({ parentElement, setTriggerValue }) {
  const known = SIGNALS.get(parentElement);
  const signal = known ?? { listener: () => signal.tell() };
  signal.tell = () => setTriggerValue("rest", performance.now());
  SIGNALS.set(parentElement, signal);
  if (!known) addEventListener("tokviz:rest", signal.listener);
  return () => {
    if (parentElement.isConnected) return;
    removeEventListener("tokviz:rest", signal.listener);
    SIGNALS.delete(parentElement);
  };
}
