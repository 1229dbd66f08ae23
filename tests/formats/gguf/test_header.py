"""The header of a GGUF file: as the `gguf` package reads it, and refused at once where it is damaged or hostile."""

import io
import struct
import time
import tracemalloc

import pytest
from gguf import GGUFEndian, GGUFReader
from gguf_files import byte_level_gguf
from hf_files import byte_level
from hypothesis import given
from hypothesis import strategies as st

from tokviz.formats.gguf.header import MAGIC, header_bytes, tokenizer_values

FILE = byte_level_gguf(byte_level(), tensors=500, values={"tokenizer.ggml.add_bos_token": True})
TEXT, ARRAY = 8, 9


def packed(*pairs: bytes, version: int = 3, n_pairs: int | None = None) -> bytes:
    return MAGIC + struct.pack("<IQQ", version, 0, len(pairs) if n_pairs is None else n_pairs) + b"".join(pairs)


def string(text: bytes) -> bytes:
    return struct.pack("<Q", len(text)) + text


def pair(key: bytes, type_: int, value: bytes) -> bytes:
    return string(key) + struct.pack("<I", type_) + value


def array(type_: int, length: int, values: bytes = b"") -> bytes:
    return struct.pack("<IQ", type_, length) + values


@pytest.mark.parametrize("endian", GGUFEndian)
def test_the_values_are_those_that_the_gguf_package_reads(tmp_path, endian):
    values = {"tokenizer.a": [1.5, -2.0], "tokenizer.b": True, "tokenizer.c": 7, "tokenizer.d": ["é", ""]}
    data = byte_level_gguf(byte_level(), values=values, endian=endian, tensors=500)
    (tmp_path / "x.gguf").write_bytes(data)
    fields = GGUFReader(tmp_path / "x.gguf").fields
    expected = {key: field.contents() for key, field in fields.items() if key.startswith("tokenizer.")}
    assert tokenizer_values(data) == expected and len(expected) == 9
    header = header_bytes(io.BytesIO(data))
    assert data.startswith(header) and len(header) < len(data) - 500
    assert tokenizer_values(header) == expected


def test_version_2_has_the_same_layout():
    data = FILE[:4] + struct.pack("<I", 2) + FILE[8:]
    assert tokenizer_values(data) == tokenizer_values(FILE)


NUMBERS = pair(b"tokenizer.n", ARRAY, array(4, 3, bytes(12)))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "cut off"),
        (b"GGUG" + FILE[4:], "not a GGUF file"),
        (packed(version=1), "version 1 of GGUF; versions 2 and 3 are read"),
        (packed(version=4), "version 4 of GGUF"),
        (packed(n_pairs=2**60), "it says it has 1,152,921,504,606,846,976 keys"),
        (packed(n_pairs=1_000_000) + NUMBERS * 100_000, "it says it has 1,000,000 keys"),
        (packed(NUMBERS, NUMBERS), "the key 'tokenizer.n' is there twice"),
        (packed(pair(b"k" * 70_000, 4, bytes(4))), "a key of 70,000 bytes"),
        (packed(struct.pack("<Q", 2**60)), "a key of 1,152,921,504,606,846,976 bytes"),
        (packed(pair("ก".encode(), 4, bytes(4))), "a key is not ASCII"),
        (packed(pair(b"k", 99, bytes(4))), "the value of 'k' has the type 99, not 0 to 12"),
        (packed(pair(b"k", TEXT, struct.pack("<Q", 2**60))), "would have 1,152,921,504,606,84.* bytes"),
        (packed(pair(b"k", TEXT, struct.pack("<Q", 2**64 - 1))), "its header would have"),
        (packed(pair(b"k", ARRAY, array(4, 2**60))), "would have 1,152,921,504,606,846,976 values"),
        (packed(pair(b"k", ARRAY, array(TEXT, 2**60))), "its arrays would have"),
        (packed(pair(b"k", ARRAY, array(10, 1_999_999))), "cut off"),
        (packed(pair(b"k", ARRAY, array(ARRAY, 1, array(ARRAY, 1)))), "is an array of arrays"),
        (packed(pair(b"k", ARRAY, array(99, 1, bytes(9)))), "has the type 99"),
        (packed(*(pair(b"%d" % i, ARRAY, array(0, 900_000, bytes(900_000))) for i in range(3))), "2,700,000 values"),
        (packed(pair(b"tokenizer.t", TEXT, string(b"\xff"))), "a string of 'tokenizer.t' is not UTF-8"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_hostile_header_is_refused_at_once_in_little_memory(data, words):
    tracemalloc.start()
    begun = time.process_time()
    with pytest.raises(ValueError, match=rf"^x: .*{words}"):
        tokenizer_values(data, "x")
    assert time.process_time() - begun < 2
    assert tracemalloc.get_traced_memory()[1] < 100_000_000 + len(data)
    tracemalloc.stop()


def test_a_file_that_is_cut_off_is_refused_wherever_it_ends():
    n_header = len(header_bytes(io.BytesIO(FILE)))
    for end in (*range(0, 300), *range(300, n_header, 97)):
        with pytest.raises(ValueError, match=r"^x\.gguf: cut off inside its header; fetch it again"):
            header_bytes(io.BytesIO(FILE[:end]), "x.gguf")


def test_what_no_tokenizer_needs_may_be_anything():
    others = [pair(b"general.name", TEXT, string(b"\xff")), pair(b"x", 12, bytes(8)), pair(b"y", 7, b"\1")]
    assert tokenizer_values(packed(*others, NUMBERS)) == {"tokenizer.n": [0, 0, 0]}


@given(st.binary(max_size=300))
def test_any_bytes_behind_the_magic_are_values_or_refused(data):
    try:
        tokenizer_values(MAGIC + data)
        header_bytes(io.BytesIO(MAGIC + data))
    except ValueError as e:
        assert str(e).startswith("GGUF: ")
