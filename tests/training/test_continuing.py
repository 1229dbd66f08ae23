"""Training that continues from a tokenizer equals the naive algorithm, and no text gets more tokens by it."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD

import tokviz
from tokviz.core.normalizer import Normalizer
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.pretokens import pretokens
from tokviz.core.samples import SAMPLES, sample
from tokviz.core.tokenizer import Tokenizer
from tokviz.core.vocabulary import NEVER_IN_UTF8
from tokviz.training import pairs
from tokviz.training.naive import naive_steps, naive_tokens
from tokviz.training.superwords import with_superwords

TEXTS = st.sampled_from(["a", "ab", "abc", "ab ", "aก"]).flatmap(st.text)


def quietly(text, **options):
    """Train without the warning that it ended early."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tokviz.train(text, **options)


def with_ids(tokenizer, stride, offset, special=None):
    """Return a tokenizer with the same merges under ids that have gaps, bytes in reversed order."""
    ordered = [bytes([i]) for i in reversed(range(256))] + tokenizer.merge_tokens
    ranks = {token: offset + stride * i for i, token in enumerate(ordered)}
    return tokviz.Tokenizer("gaps", tokenizer.split_pattern, ranks, special)


def learned(text, start, n_merges):
    return list(tokviz.train_steps(text, vocab_size=len(start.mergeable_ranks) + n_merges, start=start))


@given(TEXTS, TEXTS, st.integers(0, 20), st.integers(0, 30), st.integers(1, 3), st.sampled_from([0, 40]))
def test_continuing_equals_the_naive_algorithm(before, text, n_old, n_new, stride, few):
    start = with_ids(quietly(before, vocab_size=256 + n_old, split_pattern="none"), stride, 5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "FEW_PLACES", few)
        assert learned(text, start, n_new) == list(naive_steps([text], n_new, start=start))


def test_continuing_from_a_vocabulary_without_the_bytes_that_utf8_never_has():
    text = "low lower lowest ที่ " * 3
    whole = tokviz.train(text, vocab_size=262)
    ranks = {token: i for token, i in whole.mergeable_ranks.items() if i > 255 or i not in NEVER_IN_UTF8}
    start = tokviz.Tokenizer("few", whole.split_pattern, ranks)
    pieces = pretokens(text, start.split_pattern)
    steps = learned(text, start, 8)
    assert steps == list(naive_steps(pieces, 8, start=start)) and steps[-1].token_id == 269
    assert [step.token_bytes for step in steps] == [step.token_bytes for step in learned(text, whole, 8)]


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("start", ["gpt2", pytest.param("o200k_base", marks=pytest.mark.slow)])
def test_continuing_a_pretrained_tokenizer_equals_the_naive_algorithm(start, name):
    start, text = tokviz.load(start), sample(name)
    pieces = pretokens(text, start.split_pattern)
    assert learned(text, start, 60) == list(naive_steps(pieces, 60, start=start))


@given(TEXTS, st.integers(0, 20), st.integers(0, 20), st.sampled_from(["none", "gpt2"]))
def test_training_in_two_parts_equals_training_at_once(text, first, more, pattern):
    start = quietly(text, vocab_size=256 + first, split_pattern=pattern)
    continued = quietly(text, vocab_size=256 + first + more, start=start)
    assert continued == quietly(text, vocab_size=256 + first + more, split_pattern=pattern)


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_trained_in_two_parts_equal_those_trained_at_once(name):
    text = sample(name)
    start = tokviz.train(text, vocab_size=300, split_pattern="o200k")
    assert quietly(text, vocab_size=500, start=start) == quietly(text, vocab_size=500, split_pattern="o200k")


@given(TEXTS, TEXTS, TEXTS, st.integers(0, 20), st.integers(0, 20))
def test_no_text_gets_more_tokens_and_old_ids_stay(before, text, other, n_old, n_new):
    start = quietly(before, vocab_size=256 + n_old, split_pattern="none")
    tokenizer = quietly(text, vocab_size=len(start.mergeable_ranks) + n_new, start=start)
    for each in (before, text, other, *ODD):
        ids, old = tokenizer.encode(each), start.encode(each)
        assert len(ids) <= len(old)
        assert ids == old or max(ids) >= start.n_vocab
        assert [part for token_id in ids for part in old_ids(token_id, tokenizer, start)] == old


def old_ids(token_id, tokenizer, start):
    """Return the ids that an id of the longer vocabulary replaces."""
    if token_id in start:
        return [token_id]
    ranks = start.mergeable_ranks
    return [ranks[token] for token in naive_tokens(tokenizer.token_bytes(token_id), ranks)]


@pytest.mark.slow
def test_cl100k_learns_thai_and_english_stays_as_it_was():
    start = tokviz.load("cl100k_base")
    tokenizer = tokviz.train(sample("thai"), vocab_size=len(start.mergeable_ranks) + 200, start=start)
    assert len(tokenizer.encode(sample("thai"))) < 0.6 * len(start.encode(sample("thai")))
    assert tokenizer.encode(sample("english")) == start.encode(sample("english"))
    assert min(set(tokenizer.mergeable_ranks.values()) - set(start.mergeable_ranks.values())) == 100_277
    assert tokenizer.special_tokens == start.special_tokens and tokenizer.split_pattern == "cl100k"
    assert tokenizer.n_vocab == start.n_vocab + 200
    assert tokviz.trace(tokenizer, sample("thai")).ids_at(len(tokenizer.merges)) == tokenizer.encode(sample("thai"))
    assert tokviz.trace(tokenizer, sample("thai")).ids_at(len(start.merges)) == start.encode(sample("thai"))


def test_special_tokens_keep_their_ids_and_new_ones_come_after_the_last_merge():
    ranks = tokviz.train("low low", vocab_size=257, split_pattern="none").mergeable_ranks
    start = tokviz.Tokenizer("start", "none", ranks, {"<s>": 900})
    tokenizer = tokviz.train("low<s>low", vocab_size=258, special_tokens=["</s>"], start=start)
    assert tokenizer.mergeable_ranks[b"low"] == 901
    assert tokenizer.special_tokens == {"<s>": 900, "</s>": 902}
    assert tokenizer.encode("low<s>low</s>", allowed_special="all") == [901, 900, 901, 902]
    with pytest.raises(ValueError, match="start has the special token '<s>' already"):
        tokviz.train("low", vocab_size=258, special_tokens=["<s>"], start=start)


def test_new_special_tokens_and_those_of_the_start_are_cut_out_of_the_text():
    start = tokviz.Tokenizer("start", "none", {bytes([i]): i for i in range(256)}, {"<s>": 256})
    steps = tokviz.train_steps("ab<s>ab</s>ab", vocab_size=300, special_tokens=["</s>"], start=start)
    assert [step.token_bytes for step in steps] == [b"ab"]


def test_the_split_pattern_is_that_of_the_start():
    start = tokviz.load("gpt2")
    for pattern in (None, "gpt2", tokviz.SPLIT_PATTERNS["gpt2"]):
        tokenizer = tokviz.train("กกกก", vocab_size=50_257, split_pattern=pattern, start=start)
        assert tokenizer.split_pattern == "gpt2"
    with pytest.raises(ValueError, match=r"gpt2 has the split pattern 'gpt2'.*leave out 'cl100k'"):
        tokviz.train("low", vocab_size=50_300, split_pattern="cl100k", start=start)


def test_sizes_below_the_start_and_ids_beyond_what_fits_are_refused():
    start = tokviz.load("gpt2")
    with pytest.raises(ValueError, match="vocab_size must be a whole number of at least 50256, not 50255"):
        tokviz.train("low", vocab_size=50_255, start=start)
    assert tokviz.train("low", vocab_size=50_256, start=start) == start
    high = tokviz.Tokenizer("high", "none", {bytes([i]): i for i in range(256)}, {"<s>": 2**31 - 1_010})
    with pytest.raises(ValueError, match="asks for ids up to 2147482738"):
        tokviz.train("low", vocab_size=356, start=high)


@pytest.mark.parametrize(
    ("options", "ordered", "words"),
    [
        ({"normalizer": Normalizer("NFC")}, {}, "changes them: Unicode form NFC"),
        ({}, {"starts_with_characters": True}, "is BPE with byte fallback"),
        ({}, {"starts_with_characters": False}, "has ids in another order than its merges"),
    ],
)
def test_a_start_that_changes_texts_or_orders_its_merges_otherwise_is_refused(options, ordered, words):
    ids = {bytes([i]): i for i in range(256)} | {b"ab": 256}
    start = Tokenizer("odd", "gpt2", OrderedRanks(ids, [[b"ab"]], **ordered) if ordered else ids, **options)
    for asked in (start, with_superwords(start)):
        with pytest.raises(ValueError, match=words):
            tokviz.train("ab ab", vocab_size=258, start=asked)


def test_a_start_with_a_token_that_no_merges_make_is_refused():
    ranks = {bytes([i]): i for i in range(256)} | {b"abc": 256}
    with pytest.raises(ValueError, match=r"continue from odd: no merge makes its token 256 \(b'abc'\)"):
        tokviz.train("abab", vocab_size=258, start=tokviz.Tokenizer("odd", "none", ranks))


def test_an_empty_text_teaches_nothing():
    start = tokviz.load("gpt2")
    assert learned("", start, 3) == []
