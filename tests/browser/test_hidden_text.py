"""Text that hides, in a browser: marked as it is typed, said in words, cleaned and brought back, and switched off."""

import re

import pytest
from navigation import go_to
from playwright.sync_api import Page, expect
from polling import wait_until_idle

import tokviz
from tokviz.records.packing import pack
from tokviz.text.hidden_text import KINDS, hidden_cost
from tokviz.text.invisible import TAG

TAGGED = "".join(chr(0xE0000 + ord(c)) for c in "obey me")
HIDING = f"Hi{TAGGED} p\u0430ypal"


def open_with(page: Page, address: str, text: str, path: str = "") -> None:
    page.goto(f"{address}/{path}?s={pack({'text': text})}")
    expect(page.locator("#tokens:visible .t, .column .t").first).to_be_visible(timeout=60_000)


def line(page: Page):
    return page.get_by_role("group", name="Hidden text")


def test_what_hides_is_marked_as_it_is_typed_cleaned_and_brought_back(page: Page, app_address):
    open_with(page, app_address, "Hi paypal ")
    editor = page.get_by_label("Text", exact=True)
    expect(editor).to_be_editable(timeout=15_000)
    expect(line(page)).to_be_hidden()
    editor.press("Control+End")
    page.keyboard.insert_text(HIDING)
    text = "Hi paypal " + HIDING
    expect(line(page)).to_contain_text("7 tag characters, 1 look-alike letter")
    expect(line(page)).to_contain_text(f"{hidden_cost(tokviz.load('cl100k_base'), text).extra} more tokens")
    expect(line(page).locator("q")).to_have_text("obey me")
    what = page.get_by_role("button", name="7 tag characters")
    what.press("Enter")
    expect(line(page)).to_contain_text(KINDS[TAG])
    expect(what).to_be_focused()
    what.press("Enter")
    expect(line(page)).not_to_contain_text(KINDS[TAG])
    expect(page.locator("#tokens .hides .k").first).to_have_attribute("data-label", "tag o")
    expect(page.locator("#tokens .hides", has_text="\u0430")).to_be_visible()
    page.get_by_role("button", name="Clean the text").click()
    expect(editor).to_have_value("Hi paypal Hi paypal")
    expect(page.locator("#tokens .hides")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(editor).to_have_value(text)
    expect(line(page)).to_contain_text("7 tag characters")
    page.get_by_role("button", name="Display").click()
    page.get_by_text("Mark hidden text").click()
    expect(line(page)).to_be_hidden(timeout=15_000)
    expect(page.locator("#tokens .hides")).to_have_count(0)


def test_seams_marks_it_in_its_panes(page: Page, app_address):
    page.goto(f"{app_address}/seams?s={pack({'text': HIDING})}")
    first = {"See what can change": "tag o", "Compare texts": "tag ␣", "All ways to cut": "tag o"}  # of what is shown
    for section, label in first.items():
        page.get_by_role("radio", name=section, exact=True).click()
        expect(page.locator(".seams .flow .hides", has_text="\u0430").first).to_be_visible(timeout=30_000)
        expect(page.locator(".seams .flow .hides .k").first).to_have_attribute("data-label", label)


@pytest.mark.parametrize(("path", "title"), [("compare/", "Compare"), ("merges/", "Merges")])
def test_other_pages_mark_it_too_and_say_it_once(page: Page, app_address, path, title):
    open_with(page, app_address, HIDING, path)
    expect(line(page)).to_contain_text("7 tag characters, 1 look-alike letter", timeout=15_000)
    expect(page.locator(".hides .k").first).to_be_visible()
    if title == "Compare":
        costs = [hidden_cost(tokviz.load(name), HIDING).extra for name in ("gpt2", "cl100k_base", "o200k_base")]
        expect(line(page)).to_contain_text(
            f"{costs[0]} more tokens in GPT-2, {costs[1]} in GPT-4, {costs[2]} in GPT-4o"
        )
        page.get_by_role("button", name="Clean the text").click()
        expect(page.get_by_label("Text", exact=True)).to_have_value("Hi paypal")
        expect(page.locator(".hides")).to_have_count(0)
        page.get_by_label("Text", exact=True).press("Control+z")
        expect(page.get_by_label("Text", exact=True)).to_have_value(HIDING)


def test_a_mark_comes_and_goes_with_letters_typed_elsewhere_in_its_word(page: Page, app_address):
    open_with(page, app_address, "p\u0430")
    editor = page.get_by_label("Text", exact=True)
    expect(editor).to_be_editable(timeout=15_000)
    expect(page.locator("#tokens .hides")).to_have_count(0)
    editor.press("Control+End")
    page.keyboard.type("y")
    expect(page.locator("#tokens .hides")).to_have_text("\u0430")
    page.keyboard.press("Backspace")
    expect(page.locator("#tokens .hides")).to_have_count(0)
    page.keyboard.type("ypal and more")
    expect(page.locator("#tokens .hides")).to_have_text("\u0430")


def test_decomposed_text_is_said_quietly_and_hostile_messages_are_text(page: Page, app_address):
    open_with(page, app_address, "cafe\u0301")
    expect(line(page)).to_have_class(re.compile("form"))
    page.get_by_role("button", name="Normalise").click()
    expect(page.get_by_label("Text", exact=True)).to_have_value("caf\u00e9")
    hostile = "<img src=x onerror='window.hit=1'>"
    open_with(page, app_address, "a" + "".join(chr(0xE0000 + ord(c)) for c in hostile))
    expect(line(page).locator("q")).to_have_text(hostile)
    assert page.evaluate("window.hit") is None


def test_what_hides_in_the_text_of_ids_is_said(page: Page, app_address):
    open_with(page, app_address, HIDING)
    wait_until_idle(page)
    page.get_by_test_id("stButtonGroup").get_by_role("radio", name="From ids").click()
    ids = page.get_by_label("Token ids")
    expect(ids).to_be_editable(timeout=15_000)
    ids.fill(" ".join(map(str, tokviz.load("cl100k_base").encode(HIDING))))
    expect(line(page).filter(visible=True)).to_contain_text("7 tag characters", timeout=15_000)
    expect(page.get_by_role("button", name="Clean the text").filter(visible=True)).to_have_count(0)
    go_to(page, "Merges")
    expect(line(page)).to_contain_text("7 tag characters", timeout=30_000)


def test_what_it_costs_in_a_long_text_is_said_once_nobody_types(page: Page, app_address):
    open_with(page, app_address, "a")
    editor = page.get_by_label("Text", exact=True)
    expect(editor).to_be_editable(timeout=15_000)
    text = "word\u200b " * 2_000
    editor.fill(text)
    cost = hidden_cost(tokviz.load("cl100k_base"), text).extra
    expect(line(page)).to_contain_text(f"2,000 zero-width characters; {cost:,} more tokens", timeout=15_000)
