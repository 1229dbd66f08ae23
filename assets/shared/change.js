// A change of a text, or of its tokens: now[start..newStop-1] replaces old[start..oldStop-1].

/** @typedef {{start: number, oldStop: number, newStop: number}} Change */

/**
 * The change from the old state of the first to the new state of the later one; null means no change.
 * @param {?Change} first
 * @param {?Change} later
 * @returns {?Change}
 */
export function composedChange(first, later) {
  if (!first || !later) return first ?? later;
  const shift = first.newStop - first.oldStop;
  const laterShift = later.newStop - later.oldStop;
  return {
    start: Math.min(first.start, later.start),
    oldStop: Math.max(first.oldStop, later.oldStop - shift),
    newStop: Math.max(first.newStop + laterShift, later.newStop),
  };
}

/**
 * The change back.
 * @param {?Change} change
 * @returns {?Change}
 */
export function inverseChange(change) {
  return change && { start: change.start, oldStop: change.newStop, newStop: change.oldStop };
}

/**
 * An index after a change; null if the change touches it.
 * @param {?number} index
 * @param {?Change} change
 * @returns {?number}
 */
export function movedIndex(index, change) {
  if (index == null || !change || index < change.start) return index;
  return index >= change.oldStop ? index + change.newStop - change.oldStop : null;
}
