// What a learner predicts before the answer is shown: one of several options, or where a text is cut.
//
// The guess is kept here and told whole, so that no click is lost between two answers of the server.

import { charactersOf, visibleCharacter } from "../shared/text.js";
import { appear, element } from "../shared/view.js";

const PREDICTIONS = new WeakMap();

function isRight(prediction, value) {
  return prediction.data.solution?.includes(value);
}

function stateOf(prediction, value) {
  const picked = prediction.guess.includes(value);
  const told = prediction.data.solution !== null;
  return { picked, right: told && isRight(prediction, value), missed: told && picked && !isRight(prediction, value) };
}

function mark(prediction) {
  for (const [value, button] of prediction.buttons) {
    const state = stateOf(prediction, value);
    for (const [name, on] of Object.entries(state)) button.classList.toggle(name, on);
    button.disabled = prediction.data.solution !== null;
    button.setAttribute("aria-pressed", String(state.picked));
  }
  const { kind, verdict } = prediction.data;
  prediction.said.textContent = verdict || (kind === "cuts" ? cutWords(prediction) : "");
  prediction.said.className = verdict ? `said ${verdict.startsWith("Right") ? "right" : "wrong"}` : "said";
}

/** How many cuts there are, or how to make the first, as long as the answer is not open. */
function cutWords({ guess: { length: n }, data: { solution } }) {
  if (solution !== null) return "";
  return n ? `${n} ${n === 1 ? "cut" : "cuts"}, so ${n + 1} tokens` : "Click wherever it cuts. As it stands, it is one token.";
}

function pick(prediction, value) {
  const { guess, data } = prediction;
  if (data.kind === "options") prediction.guess = [value];
  else prediction.guess = guess.includes(value) ? guess.filter((other) => other !== value) : [...guess, value];
  data.verdict = ""; // of another guess
  mark(prediction);
  prediction.send("message", { question: data.question, guess: prediction.guess });
}

function buttonFor(prediction, value, className, text, label) {
  const button = element("button", className, text);
  button.type = "button";
  if (label) button.setAttribute("aria-label", label);
  button.addEventListener("click", () => pick(prediction, value));
  prediction.buttons.push([value, button]);
  return button;
}

function drawOptions(prediction) {
  return prediction.data.options.map((option, i) => buttonFor(prediction, i, "option", option));
}

function drawCuts(prediction) {
  const drawn = [];
  const characters = charactersOf(prediction.data.text);
  characters.forEach((character, i) => {
    const shown = visibleCharacter(character.text);
    const before = i && visibleCharacter(characters[i - 1].text);
    if (i) drawn.push(buttonFor(prediction, i, "cut", "", `Cut between ${before} and ${shown}, after ${i} of ${characters.length}`));
    drawn.push(element("span", character.text === " " ? "character space" : "character", shown));
  });
  return drawn;
}

export default function render({ data, parentElement, setStateValue }) {
  const view = parentElement.querySelector(".view");
  appear(view);
  if (!data) return;
  const known = PREDICTIONS.get(parentElement);
  const prediction = known ?? { said: view.querySelector(".said"), row: view.querySelector(".row-of") };
  PREDICTIONS.set(parentElement, prediction);
  const anew = prediction.data?.question !== data.question;
  if (anew || data.solution !== null) prediction.guess = data.guess;
  prediction.data = data;
  prediction.send = setStateValue; // unlike a trigger, it comes along with whatever is asked for next
  if (anew) {
    prediction.buttons = [];
    prediction.row.className = data.kind === "cuts" ? "row-of cuts" : "row-of";
    prediction.row.setAttribute("aria-label", data.ask);
    prediction.row.replaceChildren(...(data.kind === "cuts" ? drawCuts(prediction) : drawOptions(prediction)));
  }
  mark(prediction);
}
