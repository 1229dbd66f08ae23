// Opens a GGUF file, which may have gigabytes, by its header, the only part of it that the server gets.

import { revealView } from "../shared/view.js";
import { headerOf } from "./header.js";

export default function render({ data, parentElement, setTriggerValue }) {
  const view = revealView(parentElement.querySelector(".view"));
  view.querySelector(".note").textContent = `Only its header goes to ${data.to}.`;
  const input = view.querySelector("input");
  const said = view.querySelector(".said");
  input.onchange = async () => {
    const [file] = input.files;
    if (!file) return;
    said.textContent = "Reading the header…";
    try {
      const header = await headerOf(file, data.bytesMax);
      const packed = await base64(new Blob([header]).stream().pipeThrough(new CompressionStream("gzip")));
      if (file !== input.files[0]) return; // another was chosen meanwhile
      said.textContent = "";
      setTriggerValue("message", { name: file.name, header: packed });
    } catch (error) {
      if (file !== input.files[0]) return;
      said.textContent = `${file.name}: ${error.message}`;
    }
    input.value = ""; // so that the same file can be chosen again
  };
}

async function base64(stream) {
  const reader = new FileReader();
  reader.readAsDataURL(await new Response(stream).blob());
  await new Promise((resolve, reject) => Object.assign(reader, { onload: resolve, onerror: () => reject(reader.error) }));
  return reader.result.slice(reader.result.indexOf(",") + 1);
}
