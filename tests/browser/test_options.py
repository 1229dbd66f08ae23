"""Options in a browser: over a change of page, a reload, a link, and where something else replaces them."""

import pytest
from choosing import choose
from navigation import go_to
from panels import show_more
from playwright.sync_api import Locator, Page, expect
from polling import wait_until, wait_until_idle

from tokviz.records.packing import pack

GPT2 = "GPT-2 · gpt2"
THREE = [GPT2, "GPT-4 · cl100k_base", "GPT-4o · o200k_base"]


def size(page: Page):
    return page.get_by_role("spinbutton", name="Vocabulary size")


def tokenizer(page: Page):
    return page.get_by_role("combobox", name="Tokenizer", exact=True)


def special_tokens_are_on(page: Page) -> None:
    expect(page.get_by_role("button", name="More: special tokens on")).to_be_visible(timeout=30_000)


def compared(page: Page) -> Locator:
    """Return the tokenizers that the pages of comparisons show as chosen."""
    choice = page.get_by_test_id("stMultiSelect").filter(has=page.get_by_role("combobox", name="Tokenizers"))
    return choice.locator("[data-tag]")


def kept(page: Page, option: str) -> None:
    """Wait until the tab keeps an option, which it does once the page has run with it."""
    wait_until(page, f"sessionStorage.getItem('tokviz.session')?.includes('{option}')")


@pytest.fixture
def here(page: Page, app_address: str) -> Page:
    """Train, with some options chosen here and in the playground."""
    page.goto(app_address)
    choose(tokenizer(page), GPT2)
    show_more(page, "Special tokens")
    page.get_by_role("switch", name="Special tokens").locator("xpath=ancestor::label").click()
    kept(page, '"allow_special":true')  # a link sends no values of widgets
    go_to(page, "Train")
    size(page).fill("300")
    size(page).press("Enter")
    page.get_by_role("button", name="More options").click()
    page.get_by_role("textbox", name="Name", exact=True).fill("mine")
    page.get_by_role("textbox", name="Name", exact=True).press("Enter")
    kept(page, '"mine"')
    page.keyboard.press("Escape")
    return page


def test_options_outlive_a_change_of_page_and_a_reload(here: Page):
    go_to(here, "Playground")
    for anew in (lambda: None, here.reload):
        anew()
        expect(tokenizer(here)).to_have_value(GPT2, timeout=30_000)
        special_tokens_are_on(here)
    go_to(here, "Train")
    expect(size(here)).to_have_value("300", timeout=30_000)
    here.get_by_role("button", name="More options").click()
    expect(here.get_by_role("textbox", name="Name", exact=True)).to_have_value("mine")


def test_two_pages_share_an_option_straight_from_one_to_the_other(page: Page, app_address: str):
    page.goto(app_address)
    expect(tokenizer(page)).to_be_visible(timeout=30_000)
    for name in ("Compare", "Languages", "Compare"):
        go_to(page, name)
        expect(compared(page)).to_have_text(THREE, timeout=30_000)
        wait_until_idle(page)
        expect(compared(page)).to_have_text(THREE)


def test_a_link_goes_before_what_the_tab_keeps_of_the_same_options(here: Page, app_address: str):
    here.goto(f"{app_address}/?s={pack({'tokenizer': 'o200k_base', 'text': 'linked'})}")
    expect(here.get_by_label("Text", exact=True)).to_have_value("linked", timeout=30_000)
    special_tokens_are_on(here)
    expect(tokenizer(here)).to_have_value("GPT-4o · o200k_base")
    go_to(here, "Train")
    expect(size(here)).to_have_value("300")
    go_to(here, "Playground")
    expect(tokenizer(here)).to_have_value("GPT-4o · o200k_base")


def test_what_a_widget_does_not_offer_gives_way(page: Page, app_address: str):
    options = {"tokenizer": "gone", "compared": ["gone", "gpt2"], "own_pattern": "x", "cut_pattern": "none such"}
    page.goto(f"{app_address}/?s={pack({**options, 'text': 'linked'})}")
    expect(tokenizer(page)).to_have_value("GPT-4 · cl100k_base", timeout=30_000)
    go_to(page, "Languages")
    expect(compared(page)).to_have_text([GPT2])


def test_a_model_and_a_replay_replace_the_tokenizer_that_is_chosen(here: Page):
    go_to(here, "Playground")
    choose(tokenizer(here), "o1 · o200k_base")
    go_to(here, "Merges")
    choose(tokenizer(here), GPT2)
    here.get_by_text("Train one and watch").click()
    here.get_by_test_id("stPopoverBody").get_by_role("button", name="English", exact=True).click()
    expect(tokenizer(here)).to_have_value("Trained on English", timeout=30_000)
    here.get_by_role("button", name="More", exact=True).click()
    here.get_by_role("button", name="Use it in the playground").click()
    go_to(here, "Playground")
    expect(tokenizer(here)).to_have_value("Trained on English")
