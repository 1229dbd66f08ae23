// The kinds of questions that are answered by selecting places, each under the `kind` of its `drawing_data` in
// tokviz/exercises/questions.

import { charactersOf, visibleCharacter } from "../shared/text.js";
import { element } from "../shared/view.js";

/**
 * What a kind needs: the class of its row; what it draws, with `button` for a place that can be selected; the guess after
 * a place is clicked; and what it says of a guess until the answer is open.
 *
 * @typedef {(place: number, className: string, text: string, label?: string) => HTMLElement} Button
 * @typedef {{
 *   row?: string,
 *   draw: (data: Record<string, any>, button: Button) => HTMLElement[],
 *   select: (guess: number[], place: number) => number[],
 *   words?: (guess: number[]) => string,
 * }} Kind
 */

/** @type {Record<string, Kind>} */
export const KINDS = {
  options: {
    draw: ({ options }, button) => options.map((option, i) => button(i, "option", option)),
    select: (_, place) => [place],
  },
  cuts: {
    row: "cuts",
    draw: ({ text }, button) => drawText(charactersOf(text), button),
    select: (guess, place) => guess.includes(place) ? guess.filter((other) => other !== place) : [...guess, place],
    words: ({ length: n }) => n ? `${n} ${n === 1 ? "cut" : "cuts"}, so ${n + 1} tokens` : "Press between two letters to mark a cut. With no cut, it is one token.",
  },
};

function drawText(characters, button) {
  const drawn = [];
  characters.forEach((character, i) => {
    const shown = visibleCharacter(character.text);
    const before = i && visibleCharacter(characters[i - 1].text);
    if (i) drawn.push(button(i, "cut", "", `Cut between ${before} and ${shown}, after ${i} of ${characters.length}`));
    drawn.push(element("span", character.text === " " ? "character quiet" : "character", shown));
  });
  return drawn;
}
