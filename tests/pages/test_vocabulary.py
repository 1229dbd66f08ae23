"""The vocabulary page: its looks, what a text uses, and the vocabulary trimmed to it."""

from functools import cache

import pytest
from opening import button, opened, part
from streamlit.testing.v1 import AppTest

import tokviz
from pages.ui.options import option_default
from pages.ui.vocabulary.vocabulary_charts import LOOKS
from tokviz.formats.files import tokenizer_file_text
from tokviz.records.session_tokenizer import kept_from_file, kept_tokens
from tokviz.vocabulary.audit import audit


def charts_alone():
    from pages.ui.session_tokenizers.tokenizer_list import chosen_tokenizer_name, tokenizer_named
    from pages.ui.vocabulary.vocabulary_charts import show_chosen_vocabulary_look

    show_chosen_vocabulary_look(tokenizer_named(chosen_tokenizer_name()))


def trim_button_alone():
    from pages.ui.session_tokenizers.tokenizer_list import chosen_tokenizer_name, tokenizer_named
    from pages.ui.vocabulary.trim_dialog import show_trim_button_if_trimmable

    show_trim_button_if_trimmable(tokenizer_named(chosen_tokenizer_name()))


@cache
def shown(look: str) -> AppTest:
    """Return one of the looks, for tests that only read it."""
    name = "cl100k_base" if look == "Overlap" else "gpt2"
    return part(charts_alone, "the the cat", tokenizer=name, vocabulary_look=look, overlap_with="gpt2")


@pytest.mark.parametrize("look", LOOKS)
def test_every_look_shows_without_an_exception(look):
    app = shown(look)
    assert not app.exception
    assert app.session_state["vocabulary_look"] == look


def test_each_of_its_charts_can_be_saved():
    app = shown("Lengths and scripts")
    assert [each.label for each in app.get("download_button")] == ["PNG", "SVG"] * 3


def test_the_use_of_a_text_is_counted():
    app = shown("Used in the text")
    assert "It uses 3 of the 50,256 in the vocabulary" in next(t.value for t in app.text if "It uses" in t.value)


def test_the_overlap_is_told_in_words():
    app = shown("Overlap")
    assert "43,066 tokens are in both" in next(t.value for t in app.text if "in both" in t.value)
    assert option_default("overlap_with") in app.selectbox[0].value


def test_a_vocabulary_is_trimmed_to_the_text_and_joins_the_list():
    text = "the theory of tea <|endoftext|>"
    app = button(part(trim_button_alone, text, tokenizer="gpt2"), "Trim to your text").click().run()
    assert not app.exception
    expected = tokviz.trim(tokviz.load("gpt2"), text).tokenizer
    assert {each.label: each.value for each in app.metric} == {
        "Tokens before": "50,257",
        "Tokens after": f"{expected.n_vocab:,}",
    }
    for is_again in (False, True):  # a second time it is there already
        if is_again:
            app.session_state["tokenizer"] = "gpt2"
            app = button(app.run(), "Trim to your text").click().run()
        app = button(app, "Add it to the list").click().run()
        assert not app.exception
        assert {name: each.tokenizer for name, each in app.session_state["kept"].items()} == {"gpt2 trimmed": expected}
        assert app.session_state["tokenizer"] == "gpt2 trimmed"


def test_a_text_with_special_tokens_is_trimmed_to_as_it_is_shown():
    app = part(trim_button_alone, "<|endoftext|>", tokenizer="gpt2", allow_special=True)
    app = button(app, "Trim to your text").click().run()
    assert [each.value for each in app.metric] == ["50,257", "257"]


def test_only_a_text_and_byte_level_tokenizers_are_trimmed():
    app = button(part(trim_button_alone, "", tokenizer="gpt2"), "Trim to your text").click().run()
    assert not app.exception and "There is no text to trim to" in app.code[0].value
    words = kept_tokens("words", "words", ["a"])
    app = part(trim_button_alone, "a", kept={"words": words}, tokenizer="words")
    assert not app.exception and "Trim to your text" not in [each.label for each in app.button]


def test_an_audit_shows_how_many_tokens_have_each_finding_and_each_is_a_search():
    app = part(charts_alone, "a", tokenizer="o200k_base", vocabulary_look="Audit")
    assert not app.exception
    button(app, "12 · own text encodes to others").click().run()
    assert not app.exception
    assert app.session_state["search"]["fields"] == {"finding": "own text encodes to others"}
    next(each for each in app.button if each.label.endswith(" · also with other capitals")).click().run()
    assert app.session_state["search"]["fields"] == {"finding": "same but for case"}
    assert button(app, "0 · not found").disabled
    assert [each.label for each in app.get("download_button")][-3:] == ["JSON", "CSV", "Markdown"]


@pytest.mark.slow
def test_a_tokenizer_of_ones_own_is_audited_when_that_is_asked_for():
    small = tokviz.train("low lower lowest", vocab_size=260)
    record = kept_from_file(tokenizer_file_text(small, ".json").encode(), "mine.json")
    app = opened("pages/vocabulary.py", "a", kept={"mine": record}, tokenizer="mine", vocabulary_look="Audit")
    assert not app.exception
    counts = audit(record.tokenizer).summary
    button(app, f"{counts['not UTF-8 alone']:,} · not UTF-8 alone")


def test_other_families_are_not_audited_and_it_says_why():
    words = kept_tokens("words", "words", ["a"])
    app = part(charts_alone, "a", kept={"words": words}, tokenizer="words", vocabulary_look="Audit")
    assert not app.exception and "BPE tokenizer whose merges are known" in app.info[0].value
