"""What the benches run in the page: the way from an event to the frame that shows its effect, and what arrives."""

from playwright.sync_api import Locator, Page

# `painted` is when the next frame has been painted: in a frame, a message comes after its painting. `afterEvent` waits
# for a change of the watched element; its observer runs in the task that made the change. `bytes` sums what the
# server sends, `arrived` is when the last large message before it came, `firstPaint` when the first chips were painted.
TIMERS = """
window.bench = { bytes: 0 };
bench.root = () => [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
  .map((host) => host.shadowRoot).find((root) => root?.querySelector('.view'));
bench.afterPaint = () => new Promise((done) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => done(performance.now());
  channel.port2.postMessage(0);
});
bench.painted = () => new Promise((done) => requestAnimationFrame(() => bench.afterPaint().then(done)));
bench.afterEvent = (type, target, watched, wanted) => new Promise((done) => {
  let start;
  target.addEventListener(type, (event) => { start ??= event.timeStamp; }, { capture: true, once: true });
  const observer = new MutationObserver(async () => {
    if (!wanted()) return;
    observer.disconnect();
    done(await bench.painted() - start);
  });
  observer.observe(watched, { subtree: true, childList: true, characterData: true, attributes: true,
    attributeFilter: ['class'] });
});
const noted = (listener) => function (event) {
  const size = event.data.byteLength ?? event.data.size ?? event.data.length;
  bench.bytes += size;
  if (size > 200000 && !bench.firstPaint) bench.arrived = performance.now();
  return listener.call(this, event);
};
const add = WebSocket.prototype.addEventListener;
WebSocket.prototype.addEventListener = function (type, listener, ...rest) {
  return add.call(this, type, type === 'message' ? noted(listener) : listener, ...rest);
};
const onmessage = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage');
Object.defineProperty(WebSocket.prototype, 'onmessage', {
  ...onmessage, set(listener) { onmessage.set.call(this, listener && noted(listener)); },
});
const watch = () => {
  if (!bench.root()?.querySelector('.block .t')) return requestAnimationFrame(watch);
  bench.afterPaint().then((now) => { bench.firstPaint = now; });
};
document.addEventListener('DOMContentLoaded', watch);
"""

ARM_HOVER = """() => {
  const root = bench.root();
  window.result = bench.afterEvent('pointerover', root.querySelector('#tokens, .column .scroller'),
    root.querySelector('#tokens .flow, .columns'), () => root.querySelector('.t.lit'));
}"""

# A chip may go on in the next row, where the middle of its box lies on another one; and it may be out of sight.
MIDDLES_IN_SIGHT = """chips => chips.flatMap((chip) => {
  const row = chip.getClientRects()[0];
  if (!row) return [];
  const [x, y] = [row.left + row.width / 2, row.top + row.height / 2];
  return chip.getRootNode().elementFromPoint(x, y) === chip ? [[x, y]] : [];
})"""

SET_CARET = """(place) => {
  const editor = bench.root().querySelector('textarea');
  const at = place === 'end' ? editor.value.length : Math.floor(editor.value.length / 2);
  editor.focus();
  editor.setSelectionRange(at, at);
}"""


def keystrokes(page: Page, arm: str, runs: int) -> list[float]:
    """Return milliseconds from a key to what shows its effect, half of them amid the text.

    `arm`: a script that puts a promise of one such time into `window.result`.
    """
    found = []
    for place in ("middle", "end"):
        page.evaluate(SET_CARET, place)
        for i in range(runs // 2 + 2):
            page.evaluate(arm)
            page.keyboard.press("abcdefgh"[i % 8])
            milliseconds = page.evaluate("window.result")
            if i >= 2:  # the first two warm the caches
                found.append(milliseconds)
            page.wait_for_timeout(150)
    return found


def hovers(page: Page, chips: Locator, runs: int) -> list[float]:
    """Return milliseconds from the pointer's arrival on one of the chips in sight to the painted highlight."""
    found = []
    places = chips.evaluate_all(MIDDLES_IN_SIGHT)
    assert len(places) >= runs, places
    for x, y in places[:: len(places) // runs][:runs]:
        page.mouse.move(2, 2)
        page.wait_for_timeout(60)
        page.evaluate(ARM_HOVER)
        page.mouse.move(x, y)
        found.append(page.evaluate("window.result"))
    return found
