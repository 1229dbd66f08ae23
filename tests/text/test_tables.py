"""Tables of a text, and of languages, under several tokenizers."""

import copy
import re
from importlib.util import find_spec

import pytest

import tokviz
from tokviz.languages.parity import parity_rows
from tokviz.system import installation
from tokviz.text.metrics import metrics

TEXT = "The indivisibility of 你好, สวัสดี."


@pytest.fixture
def gpt2():
    return tokviz.load("gpt2")


def test_a_row_has_the_figures_of_a_tokenizer(trained, gpt2):
    table = tokviz.compare(TEXT, [gpt2, trained])
    assert table.index.tolist() == ["gpt2", "trained"]
    for name, tokenizer in (("gpt2", gpt2), ("trained", trained)):
        figures, row = metrics(TEXT, tokenizer.encode(TEXT)), table.loc[name]
        assert (row["n_vocab"], row["n_tokens"]) == (tokenizer.n_vocab, figures.n_tokens)
        assert (row["bytes_per_token"], row["tokens_per_word"]) == (figures.bytes_per_token, figures.fertility)
    assert table["n_tokens"].dtype.kind == "i" and table["tokens_per_word"].dtype.kind == "f"


def test_unknown_text_has_its_share():
    words = tokviz.train_wordpiece("low lower lowest", vocab_size=30)
    assert 0 < tokviz.compare("low 你好", words)["unknown_share"].item() <= 0.5


@pytest.mark.parametrize("text", ["", "สวัสดี", "\ud800"])
def test_any_text_has_a_row(text, gpt2):
    table = tokviz.compare(text, gpt2)
    assert table["n_tokens"].tolist() == [len(gpt2.encode(text))]
    assert table["tokens_per_word"].isna().all() or "ส" not in text


def test_names_are_those_given_and_two_of_one_name_stay_apart(gpt2):
    assert tokviz.compare(TEXT, {"mine": gpt2, "yours": gpt2}).index.tolist() == ["mine", "yours"]
    assert tokviz.compare(TEXT, [gpt2, gpt2, gpt2]).index.tolist() == ["gpt2", "gpt2 (2)", "gpt2 (3)"]


def test_a_table_made_of_one_shows_the_same_tokenizers_without_copying_them(gpt2):
    table = tokviz.compare(TEXT, [gpt2]).sort_values("n_tokens")
    assert copy.deepcopy(table.attrs)["tokenizers"]["gpt2"] is gpt2
    assert tokviz.show(table).snippet("markdown") == tokviz.show(gpt2, TEXT).snippet("markdown")


def test_parity_is_that_of_each_language(trained, gpt2):
    sentences = tokviz.parallel_sentences(["en", "th", "fi"])
    table = tokviz.parity([trained, gpt2], sentences, reference="th")
    assert table.index.names == ["tokenizer", "language"] and len(table) == 6
    for tokenizer in (trained, gpt2):
        rows = parity_rows(tokenizer, sentences, reference="th")
        assert table.loc[tokenizer.name].index.tolist() == [row.language for row in rows]
        for row in rows:
            found = table.loc[tokenizer.name, row.language]
            assert {key: found[key] for key in found.index} == {key: getattr(row, key) for key in found.index}
    assert (table["parity"].xs("th", level="language") == 1).all()


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_missing_text_is_that_of_no_sentence(missing):
    gpt2 = tokviz.load("gpt2")
    good = [{"en": "Good morning", "th": "สวัสดี"}]
    table = tokviz.parity(gpt2, [{"en": "Thanks", "th": missing}, *good, {"en": missing, "th": "ขอบคุณ"}])
    assert table.loc[("gpt2", "th"), "n_sentences"] == 1
    assert table.loc[("gpt2", "th"), "parity"] == tokviz.parity(gpt2, good).loc[("gpt2", "th"), "parity"]
    assert table.loc[("gpt2", "en"), "n_sentences"] == 2


def test_without_sentences_of_ones_own_all_that_are_included_count(gpt2):
    languages = tokviz.parity(gpt2).index.get_level_values("language")
    assert {*languages} == {code for sentence in tokviz.parallel_sentences() for code in sentence}


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        (ValueError, "there is no tokenizer", lambda: tokviz.compare(TEXT, [])),
        (TypeError, "not str", lambda: tokviz.compare(TEXT, "gpt2")),
        (TypeError, "not int", lambda: tokviz.compare(TEXT, [3])),
        (ValueError, "no sentence has a text in 'en'", lambda: tokviz.parity(tokviz.load("gpt2"), [{"th": "สวัสดี"}])),
    ],
)
def test_what_cannot_be_compared_is_told_in_words(error, words, call):
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize("make", [tokviz.compare, tokviz.parity], ids=["compare", "parity"])
def test_without_pandas_it_says_what_to_install(monkeypatch, make):
    monkeypatch.setattr(installation, "find_spec", lambda name: None if name == "pandas" else find_spec(name))
    with pytest.raises(ImportError, match=re.escape(f"pip install '{installation.FOLDER}[notebook]'")):
        make("", "")
