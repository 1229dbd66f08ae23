"""What a person could not read on a page: text cut off at an edge, and text below Streamlit's menu."""

from contextlib import suppress

from playwright.sync_api import Page
from polling import wait_until

# Every text and every single-line box, in components too, against the edges of all that clips it. What scrolls down is
# not cut off, and neither is what only screen readers have: it is clipped to nothing or stands left of the window.
CUT_OFF = """() => {
  const isPhone = innerWidth < 640; // where a table scrolls sideways
  const inside = (node) => [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes].flatMap((child) =>
    child.nodeType === Node.TEXT_NODE ? [child]
      : child.nodeType === Node.ELEMENT_NODE && !child.matches("style, script") ? [child, ...inside(child)] : []);
  const parentOf = (node) => node.parentElement ?? node.getRootNode().host;
  const seen = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const ofText = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return range.getBoundingClientRect();
  };
  const edgeThatCuts = (text) => {
    const box = ofText(text);
    if (box.width <= 1 || box.height <= 1 || box.right < 0) return null;
    let [across, cut] = [true, null];
    for (let node = parentOf(text); node && node !== document.body; node = parentOf(node)) {
      const style = getComputedStyle(node);
      if (style.clipPath !== "none" || (node.clientWidth <= 1 && style.overflowX !== "visible")) return null;
      if (style.display === "inline" || style.display === "contents") continue;
      if (isPhone && /auto|scroll/.test(style.overflowX)) across = false;
      const left = node.getBoundingClientRect().left + node.clientLeft;
      const hides = across && style.overflowX !== "visible";
      if (hides && (box.left < left - 1.5 || box.right > left + node.clientWidth + 1.5)) cut ??= node;
      if (style.position === "fixed") break;
    }
    if (!cut && across && (box.left < -1 || box.right > innerWidth + 1)) cut = document.documentElement;
    return cut;
  };
  const cut = [];
  for (const node of inside(document.body)) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (node.data.trim() && seen(parentOf(node)) && edgeThatCuts(node)) cut.push(node.data.trim());
    } else if (node.matches("input:not([type=checkbox], [type=radio], [type=range]), .one-line, .dvn-scroller")) {
      const isWide = node.scrollWidth > node.clientWidth + 1 && !(isPhone && node.matches(".dvn-scroller"));
      const isTall = node.matches(".one-line") && node.scrollHeight > node.clientHeight + 1;
      if (seen(node) && node.clientWidth > 1 && (isWide || isTall)) cut.push(node.value ?? "a table");
    }
  }
  return cut;
}"""

# Of every text that a slide shows, in components too: not of buttons, which are for whoever stands in front, and not of
# the counts and names of bytes that stand at tokens. A long row of tokens shrinks, and ids are small, to 24 pixels
# where all else has at least 32, since a row that breaks is misread.
TYPE_SIZES = """() => {
  const LEFT_OUT = "style, script, button:not(.option), .part, .k, .hidden";
  const BOX = "input:not([type=checkbox]), textarea";
  const sizes = [];
  const visit = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) visit(node.shadowRoot);
      const isText = node.matches(BOX) || [...node.childNodes].some((child) => child.data?.trim());
      if (!isText || !node.checkVisibility() || node.closest(LEFT_OUT)) continue;
      const words = node.value ?? node.textContent;
      const size = parseFloat(getComputedStyle(node).fontSize) * (node.closest(".lines .flow, .cuts") ? 32 / 24 : 1);
      if (node.getBoundingClientRect().width > 1) sizes.push([size, words]);
    }
  };
  visit(document.querySelector(".st-key-slide"));
  return sizes;
}"""

# How far what a slide shows is from the left and right edges of the window, and from the bar and the lower edge.
PLACE = """() => {
  const { left, right, top, bottom } = document.querySelector(".st-key-slide").getBoundingClientRect();
  const bar = document.querySelector(".st-key-presented").getBoundingClientRect();
  return { left, right: innerWidth - right, above: top - bar.bottom, below: innerHeight - bottom };
}"""

# The bar of a presented page scrolls with it, and meets nothing.
BELOW_BAR = """() => {
  const kept = ["merges-toolbar", "training-settings", "playground-tools", "choice-row"].map((key) => `.st-key-${key}`);
  const IN_BAR = [".st-key-presented", ...kept].join();
  const boxes = [...document.querySelectorAll(`:is(${IN_BAR}), :is(${IN_BAR}) :is(p, button)`)]
    .filter((node) => node.checkVisibility()).map((node) => node.getBoundingClientRect());
  const bar = { top: Math.min(...boxes.map((box) => box.top)), bottom: Math.max(...boxes.map((box) => box.bottom)) };
  const SHOWN = "p, button, a, input, h1, h2, h3, canvas, [data-testid=stBidiComponentRegular]";
  return [...document.querySelectorAll(`[data-testid=stMainBlockContainer] :is(${SHOWN})`)]
    .filter((node) => node.checkVisibility() && !node.closest(`${IN_BAR}, .st-key-unseen`))
    .map((node) => [node, node.getBoundingClientRect()])
    .filter(([, box]) => box.width > 1 && box.height > 1 && box.top < bar.bottom && box.bottom > bar.top)
    .map(([node]) => node.textContent || node.tagName);
}"""


def cut_off(page: Page) -> list[str]:
    """Return the texts that are cut off at the left or right edge of something, and tables wider than their place."""
    return page.evaluate(CUT_OFF)


def type_sizes(page: Page) -> list[float]:
    """Return the sizes of type of all texts of a slide, in pixels."""
    return [size for size, _ in page.evaluate(TYPE_SIZES)]


def small_type(page: Page, least: float) -> list[tuple[float, str]]:
    """Return the texts of a slide, once it is laid out, whose type is smaller than `least` pixels, with its size."""
    with suppress(TimeoutError):
        wait_until(page, lambda: min(type_sizes(page)) >= least, seconds=5)
    return [(size, words) for size, words in page.evaluate(TYPE_SIZES) if size < least]


def place_of_slide(page: Page) -> dict[str, float]:
    """Return the room in pixels at the `left` and `right` of what a slide shows, `above` it to the bar, and `below`."""
    return page.evaluate(PLACE)


def below_bar(page: Page) -> list[str]:
    """Return what the bar of a presented page lies over."""
    return page.evaluate(BELOW_BAR)


def rgb(colour: str) -> str:
    """Return a colour as a browser writes it.

    >>> rgb("#f7afb5")
    'rgb(247, 175, 181)'
    """
    return f"rgb({', '.join(str(each) for each in bytes.fromhex(colour[1:]))})"
