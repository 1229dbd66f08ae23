"""Opening tokenizers in a browser: what their tokens look like while one types, and what a reload keeps."""

import random
import re

import pytest
from choosing import choose
from downloads import downloaded
from foreign_files import sentencepiece_file, wordpiece_file
from navigation import go_to
from panels import show_more, show_openers, show_tokens_as
from playwright.sync_api import Page, expect
from polling import wait_until, wait_until_idle

from tokviz import AnyTokenizer, load
from tokviz.formats.files import read_tokenizer, tokenizer_file_text


class Opener:
    """The playground in the words of its user."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(address)
        self.editor = page.get_by_label("Text", exact=True)
        self.flow = page.locator("#tokens:visible .flow")
        expect(self.editor).to_be_visible(timeout=30_000)

    def upload(self, name: str, data: bytes) -> None:
        show_openers(self.page)
        uploader = self.page.get_by_test_id("stFileUploaderDropzoneInput").last
        uploader.set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": data})

    def open(self, name: str, data: bytes) -> AnyTokenizer:
        self.upload(name, data)
        stem = name.rpartition(".")[0]
        expect(self.page.get_by_text(f"Now using {stem}:")).to_be_visible(timeout=20_000)
        # The page is seen, not the opener that covered it; opened again, it tells what was opened.
        expect(self.page.get_by_test_id("stFileUploader")).to_have_count(0, timeout=15_000)
        show_openers(self.page)
        expect(self.page.get_by_text(f"Opened last: {stem}")).to_be_visible(timeout=15_000)
        self.page.keyboard.press("Escape")
        picker = self.page.get_by_role("combobox", name="Tokenizer")
        expect(picker).to_have_value(re.compile(rf"^{re.escape(stem)}( ·|$)"), timeout=15_000)
        return read_tokenizer(data, name)

    def shows(self, tokenizer: AnyTokenizer, text: str) -> None:
        """Wait for the ids of a text, and compare the panel: all of the text, each token at its place."""
        ids = tokenizer.encode(text)
        expect(self.flow).to_have_js_property("textContent", text if ids else "", timeout=15_000)
        expect(self.page.locator(".pending:visible")).to_have_count(0)  # its ids may be those of the text before
        show_tokens_as(self.page, "ids")
        expect(self.page.locator("#list:visible .flow .t")).to_have_text([str(i) for i in ids], timeout=15_000)
        show_tokens_as(self.page, "colour")
        spans = tokenizer.spans(text)
        empty = int((spans.char_starts == spans.char_ends).sum())
        expect(self.page.locator("#tokens:visible .t.none")).to_have_count(empty)
        edges = [
            0,
            *(edge for pair in zip(spans.char_starts, spans.char_ends, strict=True) for edge in pair),
            len(text),
        ]
        between = [text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True) if b > a]
        gaps = self.flow.locator(".gap")
        wait_until(self.page, lambda: gaps.all_text_contents() == (between if ids else []))
        assert not self.errors


@pytest.fixture
def opener(page: Page, app_address: str) -> Opener:
    return Opener(page, app_address)


@pytest.mark.parametrize("file", [wordpiece_file, sentencepiece_file])
def test_typing_shows_every_edit_as_if_it_were_opened_anew(opener: Opener, file):
    tokenizer = opener.open("mine.bin", file())
    text = "The ferry  left, ☃☃ at noon.\n\n Thai: ที่นี่ "
    opener.editor.fill(text)
    opener.shows(tokenizer, text)
    rng = random.Random(1)
    for edit in ("  ", "☃", " the ", "", ""):
        at = rng.randrange(len(text) + 1) if edit != "  " else 0
        text = text[:at] + edit + text[at + (edit == "") * 3 :]
        opener.editor.fill(text)
        opener.shows(tokenizer, text)
    for text in ("   ", " a"):
        opener.editor.fill(text)
        opener.shows(tokenizer, text)


def test_unknown_tokens_are_named_also_after_a_reload(opener: Opener):
    page = opener.page
    tokenizer = opener.open("berta.json", wordpiece_file())
    opener.editor.fill("the ☃ ferry")
    opener.shows(tokenizer, "the ☃ ferry")
    unknown = opener.flow.locator(".t.unknown")
    expect(unknown).to_have_text("☃")
    expect(unknown.locator(".k")).to_have_attribute("data-label", "[UNK]")
    unknown.hover()
    expect(page.locator(".pointed:visible")).to_have_text("id 0 · [UNK]")
    unknown.click()
    inspector = page.locator(".inspector:visible .facts")
    expect(inspector).to_contain_text("☃, which is not in the vocabulary")
    expect(inspector).to_contain_text("[UNK]")
    show_tokens_as(page, "text")
    expect(page.locator("#list:visible .flow .t.written")).to_have_text("[UNK]")
    show_tokens_as(page, "colour")
    page.reload()
    opener.shows(tokenizer, "the ☃ ferry")
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value("berta · WordPiece")


def test_a_page_says_that_it_needs_merges_and_a_reload_keeps_the_other_choice(opener: Opener):
    page = opener.page
    opener.open("berta.json", wordpiece_file())
    go_to(page, "Merges")
    needs_bpe = page.get_by_text("This page needs a BPE tokenizer whose merges are known")
    expect(needs_bpe).to_be_visible(timeout=15_000)
    page.reload()
    picker = page.get_by_role("combobox", name="Tokenizer")
    expect(picker).to_have_value("berta · WordPiece", timeout=30_000)
    expect(needs_bpe).to_be_visible()
    choose(picker, "GPT-4 · cl100k_base")
    expect(needs_bpe).to_have_count(0)
    wait_until_idle(page)  # what has gone can go before the tab has noted the choice
    page.reload()
    expect(picker).to_have_value("GPT-4 · cl100k_base", timeout=30_000)
    page.get_by_role("button", name="More", exact=True).click()
    expect(page.get_by_role("button", name="Use it in the playground")).to_be_visible()


def test_a_file_that_was_opened_comes_down_again_as_it_was(opener: Opener):
    page = opener.page
    data = wordpiece_file()
    opener.open("berta.json", data)
    line = page.get_by_text("Now using berta: WordPiece, 300 ids")
    expect(line).to_contain_text("Its file was recognised as tokenizer.json.")
    show_more(page, "Export")
    page.get_by_role("button", name="Download the tokenizer", exact=True).click()
    download = downloaded(page, page.get_by_role("button", name="As opened").click)
    assert download.suggested_filename == "berta.json" and download.path().read_bytes() == data
    page.keyboard.press("Escape")
    expect(line).to_have_count(0)
    go_to(page, "Vocabulary")
    choose(page.get_by_role("combobox", name="Tokenizer"), "GPT-4 · cl100k_base")
    page.get_by_role("button", name=re.compile("Download$")).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("cl100k_base · byte-level BPE")).to_be_visible()
    download = downloaded(page, dialog.get_by_role("button", name=".tiktoken").click)
    assert download.suggested_filename == "cl100k_base.tiktoken"
    assert download.path().read_text() == tokenizer_file_text(load("cl100k_base"), ".tiktoken")


def test_a_file_that_is_none_is_refused_in_words_and_nothing_is_lost(opener: Opener):
    hostile = b'{"model": {"type": "<img src=x onerror=alert(1)>", "vocab": {}, "merges": ["a b"]}}'
    opener.upload("<b>bold<b>.json", hostile)
    expect(opener.page.get_by_text("This file could not be opened")).to_be_visible(timeout=20_000)
    expect(opener.page.get_by_text("<b>bold<b>.json: the tokenizers library does not take this file")).to_be_visible()
    opener.page.keyboard.press("Escape")
    expect(opener.flow).to_contain_text("strawberry")
    assert not opener.errors


def test_a_damaged_file_of_ranks_is_refused_once_its_rules_are_given(opener: Opener):
    opener.upload("twice.tiktoken", b"YQ== 0\nYQ== 1\n")
    opener.page.get_by_role("button", name="Open it").click()
    expect(opener.page.get_by_text("This file could not be opened")).to_be_visible(timeout=20_000)
    expect(opener.page.get_by_text("twice.tiktoken, line 2: the token b'a' has the rank 0 already")).to_be_visible()
