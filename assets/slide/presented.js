// The slide that a window of this browser presents, for the other windows: {lesson, slide, note}.

export const PRESENTED = "tokviz.presented";

export function presentedSlide() {
  try {
    return JSON.parse(localStorage.getItem(PRESENTED));
  } catch {
    return null; // storage is switched off
  }
}

export function tellPresentedSlide(slide) {
  try {
    localStorage.setItem(PRESENTED, JSON.stringify(slide));
  } catch {
    // Switched off: nothing follows.
  }
}
