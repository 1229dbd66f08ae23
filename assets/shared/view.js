// What every view does: appear, show or hide the signs for spaces, make its elements and fill them.

import { storeValue, storedValue } from "./storage.js";
import { groupedNumber } from "./words.js";

/** Show a view, which is hidden until its code is here, and return it. In a dialog, which is outside the app, it gets the app's colours. */
export function revealView(view) {
  view.classList.remove("unready");
  const app = document.querySelector("[data-testid=stApp]");
  const { host } = view.getRootNode();
  if (app && host && !app.contains(host)) host.style.colorScheme = getComputedStyle(app).colorScheme;
  return view;
}

/** Call a function once the page as it is now has been painted; at once on a hidden page. */
export function callAfterPaint(call) {
  if (document.hidden) return call();
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel(); // its message comes after the frame, sooner than a timer
    port1.onmessage = () => {
      port1.close();
      call();
    };
    port2.postMessage(null);
  });
}

let switched = []; // the views on the page that have a switch

/** Have the switch of a view show or hide the signs for spaces and line ends, in every view; the tab keeps the choice. */
export function listenToGlyphSwitch(view) {
  const toggle = view.querySelector("[name=glyphs]");
  const show = (on) => view.classList.toggle("glyphs", toggle.checked = on);
  toggle.addEventListener("change", () => {
    storeValue("view", { ...storedValue("view"), glyphs: toggle.checked });
    for (const { show: showIn } of switched) showIn(toggle.checked);
  });
  switched = [...switched.filter((other) => other.view.isConnected), { view, show }];
  show(storedValue("view")?.glyphs !== false);
}

/** How far below the upper edge of the page a node begins, in pixels. */
export function topOnPage(node) {
  return node.getBoundingClientRect().top - document.documentElement.getBoundingClientRect().top;
}

/**
 * An element of a class, with what it contains: texts and nodes; null is nothing.
 * @param {string} name
 * @param {string} className
 * @param {any[]} content
 * @returns {any}
 */
export function element(name, className = "", ...content) {
  const node = document.createElement(name);
  if (className) node.className = className;
  for (const each of content) if (each != null) node.append(each);
  return node;
}

/** A button that calls a function when it is pressed; `content` is one thing in it, or a list. */
export function button(className, content, press) {
  const node = Object.assign(element("button", className, ...[content].flat()), { type: "button" });
  node.addEventListener("click", press);
  return node;
}

/** One of the values of a group, of which one is chosen. */
export function radioLabel(group, value, choose) {
  const input = Object.assign(element("input"), { type: "radio", name: group, value });
  input.addEventListener("change", () => choose(value));
  return element("label", "", input, element("span", "", value));
}

/** Put a text into a node, unless it is there: writing the same text again would lay it out again. */
export function writeText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

const PLURALS = new WeakMap(); // the words after figures, as the page has them

/** Write a number and the words after it, which the page has in the plural: "1 alternative at work". */
export function writeFigure(node, number, words = node.nextElementSibling) {
  if (!PLURALS.has(words)) PLURALS.set(words, words.textContent);
  writeText(node, groupedNumber(number));
  writeText(words, number === 1 ? PLURALS.get(words).replace(/s\b/, "") : PLURALS.get(words));
}
