"""Settled tokens stay whatever follows, also where texts are changed before they are split."""

import random
import unicodedata
from itertools import product

import pytest
from each import quick
from odd_tokenizers import NORMALIZERS, random_tokenizer

from tokviz import text_spans
from tokviz.core.normalizer import Normalizer
from tokviz.core.tokenizer import Tokenizer
from tokviz.seams.settled_tokens import (
    changed_ids_before_and_after,
    characters_changing_end,
    joining_characters,
    last_unjoined_start,
    settled,
)

ALPHABETS = ["aA e\u0301", "가\u1100\u1161 a", "> </a\n", "é\u0301\u0323e", "b▁ K中", "=\u0338a <"]


def tokens_of(tokenizer, text, allowed):
    """Return the tokens of a text with where they end once it is normalized."""
    ids, ends = tokenizer.encode(text, allowed_special=allowed), []
    for token in tokenizer.tokens_bytes(ids):
        ends.append(len(token) + (ends[-1] if ends else 0))
    return list(zip(ids, ends, strict=True))


def assert_holds(tokenizer, text, continuations, allowed=()):
    found = settled(tokenizer, text, allowed_special=allowed)
    spans = text_spans(tokenizer, text, allowed_special=allowed)
    now = tokens_of(tokenizer, text, allowed)
    moving = {seam.token for seam in found.seams}
    assert found.n_tokens == min(moving, default=len(now))
    assert found.byte_end == ([0, *spans.byte_ends.tolist()])[found.n_tokens]
    assert found.char_end <= ([0, *spans.char_ends.tolist()])[found.n_tokens]
    assert found.utf16_end == len(text[: found.char_end].encode("utf-16-le")) // 2
    n_named = 0
    for seam in found.seams:
        assert seam.byte_end == spans.byte_ends[seam.token]
        if seam.continuation is not None:
            n_named += 1
            then = tokens_of(tokenizer, text + seam.continuation, allowed)
            assert now[seam.token] not in then, (text, seam, tokenizer.normalizer)
    for more in continuations:
        then = tokens_of(tokenizer, text + more, allowed)
        assert then[: found.n_tokens] == now[: found.n_tokens], (text, more, tokenizer.normalizer)
        assert {*then} >= {token for i, token in enumerate(now) if i not in moving}, (text, more, tokenizer.normalizer)
        old, new = changed_ids_before_and_after(tokenizer, text, more, allowed_special=allowed)
        ids = [token_id for token_id, _ in now]
        assert ids[: len(ids) - len(old)] + new == [token_id for token_id, _ in then]
    return n_named, len(found.seams)


@pytest.mark.parametrize("alphabet", quick(ALPHABETS, ALPHABETS[0]))
@pytest.mark.parametrize("name", quick(NORMALIZERS, "missing space"))
def test_short_continuations_under_small_vocabularies(name, alphabet):
    rng = random.Random(f"{name} {alphabet}")
    continuations = ["".join(more) for length in (1, 2) for more in product(alphabet + "\u0323", repeat=length)]
    figures = []
    for pattern in ("sentencepiece", "o200k", "gpt2", "none"):
        tokenizer = random_tokenizer(rng, alphabet, pattern, NORMALIZERS[name], 30, special=["<s>", "<s>a"])
        for k in (0, *(rng.randint(1, 8) for _ in range(3))):
            text = "".join(rng.choices(alphabet, k=k))
            figures.append(assert_holds(tokenizer, text, continuations))
        figures.append(assert_holds(tokenizer, f"a<s>{text}<", continuations, "all"))
    n_named, n_seams = map(sum, zip(*figures, strict=True))
    assert n_named >= (0.5 if NORMALIZERS[name].form else 1) * n_seams


def test_the_last_character_of_a_text_may_be_joined_by_a_mark():
    ids = {bytes([i]): i for i in range(256)} | {b"ab": 256, "é".encode(): 257}
    composed = Tokenizer("toy", "none", ids, normalizer=Normalizer("NFC"))
    found = settled(composed, "abxe")
    assert found.n_tokens == 2 and found.char_end == 3
    assert found.seams[0].continuation in characters_changing_end(composed.normalizer, "e")
    assert settled(Tokenizer("toy", "none", ids), "abxe").n_tokens == 3
    assert settled(composed, "abx!").n_tokens == 3
    assert settled(composed, "xe\u0301").char_end == 1 and settled(composed, "e\u0301!").char_end == 3


@pytest.mark.slow
def test_joining_characters_are_all_that_a_form_joins_to_others():
    rng, joining = random.Random(1), joining_characters()
    for form in ("NFC", "NFKC", "NFD"):
        normalizer = Normalizer(form)
        for _ in range(500):
            text = "".join(map(chr, rng.choices([*range(0x20, 0x3000), *range(0xA960, 0xD7FF)], k=4)))
            at = last_unjoined_start(text)
            assert text[at] not in joining or not at
            assert normalizer.normalized(text[:at]) + normalizer.normalized(text[at:]) == normalizer.normalized(text)
    others = [chr(i) for i in (*range(0xD800), *range(0xE000, 0x30000)) if chr(i) not in joining]
    for start in "a가":
        alone = "".join(start + unicodedata.normalize("NFC", other) for other in others)
        assert unicodedata.normalize("NFC", "".join(start + other for other in others)) == alone
