// A component on a page, with its markup and its code, and a server behind it: real views, asked over a pipe.

import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { click, window } from "./window.js";

const ASSETS = new URL("../../../assets/", import.meta.url);
/** A module of the browser's side, imported once there is a window. */
export const module = (path) => import(new URL(path, ASSETS));
const { Live } = await module("shared/live.js");
const { document } = window;

// -- the server ---------------------------------------------------------------------------------

const pipe = new Socket({ fd: Number(process.env.KERNELS) });
const waiting = new Map(); // what is asked -> how to tell it
let asked = 0;
createInterface({ input: pipe }).on("line", (line) => {
  const [number, { result, error }] = JSON.parse(line);
  const { resolve, reject } = waiting.get(number);
  waiting.delete(number);
  if (!waiting.size) pipe.unref();
  if (error) reject(new Error(error));
  else resolve(result);
});
pipe.unref();

/** Ask the server for something of its pages. */
function ask(...question) {
  pipe.ref();
  pipe.write(`${JSON.stringify([++asked, ...question])}\n`);
  return new Promise((resolve, reject) => waiting.set(asked, { resolve, reject }));
}

/** Speaks as the server's socket does. */
class KernelSocket {
  constructor(page) {
    Object.assign(this, { page, readyState: WebSocket.CONNECTING, held: null });
    ask("connect", page).then(() => {
      if (this.readyState === WebSocket.CLOSED) return;
      this.readyState = WebSocket.OPEN;
      this.onopen?.();
    });
  }

  send(message) { ask("say", this.page, message).then((told) => told.forEach((data) => this.hear(data))); }

  hear(data) {
    if (this.held) this.held.push(data);
    else this.onmessage?.({ data });
  }

  close() { this.readyState = WebSocket.CLOSED; }
}

/** The server of a page. */
class Server {
  constructor(page, token) {
    Object.assign(this, { page, token });
    this.live = new Live(() => (this.socket = new KernelSocket(page)));
  }

  /** Have a text replace that of a document, as a script does. */
  async put(text, name = "text") {
    await ask("put", this.page, name, text);
    this.socket.send('["painted", ""]'); // after which it tells what is new
    await settled();
  }

  /** Have the page show another view, as a script does. */
  async show(view, options = {}) {
    await ask("show", this.page, view, options);
    this.socket.send('["painted", ""]');
    await settled();
  }

  text(name = "text") { return ask("text", this.page, name); }

  /** Hold back what the server says from now on, or let it through. */
  hold() { this.socket.held = []; }

  async release() {
    const { held } = this.socket;
    this.socket.held = null;
    held.forEach((data) => this.socket.hear(data));
    await settled();
  }
}

/** Open a page of the server on a text, with a view of `kernels.py`. */
export async function serverOf(view, text = "", options = {}) {
  const { page, token } = await ask("open", text, view, options);
  return new Server(page, token);
}

/** What a saved page of a kind keeps of a text, packed. */
export function keptOf(kind, text, tokenizers) { return ask("kept", kind, text, tokenizers); }

/** The tokens that the package makes of a text: {id, piece, hex, colour, isPartial}. */
export function tokensOf(tokenizer, text) { return ask("tokens", tokenizer, text); }

/** The class of a chip of this colour of the palette. */
export function colourName(number) { return `c${number}`; }

/** The number of a chip's token in the text. */
export function numberOf(chip) { return chip.closest(".block").block.first + Number(chip.dataset.i); }

/** What the page says to a token view with an editor. */
export const EDITING = {
  session: "this one", source: "text", restore: true, rest: 400, seen: [1, 0], editable: true, label: "Text", label_visible: true,
  placeholder: "", rows: null, units_max: null, height: 288, panes: ["counts", "tokens", "list", "inspector"], big: false, fills: false, besides: [], seams: 1000,
};

/** Wait until the server has said all, and what follows of it is drawn. */
export async function settled() {
  for (let quiet = 0; quiet < 3; quiet = waiting.size ? 0 : quiet + 1) await sleep(1);
}

// -- components ---------------------------------------------------------------------------------

/** A component on a page. `told` is what it told the page: [name, value]. */
export class Shown {
  constructor(render, markup, data) {
    this.host = document.createElement("div");
    document.body.append(this.host);
    this.root = this.host.attachShadow({ mode: "open" });
    this.root.innerHTML = markup;
    this.told = [];
    this.render = render;
    this.show(data);
  }

  /** Show other data, as another run of the page's script does. */
  show(data) {
    this.data = { ...this.data, ...data };
    const tell = (...told) => this.told.push(told);
    this.leave = this.render({ data: this.data, parentElement: this.root, setTriggerValue: tell, setStateValue: tell }) ?? (() => {});
    return settled();
  }

  find(selector) { return this.root.querySelector(selector); }

  all(selector) { return [...this.root.querySelectorAll(selector)]; }

  /** The texts of all that are found, each run of white space as one space. */
  words(selector) { return this.all(selector).map((node) => node.textContent.replace(/\s+/g, " ").trim()); }

  /** Whether anything of it is seen: not hidden, nor in what is. */
  sees(selector) { return this.all(selector).some((node) => !node.closest("[hidden]")); }

  /** The button of a name. */
  button(name) {
    const named = this.all("button").filter((node) => (node.getAttribute("aria-label") ?? node.textContent.trim()) === name);
    if (named.length !== 1) throw new Error(`${named.length} buttons are named ${name}`);
    return named[0];
  }

  remove() {
    this.host.remove();
    this.leave();
  }
}

const onPage = [];

/** Put a component on an empty page, in a tab that remembers nothing. */
export async function shown(name, data, { keeps = false } = {}) {
  if (!keeps) {
    for (const before of onPage.splice(0)) before.remove();
    click(document.body); // or what is typed next would be for an editor that was there
    sessionStorage.clear();
  }
  const { default: render } = await module(`${name}/component.js`);
  const component = new Shown(render, markupOf(name), data);
  onPage.push(component);
  await settled();
  return component;
}

export function markupOf(name) {
  try {
    return readFileSync(new URL(`${name}/component.html`, ASSETS), "utf8");
  } catch {
    return ""; // it shows nothing of its own
  }
}

/** Put the component of a live view on a page, over a server that has this view of a text. */
export async function live(name, server, data = {}, options = {}) {
  const component = await shown(name, { connection: server.live, token: server.token, view: "view", document: "text", ...data }, options);
  server.live.connectAs(server.token);
  await settled();
  component.server = server;
  return component;
}
