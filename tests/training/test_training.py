import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokviz
from tokviz.core.pretokens import pretokens, split_at_special_tokens
from tokviz.core.samples import SAMPLES, sample
from tokviz.training import pairs
from tokviz.training.naive import naive_steps


def learned(text, n_merges, pattern="none", **options):
    return list(tokviz.train_steps(text, vocab_size=256 + n_merges, split_pattern=pattern, **options))


TEXTS = st.sampled_from(["a", "ab", "abc", "ab ", "aก"]).flatmap(st.text)


@given(TEXTS, st.integers(0, 40))
def test_training_equals_the_naive_algorithm(text, n_merges):
    assert learned(text, n_merges) == list(naive_steps([text], n_merges))


@given(st.lists(TEXTS, max_size=4), st.integers(0, 40), st.sampled_from([0, 2, 5]))
def test_both_ways_of_merging_equal_the_naive_algorithm(texts, n_merges, few):
    # Texts as short as these would all be merged in plain loops.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "FEW_PLACES", few)
        assert learned(texts, n_merges) == list(naive_steps(texts, n_merges))


@given(st.lists(st.text("ab "), max_size=6), st.integers(0, 30), st.integers(1, 4))
def test_documents_special_tokens_and_min_count_equal_the_naive_algorithm(texts, n_merges, min_count):
    texts = [text.replace("bb", "<s>") for text in texts]
    pieces = [
        piece
        for text in texts
        for part, is_special in split_at_special_tokens(text, ["<s>"])
        if not is_special
        for piece in pretokens(part, "gpt2")
    ]
    options = {"special_tokens": ["<s>"], "min_count": min_count}
    assert learned(texts, n_merges, "gpt2", **options) == list(naive_steps(pieces, n_merges, min_count=min_count))


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_equal_the_naive_algorithm(name):
    text = sample(name)
    assert learned(text, 40) == list(naive_steps([text], 40))
    assert learned(text, 40, "cl100k") == list(naive_steps(pretokens(text, "cl100k"), 40))


@pytest.mark.slow
def test_documents_counted_by_two_processes_train_the_same_merges():
    documents = [sample(name) for name in SAMPLES]
    assert tokviz.train(documents, vocab_size=400, workers=2) == tokviz.train(documents, vocab_size=400)
    with pytest.raises(ValueError, match="workers must be None or a whole number"):
        tokviz.train(documents, vocab_size=400, workers=0)


def test_the_classical_example():
    tokenizer = tokviz.train("aaabdaaabac", vocab_size=259, split_pattern="none")
    assert tokenizer.encode("aaabdaaabac") == [258, 100, 258, 97, 99]
    assert tokenizer.merges == [(97, 97), (256, 97), (257, 98)]


def test_overlapping_pairs_are_counted_as_the_naive_algorithm_does():
    steps = learned("aaaa", 5)
    assert [(step.pair, step.count, step.n_tokens) for step in steps] == [((97, 97), 3, 2), ((256, 256), 1, 1)]
    assert steps == list(naive_steps(["aaaa"], 5))


@pytest.mark.parametrize(
    "text",
    ["a" * 128_000, *(pytest.param(each * 500_000, marks=pytest.mark.slow) for each in ("aa", "ab", "  "))],
    ids=len,
)
def test_much_of_one_thing(text):
    tokenizer = tokviz.train(text, vocab_size=262, split_pattern="none")
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert len(tokenizer.encode(text)) == len(text) / 64


def test_training_that_stops_early_says_how_far_it_came():
    with pytest.warns(UserWarning, match="after 2 of 744 merges"):
        tokenizer = tokviz.train("aaaa", vocab_size=1000, split_pattern="none")
    assert tokenizer.n_vocab == 258
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tokviz.train("aaaa", vocab_size=258, split_pattern="none")


def test_special_tokens_come_after_the_last_merge_learned():
    with pytest.warns(UserWarning):
        tokenizer = tokviz.train("aaaa", vocab_size=1000, split_pattern="none", special_tokens=["<s>"])
    assert tokenizer.special_tokens == {"<s>": 258}


def test_steps_stopped_half_way_make_a_tokenizer():
    steps = tokviz.train_steps(sample("english"), vocab_size=500)
    some = [next(steps) for _ in range(50)]
    tokenizer = tokviz.Tokenizer.from_steps(some, split_pattern="cl100k")
    assert tokenizer == tokviz.train(sample("english"), vocab_size=306)


@pytest.mark.parametrize(
    "options", [{"vocab_size": 255}, {"vocab_size": 300.0}, {"vocab_size": True}, {"vocab_size": 300, "min_count": 0}]
)
def test_arguments_out_of_range_are_refused(options):
    with pytest.raises(ValueError, match="whole number of at least"):
        tokviz.train("text", **options)
