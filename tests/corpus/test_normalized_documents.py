"""Documents that come in blocks have the tokens of the whole documents, where texts are changed first."""

import random
from collections import Counter
from functools import cache

import numpy as np
import pytest
from each import quick
from odd_tokenizers import NORMALIZERS, random_tokenizer

from tokviz import text_spans
from tokviz.core.pretokens import pretokens
from tokviz.corpus.blocks import BLOCK, texts_to_pretokenize
from tokviz.corpus.counting import pretoken_counts
from tokviz.corpus.token_file import id_arrays
from tokviz.jobs import corpus_run
from tokviz.vocabulary.usage import usage_of_pretoken_counts, usage_of_texts

ALPHABET = "aA e\u0301\u0323É>▁가\u1100\u1161Σ /\n"
PATTERNS = ["sentencepiece", "o200k", "gpt2", "none"]


@cache
def tokenizer_of(name, pattern):
    rng = random.Random(name)
    return random_tokenizer(rng, ALPHABET, pattern, NORMALIZERS[name], 30, special=["<s>", "<s>a"])


def in_blocks(text, size):
    return [text[i : i + size] for i in range(0, len(text), size)]


def random_texts(seed, n):
    rng = random.Random(seed)
    return ["".join(rng.choices([*ALPHABET, "<s>", "e\u0301"], k=rng.randint(0, 25))) for _ in range(n)]


@pytest.mark.parametrize("name", NORMALIZERS)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_document_in_blocks_has_the_pretokens_of_the_document(name, pattern):
    tokenizer = tokenizer_of(name, pattern)
    for i, text in enumerate(random_texts(name, 60)):
        blocks, special = in_blocks(text, 1 + i % 9), [*tokenizer.special_tokens] * (i % 2)
        options = {"special_tokens": special, "normalizer": tokenizer.normalizer}
        pieces = tokenizer.pieces(text, allowed_special=special)
        expected = Counter(piece for piece, is_special in pieces if not is_special)
        assert pretoken_counts([blocks], pattern, **options) == expected
        texts = texts_to_pretokenize(blocks, pattern, block=4, **options)
        assert Counter(one for text in texts for one in pretokens(text, pattern)) == expected


@pytest.mark.parametrize("name", quick(NORMALIZERS, "NFC", "each space, marks"))
def test_a_document_in_blocks_has_the_ids_and_figures_of_the_document(name):
    tokenizer = tokenizer_of(name, "sentencepiece")
    for text in random_texts(name, 20):
        counts = pretoken_counts([text], tokenizer.split_pattern, normalizer=tokenizer.normalizer)
        used, placed = usage_of_pretoken_counts(tokenizer, counts), usage_of_texts(tokenizer, [text])
        assert (used.n_tokens, used.n_used, used.n_unused) == (placed.n_tokens, placed.n_used, placed.n_unused)
    long = "".join(random_texts(name, 60)) * (2 * BLOCK // 600)
    arrays = id_arrays(tokenizer, [in_blocks(long, BLOCK), "ab"])
    assert np.concatenate([*arrays]).tolist() == tokenizer.encode(long) + tokenizer.encode("ab")


@pytest.mark.parametrize("name", quick(NORMALIZERS, "NFC", "each space, marks"))
@pytest.mark.parametrize("pattern", quick(PATTERNS[:3], "sentencepiece"))
def test_the_pieces_of_a_long_text_have_its_tokens(name, pattern, monkeypatch):
    monkeypatch.setattr(corpus_run, "PIECE", 8)
    rng, tokenizer = random.Random(1), tokenizer_of(name, pattern)
    for _ in range(60):
        text = "".join(rng.choices(ALPHABET, k=60))
        pieces = [*corpus_run.countable_pieces(text, tokenizer)]
        assert "".join(pieces) == text
        assert [i for piece in pieces for i in tokenizer.encode(piece)] == tokenizer.encode(text)
        assert corpus_run.file_figures("a", text, tokenizer).n_tokens == len(text_spans(tokenizer, text))
    if name in ("plain", "NFC"):
        assert len([*corpus_run.countable_pieces("one two, three four. " * 9, tokenizer)]) > 9
