// A single token in a sentence, a table or a tree.

import { appendText, chipClass, element } from "./pieces.js";
import { hex, MARKS } from "./text.js";

const fatalUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const NO_SPECIAL = new Set();

/** A token as a chip in a sentence or a table: its text, or its bytes if it does not consist of whole characters. */
export function tokenChip({ bytes, id }) {
  const chip = element("span", `${chipClass(id, NO_SPECIAL)} name`);
  const text = textOfBytes(bytes);
  if (text === null) {
    chip.classList.add("bytes");
    chip.textContent = hex(bytes);
  } else appendText(chip, MARKS.test(text) ? `◌${text}` : text); // a mark alone stands on a dotted circle
  for (const lineEnd of chip.querySelectorAll(".nl")) lineEnd.textContent = ""; // its sign is enough here
  return chip;
}

export function tokenOfHex([hexed, id]) {
  return { bytes: bytesOfHex(hexed), id };
}

/** The text of bytes, or null if they are not whole characters. */
function textOfBytes(bytes) {
  try {
    return fatalUtf8.decode(bytes);
  } catch {
    return null;
  }
}

export function bytesOfHex(hexed) {
  return Uint8Array.from(hexed ? hexed.split(" ") : [], (byte) => parseInt(byte, 16));
}
