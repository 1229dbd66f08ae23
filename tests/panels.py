"""The ways to show tokens in a browser, in colour or as a list, and the menus of the playground."""

import re

from playwright.sync_api import Page, expect
from polling import wait_until_idle


def show_tokens_as(page: Page, way: str) -> None:
    """Show the tokens of the view in sight as "colour", "ids", "text" or "bytes"; what has the focus keeps it."""
    page.locator(f".modes:visible [name=mode][value={way}]").evaluate("radio => radio.click()")


def show_openers(page: Page) -> None:
    """Open the menu in which texts and tokenizers are opened, at the file of a tokenizer."""
    page.get_by_test_id("stPopover").get_by_text("Open", exact=True).click()
    page.get_by_test_id("stPopoverBody").get_by_role("radio", name="A tokenizer", exact=True).click()
    wait_until_idle(page)


def show_more(page: Page, section: str) -> None:
    """Open the playground's menu of what is rarely used at a section."""
    page.get_by_role("button", name=re.compile("^More")).filter(visible=True).click()
    chosen = page.get_by_test_id("stPopoverBody").get_by_role("radio", name=section, exact=True)
    chosen.click()
    expect(chosen).to_be_checked()
    wait_until_idle(page)
