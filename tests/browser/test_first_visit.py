"""The page that greets, and what somebody who is here for the first time wants to do."""

import re

import pytest
from choosing import choose
from navigation import go_to
from playwright.sync_api import Page, expect
from polling import wait_until, wait_until_idle

import tokviz
from pages.ui.merges.replays import RHYME
from pages.ui.playground.page import EXAMPLES
from pages.ui.shared.text import START_TEXT
from tokviz.lessons import LESSONS

SENTENCE = "The ferry left at noon; 你好, สวัสดี."


def numbers_of(text: str) -> dict[str, int]:
    """How many tokens a text has under three tokenizers, each another number."""
    encodings = {"GPT-2": "gpt2", "GPT-4": "cl100k_base", "GPT-4o": "o200k_base"}
    numbers = {name: tokviz.load(encoding).count(text) for name, encoding in encodings.items()}
    assert len(set(numbers.values())) == 3
    return numbers


@pytest.fixture
def visitor(page: Page, app_address: str) -> Page:
    page.goto(app_address)
    for name, n_tokens in numbers_of(START_TEXT).items():
        expect(page.get_by_text(f"{name} {n_tokens}", exact=True)).to_be_visible(timeout=30_000)
    return page


def test_what_is_pasted_at_once_is_counted_alone(visitor: Page):
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.evaluate("text => navigator.clipboard.writeText(text)", SENTENCE)
    visitor.keyboard.press("ControlOrMeta+v")
    expect(visitor.get_by_label("Text", exact=True)).to_have_value(SENTENCE)
    expect(visitor.locator("[data-count=tokens]")).to_have_text(str(numbers_of(SENTENCE)["GPT-4"]))
    visitor.keyboard.press("ControlOrMeta+z")
    expect(visitor.get_by_label("Text", exact=True)).to_have_value(START_TEXT)


@pytest.mark.journey
def test_one_learns_what_a_token_is_predicts_a_merge_and_sees_what_thai_costs(visitor: Page):
    visitor.set_viewport_size({"width": 1280, "height": 720})
    expect(visitor.get_by_text("Language models don’t read letters. They read tokens.")).to_be_in_viewport()
    expect(visitor.get_by_text("A token is a piece of text with a number")).to_be_in_viewport()
    lesson = visitor.get_by_role("link", name="New here? Start with a lesson")
    expect(lesson).to_be_in_viewport(ratio=1)
    lesson.click()
    expect(visitor.get_by_role("heading", name=LESSONS[0].title, exact=True)).to_be_visible(timeout=30_000)
    expect(visitor.get_by_role("alert")).to_have_count(0)
    visitor.go_back()
    visitor.get_by_role("link", name="Watch merges happen").click()
    # Of a rhyme, where the counts decide, before its first merge, which is nowhere on the screen.
    expect(visitor.locator(".machine #tokens .flow")).to_have_js_property("textContent", RHYME, timeout=30_000)
    expect(visitor.locator("[data-figure=step]")).to_have_text("0")
    expect(visitor.get_by_role("button", name="h + e", exact=True)).to_be_visible(timeout=30_000)
    expect(visitor.get_by_text("28")).to_have_count(0)
    visitor.get_by_role("button", name="h + e", exact=True).click()
    expect(visitor.get_by_text("Right: h + e occurs most often, 28 times.")).to_have_count(1)
    go_to(visitor, "Playground")
    visitor.get_by_label("Text", exact=True).fill(SENTENCE)
    counts = visitor.get_by_role("group", name="The same text elsewhere")
    figures = "".join(f"{name} {n}" for name, n in numbers_of(SENTENCE).items())
    expect(counts).to_have_text(f"The same text in{figures}", timeout=15_000)
    go_to(visitor, "Languages")
    expect(visitor.get_by_text("Thai costs 6.0× as much as English under GPT-2 (2019)")).to_be_visible(timeout=30_000)


def test_the_other_buttons_of_the_greeting_do_what_they_say(visitor: Page):
    editor = visitor.get_by_label("Text", exact=True)
    for name, text in reversed(EXAMPLES.items()):
        visitor.get_by_role("button", name="Examples").click()
        visitor.get_by_role("button", name=name, exact=True).click()
        expect(editor).to_have_value(text, timeout=15_000)
    visitor.get_by_role("link", name="Train a tokenizer").click()
    expect(visitor.get_by_role("button", name="Train", exact=True)).to_be_visible(timeout=30_000)
    visitor.go_back()
    visitor.get_by_role("button", name="Dismiss").click(timeout=30_000)
    expect(visitor.get_by_role("link", name="Train a tokenizer")).to_have_count(0)
    expect(editor).to_have_value(text)  # which Train showed the rhyme in place of


def test_typing_the_address_of_merges_opens_on_the_rhyme_whatever_was_chosen_elsewhere(visitor: Page, app_address: str):
    picker = visitor.get_by_role("combobox", name="Tokenizer")
    choose(picker, "GPT-2 · gpt2")
    expect(visitor.get_by_role("listbox", name="Tokens GPT-2")).to_be_visible()
    visitor.goto(f"{app_address}/merges")
    flow = visitor.locator(".machine #tokens .flow")
    expect(flow).to_have_js_property("textContent", RHYME, timeout=30_000)
    expect(visitor.locator("[data-figure=step]")).to_have_text("0")
    expect(picker).to_have_value("Trained on the rhyme")
    # What the tab has of this page then comes back.
    choose(picker, "GPT-4o · o200k_base")
    wait_until_idle(visitor)  # the tab has it by then
    visitor.goto(f"{app_address}/merges")
    expect(picker).to_have_value("GPT-4o · o200k_base", timeout=30_000)


@pytest.mark.parametrize(
    ("text", "tokenizer", "step"),
    [
        ("Tokens are not words", "GPT-4 · cl100k_base", "8"),
        ("she sells sea shells by the sea shore, " * 3, "Trained on your text", "0"),
    ],
)
def test_typing_the_address_of_merges_opens_on_ones_own_text(visitor: Page, app_address: str, text, tokenizer, step):
    visitor.get_by_label("Text", exact=True).fill(text)
    wait_until(visitor, f"Object.values(sessionStorage).some((kept) => kept.includes({text[:20]!r}))")
    visitor.goto(f"{app_address}/merges")
    expect(visitor.get_by_role("combobox", name="Tokenizer")).to_have_value(tokenizer, timeout=30_000)
    expect(visitor.locator(".machine #tokens .flow")).to_have_js_property("textContent", text)
    wait_until_idle(visitor)
    expect(visitor.locator("[data-figure=step]")).to_have_text(step)


def test_what_one_typed_comes_back_after_an_example_and_a_change_of_page(visitor: Page):
    editor = visitor.get_by_label("Text", exact=True)
    editor.fill("mine")
    visitor.get_by_role("button", name="Examples").click()
    visitor.get_by_role("button", name="Numbers").click()
    expect(editor).to_have_value(re.compile("3221"), timeout=15_000)
    editor.press("Control+z")
    expect(editor).to_have_value("mine")
    visitor.get_by_role("button", name="Examples").click()
    visitor.get_by_role("button", name="Thai sentence").click()
    expect(editor).to_have_value(re.compile("ภาษาไทย"), timeout=15_000)
    go_to(visitor, "Compare")
    visitor.get_by_role("button", name="Your text").click(timeout=15_000)
    expect(editor).to_have_value("mine")
    visitor.get_by_role("button", name="Clear", exact=True).click()
    expect(editor).to_have_value("")
    visitor.get_by_role("button", name="Your text").click()
    expect(editor).to_have_value("mine")


def test_the_keyboard_reaches_the_text_and_the_greeting_stays_dismissed(visitor: Page):
    editor = visitor.get_by_label("Text", exact=True)
    # The page hears the key once the module that listens has come.
    wait_until(visitor, lambda: visitor.keyboard.press("/") or editor.evaluate("node => node.matches(':focus')"))
    visitor.keyboard.type("/")
    expect(editor).to_have_value(re.compile("/"))
    way = visitor.get_by_role("button", name="Go to the text (key /)")
    way.focus()
    expect(way).to_be_in_viewport(ratio=1)
    visitor.keyboard.press("Enter")
    expect(editor).to_be_focused()
    visitor.get_by_role("button", name="Dismiss").click()
    headline = visitor.get_by_text("They read tokens.")
    expect(headline).to_have_count(0, timeout=15_000)
    expect(visitor.get_by_test_id("stPopover").get_by_text("Open", exact=True)).to_be_visible()
    other = visitor.context.new_page()
    other.goto(visitor.url)
    expect(other.get_by_label("Text", exact=True)).to_be_visible(timeout=30_000)
    expect(other.get_by_text("They read tokens.")).to_have_count(0)
