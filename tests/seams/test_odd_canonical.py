"""Canonical ids, ways to cut and parts of texts that are changed before they are split, held against encoding."""

import random

import pytest
from each import quick
from odd_tokenizers import NORMALIZERS, random_tokenizer

import tokviz
from tokviz.core.normalizer import Normalizer
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.tokenizer import Tokenizer
from tokviz.seams.canonical import BYTES, MERGE, NORMALIZED, canonical
from tokviz.seams.joined_parts import Cuts, joined_parts
from tokviz.seams.segmentations import Segmentations
from tokviz.seams.shared_prefix import shared_prefix

ALPHABET = "aA e\u0301É>/▁가\u1100\u1161"
PATTERNS = ["sentencepiece", "o200k", "none"]


def cases(name, n):
    rng = random.Random(name)
    for pattern in PATTERNS:
        tokenizer = random_tokenizer(rng, ALPHABET, pattern, NORMALIZERS[name], 30, special=["<s>"])
        for _ in range(n):
            yield rng, tokenizer, "".join(rng.choices(ALPHABET, k=rng.randint(0, 12)))


def assert_aligned(found):
    """What lies between the differences is the same in both."""
    end = new_end = 0
    for one in found.differences:
        assert found.ids[end : one.start] == found.canonical[new_end : one.canonical_start]
        assert found.ids[one.start : one.end] != found.canonical[one.canonical_start : one.canonical_end]
        end, new_end = one.end, one.canonical_end
    assert found.ids[end:] == found.canonical[new_end:]


@pytest.mark.parametrize("name", quick(NORMALIZERS, "NFC", "each space, marks"))
def test_encoded_texts_are_canonical_and_other_ids_are_aligned(name):
    for rng, tokenizer, text in cases(name, 12):
        # A text that begins with a space of its own is given back as it is.
        ids = tokenizer.encode(text)
        if NORMALIZERS[name] != Normalizer("NFKC", lowercase=True):  # after which a text may not be in the form
            assert canonical(tokenizer, ids).is_canonical
        marked = tokenizer.encode(f"{text}<s>{text}", allowed_special="all")
        assert_aligned(canonical(tokenizer, marked, allowed_special="all"))
        every = [*tokenizer.ordinary_tokens]
        found = canonical(tokenizer, rng.choices(every, k=6) + ids)
        assert found.canonical == tokenizer.encode(found.text)
        assert_aligned(found)
        ways = Segmentations(tokenizer, text)
        assert_aligned(canonical(tokenizer, ways.draw(rng)))


@pytest.mark.parametrize("name", quick(NORMALIZERS, "NFC", "each space, marks"))
def test_joined_parts_are_those_of_the_texts(name):
    for rng, tokenizer, text in cases(name, 12):
        cut = rng.randint(0, len(text))
        found = joined_parts(tokenizer, text[:cut], text[cut:])
        assert found.ids == tokenizer.encode(text[:cut]) + tokenizer.encode(text[cut:])
        assert found.canonical == tokenizer.encode(text)
        assert_aligned(found)
        before, after = text, text[:cut] + "x" + text[cut:]
        shared = shared_prefix(tokenizer, before, after)
        ids, new = tokenizer.encode(before), tokenizer.encode(after)
        assert ids[: shared.n_tokens] == new[: shared.n_tokens] and shared.char_end <= shared.n_chars


@pytest.mark.parametrize("name", quick(NORMALIZERS, "NFC", "each space, marks"))
def test_every_cut_costs_what_encoding_the_parts_costs(name):
    for _, tokenizer, text in cases(name, 6):
        cuts, n_whole = Cuts(tokenizer, text), len(tokenizer.encode(text))
        for cut in range(len(text) + 1):
            left, right = tokenizer.encode(text[:cut]), tokenizer.encode(text[cut:])
            assert cuts.extra_tokens(cut) == len(left) + len(right) - n_whole
            around = cuts.around(cut)
            before, after = tokenizer.encode(text[: around.start]), len(left) - len(around.left)
            assert 0 <= around.start <= cut <= around.stop <= len(text) and len(before) == after
            assert around.left == left[after:] and around.right == right[: len(around.right)]
            assert around.whole == tokenizer.encode(text)[after:][: len(around.whole)]
        with pytest.raises(ValueError, match="cannot be cut"):
            cuts.around(len(text) + 1)


def every_way(data, tokenizer):
    tokens = sorted(
        tokenizer.ordinary_tokens.items(), key=lambda one: (len(one[1]), one[0] not in tokenizer.unused_bytes)
    )
    if not data:
        return [[]]
    return [
        [token_id, *rest]
        for token_id, token in tokens
        if data.startswith(token)
        for rest in every_way(data[len(token) :], tokenizer)
    ]


def small():
    ids = {bytes([i]): 1_000 + i for i in range(256)} | {b"a": 5, "é".encode(): 6, "aé".encode(): 7, b" ": 8, b" a": 9}
    order = [["aé".encode()], [b" a"]]
    ranks = OrderedRanks(ids, order, starts_with_characters=True, byte_ids=range(1_000, 1_256))
    return Tokenizer("small", "none", ranks, takes_whole=False, normalizer=Normalizer("NFC", prefix="each"))


@pytest.mark.parametrize("text", ["", "a", "aé", "ae\u0301b", "bé a"])
def test_a_character_is_spelled_by_its_token_or_by_bytes(text):
    tokenizer = small()
    ways = Segmentations(tokenizer, text)
    naive = every_way(tokenizer.normalized(text)[0].encode(), tokenizer)
    assert ways.count == len(naive)
    assert [ways.nth(number) for number in range(ways.count)] == naive
    assert [ways.number(way) for way in naive] == list(range(ways.count))
    assert tokenizer.encode(text) in naive and ways.greedy() in naive
    assert len(ways.shortest()) == min(map(len, naive))


def test_why_ids_are_not_canonical():
    tokenizer = small()

    def reasons(ids):
        return [one.reason for one in canonical(tokenizer, ids).differences]

    assert reasons([9]) == [] and canonical(tokenizer, [9]).text == "a"
    assert reasons([8, 5]) == [MERGE]
    assert reasons([1_032, 5, 6]) != [] and reasons([8, 1_195, 1_169]) == [BYTES]
    assert reasons([8, 1_000 + ord("a")]) != [] and reasons([8, 6, 1_000 + ord("a")]) == [BYTES]
    assert reasons([6]) == [NORMALIZED]  # without the space in front
    decomposed = tokenizer.with_vocabulary(tokenizer.mergeable_ranks, {})
    assert reasons([8, 1_000 + ord("e"), *(1_000 + byte for byte in "\u0301".encode())]) == [NORMALIZED]
    assert decomposed == tokenizer and tokviz.canonical is canonical
