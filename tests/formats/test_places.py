"""A SentencePiece model as .model and as tokenizer.json: the same ids at the same places, which are SentencePiece's."""

import json
import unicodedata

import numpy as np
import pytest
import sentencepiece
from each import quick
from foreign_files import sentencepiece_model
from hf_files import QWEN2, byte_level, splitting
from sentencepiece_json import ALWAYS, COLLAPSED, FIRST, PREPENDED, WORDS, precompiled, sentencepiece_json
from tokenizers import normalizers, pre_tokenizers

from tokviz.formats.huggingface.tokenizer import HFTokenizer
from tokviz.formats.sentencepiece import SentencePieceTokenizer

# Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari, Tamil, Thai, Han, kana, Hangul, Georgian; composed or not.
TEXTS = [
    "the lower, the newer", "a  b   c ", "1 2 3", "cafe\u0301 x", "e\u0301e\u0301", "Zu\u0308rich ﬁne", "½½ the",
    "x① ㍿", "ά α\u0301 Ω", "Ωμέγα", "\u2126 the", "и\u0306 й", "Привет мир", "ё е\u0308",
    "שלום a", "שָׁלוֹם", "\ufb2e b", "مرحبا", "ﷺ the", "ﻼ ab",
    "नमस्ते", "क़ \u0958", "வணக்கம் a", "க\u0bca ொ", "ไทย a", "กำลัง ำ", "ทดสอบ ภาษา", "ั the",
    "你好，世界", "中", "豈 \uf900 a", "こんにちは", "ｱ ｱ", "かなカナ", "한국어", "각 the",
    "ქართული", "👋 a", "👋👋 a", "👩‍👧 🇹🇭",
]  # fmt: skip
SPACES = [" a", "   a  b ", "\n\nx", " 👋", "   ", "\t中\n", ""]
ODD = [
    "a\x01b",
    "\x01ab",
    "\x01👋",
    "\x01\x02ab c",
    "a\u200bb",
    "\ufeffab c",
    "a\x01 b",
    "a \x01b",
    "ab\x01",
    "か\u3099 が",
    "\u1100\u1161\u11a8x",
]
KEPT = {"remove_extra_whitespaces": False}
MODELS = {
    "llama": lambda: sentencepiece_model(normalization_rule_name="identity", **KEPT),
    "unigram": lambda: sentencepiece_model("unigram"),
    "unigram without bytes": lambda: sentencepiece_model("unigram", byte_fallback=False),
    "nfkc": lambda: sentencepiece_model(normalization_rule_name="nfkc", **KEPT),
    "unigram, nfkc": lambda: sentencepiece_model("unigram", normalization_rule_name="nfkc", **KEPT),
}
PATHS = {
    "Llama 2": ("llama", lambda data: sentencepiece_json(data, PREPENDED)),
    "Mistral v1, later": ("llama", lambda data: sentencepiece_json(data, (), FIRST)),
    "XLM-R": ("unigram without bytes", lambda data: sentencepiece_json(data, [precompiled(data)], WORDS)),
    "XLM-R with bytes": ("unigram", lambda data: sentencepiece_json(data, [precompiled(data)], WORDS)),
    "T5": ("unigram without bytes", lambda data: sentencepiece_json(data, [precompiled(data), *COLLAPSED], ALWAYS)),
    "T5 with bytes": ("unigram", lambda data: sentencepiece_json(data, [precompiled(data), *COLLAPSED], ALWAYS)),
    "Precompiled": ("nfkc", lambda data: sentencepiece_json(data, [precompiled(data), *PREPENDED])),
    "NFKC": ("nfkc", lambda data: sentencepiece_json(data, [normalizers.NFKC(), *PREPENDED])),
    "NFKC, Unigram": ("unigram, nfkc", lambda data: sentencepiece_json(data, [normalizers.NFKC(), *PREPENDED])),
    "NFC": ("nfkc", lambda data: sentencepiece_json(data, [normalizers.NFC(), *PREPENDED])),
}


def places(tokenizer, text):
    """Return ids with where each begins and ends in bytes; no two may overlap."""
    spans = tokenizer.spans(text)
    cuts = np.stack([spans.byte_starts, spans.byte_ends], axis=1).ravel()
    assert (np.diff(cuts) >= 0).all() and spans.text == text
    return list(zip(spans.ids.tolist(), spans.byte_starts.tolist(), spans.byte_ends.tolist(), strict=True))


@pytest.fixture(scope="module")
def models():
    return {name: made() for name, made in MODELS.items()}


@pytest.fixture(scope="module", params=quick(PATHS, "Llama 2", "XLM-R", "T5 with bytes", "NFC"))
def pair(request, models):
    """A path by its name, with the same model as tokenizer.json and as .model."""
    name, as_json = PATHS[request.param]
    data = models[name]
    return request.param, HFTokenizer("json", json.dumps(as_json(data)).encode()), SentencePieceTokenizer("model", data)


def test_every_path_gives_the_ids_and_the_places_of_the_model(pair):
    path, library, model = pair
    for text in TEXTS:
        if path != "NFC" or unicodedata.normalize("NFC", text) == unicodedata.normalize("NFKC", text):
            assert places(library, text) == places(model, text), text


def test_so_do_odd_texts_that_the_library_normalises_alike(pair):
    """It adds no ▁ to one that is there, takes long graphemes apart, and cuts words at line ends."""
    path, library, model = pair
    alike = [text for text in (*SPACES, *ODD) if library.encode(text) == model.encode(text)]
    for text in alike:
        assert places(library, text) == places(model, text), text
    assert len(alike) >= len(SPACES + ODD) - (0 if path == "Llama 2" else 6)


def test_places_of_the_model_are_those_of_its_library_but_for_bytes(models):
    for data in models.values():
        tokenizer, library = SentencePieceTokenizer("model", data), sentencepiece.SentencePieceProcessor()
        library.LoadFromSerializedProto(data)
        for text in (*TEXTS, *SPACES, *ODD):
            spans, theirs = tokenizer.spans(text), library.encode(text, return_type="offset_mapping")
            ours = list(zip(spans.char_starts.tolist(), spans.char_ends.tolist(), strict=True))
            for token_id, our, their in zip(theirs["ids"], ours, theirs["offsets"], strict=True):
                assert our == tuple(their) or (library.is_byte(token_id) and our[1] - our[0] == 1), text


def test_the_added_mark_is_empty_and_bytes_of_a_character_share_it(pair):
    _, library, model = pair
    for tokenizer in (library, model):
        of_bytes = [(0, 0), (0, 1), (1, 2), (2, 3), (3, 4)]
        expected = of_bytes if len(tokenizer.encode("👋")) == 5 else [(0, 0), (0, 4)]
        assert [at for _, *at in places(tokenizer, "👋 a")][: len(expected)] == [[*at] for at in expected]
        for text in TEXTS:
            spans = tokenizer.spans(text)
            for i in spans.partial.nonzero()[0]:
                if spans.byte_starts[i] < spans.byte_ends[i]:
                    held = spans.data[spans.byte_starts[i] : spans.byte_ends[i]]
                    assert held == tokenizer.token_bytes(int(spans.ids[i])), text


@pytest.mark.parametrize(
    ("normalizer", "text", "expected"),
    [
        (normalizers.NFC(), "cafe\u0301 x", [(3, 3), (3, 6)]),
        (normalizers.NFKC(), "cafe\u0301 x", [(3, 3), (3, 6)]),
        (normalizers.NFC(), "caf\u1100\u1161\u11a8 x", [(3, 3), (3, 3), (3, 12)]),
        (normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()]), "CAFE\u0301 x", [(3, 3), (3, 6)]),
        (None, "caf\u00e9 x", [(3, 4), (4, 5)]),
    ],
)
@pytest.mark.parametrize("pre_tokenizer", [pre_tokenizers.ByteLevel(add_prefix_space=True), splitting(QWEN2)])
def test_tokens_of_bytes_hold_all_that_a_normalizer_merged(normalizer, text, expected, pre_tokenizer):
    tokenizer = HFTokenizer("x", json.dumps(byte_level(pre_tokenizer, normalizer=normalizer)).encode())
    found = [(start, end) for _, start, end in places(tokenizer, text)]
    assert found[-len(expected) - 2 : -2] == expected
    assert found[-2:] == [(expected[-1][1], expected[-1][1] + 1), (len(text.encode()) - 1, len(text.encode()))]
