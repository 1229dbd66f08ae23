import random
import statistics

import pytest
import tiktoken
from vocabularies import NAMES

from tokviz import load
from tokviz.core.samples import sample
from tokviz.core.spans import spans_from_byte_offsets, text_spans
from tokviz.families.library_training import train_wordpiece
from tokviz.families.teaching import ListTokenizer, list_tokenizer
from tokviz.formats.extras import EXTRAS
from tokviz.formats.pretrained import INCLUDED
from tokviz.languages.parity import (
    language_costs,
    languages_with_text,
    parity_interval,
    parity_rows,
    text_cost,
    token_counts_and_unknown_text,
)
from tokviz.languages.programs import parallel_programs
from tokviz.languages.stored_counts import stored_counts
from tokviz.languages.table import LANGUAGES, parallel_sentences
from tokviz.text.unknown_text import UnknownText, unknown_text_figures


@pytest.mark.parametrize("name", NAMES)
def test_parity_is_what_tiktoken_alone_says(name):
    encode = tiktoken.get_encoding(name).encode
    costs = language_costs(load(name), parallel_sentences())
    assert list(costs) == list(LANGUAGES)
    n_tokens = {code: sum(map(len, map(encode, LANGUAGES[code].sentences))) for code in LANGUAGES}
    for code, cost in costs.items():
        assert cost.parity == n_tokens[code] / n_tokens["en"]
        assert cost.n_sentences == 12
        n_bytes = sum(len(text.encode()) for text in LANGUAGES[code].sentences)
        assert cost.bytes_per_token == n_bytes / n_tokens[code]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) for name in INCLUDED if name != "gpt2"] + ["gpt2"]
)
def test_stored_counts_are_those_of_the_tokenizer(name):
    """`python tests/bench/token_counts.py` makes them anew."""
    kept = stored_counts()[name]
    texts = [text for each in (*parallel_sentences(), *parallel_programs()) for text in each.values()]
    assert list(kept.of_texts) == list(dict.fromkeys(texts))
    assert [kept.of_texts[text] for text in texts] == token_counts_and_unknown_text(load(name), texts)
    assert parity_rows(kept, parallel_sentences()) == parity_rows(load(name), parallel_sentences())


def test_every_included_tokenizer_has_stored_counts():
    assert list(stored_counts()) == [name for name in INCLUDED if name not in EXTRAS]


def test_the_figures_of_the_readme():
    sentences = parallel_sentences(["en", "th"])
    thai = {name: language_costs(load(name), sentences)["th"].parity for name in ("gpt2", "o200k_base", "qwen3.5")}
    assert {name: round(parity, 2) for name, parity in thai.items()} == {
        "gpt2": 5.98,
        "o200k_base": 1.27,
        "qwen3.5": 0.87,
    }


CHARACTERS = list_tokenizer("characters", "four eight chars เอ ab สวัสดี" + "".join(map(str, parallel_sentences())))


def test_only_sentences_in_both_languages_count():
    sentences = [
        {"en": "four", "th": "เอ"},
        {"en": "eight chars"},
        {"th": "no english here"},
        {"en": " ", "th": "no text in English"},
        {"en": "ab", "th": "สวัสดี", "lo": "  "},
    ]
    costs = language_costs(CHARACTERS, sentences)
    assert list(costs) == ["en", "th"]
    assert (costs["th"].n_sentences, costs["th"].n_tokens, costs["th"].n_reference_tokens) == (2, 8, 6)
    assert costs["th"].parity == 8 / 6
    assert (costs["th"].n_bytes, costs["th"].n_chars) == (24, 8)
    assert costs["en"].parity == 1.0


def test_another_reference_turns_parity_round():
    sentences = parallel_sentences()
    thai = language_costs(CHARACTERS, sentences)["th"].parity
    english = language_costs(CHARACTERS, sentences, reference="th")["en"].parity
    assert english == pytest.approx(1 / thai)


def test_nothing_to_compare_gives_no_figures():
    assert language_costs(CHARACTERS, []) == {}
    assert language_costs(CHARACTERS, [{"th": "เอ"}]) == {}
    assert languages_with_text([{"th": ""}]) == []

    class Silent(ListTokenizer):
        def spans(self, text, *, allowed_special=()):
            return spans_from_byte_offsets(text.encode(), [], [], [])

    silent = language_costs(Silent("silent", "words", []), [{"en": "a", "th": "เอ"}])["th"]
    assert (silent.parity, silent.bytes_per_token) == (None, None)


def test_a_lone_surrogate_counts_like_the_character_that_replaces_it():
    cost = language_costs(load("gpt2"), [{"en": "a", "odd": "a\ud83d"}])["odd"]
    assert (cost.n_bytes, cost.n_chars) == (4, 2)


def test_a_parity_bought_with_unknown_text_says_so():
    tokenizer = train_wordpiece(sample("english"), vocab_size=400)
    costs = language_costs(tokenizer, parallel_sentences())
    assert costs["th"].parity < 0.5 and costs["th"].unknown_share == 1
    assert 0 < costs["th"].reference_unknown_share == costs["en"].unknown_share < 0.2
    written = [sentence["th"] for sentence in parallel_sentences()]
    counted = token_counts_and_unknown_text(tokenizer, written)
    assert sum(unknown.n_chars for _, unknown in counted) == len("".join("".join(written).split()))

    words = list_tokenizer("words", "good morning")
    cost = language_costs(words, [{"en": "good day", "th": "สวัสดี"}, {"th": "อรุณ"}])["th"]
    assert (cost.unknown_share, cost.reference_unknown_share) == (1, 3 / 7)
    counted = token_counts_and_unknown_text(words, ["สวัสดี", "good day"])
    assert [unknown for _, unknown in counted] == [UnknownText(6, 6), UnknownText(3, 7)]


@pytest.mark.parametrize("name", ["gpt2", "o200k_base"])
def test_rows_have_the_figures_of_the_costs_the_dearest_first(name):
    rows = parity_rows(load(name), parallel_sentences(), name="mine")
    costs = language_costs(load(name), parallel_sentences())
    assert [row.parity for row in rows] == sorted((cost.parity for cost in costs.values()), reverse=True)
    for row in rows:
        cost = costs[row.language]
        assert (row.tokenizer, row.name) == ("mine", LANGUAGES[row.language].name)
        assert (row.n_tokens, row.n_bytes, row.n_chars) == (cost.n_tokens, cost.n_bytes, cost.n_chars)
        assert row.bytes_per_token == cost.bytes_per_token and row.unknown_share == 0
        encode = tiktoken.get_encoding(name).encode
        both = zip(LANGUAGES[row.language].sentences, LANGUAGES["en"].sentences, strict=True)
        premiums = [len(encode(text)) / len(encode(english)) for text, english in both]
        assert list(row.premiums) == premiums
        assert (row.lowest_premium, row.highest_premium) == (min(premiums), max(premiums))
        assert row.median_premium == statistics.median(premiums)


PAIRS = [
    (len(load("gpt2").encode(each["th"])), len(load("gpt2").encode(each["en"])))
    for each in parallel_sentences(["en", "th"])
]


def test_an_interval_is_that_of_naive_resampling():
    drawn = random.Random(1)
    ratios = sorted(
        sum(n for n, _ in sample) / sum(n for _, n in sample)
        for sample in (drawn.choices(PAIRS, k=len(PAIRS)) for _ in range(20_000))
    )
    low, high = parity_interval(PAIRS)
    assert (low, high) == pytest.approx((ratios[500], ratios[19_500]), abs=0.05)
    assert low < sum(n for n, _ in PAIRS) / sum(n for _, n in PAIRS) < high
    row = next(row for row in parity_rows(load("gpt2"), parallel_sentences()) if row.language == "th")
    assert (row.parity_low, row.parity_high) == (low, high) == parity_interval(PAIRS)


def test_an_interval_follows_the_counts():
    low, high = parity_interval(PAIRS)
    assert parity_interval([(2 * n, of) for n, of in PAIRS]) == pytest.approx((2 * low, 2 * high))
    of_many = parity_interval(PAIRS * 100)  # 1,200 sentences: neighbours are drawn together
    assert low < of_many[0] < of_many[1] < high and of_many[1] - of_many[0] < (high - low) / 4
    many = (PAIRS * 100)[:1_000]
    twos = [(a[0] + b[0], a[1] + b[1]) for a, b in zip(many[::2], many[1::2], strict=True)]
    assert parity_interval(many) == parity_interval(twos)
    assert parity_interval([(n, n) for n, _ in PAIRS]) == (1, 1)


@pytest.mark.parametrize("pairs", [[], PAIRS[:1], [(3, 0), (4, 0)], [(3, 0), (4, 2)]])
def test_there_is_no_interval_where_a_draw_may_have_nothing_to_compare_with(pairs):
    assert parity_interval(pairs) is None


def test_rows_need_a_text_in_the_reference_language():
    with pytest.raises(ValueError, match="no sentence has a text in 'en', to compare with; there are texts in th, xx"):
        parity_rows(CHARACTERS, [{"th": "เอ", "xx": "a"}])
    assert parity_rows(CHARACTERS, [{"th": "เอ", "xx": "a"}], reference="th")[-1].name == "xx"


def test_byte_level_counts_without_spans_are_those_with_them():
    """`Tokenizer` is counted by another way than all others, which must not show."""
    tokenizer, sentences = load("gpt2"), [*parallel_sentences(), {"en": "a\ud83d ", "th": "\n ก"}]
    for language in LANGUAGES:
        texts = [s[language] for s in sentences if language in s]
        spans = [text_spans(tokenizer, text) for text in texts]
        expected = [(len(some), unknown_text_figures(tokenizer, some)) for some in spans]
        assert token_counts_and_unknown_text(tokenizer, texts) == expected


ROWS = {row.language: row for row in parity_rows(load("gpt2"), parallel_sentences(["en", "th"]))}


def test_the_sentences_themselves_cost_what_they_cost():
    for row in ROWS.values():
        cost = text_cost(row, ROWS["en"], n_chars=ROWS["en"].n_chars, price=3.0, window=1_000)
        assert cost.n_tokens == pytest.approx(row.n_tokens)
        assert cost.price == pytest.approx(row.n_tokens * 3 / 1e6)
        assert cost.window_share == pytest.approx(row.n_tokens / 1_000)


def test_twice_the_text_costs_twice_as_much():
    one, two = (text_cost(ROWS["th"], ROWS["en"], n_chars=n, price=1.0) for n in (5_000, 10_000))
    assert two.price == pytest.approx(2 * one.price) and two.window_share == pytest.approx(2 * one.window_share)


def test_without_tokens_there_is_no_cost():
    assert text_cost(ROWS["th"]._replace(parity=None), ROWS["en"], n_chars=10) is None
    assert text_cost(ROWS["th"], ROWS["en"]._replace(n_chars=0), n_chars=10) is None
