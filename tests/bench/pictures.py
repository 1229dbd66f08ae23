"""Takes the pictures of README.md and docs from the pages as they are, light and dark, and writes them to docs.

Run `python tests/bench/pictures.py` from the top of the repository once the pages have changed.
"""

from collections.abc import Callable

from harness import ROOT
from playwright.sync_api import Page, expect, sync_playwright
from polling import wait_until_idle
from programs import chromium
from serving import CHROMIUM_FLAGS, serving

from tokviz.lessons import lesson_named

DOCS = ROOT / "docs"
WAIT = 30_000  # milliseconds
TEXT = """\
Tokens are not words: unbelievable,
3221 + 2334 = 5555.
ภาษาไทยไม่เว้นวรรคระหว่างคำ
今天天气很好。 👩‍🍳
def greet(name):
    return f"Hello, {name}!"
"""


def playground(page: Page, address: str) -> None:
    """A text in four scripts under a recent tokenizer, and the inspector of one of its tokens."""
    page.goto(f"{address}/?tokenizer=qwen3.5")
    page.get_by_role("button", name="Dismiss").click(timeout=WAIT)
    page.get_by_label("Text", exact=True).fill(TEXT)
    page.locator("#tokens .t").filter(has_text="unbelievable").first.click(timeout=WAIT)
    page.mouse.move(5, 5)


def merges(page: Page, address: str) -> None:
    """What the page shows at first, some merges later."""
    page.goto(f"{address}/merges")
    slider = page.get_by_role("slider")
    expect(slider).to_be_visible(timeout=WAIT)
    slider.press("PageUp")
    expect(page.locator("[data-figure=step]")).to_have_text("10", timeout=WAIT)
    slider.blur()


def lessons(page: Page, address: str) -> None:
    """A question of a lesson, and its answer."""
    page.goto(f"{address}/lessons?lesson=arithmetic")
    questions = lesson_named("arithmetic").exercises
    # Widgets are shown in any order, and the first one at first may be that of another question.
    expect(page.get_by_role("button", name="Show the answer", exact=True)).to_have_count(len(questions), timeout=WAIT)
    page.get_by_role("button", name="Show the answer", exact=True).first.click()
    expect(page.get_by_role("button", name="Hide the answer").first).to_be_visible(timeout=WAIT)
    page.keyboard.press("Home")


def languages(page: Page, address: str) -> None:
    """What the page shows at first: the price of some languages over the years."""
    page.goto(f"{address}/languages")
    expect(page.get_by_text("as much as English under").first).to_be_visible(timeout=WAIT)
    expect(page.locator("canvas, svg.marks").first).to_be_visible(timeout=WAIT)


PICTURES: dict[str, tuple[Callable[[Page, str], None], int]] = {
    "playground": (playground, 720),
    "languages": (languages, 780),
    "merges": (merges, 720),
    "lessons": (lessons, 960),
}


def main() -> None:
    """Take every picture in both themes."""
    with serving("app.py") as address, sync_playwright() as playwright:
        path = chromium()
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        for name, (show, height) in PICTURES.items():
            for scheme, ending in (("light", ""), ("dark", "-dark")):
                size = {"width": 1280, "height": height}
                page = browser.new_context(viewport=size, color_scheme=scheme).new_page()
                show(page, address)
                wait_until_idle(page)
                page.wait_for_timeout(1_000)  # what moves has come to rest
                page.screenshot(path=DOCS / f"{name}{ending}.png")
                page.context.close()
        browser.close()


if __name__ == "__main__":
    main()
