// What a learner predicts before the answer is shown: places that are selected in what a kind of question draws.
//
// The guess is kept here and sent whole, so that no click is lost between two answers of the server.

import { button, revealView } from "../shared/view.js";
import { KINDS } from "./kinds.js";

const PREDICTIONS = new WeakMap();

function showGuess({ buttons, guess, said, data: { kind, solution, verdict } }) {
  const isOpen = solution !== null;
  for (const [place, node] of buttons) {
    const picked = guess.includes(place);
    const right = isOpen && solution.includes(place);
    for (const [name, on] of Object.entries({ picked, right, missed: isOpen && picked && !right })) node.classList.toggle(name, on);
    node.disabled = isOpen;
    node.ariaPressed = String(picked);
  }
  said.textContent = verdict || (isOpen ? "" : KINDS[kind].words?.(guess) ?? "");
  said.className = verdict ? `said ${verdict.startsWith("Right") ? "right" : "wrong"}` : "said";
}

function selectPlace(prediction, place) {
  const { data } = prediction;
  prediction.guess = KINDS[data.kind].select(prediction.guess, place);
  data.verdict = ""; // of another guess
  showGuess(prediction);
  prediction.send("message", { question: data.question, guess: prediction.guess });
}

function buttonFor(prediction, place, className, text, label) {
  const made = button(className, text, () => selectPlace(prediction, place));
  if (label) made.ariaLabel = label;
  prediction.buttons.push([place, made]);
  return made;
}

export default function render({ data, parentElement, setStateValue }) {
  const view = revealView(parentElement.querySelector(".view"));
  const known = PREDICTIONS.get(parentElement);
  const prediction = known ?? { said: view.querySelector(".said"), row: view.querySelector(".row-of") };
  PREDICTIONS.set(parentElement, prediction);
  const anew = prediction.data?.question !== data.question;
  if (anew || data.solution !== null) prediction.guess = data.guess;
  prediction.data = data;
  prediction.send = setStateValue; // unlike a trigger, it arrives together with the next request
  if (anew) {
    const { row = "", draw } = KINDS[data.kind];
    prediction.buttons = [];
    prediction.row.className = `row-of ${row}`.trim();
    prediction.row.setAttribute("aria-label", data.ask);
    prediction.row.replaceChildren(...draw(data, (...look) => buttonFor(prediction, ...look)));
  }
  showGuess(prediction);
}
