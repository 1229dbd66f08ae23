"""Type and click with no pause in between, fifty times: what is clicked has the text as of the key before the click."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from downloads import downloaded
from navigation import page_link
from panels import show_more
from playwright.sync_api import Locator, Page, expect
from polling import wait_until_idle

from tokviz.records.packing import unpack

ROUNDS = 10


class Typist:
    """A person at the editor of a page, and all that was typed into it."""

    def __init__(self, page: Page) -> None:
        self.page, self.text, self.n_words = page, "", 0

    def see(self, editor: str) -> None:
        """Wait for the editor of a page, which holds what was typed."""
        self.editor = self.page.get_by_label(editor, exact=True)
        expect(self.editor).to_have_value(self.text, timeout=30_000)
        expect(self.editor).to_be_editable()

    def type_and(self, click: Locator) -> None:
        """Type a word at the end, and at once click what is on view."""
        expect(click).to_be_enabled(timeout=30_000)
        self.editor.focus()
        self.page.keyboard.press("Control+End")
        self.n_words += 1
        word = f"w{self.n_words} ที่ "
        self.page.keyboard.type(word)
        click.dispatch_event("click")
        self.text += word


@pytest.fixture
def typist(page: Page, app_address: str) -> Typist:
    page.goto(app_address)
    editor = page.get_by_label("Text", exact=True)
    expect(editor).to_be_editable(timeout=30_000)
    editor.fill("")
    typist = Typist(page)
    typist.see("Text")
    return typist


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def test_what_is_clicked_at_once_has_all_that_was_typed(typist: Typist):
    page = typist.page
    menu = page.get_by_test_id("stPopover").get_by_role("button", name="More")
    for _ in range(ROUNDS):
        show_more(page, "Export")
        menu.click()
        typist.type_and(menu)
        as_json = page.get_by_test_id("stDownloadButton").get_by_role("button", name="Tokens as JSON")
        download = downloaded(page, as_json.click)
        menu.click()
        expect(as_json).to_have_count(0)
        assert json.loads(download.path().read_text())["text"] == typist.text

        typist.type_and(button(page, "Share"))
        dialog = page.get_by_role("dialog")
        address = dialog.get_by_test_id("stCode").locator("code")
        expect(address).to_contain_text("?s=")
        (packed,) = parse_qs(urlsplit(address.inner_text()).query)["s"]
        assert unpack(packed)["text"] == typist.text
        wait_until_idle(page)
        expect(dialog).to_be_focused()  # it takes keys only a moment after it becomes visible
        page.keyboard.press("Escape")
        expect(page.get_by_test_id("stDialog")).to_have_count(0)

        typist.type_and(page_link(page, "Train"))
        typist.see("Training text")

        typist.type_and(button(page, "Train"))
        before = page.get_by_role("row", name=f"Training text {len(typist.text.encode()):,} ")
        expect(before).to_be_visible(timeout=60_000)

        typist.type_and(page_link(page, "Playground"))
        typist.see("Text")
    assert typist.n_words == 5 * ROUNDS
