"""Unknown text: characters counted one by one, for every family."""

import json

import pytest
from hf_files import byte_level
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD
from tokenizers import Tokenizer, models, pre_tokenizers

import tokviz
from tokviz import text_spans
from tokviz.core.pretokens import well_formed_text
from tokviz.core.samples import sample
from tokviz.families.library_training import train_sentencepiece, train_wordpiece
from tokviz.families.teaching import list_tokenizer
from tokviz.formats.huggingface.tokenizer import HFTokenizer
from tokviz.text.unknown_text import UnknownText, unknown_text_figures

ENGLISH, THAI = sample("english"), sample("thai")


@pytest.fixture(scope="module")
def families():
    return {
        "gpt2": tokviz.load("gpt2"),
        "words": list_tokenizer("words", ENGLISH),
        "characters": list_tokenizer("characters", ENGLISH),
        "wordpiece": train_wordpiece(ENGLISH, vocab_size=400),
        "sentencepiece": train_sentencepiece(ENGLISH, vocab_size=300, byte_fallback=False),
        "byte fallback": train_sentencepiece(ENGLISH, vocab_size=500),
        "unigram": train_sentencepiece(ENGLISH, vocab_size=200, model_type="unigram", byte_fallback=False),
        "NFC": HFTokenizer("NFC", json.dumps(byte_level() | {"normalizer": {"type": "NFC"}}).encode()),
    }


def of(tokenizer, text):
    return unknown_text_figures(tokenizer, text_spans(tokenizer, text))


@pytest.mark.parametrize("name", ["words", "characters", "wordpiece", "sentencepiece", "unigram"])
def test_a_script_that_was_never_seen_is_all_unknown(families, name):
    n_chars = len("".join(THAI.split()))
    known = sum(character in ENGLISH for character in "".join(THAI.split()))
    found = of(families[name], THAI)
    assert found.n_chars == n_chars
    assert n_chars - known <= found.n_unknown <= n_chars


@pytest.mark.parametrize("name", ["gpt2", "byte fallback", "NFC"])
def test_bytes_leave_nothing_unknown(families, name):
    for text in (ENGLISH, THAI, "\u2603 a\ud83d \x00"):
        assert of(families[name], text).share == 0


@pytest.mark.parametrize("text", ODD)
def test_no_character_counts_twice_and_white_space_never(families, text):
    for tokenizer in families.values():
        found = of(tokenizer, text)
        assert 0 <= found.n_unknown <= found.n_chars
        assert found.n_chars == sum(not character.isspace() for character in well_formed_text(text))


@given(st.text("the cat\n\u2603é", max_size=30))
def test_characters_not_in_the_list_are_unknown_and_no_others(text):
    lost = sum(character in "\u2603é" for character in text)
    assert of(list_tokenizer("characters", "the cat\n"), text) == UnknownText(lost, len("".join(text.split())))


def test_a_word_with_one_strange_letter_is_unknown_as_a_whole(families):
    assert of(families["wordpiece"], "the th\u0e01e the") == UnknownText(4, 10)


def test_letters_that_a_model_without_an_unknown_token_leaves_out_are_lost():
    library = Tokenizer(models.BPE({"a": 0, "b": 1}, []))
    library.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    dropping = HFTokenizer("dropping", library.to_str().encode())
    assert dropping.unknown_id is None and dropping.encode("abก ก") == [0, 1]
    assert of(dropping, "abก ก") == UnknownText(2, 4)


def test_shares_add_up_by_characters():
    assert (UnknownText(1, 2) + UnknownText(2, 10)).share == 3 / 12
    assert UnknownText().share == 0
