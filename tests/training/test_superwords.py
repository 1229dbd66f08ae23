"""Superwords: the merges of two naive trainings, and a tokenizer that encodes as it was trained, here and elsewhere."""

import json
from itertools import accumulate

import pytest
import regex
import tiktoken
import tokenizers
from each import each
from examples import times
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD

import tokviz
from tokviz import Tokenizer
from tokviz.core.pretokens import pretokens, well_formed_text
from tokviz.core.samples import SAMPLES, sample
from tokviz.core.steps import ACROSS, WHOLE
from tokviz.formats.equivalence import probe_texts
from tokviz.training.naive import naive_steps
from tokviz.training.superwords import SUPERWORDS, superword_steps, train_superwords, with_superwords

TEXTS = [*map(well_formed_text, ODD), *map(sample, SAMPLES), *probe_texts()]
TEXT = "".join(map(sample, ("english", "thai", "python", "chinese")))


def naive_superwords(texts, first, n_merges, *, pattern="gpt2", min_count=1):
    """One naive training inside words, and one on top of it that crosses them."""
    inside = [each for text in texts for each in pretokens(text, pattern)]
    across = [each for text in texts for each in regex.findall(SUPERWORDS, text)]
    steps = [step._replace(n_merges=n_merges) for step in naive_steps(inside, first, min_count=min_count)]
    start = Tokenizer.from_steps(steps, split_pattern=SUPERWORDS)
    for step in naive_steps(across, n_merges - len(steps), min_count=min_count, start=start):
        steps.append(step._replace(rank=len(steps), n_merges=n_merges, part=ACROSS))
    return steps


@times(2)
@given(st.lists(st.text("ab กx.1\n", min_size=1), min_size=1, max_size=3), st.integers(0, 12), st.integers(1, 2))
def test_the_merges_are_those_of_two_naive_trainings(texts, first, min_count):
    sizes = {"superwords_from": 256 + first, "vocab_size": 272, "min_count": min_count}
    naive = naive_superwords(texts, first, 16, min_count=min_count)
    assert list(superword_steps(texts, split_pattern="gpt2", **sizes)) == naive


def test_a_sample_is_learned_as_by_the_naive_algorithm():
    text = sample("english")[:2_000]
    steps = list(superword_steps(text, superwords_from=356, vocab_size=436, split_pattern="o200k"))
    assert steps == naive_superwords([text], 100, 180, pattern="o200k")
    assert [step.rank for step in steps] == [*range(180)]
    assert [step.token_id for step in steps] == [*range(256, 436)]
    assert not any(b" " in step.token_bytes[1:] for step in steps[:100])
    assert any(regex.search(rb"\w \w", step.token_bytes) for step in steps[100:])


@pytest.fixture(scope="module")
def trained() -> Tokenizer:
    sizes = {"superwords_from": 1_000, "vocab_size": 2_000}
    return train_superwords(TEXT, split_pattern="o200k", special_tokens=["<s>"], name="super", **sizes)


def test_encoding_makes_the_merges_that_training_made(trained):
    options = {"superwords_from": 1_000, "vocab_size": 2_000, "split_pattern": "o200k"}
    steps = list(superword_steps(TEXT, **options, special_tokens=["<s>"]))
    assert len(trained.encode(TEXT)) == steps[-1].n_tokens
    assert trained.merges == [step.pair for step in steps]
    assert trained.special_tokens == {"<s>": 2_000}
    history = tokviz.trace(trained, TEXT)
    for n_merges in (0, 300, 744, 745, 1_200, 1_744):
        lengths = [len(trained.token_bytes(i)) for i in trained.truncated(n_merges).encode(TEXT)]
        assert history.tokens_at(n_merges) == list(accumulate(lengths))


def test_superwords_save_tokens(trained):
    plain = tokviz.train(TEXT, vocab_size=2_000, split_pattern="o200k")
    assert trained.n_vocab == plain.n_vocab + 1
    assert len(trained.encode(sample("english"))) < 0.95 * len(plain.encode(sample("english")))


@each("text", TEXTS)
def test_the_pattern_takes_every_character_in_one_alternative(text):
    assert "".join(regex.findall(SUPERWORDS, text)) == text


def test_words_stand_together_and_what_is_kept_apart_does_not():
    found = regex.findall(SUPERWORDS, "By the way, it's 12345 (x)...  ok\r\n\n  น้ำ ใส")
    assert found == ["By the way, it's ", "123", "45", " (x", ")...", " ", " ok", "\r\n\n", " ", " น้ำ ใส"]


@pytest.mark.parametrize("suffix", [".json", ".model", ".tiktoken"])
def test_every_format_holds_it(trained, suffix, tmp_path):
    path = tmp_path / f"super{suffix}"
    trained.save(path)
    options = {"split_pattern": SUPERWORDS, "special_tokens": {"<s>": 2_000}} if suffix == ".tiktoken" else {}
    assert Tokenizer.read(path, **options) == trained


def test_other_libraries_give_the_same_ids(trained, tmp_path):
    trained.save(tmp_path / "super.json")
    library = tokenizers.Tokenizer.from_file(str(tmp_path / "super.json"))
    library.encode_special_tokens = True
    split = json.loads((tmp_path / "super.json").read_text("utf-8"))["pre_tokenizer"]["pretokenizers"][0]
    assert split["pattern"] == {"Regex": SUPERWORDS}
    encoding = tiktoken.Encoding(
        "super", pat_str=SUPERWORDS, mergeable_ranks=trained.mergeable_ranks, special_tokens={}
    )
    for text in TEXTS:
        assert library.encode(text).ids == encoding.encode_ordinary(text) == trained.encode(text)


def test_training_goes_on_from_a_tokenizer_that_is_there():
    text = sample("english")
    start = tokviz.train(text, vocab_size=400, split_pattern="gpt2", special_tokens={"<end>": 500}, name="start")
    more = train_superwords(text, start=start, special_tokens=["<s>"], superwords_from=410, vocab_size=450)
    assert more.special_tokens == {"<end>": 500, "<s>": 551}
    assert with_superwords(start).mergeable_ranks == start.mergeable_ranks
    assert more.split_pattern == with_superwords(start).split_pattern == SUPERWORDS
    in_words = tokviz.train(text, start=start, vocab_size=410)
    assert more.merges[:154] == in_words.merges
    assert len(more.encode(text)) < len(tokviz.train(text, start=start, vocab_size=450).encode(text))


def test_documents_of_an_iterator_are_read_twice():
    options = {"superwords_from": 260, "vocab_size": 266}
    expected = list(superword_steps(["to be or", "not to be"], **options))
    assert list(superword_steps(iter([iter(["to be", " or"]), "not to be"]), **options)) == expected


def test_the_transition_can_be_at_either_end():
    text, sizes = sample("english")[:500], {"vocab_size": 300, "split_pattern": "gpt2"}
    at_the_end = list(superword_steps(text, superwords_from=300, **sizes))
    assert at_the_end == list(tokviz.train_steps(text, **sizes))
    at_once = list(superword_steps(text, superwords_from=256, **sizes))
    assert [step._replace(part=WHOLE) for step in at_once] == list(
        tokviz.train_steps(text, vocab_size=300, split_pattern=SUPERWORDS)
    )


def test_a_first_stage_without_pairs_left_hands_over():
    with pytest.warns(UserWarning, match="stopped after 2 of 44 merges"):
        tokenizer = train_superwords("a b", superwords_from=290, vocab_size=300, split_pattern=r"\w|\s")
    assert tokenizer.encode("a b") == [257]


@pytest.mark.parametrize("transition", [255, 301, True, 280.5, None])
def test_a_transition_outside_the_vocabulary_is_refused(transition):
    with pytest.raises(ValueError, match="superwords_from must be a size from 256 to the vocab_size 300, not"):
        superword_steps("low", superwords_from=transition, vocab_size=300)
    with pytest.raises(ValueError, match="vocab_size must be"):
        superword_steps("low", superwords_from=255, vocab_size=255)
