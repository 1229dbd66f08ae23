"""Many texts at once are encoded, counted and decoded as one by one."""

import tracemalloc
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD
from vocabularies import NAMES

from tokviz import Tokenizer, load
from tokviz.core.batch import results_by_text
from tokviz.core.engine import Engine
from tokviz.core.samples import SAMPLES, sample
from tokviz.core.vocabulary import UnknownTokenError
from tokviz.system import threads

pytestmark = pytest.mark.usefixtures("cut_by_tiktoken")

LONG = sample("english") * 40 + sample("thai") * 40
PATTERNS = ["gpt2", "cl100k", "o200k", "llama3", "none", "[a-z]+"]


@pytest.fixture(autouse=True)
def three_cores(monkeypatch):
    monkeypatch.setattr("tokviz.core.batch.n_cores", lambda: 3)


PIECES = st.sampled_from([*"ab 's\n1ก\ud83d<s>", "<s>", "<|between texts|>"])


@given(st.lists(st.lists(PIECES, max_size=30).map("".join), max_size=9), st.sampled_from(PATTERNS))
def test_texts_together_equal_one_by_one(texts, pattern):
    tokenizer = Tokenizer("x", pattern, load("gpt2").mergeable_ranks, {"<s>": 60_000})
    for allowed in ((), "all"):
        alone = [tokenizer.encode(text, allowed_special=allowed) for text in texts]
        assert tokenizer.encode_batch(texts, allowed_special=allowed) == alone
        assert [ids.tolist() for ids in tokenizer.encode_iter(texts, allowed_special=allowed)] == alone
        assert list(tokenizer.count_iter(texts, allowed_special=allowed)) == list(map(len, alone))
        assert [tokenizer.count(text, allowed_special=allowed) for text in texts] == list(map(len, alone))


@pytest.mark.slow
def test_long_and_short_texts_keep_their_order():
    tokenizer = load("gpt2")
    texts = [*ODD, LONG, *ODD * 20, LONG * 2, ""]
    expected = [tokenizer.encode(text) for text in texts]
    assert tokenizer.encode_batch(iter(texts)) == expected
    assert list(tokenizer.count_iter(iter(texts))) == list(map(len, expected))
    assert expected[len(ODD)] == [i for p in tokenizer.pretokens(LONG) for i in tokenizer.encode_pretoken(p)]


def test_an_array_of_ids_is_what_tiktoken_gives():
    for text in (LONG, "short", "<|endoftext|>"):
        ids = load("gpt2").encode_to_numpy(text, allowed_special="all")
        assert ids.dtype == np.uint32 and ids.flags.writeable
        assert ids.tolist() == load("gpt2").encode(text, allowed_special="all")
    assert load("gpt2").encode_to_numpy("").tolist() == []


def test_texts_are_read_as_they_are_wanted():
    read = []

    def texts():
        for i in range(1_000_000):
            read.append(i)
            yield "one two three " * 1_000

    counts = load("gpt2").count_iter(texts())
    assert list(islice(counts, 3)) == [load("gpt2").count("one two three " * 1_000)] * 3
    counts.close()
    assert len(read) < 100


@pytest.mark.slow
def test_memory_does_not_grow_with_the_corpus():
    def peak(n):
        tracemalloc.start()
        total = sum(load("gpt2").count_iter(f"{i} " + "one two three " * 1_000 for i in range(n)))
        try:
            return total, tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    few, many = peak(100), peak(1_000)
    assert many[0] > 9 * few[0] and many[1] < 1.5 * few[1]


def test_what_a_text_raises_is_raised():
    with pytest.raises(ValueError, match="an iterable of str"):
        load("gpt2").encode_batch("one text")
    with pytest.raises(ValueError, match="'<no>' is not a special token"):
        load("gpt2").encode_batch(["a"], allowed_special={"<no>"})
    with pytest.raises(TypeError, match="a str, not int"):
        load("gpt2").encode_batch([LONG, LONG, 3])


@pytest.mark.parametrize("name", NAMES)
def test_many_ids_are_decoded_as_few(name):
    tokenizer = load(name)
    ids = [*tokenizer.encode("".join(map(sample, SAMPLES))), tokenizer.special_tokens["<|endoftext|>"]]
    once, n = tokenizer.decode_bytes(ids), 200_000 // len(ids)
    assert tokenizer.decode_bytes(ids * n) == once * n
    assert tokenizer.decode_bytes(np.array(ids * n)) == once * n
    assert tokenizer.decode(iter(ids * n)) == once.decode() * n


@pytest.mark.parametrize("bad", [True, 97.0, None, -1, 2**40, 999_999])
def test_an_unknown_id_among_many_is_named_with_its_place(bad):
    many = [97] * 150_000
    with pytest.raises(ValueError, match=r"number 140000") as e:
        load("gpt2").decode([*many[:140_000], bad, *many])
    assert isinstance(e.value, UnknownTokenError) == (type(bad) is int)


def test_results_come_in_order_and_errors_where_they_belong():
    assert list(threads.results_in_order(lambda n: n * n, range(1_000), 4)) == [n * n for n in range(1_000)]
    results = threads.results_in_order(lambda n: 1 // (n - 50), range(100), 3)
    assert len(list(islice(results, 50))) == 50
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_special_tokens_are_made_ready_once_for_all_texts():
    class Asked(dict):
        times = 0

        def __iter__(self):
            self.times += 1
            return super().__iter__()

    asked = Asked({"<s>": 300})
    texts = ["a<s>b"] * 100
    engine = Engine("gpt2", load("gpt2").mergeable_ranks)
    assert [sum(found) for found in results_by_text(engine, texts, asked, len)] == [3] * 100
    assert asked.times == 1
