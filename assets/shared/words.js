// Numbers as people read them.

/**
 * A number of any length in groups of three digits.
 * @param {string | number | bigint} number
 */
export function groupedNumber(number) { return String(number).replace(/\B(?=(\d{3})+$)/g, ","); }

/** "1 token", "1,234 tokens". */
export function countText(number, one, many = `${one}s`) { return `${groupedNumber(number)} ${number === 1 ? one : many}`; }

/** How often something occurs: "nowhere", "once", "3 times". */
export function timesText(number) { return number === 0 ? "nowhere" : number === 1 ? "once" : countText(number, "time"); }

/** The number of a merge: the first, whose rank is 0, is merge 1. */
export function mergeNumberText(rank) { return groupedNumber(rank + 1); }

/** "merge 4,572 (merge 1 was learned first)". */
export function mergePlaceText(rank) { return `merge ${mergeNumberText(rank)} (merge 1 was learned first)`; }
