// The inspector: first what the browser knows about a token, then what the server adds.

import { appendText, chipClass, partialText, tokenChip, tokenFromHex, typedText, visibleElement, visibleToken } from "./chips.js";
import { characterCount, codePointName, utf8, visibleCharacter, visibleText } from "./text.js";
import { PENDING } from "./tokens.js";
import { button, element } from "./view.js";
import { countText, groupedNumber, mergePlaceText, mergeNumberText } from "./words.js";

const CHARACTERS_SHOWN = 3;

/** Add a fact to a list. */
export function addDefinition(list, name, ...values) {
  const value = element("dd", "", ...values);
  list.append(element("dt", "", name), value);
  return value;
}

/** Add the characters of a token, in words, to a list of facts: the first of `all`. */
export function addCharacters(list, words, all) {
  const shown = words.slice(0, CHARACTERS_SHOWN);
  const more = all > shown.length ? ` and ${countText(all - shown.length, "more", "more")}` : null;
  return addDefinition(list, "characters", ...shown.map((each) => element("span", "character", each)), more);
}

/** "U+4F60 你" for each of a token's characters, marked where it has only a part. */
function characterTexts(tokens, i) {
  return tokens.parts(i).map((part) => {
    const name = codePointName(part.text.codePointAt(0));
    const shown = visibleCharacter(part.text);
    const whole = part.to - part.from + 1 === part.of;
    return whole ? `${shown} ${name}` : `part of ${shown} ${name}`;
  });
}

function byteOffset(tokens, i) {
  if (tokens.placed) {
    const place = tokens.place(i);
    return utf8.encode(tokens.text.slice(0, place.start)).length + (place.valid ? place.byteStart : 0);
  }
  let offset = 0; // by the tokens' own bytes, since the text does not show bytes that are not UTF-8
  for (let j = 0; j < i; j++) offset += tokens.sizes[j];
  return offset;
}

/** What one is to know of a token first, in a sentence. */
function gist(tokens, i, isSpecial) {
  const parts = tokens.parts(i);
  const sees = `A model sees only its id, ${tokens.ids[i]}.`;
  if (isSpecial) return `A special token: a sign to the model. ${sees}`;
  if (!parts.length || tokens.ids[i] === tokens.unknown) return sees;
  const cut = parts.some(({ from, to, of }) => to - from + 1 < of);
  if (cut) return `It cuts through a character. ${sees}`;
  const spaced = parts.length > 1 && tokens.string(i).startsWith(" "); // which nobody counts as a letter
  return `${spaced ? "A space and " : ""}${countText(parts.length - Number(spaced), "character")} in one token. ${sees}`;
}

/** "☃, which is not in the vocabulary", for the unknown token, else "". */
function unknownTokenText(tokens, i) {
  return tokens.ids[i] === tokens.unknown ? `${visibleText(tokens.string(i))}, which is not in the vocabulary` : "";
}

/** "token 3 of 12: ␣world, id 1917, bytes 20 77 6f 72 6c 64", the name of a chip for a screen reader. */
export function tokenName(tokens, i) {
  if (tokens.ids[i] === PENDING) return "not tokenized yet";
  const held = partialText(tokens, i) || (tokens.widths[i] ? `bytes ${tokens.hex(i)}` : "no text");
  const words = unknownTokenText(tokens, i) || (tokens.isChanged(i) ? typedText(tokens, i) : "");
  return `token ${i + 1} of ${tokens.count}: ${visibleToken(tokens, i)}, id ${tokens.ids[i]}, ${words ? `for ${words}` : held}`;
}

function treeNode({ bytes, id, rank, left, right }) {
  const merge = left && rank != null ? element("small", "", `merge ${mergeNumberText(rank)}`) : null;
  const box = element("span", "node", tokenChip(tokenFromHex([bytes, id])), merge);
  box.title = `id ${id}, bytes ${bytes}`;
  return element("li", "", box, left ? element("ul", "", treeNode(left), treeNode(right)) : null);
}

export function mergeTree(tree) {
  const root = element("ul", "tree glyphs", treeNode(tree));
  root.ariaLabel = "Merge tree: every merge joins the two parts below it";
  return root;
}

/**
 * Draw the inspector for a token; `facts` is what the server says about it, null until it comes. `toSeams(section)` goes
 * to the Seams page, null where there is no way there; `isPiece`: whether that page can show all the ways to cut it.
 */
export function drawInspector(target, tokens, i, { special, facts, pinned, toSeams = null, isPiece = false }) {
  const [list, merges, around] = [element("dl"), element("dl"), element("dl")];
  const id = tokens.ids[i];
  const chip = element("span", chipClass(tokens.colour(i)));
  if (tokens.written(i) !== null) appendText(chip, tokens.written(i));
  else if (tokens.isPartial(i) || tokens.raw?.has(i)) chip.textContent = tokens.hex(i);
  else appendText(chip, tokens.string(i));
  const head = element("p", "subject", chip, element("span", "gist", gist(tokens, i, special.has(id))));
  const byte = byteOffset(tokens, i);
  addDefinition(list, "place", `token ${groupedNumber(i + 1)} of ${groupedNumber(tokens.count)}, from byte ${groupedNumber(byte)}, character ${groupedNumber(characterCount(tokens.text.slice(0, tokens.starts[i])))}`);
  let occurrences = 0;
  for (let j = 0; j < tokens.count; j++) if (tokens.ids[j] === id) occurrences++;
  addDefinition(list, "in this text", countText(occurrences, "time"));
  const part = partialText(tokens, i);
  if (part) addDefinition(list, "holds", part);
  if (id === tokens.unknown) addDefinition(list, "stands for", unknownTokenText(tokens, i));
  else if (!tokens.widths[i]) addDefinition(list, "stands for", "nothing in this text");
  else addDefinition(list, "bytes", tokens.hex(i)).className = "figures";
  if (tokens.isChanged(i)) addDefinition(list, "in the text", typedText(tokens, i), " (this tokenizer normalizes texts first)");
  const characters = characterTexts(tokens, i);
  if (characters.length) addCharacters(list, characters, characters.length);
  if (special.has(id)) addDefinition(list, "kind", "special token");
  if (facts) {
    drawMerges(merges, facts);
    drawPlace(around, facts);
    drawSeams(around, facts, toSeams, isPiece);
  } else if (!pinned) list.append(element("p", "more quiet", "Press it, or Enter, for more."));
  target.replaceChildren(element("div", "lists", element("div", "", head, list), merges, around));
}

/** Say how the vocabulary came to have a token. */
function drawMerges(list, facts) {
  if (facts.error) addDefinition(list, "more", facts.error);
  if (facts.written != null) addDefinition(list, "written", facts.written);
  if (facts.rank != null) addDefinition(list, "made by", facts.unmerged ?? mergePlaceText(facts.rank));
  if (facts.tree || facts.no_tree) addDefinition(list, "merges", facts.no_tree ?? mergeTree(facts.tree));
}

/** Say which pretoken a token is in, and why it does not go on to the left or to the right. */
function drawPlace(list, facts) {
  if (facts.pretoken != null) {
    const dd = addDefinition(list, "pretoken", visibleElement("span", "t plain", facts.pretoken));
    if (facts.alternative) {
      dd.append(element("span", "by", ` a piece cut off before merging, by “${facts.alternative.name}”`));
      dd.append(element("p", "quiet", facts.alternative.explanation));
    }
  }
  if (facts.left) addDefinition(list, "left of it", facts.left);
  if (facts.right) addDefinition(list, "right of it", facts.right);
}

/** Say that a token can still change, and in how many ways its bytes can be cut, with buttons that lead to Seams. */
function drawSeams(list, { open, ways }, toSeams, isPiece) {
  const link = (section, what) => {
    if (!toSeams) return "";
    return Object.assign(button("plain", "See it on Seams", () => toSeams(section)), { ariaLabel: `See it on Seams: ${what}` });
  };
  if (open) {
    const said = open.continuation === null ? ["perhaps, though no text was found that changes it "]
      : ["followed by ", element("code", "", visibleText(open.continuation)), ", becomes ", ...open.then.map(tokenFromHex).map(tokenChip), " "];
    addDefinition(list, "can change", ...said, link("Settled", "what can change")).classList.add("seam");
  }
  if (ways) addDefinition(list, "other cuts", `${groupedNumber(ways)} ways to cut its bytes into tokens `, isPiece ? link("All the ways", "all cuts") : "").classList.add("seam");
}
