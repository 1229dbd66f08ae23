"""The languages page in Chromium: words and dots, what a click picks, what is typed, and files that come down."""

import json
from datetime import date

import pytest
from downloads import downloaded
from playwright.sync_api import Locator, Page, expect
from polling import wait_until_idle
from presenting import present

import tokviz
from pages.ui.languages.figures import parity_text
from tokviz import load
from tokviz.languages.parity import language_costs
from tokviz.languages.table import LANGUAGES, parallel_sentences

WAIT = 30_000
HOSTILE = "<img src=x onerror=alert(1)>"
# Whether all names of languages in the plot are in the window, and the smallest of their letters, in pixels.
NAMES_SEEN = """names => {
  const shown = [...document.querySelectorAll("[data-testid=stVegaLiteChart] svg text")]
    .filter((node) => names.includes(node.textContent));
  const sizes = shown.map((node) => parseFloat(getComputedStyle(node).fontSize));
  const bottoms = shown.map((node) => node.getBoundingClientRect().bottom);
  return { number: shown.length, size: Math.min(...sizes), bottom: Math.max(...bottoms) };
}"""


def drawn(page: Page, chart: int = 0) -> Locator:
    """The words and figures that a chart draws."""
    return page.get_by_test_id("stVegaLiteChart").nth(chart).locator("svg text")


def opened(page: Page, address: str) -> None:
    page.goto(f"{address}/languages")
    page.get_by_role("radio", name="Dots").click(timeout=WAIT)
    expect(drawn(page).filter(has_text="Tamil")).to_have_count(1, timeout=WAIT)


def said(page: Page, words: str) -> None:
    expect(page.locator(".st-key-said").get_by_text(words)).to_be_visible(timeout=WAIT)


def test_a_language_that_is_clicked_is_named_with_its_sentences_and_the_figures_come_down(page: Page, app_address):
    opened(page, app_address)
    parity = {name: language_costs(load(name), parallel_sentences())["th"].parity for name in ("gpt2", "o200k_base")}
    said(page, "Tamil costs 15.4× as much as English under GPT-2")
    wait_until_idle(page)
    box = drawn(page).filter(has_text="Thai").bounding_box()
    page.mouse.click(box["x"] + box["width"] + 150, box["y"] + box["height"] / 2)
    said(page, f"Thai costs {parity_text(parity['gpt2'])} as much as English under GPT-2")
    said(page, f"{parity_text(parity['o200k_base'])} under GPT-4o.")
    expect(page.get_by_text("Thai · ไทย: 515 tokens")).to_be_visible(timeout=WAIT)
    files = page.locator(".st-key-desk-languages").get_by_role("button")
    download = downloaded(page, files.filter(has_text="SVG").click, name="languages.svg")
    svg = download.path().read_text("utf-8")
    n_english = sum(len(load("gpt2").encode(sentence["en"])) for sentence in parallel_sentences())
    for words in (
        "Thai costs 6.0× as much as English under GPT-2",
        f"gpt2 {n_english}",
        f"{date.today():%B %Y}",
        *LANGUAGES["fi"].name.split(),
    ):
        assert words in svg
    download = downloaded(page, files.filter(has_text="JSON").click, name="parity.json")
    rows = {
        (row["tokenizer"], row["language"]): row["parity"] for row in json.loads(download.path().read_text("utf-8"))
    }
    assert rows["gpt2", "th"] == parity["gpt2"] and len(rows) == 3 * len(LANGUAGES)


@pytest.mark.parametrize("screen", ((1366, 768), (390, 844)), ids=str)
def test_a_point_of_the_years_opens_its_sentences_and_programs_take_their_place(page: Page, app_address, screen):
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    page.goto(f"{app_address}/languages")
    said(page, "under GPT-2 (2019), but 13% less than English under Qwen 3.5 (2026).")
    expect(drawn(page).filter(has_text="Simplified Chinese")).to_be_visible(timeout=WAIT)
    for name in ("GPT-2", "Qwen 3.5"):  # the two that the words name
        expect(drawn(page).filter(has_text=name)).to_have_css("opacity", "1")
    chosen = page.get_by_role("button", name="Languages", exact=True).last
    assert chosen.bounding_box()["y"] < page.locator(".st-key-years-plot").bounding_box()["y"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    wait_until_idle(page)
    point = page.locator("svg .mark-symbol path[aria-label*='Language: Thai'][aria-label*='Tokenizer: Qwen 3.5']")
    box = point.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_text("Thai · ไทย: 152 tokens in Qwen 3.5 · 0.87× English")).to_be_visible(timeout=WAIT)
    expect(page.get_by_text("Thai, Qwen 3.5, 2026: 0.87× English")).to_be_visible()
    page.get_by_role("button", name="Texts", exact=True).click()
    page.get_by_role("radio", name="Programming languages").click()
    said(page, "as much as Python under")
    expect(drawn(page).filter(has_text="Haskell")).to_be_visible(timeout=WAIT)


def test_a_sentence_is_counted_in_every_language_as_it_is_typed(page: Page, app_address):
    alerts = []
    page.on("dialog", lambda dialog: alerts.append(dialog.dismiss()))
    opened(page, app_address)
    table = page.get_by_role("table")
    for name, text in (("English", "good morning"), ("Thai", f"สวัสดี 👋 {HOSTILE}")):
        page.get_by_role("textbox", name=name, exact=True).fill(text)
    english, thai = (len(load("gpt2").encode(text)) for text in ("good morning", f"สวัสดี 👋 {HOSTILE}"))
    row = table.get_by_role("row").filter(has_text="Thai")
    expect(row.get_by_role("cell").first).to_have_text(f"{parity_text(thai / english)}{thai}")
    page.get_by_label("Add a language").fill(HOSTILE[:20])
    page.keyboard.press("Enter")
    expect(table.get_by_role("rowheader", name=HOSTILE[:20])).to_be_visible(timeout=WAIT)
    page.reload()
    expect(row.get_by_role("cell").first).to_have_text(f"{parity_text(thai / english)}{thai}", timeout=WAIT)
    expect(table.get_by_role("rowheader", name=HOSTILE[:20])).to_be_visible()
    assert page.locator("img[src=x]").count() == 0 and not alerts


def test_a_file_of_ones_own_is_shown_and_left_again(page: Page, app_address):
    opened(page, app_address)
    page.get_by_role("button", name="Texts", exact=True).click()
    table = "en\tlo\tfi\ngood morning\tສະບາຍດີຕອນເຊົ້າ\thyvää huomenta\n".encode()
    page.locator("input[type=file]").last.set_input_files(
        {"name": "own.tsv", "mimeType": "text/plain", "buffer": table}
    )
    rows = tokviz.parity(
        load("gpt2"), [dict(zip(("en", "lo", "fi"), table.decode().split("\n")[1].split("\t"), strict=True))]
    )
    said(page, f"Lao costs {parity_text(rows.loc['gpt2', 'lo'].parity)} as much as English under GPT-2")
    expect(page.get_by_text("own.tsv: 1 sentence in 3 languages.")).to_be_visible()


@pytest.mark.parametrize(("screen", "least"), (((1366, 768), 11), ((390, 844), 11), ((1024, 768), 11)), ids=str)
def test_the_words_and_all_languages_are_in_sight(page: Page, app_address, screen, least):
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    opened(page, app_address)
    wait_until_idle(page)
    names = [name for name in (each.name for each in LANGUAGES.values()) if "," not in name]
    seen = page.evaluate(NAMES_SEEN, names)
    assert seen["number"] >= len(names) and seen["size"] >= least
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if screen == (1366, 768):
        assert seen["bottom"] <= 768


@pytest.mark.parametrize(("screen", "least"), (((1280, 720), 19), ((1920, 1080), 28)), ids=str)
def test_presented_the_words_and_the_dearest_languages_are_in_type_for_a_room(page: Page, app_address, screen, least):
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    opened(page, app_address)
    present(page)
    expect(page.locator(".st-key-said").get_by_text("Tamil costs 15.4×")).to_be_in_viewport(ratio=1)
    for name in ("Tamil", "Thai"):
        expect(drawn(page).filter(has_text=name)).to_be_in_viewport()
    expect(drawn(page).filter(has_text="English").last).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("12 of the 36 languages.")).to_be_in_viewport(ratio=1)
    seen = page.evaluate(NAMES_SEEN, ["Tamil", "Thai"])
    assert seen["size"] >= least


def test_mixes_stay_on_the_charts_and_their_settings_outlive_a_reload(page: Page, app_address):
    opened(page, app_address)
    page.get_by_role("tab", name="The mix decides").click()
    page.get_by_label("Vocabulary size").fill("400")
    page.get_by_role("button", name="Train on this mix").click()
    expect(page.get_by_text("1. parity-aware: English 2 : Thai 1 : Simplified Chinese 1 · 400")).to_be_visible(
        timeout=WAIT
    )
    page.get_by_role("slider").nth(2).press("ArrowRight")
    expect(page.get_by_text("40% · 8,000 bytes")).to_have_count(2)
    page.get_by_role("button", name="Train on this mix").click()
    latest = "2. parity-aware: English 2 : Thai 1 : Simplified Chinese 2 · 400"
    expect(page.get_by_text(latest)).to_be_visible(timeout=WAIT)
    expect(drawn(page, 1).filter(has_text="parity-aware")).to_have_count(1, timeout=WAIT)
    filled = "svg .mark-symbol path:not([fill=transparent])"
    expect(page.get_by_test_id("stVegaLiteChart").nth(2).locator(filled).first).to_be_visible()
    for chart in (2, 3):
        expect(drawn(page, chart).filter(has_text="1. parity-aware: English 2")).to_have_count(1)
    page.reload()
    page.get_by_role("tab", name="The mix decides").click()
    expect(page.get_by_label("Vocabulary size")).to_have_value("400", timeout=WAIT)
    expect(page.get_by_text("40% · 8,000 bytes")).to_have_count(2)
    expect(page.get_by_test_id("stVegaLiteChart")).to_have_count(1)


def test_a_mix_is_trained_fairly_and_merges_tell_which_language_each_was_for(page: Page, app_address):
    opened(page, app_address)
    page.get_by_role("tab", name="The mix decides").click()
    page.get_by_label("Vocabulary size").fill("300")
    page.get_by_role("button", name="Train on this mix").click()
    expect(page.get_by_text("With parity-aware training, the language that pays most pays")).to_be_visible(timeout=WAIT)
    page.get_by_role("button", name="Watch its merges").last.click()
    machine = page.locator(".machine")
    expect(machine.get_by_text("merge 1 (for Thai): ")).to_be_visible(timeout=WAIT)
    expect(machine.get_by_text("for Thai, which pays most: ")).to_be_visible(timeout=WAIT)
    machine.get_by_role("button", name="One merge more").click()
    expect(machine.locator(".just").get_by_text("(for Thai): ")).to_be_visible()  # it plays, so any of the first
