import pickle

import numpy as np
import pytest
import tiktoken
from each import each
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD

import tokviz
from tokviz import Tokenizer, load, token_spans
from tokviz.core.pretokens import well_formed_text
from tokviz.core.samples import SAMPLES, sample

NAMES = ["gpt2", "cl100k_base", "o200k_base"]


@given(st.text(), st.sampled_from(NAMES))
def test_encode_equals_tiktoken(text, name):
    assert load(name).encode(text) == tiktoken.get_encoding(name).encode(text, disallowed_special=())


@pytest.mark.parametrize("name", NAMES)
@each("text", [*ODD, *map(sample, SAMPLES)])
def test_encode_equals_tiktoken_on_odd_texts_and_samples(name, text):
    reference = tiktoken.get_encoding(name)
    assert load(name).encode(text) == reference.encode(text, disallowed_special=())
    assert load(name).encode(text, allowed_special="all") == reference.encode(text, allowed_special="all")


@given(st.lists(st.sampled_from(["<|endoftext|>", "<|fim_prefix|>", "a ", " \n", "ก"])).map("".join))
def test_special_tokens_equal_tiktoken(text):
    reference = tiktoken.get_encoding("cl100k_base")
    assert load("cl100k_base").encode(text, allowed_special="all") == reference.encode(text, allowed_special="all")


@pytest.mark.parametrize("text", ODD)
def test_round_trip(trained, text):
    for tokenizer in (trained, load("o200k_base")):
        assert tokenizer.decode(tokenizer.encode(text)) == well_formed_text(text)
        assert tokenizer.decode(tokenizer.encode(text, allowed_special="all")) == well_formed_text(text)


def test_special_tokens_are_text_unless_allowed(trained):
    first = trained.special_tokens["<s>"]
    assert first not in trained.encode("a<s>b")
    assert trained.encode("a<s>b", allowed_special={"<s>"}) == [97, first, 98]
    assert trained.encode("<s>x<s>", allowed_special="all") == [first + 1, first]
    assert trained.encode("<s>x", allowed_special={"<s>"}) == [first, 120]
    with pytest.raises(ValueError, match="'<no>' is not a special token"):
        trained.encode("a", allowed_special={"<no>"})


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_no_merge_goes_into_a_special_token():
    text = "xy<s>xy<s>xy<s>" * 10
    tokenizer = tokviz.train(text, vocab_size=258, split_pattern="none", special_tokens=["<s>"], min_count=1)
    assert tokenizer.merge_tokens == [b"xy"]


@pytest.mark.parametrize(
    ("special", "words"),
    [([""], "not empty"), ({"<s>": 97}, "inside the vocabulary"), ({"<s>": 300, "<t>": 300}, "twice"),
     (["<s>", "<s>"], "twice"), ({"<s>": "x"}, "not an integer"), ("<s>", "collection")],
)  # fmt: skip
def test_bad_special_tokens_are_refused(special, words):
    with pytest.raises(ValueError, match=words):
        tokviz.train("abab", vocab_size=257, split_pattern="none", special_tokens=special)


def test_an_empty_special_token_is_refused_by_the_class_too():
    with pytest.raises(ValueError, match="id 300 is empty"):
        tokviz.Tokenizer("toy", "none", {bytes([i]): i for i in range(256)}, {"": 300})


def test_ranks_are_checked():
    ranks = {bytes([i]): i for i in range(256)}
    with pytest.raises(ValueError, match="lacks the byte 97"):
        Tokenizer("x", "none", {k: v for k, v in ranks.items() if k != b"a"})
    with pytest.raises(ValueError, match="id 97 is given to"):
        Tokenizer("x", "none", ranks | {b"ab": 97})
    with pytest.raises(ValueError, match="id 97 is given to"):
        Tokenizer("x", "none", ranks, {"<s>": 97})


def test_the_empty_split_pattern_means_none():
    assert tokviz.train("ab ab", vocab_size=258, split_pattern="").split_pattern == "none"
    assert Tokenizer.from_steps(()).split_pattern == "cl100k"


def test_a_tokenizer_pickles_and_compares_by_value(trained):
    again = pickle.loads(pickle.dumps(trained))
    assert again == trained
    assert hash(again) == hash(trained)
    assert again.encode("the bread") == trained.encode("the bread")
    turned = Tokenizer("x", "cl100k", trained.mergeable_ranks, dict(reversed(trained.special_tokens.items())))
    assert turned == trained and hash(turned) == hash(trained)
    assert trained != trained.truncated(3)
    assert trained != tokviz.load("gpt2")


def test_ids_that_are_not_there_are_refused_by_name(trained):
    with pytest.raises(KeyError, match="999999"):
        trained.decode([97, 999999])
    with pytest.raises(KeyError, match="-1"):
        trained.token_bytes(-1)
    for bad in ("97", 97.0, None, True):
        with pytest.raises(ValueError, match=repr(bad)):
            trained.decode([97, bad])
    assert trained.decode(np.array([97, 98])) == "ab"


def test_an_id_in_a_gap_is_refused_with_its_neighbours():
    gapped = tokviz.train("low low", vocab_size=258, special_tokens={"<a>": 1_101, "<b>": 1_105})
    for token_id, known in (
        (1_100, r"the ids next to it are 257 and 1101"),
        (1_103, r"the ids next to it are 1101 and 1105"),
        (1_106, r"ids run from 0 to 1105"),
        (-1, r"ids run from 0 to 1105"),
    ):
        with pytest.raises(KeyError, match=rf"trained has no token {token_id} \(number 0\); {known}"):
            gapped.token_bytes(token_id)


def test_bytes_that_are_no_utf8(trained):
    assert trained.decode([0xE0, 0xB8]) == "\ufffd"
    assert trained.decode_bytes([0xE0, 0xB8]) == b"\xe0\xb8"
    assert load("cl100k_base").token_bytes(load("cl100k_base").mergeable_ranks[b"\x80"]) == b"\x80"


@given(st.text("theabc ก", max_size=30), st.integers(0, 344))
def test_truncated_keeps_ids_and_special_tokens(trained, text, k):
    cut = trained.truncated(k)
    assert cut.special_tokens == trained.special_tokens
    assert len(cut.merge_tokens) == k
    assert cut.decode(cut.encode(text)) == text
    assert all(i < 256 + k for i in cut.encode(text))


def test_truncated_out_of_range(trained):
    with pytest.raises(ValueError, match="cut it to a number from 0 to that, not 345"):
        trained.truncated(345)


def test_pretokens_are_what_encode_sees(trained):
    text = sample("english")
    ids = [i for pretoken in trained.pretokens(text) for i in trained.encode(pretoken)]
    assert ids == trained.encode(text)


@pytest.mark.parametrize("text", ["a" * 1_000_000, " " * 1_000_000, "ab" * 500_000, "ภาษาไทย" * 50_000])
@pytest.mark.slow
def test_a_megabyte_is_encoded_traced_and_placed(text):
    tokenizer = load("o200k_base")
    ids = tokenizer.encode(text)
    assert tokenizer.decode(ids) == text
    ends = token_spans(tokenizer, ids).byte_ends
    assert tokviz.trace(tokenizer, text).ends == ends.tolist()


def test_special_tokens_of_more_characters_than_any_tokenizer_has_are_refused():
    ranks = {bytes([i]): i for i in range(256)}
    with pytest.raises(ValueError, match="the special tokens have 1,000,001 characters in total"):
        Tokenizer("x", "none", ranks, {"a" * 1_000_001: 256})


def test_a_token_that_is_always_special_is_so_in_every_text_and_copy(tmp_path):
    special = {"<think>": 300, "<s>": 301}
    tokenizer = tokviz.Tokenizer("toy", "gpt2", {bytes([i]): i for i in range(256)}, special, ["<think>"])
    plain = tokviz.Tokenizer("toy", "gpt2", tokenizer.mergeable_ranks, special)
    assert tokenizer != plain and pickle.loads(pickle.dumps(tokenizer)) == tokenizer
    assert tokenizer.encode("a<think><s>") == [97, 300, *b"<s>"]
    assert tokenizer.encode("a<think><s>", allowed_special="all") == [97, 300, 301]
    assert tokenizer.encode("<think><s>", allowed_special={"<s>"}) == [300, 301]
    assert plain.encode("<think>") == [*b"<think>"]
    assert tokviz.trace(tokenizer, "a<think>").ids_at(0) == [97, 300]
    assert tokenizer.truncated(0) == tokenizer
    grown = tokviz.train("low low", vocab_size=257, start=tokenizer)
    assert grown.encode("lo<think>") == [302, 300] and tokviz.trim(grown, "lo<think>").tokenizer.always_special
    tokenizer.save(tmp_path / "toy.json")
    assert tokviz.Tokenizer.read(tmp_path / "toy.json") == tokenizer
    with pytest.raises(ValueError, match=r"a \.model file cannot say that '<think>' always matches"):
        tokenizer.save(tmp_path / "toy.model")
    tokenizer.save(tmp_path / "toy.vocab")
    assert "[<think>] 300" in (tmp_path / "toy.vocab").read_text()
    with pytest.raises(ValueError, match="always_special names '<x>', which is not a special token"):
        tokviz.Tokenizer("toy", "gpt2", tokenizer.mergeable_ranks, special, ["<x>"])
