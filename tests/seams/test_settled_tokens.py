"""Settled tokens stay whatever follows, and what is said to move does, with the continuation that is named."""

import random
from functools import cache
from itertools import accumulate, pairwise, product

import pytest
import tiktoken
from each import quick
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_texts import ODD
from vocabularies import EVERY, NAMES

import tokviz
from tokviz.core import bpe
from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.core.pretokens import well_formed_text
from tokviz.core.samples import SAMPLES, sample
from tokviz.core.tokenizer import Tokenizer
from tokviz.families.teaching import list_tokenizer
from tokviz.seams.settled_tokens import changed_ids_before_and_after, settled

ALPHABETS = [
    *("aA'ls", "กA\u0301s", "1a!/\n"),
    *(pytest.param(letters, marks=pytest.mark.slow) for letters in ("ab ", "a \n", "é中a", "😀\u200d1 ")),
]


def token_spans(tokenizer, text, allowed_special=()):
    tokens = tokenizer.tokens_bytes(tokenizer.encode(text, allowed_special=allowed_special))
    return list(pairwise(accumulate(map(len, tokens), initial=0)))


def assert_holds(tokenizer, text, continuations, allowed_special=()):
    """The claims of `settled` about a text, against these continuations; returns what was found."""
    found = settled(tokenizer, text, allowed_special=allowed_special)
    ids = tokenizer.encode(text, allowed_special=allowed_special)
    spans = token_spans(tokenizer, text, allowed_special)
    ends = [end for _, end in spans]
    moving = {seam.byte_end for seam in found.seams}
    assert (0, *ends)[found.n_tokens] == found.byte_end
    whole = text.encode()[: found.byte_end].decode(errors="ignore")
    assert (found.char_end, found.utf16_end) == (len(whole), len(whole.encode("utf-16-le")) // 2)
    assert found.n_tokens == next((i for i, end in enumerate(ends) if end in moving), len(ends))
    for seam in found.seams:
        assert ends[seam.token] == seam.byte_end
        assert seam.continuation is not None, (text, seam)
        assert spans[seam.token] not in token_spans(tokenizer, text + seam.continuation, allowed_special), (text, seam)
    for more in continuations:
        longer = tokenizer.encode(text + more, allowed_special=allowed_special)
        assert longer[: found.n_tokens] == ids[: found.n_tokens], (text, more)
        kept = {*token_spans(tokenizer, text + more, allowed_special)}
        assert kept >= {span for span in spans if span[1] not in moving}, (text, more)
        now, then = changed_ids_before_and_after(tokenizer, text, more, allowed_special=allowed_special)
        n_kept = len(ids) - len(now)
        assert ids[n_kept:] == now and longer == ids[:n_kept] + then, (text, more)
        assert not now or now[0] != then[0]
    return found


def random_ranks(rng, alphabet, n_merges):
    """Return ranks of random merges of what texts of this alphabet hold, parts of characters included."""
    data = "".join(rng.choices(alphabet, k=400)).encode()
    ranks = {bytes([i]): i for i in range(256)}
    while n_merges:
        tokens = bpe.tokens(data, ranks, below=2**31)
        pairs = sorted({a + b for a, b in pairwise(tokens)} - ranks.keys())
        if not pairs:
            break
        ranks[rng.choice(pairs)] = 256 + len(ranks)
        n_merges -= 1
    return ranks


@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("name", quick(SPLIT_PATTERNS, "none", "gpt2", "o200k"))
def test_all_short_continuations_under_small_vocabularies(name, alphabet):
    rng = random.Random(f"{name} {alphabet}")
    continuations = ["".join(more) for length in (1, 2, 3) for more in product(alphabet, repeat=length)]
    for n_merges in (5, 30):
        tokenizer = Tokenizer("small", name, random_ranks(rng, alphabet, n_merges))
        assert_holds(tokenizer, "".join(rng.choices(alphabet, k=rng.randint(1, 7))), continuations)


@pytest.mark.slow
@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("name", SPLIT_PATTERNS)
def test_all_continuations_under_many_small_vocabularies(name, alphabet):
    rng = random.Random(f"many {name} {alphabet}")
    continuations = ["".join(more) for length in (1, 2, 3, 4) for more in product(alphabet, repeat=length)]
    for _ in range(40):
        tokenizer = Tokenizer("small", name, random_ranks(rng, alphabet, rng.randint(1, 60)))
        assert_holds(tokenizer, "".join(rng.choices(alphabet, k=rng.randint(0, 9))), continuations)


@cache
def corpus():
    return "".join(map(sample, SAMPLES)) + "".join(map(well_formed_text, ODD))


@pytest.mark.parametrize("name", NAMES)
def test_random_continuations_of_random_beginnings_under_the_pretrained_tokenizers(name):
    rng, tokenizer = random.Random(name), tokviz.load(name)
    vocabulary = sorted(tokenizer.mergeable_ranks)
    for _ in range(3 * settings.default.max_examples):
        at = rng.randrange(len(corpus()))
        text = corpus()[at : at + rng.randint(1, 40)]
        tokens = rng.choices(vocabulary, k=20)
        more = ["".join(rng.choices(corpus(), k=rng.randint(1, 5))) for _ in range(20)]
        more += [corpus()[at + len(text) :][:n] for n in (1, 2, 4, 8)]
        assert_holds(tokenizer, text, [*more, *(token.decode(errors="ignore") for token in tokens)])


@pytest.mark.parametrize("name", NAMES)
def test_tiktoken_lists_no_completion_that_differs_in_what_is_settled(name):
    encoding, tokenizer, rng = tiktoken.get_encoding(name), tokviz.load(name), random.Random(name)
    n_compared = 0
    for _ in range(8):
        at = rng.randrange(len(corpus()))
        text = corpus()[at : at + rng.randint(1, 30)]
        stable, completions = encoding.encode_with_unstable(text, disallowed_special=())
        n_settled = settled(tokenizer, text).n_tokens
        ids = tokenizer.encode(text)
        for completion in completions:
            try:
                tokenizer.decode_bytes([*stable, *completion]).decode()
            except UnicodeDecodeError:
                continue  # it also lists bytes that no text has
            n_compared += 1
            assert [*stable, *completion][:n_settled] == ids[:n_settled], (text, completion)
    assert n_compared > 1_000


@pytest.mark.parametrize("names", EVERY)
@given(text=st.text(max_size=12), continuations=st.lists(st.text(min_size=1, max_size=6), max_size=6))
def test_any_text_and_continuation(names, text, continuations):
    for name in names:
        assert_holds(tokviz.load(name), well_formed_text(text), list(map(well_formed_text, continuations)))


@pytest.mark.parametrize("text", ODD)
def test_odd_texts(text, trained):
    for tokenizer in (trained, tokviz.load("gpt2")):
        assert_holds(tokenizer, well_formed_text(text), [*map(well_formed_text, ODD), *corpus()[:200:7]])


def test_capitals_behind_letters_without_case_move_with_the_first_small_letter():
    found = settled(tokviz.load("o200k_base"), " 亚洲AV")
    assert found.n_tokens == 0 and [seam.byte_end for seam in found.seams] == [7, 9]
    assert settled(tokviz.load("cl100k_base"), " 亚洲AV").byte_end == 7


def test_special_tokens_that_have_begun():
    ranks = bpe.ranks_from_merges([(97, 97)])
    tokenizer = Tokenizer("toy", "gpt2", ranks, {"<s>": 300, "<s>x": 301, "<think>": 302}, ["<think>"])
    more = ["<s>", "s>", ">", "x", "think>", "hink>", " a", "<s", "a"]
    for text in ("", "a", "aa <", "aa  <", "<s", "<s>", "<s>x", "b<s>  <thi", "<<", "<s><", "a<think>"):
        for allowed in ((), "all", ["<s>"]):
            assert_holds(tokenizer, text, more, allowed)
    assert [seam.continuation for seam in settled(tokenizer, "a<thi").seams] == ["nk>"] * 4
    assert settled(tokenizer, "a<s").n_tokens == 3
    assert settled(tokenizer, "a<s", allowed_special="all").n_tokens == 1


def test_a_token_that_no_merge_makes_is_taken_as_a_whole_pretoken():
    ranks = bpe.ranks_from_merges([(97, 97)]) | {b"bcd": 300}
    tokenizer = Tokenizer("toy", "gpt2", ranks)
    assert tokenizer.encode("bcd") == [300] and tokenizer.encode("bcda") == [98, 99, 100, 97]
    for text in ("b", "bc", "bcd", "a bcd", "aabc"):
        assert_holds(tokenizer, text, ["a", "b", "c", "d", "cd", "cda", " ", "\n"])
    assert settled(tokenizer, "bc").n_tokens == 0


def test_a_pattern_of_ones_own_is_only_tried():
    tokenizer = tokviz.train("low lower lowest", vocab_size=262, split_pattern=r"[a-z]+| ?[A-Z]+|\s+|.")
    found = settled(tokenizer, "lowe")
    assert not found.is_proven and found.seams[-1].continuation
    assert settled(tokviz.train("low", vocab_size=257, split_pattern="none"), "lo").is_proven


def test_other_families_are_refused():
    with pytest.raises(ValueError, match="byte-level BPE"):
        settled(list_tokenizer("words", "the cat"), "the")


@pytest.mark.parametrize("text", ["a" * 9_000, "ก" * 3_000, "你好" * 3_000, " " * 5_000, "aB" * 3_000])
@pytest.mark.parametrize("names", EVERY)
def test_long_runs(names, text):
    for name in names:
        assert_holds(tokviz.load(name), text, ["a", "ก", " ", "x", "1"])
