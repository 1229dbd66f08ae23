// The views of the pages in a notebook: a kernel answers in place of a server, over the messages of a widget.

import { Live } from "../shared/live.js";
import { LocalSocket } from "../shared/local_socket.js";

/**
 * A notebook's widget on this side: a value that both sides have, and messages.
 * @typedef {{get(name: string): any, send(content: object): void, on(event: string, told: (content: any) => void): void,
 *   off(event: string, told: (content: any) => void): void}} Model
 */

/** ModelSocket: speaks as the server's socket does, over the messages of a widget. */
class ModelSocket extends LocalSocket {
  /** @param {Model} model */
  constructor(model) {
    super();
    this.model = model;
    this.receive = ({ message }) => this.tell(message);
    model.on("msg:custom", this.receive);
    model.send({ opens: true });
  }

  /** @param {string} message */
  send(message) { this.model.send({ message }); }

  close() {
    super.close();
    this.model.off("msg:custom", this.receive);
  }
}

/** A widget that shows a component of the pages, as anywidget wants it. */
export function widgetOf(component) {
  return { render: ({ model, el }) => render(component, model, el) };
}

/** Show a component in an output, and return what is to be done when it is left. */
function render(component, model, el) {
  const { data, markup, sheet, around, still } = model.get("shown");
  // A notebook has shortcuts of single letters, such as d d for deleting a cell.
  el.dataset.lmSuppressShortcuts = "true";
  for (const event of ["keydown", "keypress", "keyup"]) el.addEventListener(event, (pressed) => pressed.stopPropagation());
  const root = el.shadowRoot ?? el.attachShadow({ mode: "open" });
  const style = new CSSStyleSheet();
  style.replaceSync(sheet);
  root.adoptedStyleSheets = [style];
  root.innerHTML = markup; // which is ours and never contains a text
  const connection = new Live(() => new ModelSocket(model)).connectAs(data.token);
  // In a page made from a notebook no kernel answers: the view takes no room, and the coloured text stays. Else a rule
  // hides that, since a notebook takes outputs off the page and back.
  const rule = document.createElement("style");
  rule.textContent = `.${still} { display: none; }`;
  Object.assign(el.style, { height: "0", overflow: "hidden", visibility: "hidden" });
  connection.firstWord.then(() => {
    Object.assign(el.style, { height: "", overflow: "", visibility: "" });
    document.head.append(rule);
  });
  let leave = () => {};
  const followTheme = () => { el.style.colorScheme = themeAround(around); };
  const show = () => {
    followTheme();
    leave = component({ data: { ...data, connection }, parentElement: root, setTriggerValue() {} });
  };
  let isPlaced = false; // a notebook takes an output off the page while it is out of sight, even at first
  const placed = new ResizeObserver(() => {
    if (el.isConnected && !isPlaced) show();
    isPlaced = el.isConnected;
  });
  placed.observe(el);
  const watcher = new MutationObserver(followTheme);
  watcher.observe(document.body, { attributes: true, attributeFilter: ["class", "data-jp-theme-light", "data-theme"] });
  return () => {
    placed.disconnect();
    watcher.disconnect();
    rule.remove();
    queueMicrotask(() => {
      leave();
      connection.disconnectSocket();
    });
  };
}

/** The theme of the notebook if it names one, else that of the system. */
function themeAround({ dark, light }) {
  if (document.querySelector(dark)) return "dark";
  return document.querySelector(light) ? "light" : "light dark";
}
