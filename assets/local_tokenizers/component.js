// The tokenizers found on this computer, each with its family, size and folder. A click opens one.

import { revealView, button, element } from "../shared/view.js";

const FILTERED_FROM = 8; // a shorter list needs no filter

export default function render({ data, parentElement, setTriggerValue }) {
  const view = revealView(parentElement.querySelector(".view"));
  const [label, list, said] = [".filter", "ul", ".said"].map((selector) => view.querySelector(selector));
  const filter = label.querySelector("input");
  const open = (number) => setTriggerValue("message", { search: data.search, number });
  const entries = data.tokenizers.map((tokenizer, number) => entryOf(tokenizer, () => open(number)));
  const show = () => {
    const words = filter.value.toLowerCase().split(/\s+/);
    const shown = entries.filter((entry) => words.every((word) => entry.textContent.toLowerCase().includes(word)));
    list.replaceChildren(...shown);
    said.textContent = shown.length || !entries.length ? "" : "No name, family or folder has these words.";
  };
  label.hidden = entries.length < FILTERED_FROM;
  if (label.hidden) filter.value = "";
  filter.oninput = show;
  show();
}

function entryOf(tokenizer, open) {
  const folder = element("span", "folder", tokenizer.folder);
  folder.title = tokenizer.folder; // it may be cut off
  const content = [element("span", "title", tokenizer.name), element("span", "family", tokenizer.family), element("span", "size", tokenizer.size)];
  return element("li", "", button("", [...content, folder], open));
}
