"""The languages page in Chromium: values are drawn, files come down, own pairs outlive a reload."""

from datetime import date

import pytest
from downloads import downloaded
from playwright.sync_api import Locator, Page, expect

from tokviz import load
from tokviz.analysis.parity import language_costs
from tokviz.languages.table import parallel_sentences

HOSTILE = "<img src=x onerror=alert(1)>"


def drawn(page: Page, chart: int = 0) -> Locator:
    """The words and figures that a chart draws."""
    return page.get_by_test_id("stVegaLiteChart").nth(chart).locator("svg text")


def opened(page: Page, address: str) -> None:
    page.goto(f"{address}/languages")
    expect(drawn(page).filter(has_text="gpt2")).to_have_count(1, timeout=30_000)


@pytest.mark.journey
def test_the_heat_map_is_drawn_and_comes_down_as_png_and_svg(page: Page, app_address):
    opened(page, app_address)
    parity = {name: language_costs(load(name), parallel_sentences())["th"].parity for name in ("gpt2", "cl100k_base")}
    for figure in parity.values():
        expect(drawn(page).filter(has_text=f"{figure:.2f}")).to_have_count(1)
    buttons = page.locator("[class*='st-key-download-languages-']").get_by_role("button")  # other charts have some, too
    download = downloaded(page, buttons.filter(has_text="PNG").click, name="languages.png")
    assert download.path().read_bytes().startswith(b"\x89PNG\r\n")
    download = downloaded(page, buttons.filter(has_text="SVG").click, name="languages.svg")
    svg = download.path().read_text("utf-8")
    assert svg.startswith("<svg") and f">{parity['gpt2']:.2f}</text>" in svg
    n_english = sum(len(load("gpt2").encode(sentence["en"])) for sentence in parallel_sentences())
    for words in ("relative to English", f"gpt2 {n_english}", f"{date.today():%B %Y}"):
        assert words in svg  # the title and the caption, which the page has around the chart


def test_an_own_pair_is_a_language_of_the_matrix_and_of_the_mix_after_a_reload_too(page: Page, app_address):
    alerts = []
    page.on("dialog", lambda dialog: alerts.append(dialog.dismiss()))
    opened(page, app_address)
    page.get_by_text("Your own sentences").click()
    grid = page.get_by_test_id("stDataFrame").nth(1)
    expect(grid.locator("[role=columnheader]").first).to_be_attached(timeout=15_000)
    grid.click(position={"x": 60, "y": 55})  # the empty row below the heading adds one
    for number, cell in enumerate((HOSTILE, "good morning", "สวัสดี"), 1):
        shown = grid.get_by_test_id(f"glide-cell-{number}-0")
        expect(shown).to_have_attribute("aria-selected", "true", timeout=15_000)
        if number > 1:
            page.keyboard.press("Enter")
        editor = page.locator("textarea.gdg-input")
        expect(editor).to_be_focused(timeout=15_000)
        editor.fill(cell)
        page.keyboard.press("Tab")
        expect(shown).to_have_text(cell, timeout=15_000)
    expect(drawn(page).filter(has_text="<img")).to_have_count(1, timeout=15_000)
    page.reload()
    expect(drawn(page).filter(has_text="<img")).to_have_count(1, timeout=30_000)
    expect(page.get_by_role("slider")).to_have_count(4)
    assert page.locator("img[src=x]").count() == 0
    assert not alerts


def test_mixes_stay_on_the_chart_and_their_settings_outlive_a_reload(page: Page, app_address):
    opened(page, app_address)
    page.get_by_label("Vocabulary size").fill("400")
    page.get_by_role("button", name="Train on this mix").click()
    expect(drawn(page, 1).filter(has_text="1. English 2 : Thai 1 · 400")).to_have_count(1, timeout=30_000)
    page.get_by_role("slider").nth(2).press("ArrowRight")
    expect(page.get_by_text("25% · 5,000 bytes")).to_have_count(2)
    page.get_by_role("button", name="Train on this mix").click()
    latest = "2. English 2 : Thai 1 : Chinese 1 · 400"
    expect(drawn(page, 1).filter(has_text=latest)).to_have_count(1, timeout=30_000)
    filled = "svg .mark-symbol path:not([fill=transparent])"
    expect(page.get_by_test_id("stVegaLiteChart").nth(1).locator(filled).first).to_be_visible()
    for chart in (1, 2):
        expect(drawn(page, chart).filter(has_text="1. English 2 : Thai 1 · 400")).to_have_count(1)
    page.reload()
    expect(page.get_by_label("Vocabulary size")).to_have_value("400")
    expect(page.get_by_text("25% · 5,000 bytes")).to_have_count(2)
    expect(page.get_by_test_id("stVegaLiteChart")).to_have_count(1)
