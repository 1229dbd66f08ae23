// A single token in a sentence, a table or a tree.

import { colourOf, settled } from "./colours.js";
import { appendText, chipClass, element } from "./chips.js";
import { hex, MARKS } from "./text.js";

const fatalUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * A token as a chip in a sentence or a table: its text, or its bytes if it does not consist of whole characters. Alone
 * it has the colour of its id.
 */
export function tokenChip({ bytes, id }, colour = colourOf(id)) {
  const chip = element("span", `${chipClass(colour)} name`);
  const text = textOfBytes(bytes);
  if (text === null) {
    chip.classList.add("bytes");
    chip.textContent = hex(bytes);
  } else appendText(chip, MARKS.test(text) ? `◌${text}` : text); // a mark alone stands on a dotted circle
  for (const lineEnd of chip.querySelectorAll(".nl")) lineEnd.textContent = ""; // its sign is enough here
  return chip;
}

/** Chips of tokens side by side. */
export function tokenChips(tokens) {
  const colours = settled(tokens.map(({ id }) => colourOf(id)));
  return tokens.map((token, i) => tokenChip(token, colours[i]));
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
