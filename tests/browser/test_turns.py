"""The page of chat turns in a browser: what is typed is followed, and the turns are walked through by the keys."""

import json
import re

import pytest
from browser.test_accessibility import serious_violations
from navigation import go_to
from playwright.sync_api import Locator, Page, expect
from violations import harmless

WAIT = 15_000
HOSTILE = '<img src="http://tokviz.invalid/a.png" onerror="window.hit = 1"> \u202eabc {{ 7 * 7 }}'


@pytest.fixture
def opened(page: Page, app_address) -> Page:
    """The page; no script error is overlooked, no other host asked."""
    with harmless(page, app_address, "turns", editor="Message 1"):
        yield page


def words(page: Page) -> Locator:
    return page.locator(".seams .words").first


@pytest.mark.slow
@pytest.mark.journey
def test_from_a_chat_to_what_its_template_rewrites_and_what_is_trained_on(page: Page, app_address):
    page.goto(app_address)
    page.get_by_role("radio", name="Chat", exact=True).click(timeout=30_000)
    expect(page.get_by_label("Message 2", exact=True)).to_be_visible(timeout=30_000)
    go_to(page, "Chat turns")
    expect(words(page)).to_have_text("There is only one turn so far, so there is nothing to keep.", timeout=30_000)
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("button", name="Reasoning", exact=True).click()
    page.keyboard.press("Escape")
    expect(words(page)).to_contain_text("ChatML keeps its prefix", timeout=WAIT)
    page.get_by_role("combobox", name="Format").click()
    page.get_by_role("option", name="As Qwen 3").click()
    expect(words(page)).to_contain_text(re.compile("Turn 2 rewrites 44 characters of turn 1"), timeout=WAIT)
    change = page.locator(".changes li")
    expect(change).to_contain_text("2 and 3 do not divide 17.")
    expect(change).to_contain_text("Line 14 of the template")

    page.get_by_label("Message 2", exact=True).fill("Only 1 and 17 do.")
    expect(change).to_contain_text("Only 1 and 17 do.", timeout=WAIT)
    rows = page.get_by_role("group", name="Turns").get_by_role("button")
    expect(rows.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(rows.nth(1)).to_contain_text(re.compile(r"\d+ tokens:\s+\d+ cached \+\s+\d+ computed again \+\s+\d+ new"))
    rows.nth(1).press("ArrowUp")
    expect(rows.nth(0)).to_have_attribute("aria-pressed", "true", timeout=WAIT)
    expect(rows.nth(0)).to_be_focused()
    expect(page.locator(".seams .flow")).not_to_contain_text("And 18?")

    page.get_by_role("radio", name="What is trained on").click()
    expect(words(page)).to_contain_text("are trained on: what {% generation %} marks", timeout=WAIT)
    expect(page.locator(".seams .flow .same").first).to_have_text("Yes")


@pytest.mark.slow
def test_hostile_conversations_are_shown_as_they_are_and_nothing_is_lost_by_a_reload(opened: Page):
    page = opened
    page.get_by_role("combobox", name="Format").click(timeout=WAIT)
    page.get_by_role("option", name="As Qwen 3").click()
    page.get_by_role("radio", name="JSON or JSONL").click()
    chat = [("user", HOSTILE), ("assistant", f" {HOSTILE} "), ("user", "👩‍🍳 ก")]
    messages = [{"role": role, "content": content} for role, content in chat]
    editor = page.get_by_label("Conversations", exact=True)
    editor.fill(json.dumps({"messages": messages}) + "\n[{}]", timeout=WAIT)
    expect(page.get_by_text("line 2: message 1: 'role' is not a name")).to_be_visible(timeout=WAIT)
    editor.fill(json.dumps({"messages": messages, "mood": 1}), timeout=WAIT)
    expect(words(page)).to_contain_text("Turn 2 rewrites 2 characters of turn 1", timeout=WAIT)
    expect(page.locator(".seams .flow")).to_contain_text("onerror")
    page.reload()
    expect(words(page)).to_contain_text("Turn 2 rewrites 2 characters of turn 1", timeout=30_000)
    assert page.evaluate("window.hit") is None
    assert not serious_violations(page)
