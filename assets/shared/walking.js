// Moving through a panel by pointer and keys, and what a selection in it covers.

const STRIDES = { ArrowRight: 1, ArrowLeft: -1, PageDown: 100, PageUp: -100 }; // tokens

/**
 * Listen to what a person does in a panel. `point(index, event)` gets the token under the pointer, null for none;
 * `enter(index)` the active one when the panel gets the focus, null for none; `go(index, now)` the one that a key leads to
 * from the token `now`; `choose(index)` the one that is clicked, or that Enter is pressed on. `copied(range)` returns what
 * is copied of `selectedTokens`, null for what the browser would copy.
 */
export function listenToPanel(root, panel, { point, enter, go, choose, copied }) {
  const { scroller } = panel;
  let pressed = null; // where the pointer was last pressed
  scroller.addEventListener("pointerdown", (event) => { pressed = event; });
  scroller.addEventListener("pointerover", (event) => {
    // What a click opens may move other tokens under a pointer that has not moved.
    const rests = event.clientX === pressed?.clientX && event.clientY === pressed?.clientY;
    if (!rests) point(panel.indexAt(event.target), event);
  });
  scroller.addEventListener("pointerleave", () => point(null));
  scroller.addEventListener("blur", () => point(null));
  scroller.addEventListener("focus", () => enter(panel.marks.active ?? null));
  scroller.addEventListener("click", (event) => {
    const index = panel.indexAt(event.target);
    if (index !== null && selectionIn(root)?.isCollapsed) choose(index);
  });
  scroller.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== "a") return;
      event.preventDefault();
      selectionIn(root).selectAllChildren(panel.flow); // and nothing around it
      return;
    }
    const now = panel.marks.active ?? 0;
    const next = tokenAfterKey(panel, now, event.key);
    if (next === null && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (next !== null) go(next, now);
    else choose(now);
  });
  scroller.addEventListener("copy", (event) => {
    const range = selectedTokens(root, panel);
    const text = range && copied(range);
    if (text === null) return;
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
  });
}

/** The selection in a shadow tree. */
export function selectionIn(root) { return root.getSelection?.() ?? document.getSelection(); }

/** The place from 0 to `last` that a key leads to from another one, null for a key that leads nowhere; `strides`: how far. */
export function placeAfterKey(key, now, last, strides) {
  const to = key === "Home" ? 0 : key === "End" ? last : key in strides ? now + strides[key] : null;
  return to === null ? null : Math.min(Math.max(to, 0), last);
}

/** The token that a key leads to from the token `now`, or null for a key that leads nowhere. */
function tokenAfterKey(panel, now, key) {
  const direction = { ArrowDown: 1, ArrowUp: -1 }[key];
  return direction ? rowNeighbour(panel, now, direction) : placeAfterKey(key, now, panel.tokens.count - 1, STRIDES);
}

/** The token nearest in the row above (-1) or below (+1). */
function rowNeighbour(panel, index, direction) {
  const here = panel.chip(index)?.getBoundingClientRect();
  if (!here) return index + direction;
  const x = here.left + here.width / 2;
  let best = null;
  let rowTop = null;
  for (let i = index + direction; i >= 0 && i < panel.tokens.count && Math.abs(i - index) < 400; i += direction) {
    const box = panel.chip(i)?.getBoundingClientRect();
    if (!box || Math.abs(box.top - here.top) < here.height / 2) continue;
    rowTop ??= box.top;
    if (Math.abs(box.top - rowTop) > here.height / 2) break;
    const distance = Math.abs(box.left + box.width / 2 - x);
    if (best === null || distance < best.distance) best = { i, distance };
  }
  return best?.i ?? index + direction;
}

/** The tokens and the text that a selection in a panel covers, with its start and stop in UTF-16 units; or null. */
export function selectedTokens(root, panel) {
  const { tokens } = panel;
  if (!tokens.count) return null;
  const selection = selectionIn(root);
  const range = selection?.getComposedRanges?.({ shadowRoots: [root] })[0] ?? (selection?.rangeCount ? selection.getRangeAt(0) : null);
  if (!range || range.collapsed) return null;
  const from = positionInText(panel, range.startContainer, range.startOffset);
  const to = positionInText(panel, range.endContainer, range.endOffset);
  if (!from || !to) return null;
  const [start, stop] = [from.offset, to.offset];
  return { first: from.index, last: to.index, start, stop, text: tokens.text.slice(start, stop) };
}

/** The token and the UTF-16 offset in the text of a place in a panel's document. */
function positionInText(panel, container, offset) {
  const { tokens } = panel;
  const inFlow = container === panel.flow || panel.flow.contains(container);
  if (!inFlow) return null;
  const block = (container.nodeType === 1 ? container : container.parentElement).closest(".block")?.block ??
    panel.blocks[Math.min(offset, panel.blocks.length - 1)];
  if (container === panel.flow) {
    const ended = offset >= panel.blocks.length;
    const index = ended ? tokens.count - 1 : block.first;
    return { index, offset: ended ? tokens.starts[tokens.count] : tokens.starts[index] };
  }
  // Everything in a block is the text itself, in order: count the units before the place.
  const before = document.createRange();
  before.setStart(block.node, 0);
  before.setEnd(container, offset);
  const at = tokens.textStart(block.first) + before.toString().length;
  const chip = (container.nodeType === 1 ? container : container.parentElement).closest("[data-i]");
  return { index: chip ? block.first + Number(chip.dataset.i) : tokens.at(at), offset: at };
}

/**
 * Make a token, or the nearest there is, the one that keys go on from in a panel, and have a screen reader say its name;
 * in sight if it `reveals`. `selected`: the one that is pinned, `undefined` where none ever is. `panels`: all that mark
 * it. Returns the token, null where there is none.
 */
export function activateToken(panel, index, { name, selected, id = "active", reveals = true, panels = [panel] }) {
  const { count } = panel.tokens;
  if (!count) return null;
  const at = Math.min(Math.max(index, 0), count - 1);
  for (const each of panels) {
    each.mark("active", at);
    if (reveals) each.reveal(at);
    for (const attribute of ["id", "role", "aria-label", "aria-posinset", "aria-selected", "aria-setsize"]) each.option?.removeAttribute(attribute);
    each.option = null;
  }
  const chip = panel.chip(at);
  if (!chip) return at;
  const ariaSelected = selected === undefined ? null : String(at === selected);
  panel.option = Object.assign(chip, { id, role: "option", ariaLabel: name(at), ariaPosInSet: String(at + 1), ariaSelected, ariaSetSize: String(count) });
  panel.scroller.setAttribute("aria-activedescendant", id);
  return at;
}
