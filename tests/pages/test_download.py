"""Downloads of tokenizers: what is offered for each kind, beside every choice of a tokenizer."""

from collections.abc import Sequence

import pytest
from foreign_files import wordpiece_file
from opening import button, opened
from streamlit.testing.v1 import AppTest

import tokviz
from pages.ui.session_tokenizers.download import TITLE
from tokviz.formats.files import tokenizer_file_text
from tokviz.records.session_tokenizer import kept_from_file, kept_tokens

PAGES = ("app.py", "pages/merges.py", "pages/languages.py", "pages/vocabulary.py")


def some(quick: Sequence[str]) -> list:
    """Return all pages, for tests that are slow but for some."""
    return [pytest.param(page, marks=[pytest.mark.slow] * (page not in quick)) for page in PAGES]


def offered(app: AppTest, kept: set[str]) -> list[str]:
    """Return the labels of the files that the dialog offers, which are not on the page without it."""
    return [each.label for each in app.get("download_button") if each.label not in kept]


def shown(page: str, record=None) -> tuple[AppTest, list[str]]:
    """Return a page after a press of Download, with the files it offers."""
    name = record.tokenizer.name if record else "gpt2"
    state = {"kept": {name: record}} if record else {}
    app = opened(page, tokenizer=name, merges_tokenizer=name, compared=[name], sentence_tokenizer=name, **state)
    kept = {each.label for each in app.get("download_button")}
    app = button(app, TITLE if page == "app.py" else "Download").click().run()
    assert not app.exception and not app.error
    return app, offered(app, kept)


@pytest.mark.parametrize("page", some(PAGES[:1]))
def test_a_pretrained_tokenizer_is_offered_in_every_format_that_holds_it(page):
    app, labels = shown(page)
    assert labels == [".json", ".tiktoken", ".vocab"]
    assert any(text.value.startswith("GPT-2 · gpt2 · byte-level BPE · ids up to 50,256") for text in app.text)
    assert any('from_file("gpt2.json")' in code.value for code in app.code)


@pytest.mark.parametrize("page", some(PAGES[1::2]))
def test_what_was_opened_is_offered_again_with_the_files_beside_it(page):
    beside = {"tokenizer_config.json": b'{"eos_token": "</s>"}'}
    app, labels = shown(page, kept_from_file(wordpiece_file(), "WordPiece.json", beside=beside))
    assert labels == ["As opened", "As opened"]
    words = [text.value for text in app.text]
    assert words.index("WordPiece.json") < words.index("tokenizer_config.json")


def test_a_tokenizer_opened_from_one_format_is_offered_in_others_too():
    learned = tokviz.train("low lower lowest " * 9, vocab_size=260, split_pattern="gpt2")
    data = tokenizer_file_text(learned, ".json").encode()
    _, labels = shown("app.py", kept_from_file(data, "mine.json"))
    assert labels == ["As opened", ".json", ".tiktoken", ".vocab", ".model"]


def test_a_list_of_words_says_that_no_file_holds_it():
    app, labels = shown("app.py", kept_tokens("words", "words", ["a", "b"]))
    assert labels == []
    assert "It was made here for teaching, and no file format can hold it." in [text.value for text in app.text]
