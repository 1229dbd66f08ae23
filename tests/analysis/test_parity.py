import json
from pathlib import Path

import pytest
import tiktoken

from tokviz import load
from tokviz.analysis.parity import language_costs, languages_of
from tokviz.analysis.unknown_text import UnknownText
from tokviz.core.samples import parallel_sentences, sample
from tokviz.core.spans import placed_spans
from tokviz.families.library_training import train_wordpiece
from tokviz.families.teaching import ListTokenizer, listed

FILE = Path(__file__).parents[2] / "assets" / "samples" / "parallel.json"


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base"])
@pytest.mark.parametrize("language", ["english", "thai", "chinese"])
def test_parity_is_what_tiktoken_alone_says(name, language):
    count = dict.fromkeys(("english", "thai", "chinese"), 0)
    for sentence in json.loads(FILE.read_text("utf-8")):
        for key in count:
            count[key] += len(tiktoken.get_encoding(name).encode(sentence[key]))
    cost = language_costs(load(name), parallel_sentences())[language]
    assert cost.parity == count[language] / count["english"]
    assert cost.n_sentences == 12
    n_bytes = sum(len(sentence[language].encode()) for sentence in parallel_sentences())
    assert cost.bytes_per_token == n_bytes / count[language]


def test_the_figures_of_the_readme():
    thai = {name: language_costs(load(name), parallel_sentences())["thai"].parity for name in ("gpt2", "o200k_base")}
    assert {name: round(parity, 2) for name, parity in thai.items()} == {"gpt2": 5.98, "o200k_base": 1.27}


CHARACTERS = listed("characters", "four eight chars เอ ab สวัสดี" + "".join(map(str, parallel_sentences())))


def test_only_sentences_in_both_languages_count():
    sentences = [
        {"english": "four", "thai": "เอ"},
        {"english": "eight chars"},
        {"thai": "no english here"},
        {"english": " ", "thai": "no text in English"},
        {"english": "ab", "thai": "สวัสดี", "lao": "  "},
    ]
    costs = language_costs(CHARACTERS, sentences)
    assert list(costs) == ["english", "thai"]
    assert (costs["thai"].n_sentences, costs["thai"].n_tokens, costs["thai"].n_reference_tokens) == (2, 8, 6)
    assert costs["thai"].parity == 8 / 6
    assert (costs["thai"].n_bytes, costs["thai"].n_chars) == (24, 8)
    assert costs["english"].parity == 1.0


def test_another_reference_turns_parity_round():
    sentences = parallel_sentences()
    thai = language_costs(CHARACTERS, sentences)["thai"].parity
    english = language_costs(CHARACTERS, sentences, reference="thai")["english"].parity
    assert english == pytest.approx(1 / thai)


def test_nothing_to_compare_gives_no_figures():
    assert language_costs(CHARACTERS, []) == {}
    assert language_costs(CHARACTERS, [{"thai": "เอ"}]) == {}
    assert languages_of([{"thai": ""}]) == []

    class Silent(ListTokenizer):
        def spans(self, text, *, allowed_special=()):
            return placed_spans(text.encode(), [], [], [])

    silent = language_costs(Silent("silent", "words", []), [{"english": "a", "thai": "เอ"}])["thai"]
    assert (silent.parity, silent.bytes_per_token) == (None, None)


def test_a_lone_surrogate_counts_like_the_character_that_replaces_it():
    cost = language_costs(load("gpt2"), [{"english": "a", "odd": "a\ud83d"}])["odd"]
    assert (cost.n_bytes, cost.n_chars) == (4, 2)


def test_a_parity_bought_with_unknown_text_says_so():
    costs = language_costs(train_wordpiece(sample("english"), vocab_size=400), parallel_sentences())
    assert costs["thai"].parity < 0.5 and costs["thai"].unknown.share == 1
    written = "".join(sentence["thai"] for sentence in parallel_sentences()).split()
    assert costs["thai"].unknown.n_chars == len("".join(written))
    assert costs["thai"].reference_unknown == costs["english"].unknown
    assert costs["english"].unknown.share < 0.2

    words = listed("words", "good morning")
    cost = language_costs(words, [{"english": "good day", "thai": "สวัสดี"}, {"thai": "อรุณ"}])["thai"]
    assert (cost.unknown, cost.reference_unknown) == (UnknownText(6, 6), UnknownText(3, 7))
