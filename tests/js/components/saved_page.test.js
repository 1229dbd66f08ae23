// Pages that are single files: what was kept answers in place of a server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { click, point, press, until, window } from "./window.js";
import { keptOf, markupOf, module, settled, tokensOf } from "./shown.js";

const { document } = window;
const HOSTILE = "</script><script>hit = 1</script><!-- <b>ภาษาไทย the ferries </template>\n";

/** Open a page that was saved: its parts, as the file has them. */
async function saved(kind, text, tokenizers) {
  const view = document.createElement("main");
  view.id = "view";
  const root = view.attachShadow({ mode: "open" });
  const choices = Object.assign(document.createElement("fieldset"), { id: "choices" });
  root.innerHTML = markupOf(kind);
  root.prepend(choices);
  const kept = Object.assign(document.createElement("script"), { id: "kept", type: "text/plain", textContent: await keptOf(kind, text, tokenizers) });
  document.body.replaceChildren(view, kept);
  const { showKept } = await module("saved_page/page.js");
  const { default: component } = await module(`${kind}/component.js`);
  await showKept(component);
  await until(() => !root.querySelector(".view").classList.contains("unready"));
  await settled();
  return { root, choices, find: (selector) => root.querySelector(selector), all: (selector) => [...root.querySelectorAll(selector)] };
}

test("a saved text shows its tokens under the tokenizer that is chosen, and the facts of each", async () => {
  const { choices, find, all } = await saved("token_view", HOSTILE, ["gpt2", "gpt2@500"]);
  assert.deepEqual([...choices.querySelectorAll("label")].map(({ textContent }) => textContent), ["gpt2", "gpt2@500"]);
  const [, radio] = choices.querySelectorAll("input");
  for (const [name, choose] of [["gpt2", () => {}], ["gpt2@500", () => radio.click()]]) {
    choose();
    const tokens = await tokensOf(name, HOSTILE);
    await until(() => find("[data-count=tokens]").textContent === String(tokens.length));
    assert.equal(find("#tokens .flow").textContent, HOSTILE);
  }
  assert.ok(radio.checked);
  const tokens = await tokensOf("gpt2@500", HOSTILE);
  const at = tokens.findLastIndex(({ piece }) => piece.length > 2);
  const chip = all("#tokens [data-i]").find((each) => each.textContent === tokens[at].piece);
  point(chip, { clientX: 1, clientY: 1 });
  assert.ok(find(".pointed").textContent.startsWith(`id ${tokens[at].id} · `));
  click(chip);
  await until(() => find(".facts").textContent.includes("made by"));
  assert.ok(find(".facts .tree"));
  assert.equal(document.querySelectorAll("script").length, 1);
});

test("saved columns are compared, and keep the reference that is chosen", async () => {
  const { find, all } = await saved("compare_view", "the ferries", ["gpt2", "gpt2@300"]);
  assert.equal(all(".column").length, 2);
  click(find("[data-do=next]"));
  assert.match(find(".found").textContent, /^1 of \d+ differences?$/);
  click(all(".reference")[1]);
  assert.equal(all(".reference")[1].ariaPressed, "true");
});

test("a saved history begins at its step, and every step can be gone to", async () => {
  const { find } = await saved("time_machine", "the ferry there", ["gpt2"]);
  assert.equal(find("[data-figure=step]").textContent, "500");
  await until(() => find(".rows li"));
  const slider = find(".slider");
  press(slider, "Home");
  assert.equal(find("[data-figure=tokens]").textContent, "15");
  await until(() => find(".choose-words").textContent.startsWith("These merges were learned elsewhere") && !find(".decision.waiting"));
  assert.ok(find("tr.chosen"));
});
