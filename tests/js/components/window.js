// A browser's window without a browser: what components use of one, and what a person does in it.
//
// It has no layout: everything is in sight, and every box is empty unless a test gives it one.

import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";

const { Window } = createRequire(`${process.env.NODE_MODULES}/`)("happy-dom");
export const window = new Window({ url: "http://tokviz.test/" });
const { document } = window;
const WAIT_MS = 10_000; // for what a machine may be slow to do

/** Have a timer of a component keep no process alive: only tests wait. */
function quiet(timer) {
  return (...of) => {
    const made = timer(...of);
    made.unref();
    return made;
  };
}

export const sight = { holds: () => true }; // which nodes are in sight

/** Everything observed is in sight a frame later, unless a test says which nodes are. */
class Observer {
  constructor(seen) { Object.assign(this, { seen, nodes: new Set() }); }

  observe(node) {
    this.nodes.add(node);
    requestAnimationFrame(() => { if (this.nodes.has(node)) this.tell(node); });
  }

  tell(target) { this.seen([{ target, isIntersecting: sight.holds(target), boundingClientRect: { height: 20 } }], this); }

  unobserve(node) { this.nodes.delete(node); }

  disconnect() { this.nodes.clear(); }
}

export const clipboard = { text: null };

Object.assign(globalThis, {
  window,
  document,
  location: window.location,
  sessionStorage: window.sessionStorage,
  localStorage: window.localStorage,
  navigator: { clipboard: { writeText: async (text) => { clipboard.text = text; } } },
  innerWidth: 1280,
  innerHeight: 800,
  Node: window.Node,
  NodeFilter: window.NodeFilter,
  MutationObserver: window.MutationObserver,
  IntersectionObserver: Observer,
  ResizeObserver: Observer,
  CSSStyleSheet: window.CSSStyleSheet,
  CSS: { supports: () => true },
  getComputedStyle: window.getComputedStyle.bind(window),
  addEventListener: window.addEventListener.bind(window),
  removeEventListener: window.removeEventListener.bind(window),
  dispatchEvent: window.dispatchEvent.bind(window),
  requestAnimationFrame: (draw) => setImmediate(() => draw(performance.now())),
  cancelAnimationFrame: clearImmediate,
  setTimeout: quiet(setTimeout),
  setInterval: quiet(setInterval),
  WebSocket: { CONNECTING: 0, OPEN: 1, CLOSED: 3 },
});

// What happy-dom lacks.
for (const name of ["Label", "Expanded", "Pressed", "Selected", "ValueMin", "ValueMax", "ValueNow", "ValueText", "SetSize", "PosInSet"]) {
  const attribute = `aria-${name.toLowerCase()}`;
  Object.defineProperty(window.Element.prototype, `aria${name}`, {
    get() { return this.getAttribute(attribute); },
    set(value) {
      if (value === null) this.removeAttribute(attribute);
      else this.setAttribute(attribute, value);
    },
  });
}
const { get: activeIn } = Object.getOwnPropertyDescriptor(window.ShadowRoot.prototype, "activeElement");
Object.defineProperty(window.ShadowRoot.prototype, "activeElement", {
  get() {
    try {
      return activeIn.call(this);
    } catch {
      return null; // it fails where the focus is in another tree
    }
  },
});
Object.defineProperty(window.HTMLTableSectionElement.prototype, "rows", { get() { return this.querySelectorAll("tr"); } });
window.HTMLTableSectionElement.prototype.insertRow = function () { return this.appendChild(document.createElement("tr")); };
let selected = null; // which an editor may be without the focus
window.HTMLTextAreaElement.prototype.select = function () { selected = this; };
document.execCommand = (command, _, text) => {
  const area = focused();
  if (command === "insertText") type(area, text);
  else if (command === "delete") type(area, "", 1);
  else if (command === "copy") clipboard.text = selected.value;
  return true;
};

/** What has the focus, in whatever tree. */
export function focused(root = document) {
  const node = root.activeElement;
  return node?.shadowRoot?.activeElement ? focused(node.shadowRoot) : node;
}

// -- what a person does -------------------------------------------------------------------------

function happens(node, Kind, name, more = {}) {
  const event = new window[Kind](name, { bubbles: true, composed: true, cancelable: true, ...more });
  return node.dispatchEvent(event);
}

/** Type at the caret, in place of what is selected, or of so many characters before it. */
export function type(area, text, erased = 0) {
  const { selectionStart, selectionEnd, value } = area;
  const from = selectionStart === selectionEnd ? selectionStart - erased : selectionStart;
  area.value = value.slice(0, from) + text + value.slice(selectionEnd);
  area.setSelectionRange(from + text.length, from + text.length);
  happens(area, "InputEvent", "input");
}

/** Replace all of the text of an editor. */
export function fill(area, text) {
  area.focus();
  area.setSelectionRange(0, area.value.length);
  type(area, text);
}

/** Press a key; return whether anything but the browser took it. */
export function press(node, key, more = {}) {
  return !happens(node, "KeyboardEvent", "keydown", { key, ...more });
}

export function point(node, more = {}) { happens(node, "PointerEvent", "pointerover", { pointerType: "mouse", ...more }); }

export function pointAway(node) { happens(node, "PointerEvent", "pointerleave", { bubbles: false }); }

export function click(node, more = {}) {
  happens(node, "PointerEvent", "pointerdown", more);
  happens(node, "PointerEvent", "pointerup", more);
  node.click();
}

/** Choose a value of a list, or a number of a slider. */
export function choose(node, value) {
  node.value = value;
  happens(node, "Event", "input");
  happens(node, "Event", "change");
}

// -- waiting ------------------------------------------------------------------------------------

/** Wait until something holds; it is tried again and again, since a server is asked. */
export async function until(holds, what = holds) {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    await sleep(1);
    const held = await holds();
    if (held) return held;
    if (performance.now() > end) throw new Error(`it never came true: ${what}`);
  }
}
