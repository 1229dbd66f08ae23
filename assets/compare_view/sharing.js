// Where a page is presented, the columns are below each other and share the screen in whole lines.

import { SCALE_STEPS } from "../shared/panel.js";
import { partitionPoint } from "../shared/text.js";

/** How many lines each of several gets of `n`: what it needs, and the same as others that need more. */
export function sharedLines(needs, n) {
  const lines = [];
  const byNeed = needs.map((_, i) => i).sort((a, b) => needs[a] - needs[b]);
  byNeed.forEach((i, done) => {
    lines[i] = Math.min(needs[i], Math.floor(n / (needs.length - done)));
    n -= lines[i];
  });
  return lines;
}

/**
 * Give each column its lines of the room, in pixels; all in larger type than now if everything stays in sight.
 * `most`: the largest multiple of the usual type, or null where it stays as it is.
 */
export function shareRoom(columns, room, most) {
  const panels = columns.map(({ panel }) => panel);
  const lineHeight = () => parseFloat(getComputedStyle(panels[0].flow).lineHeight);
  const needs = () => columns.map(({ panel, nameHeight }) =>
    Math.max(Math.round(panel.flow.offsetHeight / lineHeight()), Math.ceil(nameHeight / lineHeight())));
  const setScale = (scale) => { for (const panel of panels) panel.setScale(scale); };
  if (most !== null) {
    const now = panels[0].scale;
    const steps = Math.round((most - now) * SCALE_STEPS);
    const isTooLarge = (step) => {
      setScale(now + (step + 1) / SCALE_STEPS);
      return needs().reduce((sum, n) => sum + n, 0) * lineHeight() > room || panels.some(({ flow }) => flow.scrollWidth > flow.clientWidth);
    };
    setScale(now + partitionPoint(steps, isTooLarge) / SCALE_STEPS);
  }
  sharedLines(needs(), Math.floor(room / lineHeight())).forEach((n, i) => columns[i].node.style.setProperty("--shown", n));
}
