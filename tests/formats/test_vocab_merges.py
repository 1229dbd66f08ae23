"""vocab.json with merges.txt: ids are those of the `tokenizers` library that wrote them, whichever half is opened."""

import json
from pathlib import Path

import pytest
from hf_files import LLAMA3, QWEN2, byte_level, library_of, splitting
from many_texts import many_texts
from tokenizers import Tokenizer as Library
from tokenizers import normalizers, pre_tokenizers

from tokviz import Tokenizer, trace
from tokviz.core.normalizer import Normalizer
from tokviz.core.vocabulary import NEVER_IN_UTF8
from tokviz.formats.files import read, read_tokenizer
from tokviz.formats.huggingface.byte_alphabet import CHARACTER_OF
from tokviz.formats.table import file_format_if_known


def saved(folder: Path, spec: dict, prefix: str | None = None) -> None:
    """Write both halves as the library does."""
    Library.from_str(json.dumps(spec)).model.save(str(folder), prefix)


@pytest.mark.parametrize(
    ("opened", "prefix"),
    [
        ("vocab.json", None),
        ("merges.txt", "gpt2"),
        pytest.param("vocab.json", "gpt2", marks=pytest.mark.slow),
        pytest.param("merges.txt", None, marks=pytest.mark.slow),
    ],
)
def test_both_halves_have_the_ids_of_the_library(tmp_path, opened, prefix):
    spec = byte_level()
    saved(tmp_path, spec, prefix)
    file_name = opened if prefix is None else f"{prefix}-{opened}"
    assert file_format_if_known((tmp_path / file_name).read_bytes()[:10_000]).name == opened
    tokenizer = read(tmp_path / file_name)
    library = library_of(spec, plain_special=True)
    assert isinstance(tokenizer, Tokenizer)
    for text in many_texts():
        assert tokenizer.encode(text) == library.encode(text).ids
    assert tokenizer.special_tokens == {"<|endoftext|>": 0}
    assert trace(tokenizer, "the others").tokens_at(len(tokenizer.merges))[-1] == 10


def test_bytes_that_utf8_never_has_may_be_missing(tmp_path):
    spec = byte_level()
    vocab = spec["model"]["vocab"]
    for byte in NEVER_IN_UTF8:
        del vocab[CHARACTER_OF[byte]]
    saved(tmp_path, spec)
    assert read(tmp_path / "vocab.json").encode("low") == library_of(spec).encode("low").ids
    del vocab[CHARACTER_OF[0]]
    saved(tmp_path, spec)
    with pytest.raises(ValueError, match="a token for each byte of UTF-8: 1 are missing"):
        read(tmp_path / "vocab.json")


def halves(folder: Path, spec: dict) -> tuple[bytes, dict[str, bytes]]:
    saved(folder, spec)
    return (folder / "vocab.json").read_bytes(), {"merges.txt": (folder / "merges.txt").read_bytes()}


def test_the_class_in_the_config_says_how_a_text_is_cut(tmp_path):
    spec = byte_level(splitting(QWEN2), normalizer=normalizers.NFC())
    vocab, beside = halves(tmp_path, spec)
    beside["tokenizer_config.json"] = b'{"tokenizer_class": "Qwen2Tokenizer"}'
    tokenizer = read_tokenizer(vocab, "vocab.json", beside=beside)
    assert isinstance(tokenizer, Tokenizer) and tokenizer.normalizer == Normalizer("NFC")
    library = library_of(spec, plain_special=True)
    for text in many_texts():
        assert tokenizer.encode(text) == library.encode(text).ids


def test_a_space_before_the_text_is_put_there_if_the_config_says_so(tmp_path):
    spec = byte_level(pre_tokenizers.ByteLevel(add_prefix_space=True))
    vocab, beside = halves(tmp_path, spec)
    beside["tokenizer_config.json"] = b'{"tokenizer_class": "RobertaTokenizer", "add_prefix_space": true}'
    tokenizer = read_tokenizer(vocab, "vocab.json", beside=beside)
    assert tokenizer.normalizer == Normalizer(prefix="each", prefix_if_missing=True)
    assert tokenizer.encode("low") == library_of(spec).encode("low").ids


def test_a_split_pattern_that_is_given_wins(tmp_path):
    spec = byte_level(splitting(LLAMA3))
    vocab, beside = halves(tmp_path, spec)
    tokenizer = read_tokenizer(vocab, "vocab.json", beside=beside, split_pattern="llama3")
    library = library_of(spec, plain_special=True)
    assert [tokenizer.encode(text) for text in many_texts()] == [library.encode(text).ids for text in many_texts()]
    with pytest.raises(ValueError, match=r"this is vocab\.json, whose special tokens are its own"):
        read_tokenizer(vocab, "vocab.json", beside=beside, special_tokens=["<s>"])


VOCAB = json.dumps(byte_level()["model"]["vocab"]).encode()
MERGES = b"#version: 0.2\n" + "\n".join(" ".join(pair) for pair in byte_level()["model"]["merges"]).encode()


@pytest.mark.slow
def test_line_ends_of_windows_and_a_byte_order_mark_do_no_harm():
    plain = read_tokenizer(VOCAB, "vocab.json", beside={"merges.txt": MERGES})
    marked = b"\xef\xbb\xbf" + MERGES.replace(b"\n", b"\r\n")
    assert read_tokenizer(VOCAB, "vocab.json", beside={"merges.txt": marked}) == plain
    assert read_tokenizer(marked, "merges.txt", beside={"vocab.json": b"\xef\xbb\xbf" + VOCAB}) == plain


@pytest.mark.parametrize(
    ("file_name", "data", "beside", "words"),
    [
        ("vocab.json", VOCAB, {}, "vocab.json: a vocab.json, which is half a tokenizer; give the merges.txt that"),
        ("merges.txt", MERGES, {}, "merges.txt: a merges.txt, which is half a tokenizer; give the vocab.json that"),
        ("vocab.json", VOCAB, {"vocab.json": VOCAB}, "vocab.json: .*give the merges.txt"),
        ("merges.txt", MERGES, {"vocab.json": b'{"a": 0, "b": 1.5}'}, "merges.txt: .*give the vocab.json"),
        ("merges.txt", MERGES, {"vocab.json": VOCAB[:-50]}, "vocab.json, line 1: not JSON from character"),
        ("merges.txt", MERGES, {"vocab.json": b'{"a": 0, "b": 1, "c": "d"}'}, "vocab.json: JSON, but not a vocab.json"),
        ("merges.txt", MERGES, {"vocab.json": b'{"a": 0, "b</w>": 1}'}, "vocab.json: .*open the tokenizer.json"),
        ("merges.txt", MERGES, {"vocab.json": VOCAB.replace(b'"a":', b'"aa":')}, "vocab.json: .*not byte-level"),
        ("vocab.json", VOCAB, {"merges.txt": b"#version: 0.2\na b c\n"}, "merges.txt: line 2 of its merges is 'a b c'"),
        ("vocab.json", VOCAB, {"merges.txt": b"#version: 0.2\n\xff \xff\n"}, "merges.txt: .*not UTF-8 at byte 14"),
        ("vocab.json", VOCAB, {"merges.txt": MERGES + b"\nx zq"}, "vocab.json: the tokenizers library does not take"),
    ],
)
def test_what_is_missing_or_damaged_is_said(file_name, data, beside, words):
    with pytest.raises(ValueError, match=rf"^{words}"):
        read_tokenizer(data, file_name, beside=beside)


@pytest.mark.parametrize(
    "vocab, merges, damaged", [(VOCAB, b"#version\na b c", "b.txt"), (VOCAB[:-50], MERGES, "a.json")]
)
def test_the_half_that_is_damaged_is_named_whichever_is_opened(vocab, merges, damaged):
    for data, name, beside in ((vocab, "a.json", {"b.txt": merges}), (merges, "b.txt", {"a.json": vocab})):
        with pytest.raises(ValueError, match=rf"^{damaged}[:,] "):
            read_tokenizer(data, name, beside=beside)
