import assert from "node:assert/strict";
import { test } from "node:test";
import { click, fill, point, pointAway, press, type, until } from "./window.js";
import { live, serverOf, settled } from "./shown.js";

const PANES = ["counts", "tokens", "list", "inspector"];
const PAGE = {
  session: "this one", source: "text", restore: true, rest: 400, seen: [1, 0], editable: true, label: "Text", label_visible: true,
  placeholder: "", rows: null, units_max: null, height: 288, panes: PANES, big: false, seams: 1000,
};

async function opened(text, options = {}, data = {}) {
  return live("token_view", await serverOf("token_view", text, options), { ...PAGE, ...data });
}

test("it opens", async () => {
  const view = await opened("low lower lowest");
  console.log(view.root.innerHTML);
  console.log(view.words("[data-count]"));
});
