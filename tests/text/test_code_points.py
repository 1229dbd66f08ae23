import unicodedata

import pytest
from each import each
from odd_texts import ODD

from tokviz.text.code_points import (
    BYTE_ORDER_MARKS,
    ENCODINGS,
    NORMAL_FORMS,
    characters,
    encoded_sizes,
    graphemes,
    normal_forms,
)


@pytest.mark.parametrize("text", ODD)
def test_the_bytes_of_all_characters_are_the_bytes_of_the_text(text):
    found = characters(text)
    assert "".join(character.text for character in found) == text
    assert b"".join(character.utf16 for character in found) == text.encode("utf-16-le", "surrogatepass")
    if not any(character.category == "Cs" for character in found):
        assert b"".join(character.utf8 for character in found) == text.encode()
        assert b"".join(character.utf32 for character in found) == text.encode("utf-32-le")
        for size, codec in zip(encoded_sizes(text), ("utf-8", "utf-16-le", "utf-32-le"), strict=True):
            assert (size.n_bytes, size.n_zero) == (len(text.encode(codec)), text.encode(codec).count(0))


@pytest.mark.parametrize("encoding", BYTE_ORDER_MARKS)
def test_an_encoder_adds_the_byte_order_mark(encoding):
    data, mark = "aก😀".encode(encoding), BYTE_ORDER_MARKS[encoding]
    assert data == mark + "aก😀".encode(ENCODINGS[encoding])  # on computers that put the lowest byte first
    (size,) = (size for size in encoded_sizes("aก😀") if size.encoding == encoding)
    assert size.n_bytes + size.n_mark == len(data)


@pytest.mark.parametrize("text", ODD)
def test_graphemes_join_to_the_text(text):
    assert "".join(graphemes(text)) == text


@pytest.mark.parametrize(
    ("text", "n_graphemes", "n_characters"),
    [
        ("👩‍👩‍👧‍👦", 1, 7),
        ("🇹🇭", 1, 2),
        ("👍🏽", 1, 2),
        ("น้ำ", 1, 3),
        ("ที่", 1, 3),
        ("e\u0301", 1, 2),
        ("\r\n", 1, 2),
        ("வண", 2, 2),
    ],
)
def test_what_a_reader_sees_as_one(text, n_graphemes, n_characters):
    assert (len(graphemes(text)), len(characters(text))) == (n_graphemes, n_characters)


def test_half_a_pair_has_no_bytes_but_its_own():
    (lone,) = characters("\ud83d")
    assert (lone.utf8, lone.utf16, lone.utf32, lone.code_point) == (None, b"\x3d\xd8", None, "U+D83D")
    assert encoded_sizes("\ud83d") == encoded_sizes("\ufffd")


def test_every_character_has_a_name():
    for point in (*range(0x3000), 0xD800, 0xE000, 0x1F600, 0x10FFFF):
        assert characters(chr(point))[0].name


@each("text", [*ODD, "é", "e\u0301", "ﬁ ① Å ²"])
def test_normal_forms(text):
    forms = normal_forms(text)
    assert [form.form for form in forms] == list(NORMAL_FORMS)
    for form in forms:
        assert form.unchanged == unicodedata.is_normalized(form.form, text)
        assert unicodedata.is_normalized(form.form, form.text)


def test_two_ways_to_write_an_accent_are_one_when_composed():
    composed, decomposed = "é", "e\u0301"
    assert composed != decomposed
    assert [a.text == b.text for a, b in zip(normal_forms(composed), normal_forms(decomposed), strict=True)] == [
        True
    ] * 4
