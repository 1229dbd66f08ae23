// A teacher's notes in a window of their own: the note of the slide that another window of this browser presents is marked.

import { storedValue } from "../shared/storage.js";

let lesson = null;

/** Mark the note of the slide that is presented; one of another lesson opens the notes of that lesson. */
function follow(opens) {
  const slide = storedValue("presented", "localStorage"); // {lesson, slide, note}
  if (!lesson || !slide) return;
  if (slide.lesson !== lesson) {
    if (opens) location.search = new URLSearchParams({ lesson: slide.lesson, notes: "1" });
    return;
  }
  for (const note of document.querySelectorAll('[class*="st-key-note-"]')) {
    const isCurrent = note.classList.contains(`st-key-note-${slide.note}`);
    note.toggleAttribute("data-current", isCurrent);
    if (isCurrent) note.scrollIntoView({ block: "center" });
  }
}

addEventListener("storage", ({ key }) => { if (key === "tokviz.presented") follow(true); });

export default function render({ data }) {
  lesson = data.lesson;
  follow(false); // it may be left over from yesterday
  return () => { lesson = null; };
}
