"""What changes a text before it is split, and where the bytes of the result come from."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import NormalizedString, normalizers

from tokviz import Tokenizer, text_spans
from tokviz.core.normalizer import PLAIN, Normalizer

TEXT = st.text(st.sampled_from("aeAİΣß éé\u0301\u0323\u0344ﬁ①각\u1100\u1161ｶﾞก\u0e33क\u093c😀▁"), max_size=16)
NORMALIZERS = [
    Normalizer(form, lowercase=lowercase, prefix=prefix)
    for form in ("", "NFC", "NFD", "NFKC", "NFKD")
    for lowercase in (False, True)
    for prefix in ("", "each")
]


@given(TEXT | st.text(max_size=12), st.sampled_from(NORMALIZERS))
def test_sources_go_through_the_text_in_order(text, normalizer):
    changed, sources = normalizer.normalized(text), normalizer.sources(text)
    assert len(sources) == len(changed.encode()) + 1
    assert sources[0] == 0 and sources[-1] == len(text.encode()) and (sources[1:] >= sources[:-1]).all()


@given(TEXT, st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_what_is_unchanged_comes_from_its_own_place(text, form):
    framed = f"x{text}\ny"
    changed, sources = Normalizer(form).normalized(framed), Normalizer(form).sources(framed)
    data, made = framed.encode(), changed.encode()
    assert changed == unicodedata.normalize(form, framed)
    assert sources[0] == 0 and sources[-2] == len(data) - 1 and data[sources[-2]] == made[-1]
    for place, byte in enumerate(made):
        if byte < 0x80 and byte in data and chr(byte) not in "aeifgk1 ":
            assert data[sources[place]] == byte


@given(TEXT)
def test_the_tokenizers_library_changes_texts_alike(text):
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        given_text = NormalizedString(text)
        getattr(normalizers, form)().normalize(given_text)
        assert given_text.normalized == Normalizer(form).normalized(text)
    given_text = NormalizedString(text)
    normalizers.Lowercase().normalize(given_text)
    assert given_text.normalized == Normalizer(lowercase=True).normalized(text)


@pytest.mark.parametrize(
    ("normalizer", "text", "expected", "places"),
    [
        (Normalizer("NFC"), "ae\u0301b", "aéb", [(0, 1), (1, 4), (4, 5)]),
        (Normalizer("NFKC"), "ﬁx", "fix", [(0, 1), (1, 3), (3, 4)]),
        (Normalizer(lowercase=True), "ΑΣ", "ασ", [(0, 1), (1, 2), (2, 3), (3, 4)]),
        (Normalizer(prefix="each"), "ab", " ab", [(0, 0), (0, 1), (1, 2)]),
        (Normalizer(prefix="each", prefix_if_missing=True), " b", " b", [(0, 1), (1, 2)]),
        (Normalizer(marks_are_spaces=True), "a▁b", "a b", [(0, 1), (1, 4), (4, 5)]),
    ],
)
def test_tokens_are_placed_in_the_text_as_typed(normalizer, text, expected, places):
    bytes_alone = {bytes([i]): i for i in range(256)} | {"é".encode(): 256}
    tokenizer = Tokenizer("toy", "none", bytes_alone, normalizer=normalizer)
    spans = text_spans(tokenizer, text)
    assert tokenizer.decode(tokenizer.encode(text)) == expected and spans.text == text
    assert list(zip(spans.byte_starts.tolist(), spans.byte_ends.tolist(), strict=True)) == places


def test_special_tokens_are_not_normalized_and_a_first_space_comes_once():
    ranks = {bytes([i]): i for i in range(256)}
    first, each = (
        Tokenizer("toy", "none", ranks, {"<É\u0301>": 300}, normalizer=Normalizer("NFC", lowercase=True, prefix=prefix))
        for prefix in ("first", "each")
    )
    text = "A<É\u0301>B<É\u0301>"
    assert first.encode(text, allowed_special="all") == [32, 97, 300, 98, 300]
    assert each.encode(text, allowed_special="all") == [32, 97, 300, 32, 98, 300]
    assert first.encode(text[1:], allowed_special="all") == [300, 98, 300]
    spans = text_spans(each, text, allowed_special="all")
    assert spans.byte_ends.tolist() == [0, 1, 7, 7, 8, 14]
    assert PLAIN.is_plain and not first.normalizer.is_plain and first != each


def test_a_token_that_always_matches_is_part_of_the_text_with_the_space():
    ranks = {bytes([i]): i for i in range(256)}
    tokenizer = Tokenizer("toy", "none", ranks, {"<s>": 300, "<t>": 301}, ["<t>"], normalizer=Normalizer(prefix="text"))
    for text, ids, ends in (
        ("", [], []),
        ("a", [32, 97], [0, 1]),
        ("<t>a<t>", [32, 301, 97, 301], [0, 3, 4, 7]),
        ("<s><t>a<s>b", [300, 32, 301, 97, 300, 32, 98], [3, 3, 6, 7, 10, 10, 11]),
    ):
        assert tokenizer.encode(text, allowed_special="all") == ids
        assert tokenizer.encode_batch([text, text], allowed_special="all") == [ids, ids]
        assert text_spans(tokenizer, text, allowed_special="all").byte_ends.tolist() == ends
        pieces = "".join(piece for piece, _ in tokenizer.pieces(text, allowed_special="all"))
        assert pieces == tokenizer.normalized(text, allowed_special="all")[0] == tokenizer.decode(ids)
    assert tokenizer.pretokens("") == [] and tokenizer.encode("<s>")[0] == 32
