"""Every wrong file that people open, under every name: our sentence, with what was found and the way out."""

import base64
import gzip
import io
import json
import pickle
import random
import zipfile

import pytest
from hf_files import byte_level

from tokviz import Tokenizer
from tokviz.families.library_training import train_sentencepiece
from tokviz.formats.files import read_tokenizer
from tokviz.formats.huggingface.byte_alphabet import CHARACTER_OF
from tokviz.formats.table import file_format_if_known
from tokviz.formats.tiktoken_rules import TIKTOKEN

SUFFIXES = (".json", ".tiktoken", ".model", ".vocab", ".txt", "")
SPEC = byte_level()
JSON = json.dumps(SPEC)
RANKS = "".join(f"{base64.b64encode(bytes([i])).decode()} {i}\n" for i in range(256))
MODEL = "minbpe v1\n\n0\n97 97\n"
LIBRARY = "the tokenizers library does not take this file, which is damaged or of a newer version .*"
BINARY = "binary data of an unknown kind; expected is a tokenizer.json"


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as folder:
        folder.writestr("tokenizer.json", JSON)
    return file.getvalue()


def changed(**model) -> bytes:
    return json.dumps(SPEC | {"model": {k: v for k, v in (SPEC["model"] | model).items() if v is not ...}}).encode()


def part(**parts) -> bytes:
    return json.dumps(SPEC | parts).encode()


FILES = {
    "empty": (b"", "the file is empty"),
    "blank": (b" \r\n\n", "the file is empty"),
    "zeroes": (bytes(1_000), BINARY),
    "noise": (random.Random(1).randbytes(3_000), BINARY),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(99), BINARY),
    "noise after a line": (b"\n" + random.Random(1).randbytes(500), "not a SentencePiece model, or cut off; fetch"),
    "zip": (zipped(), "pickled or zipped file; opening one may run code"),
    "pickle": (pickle.dumps({"a": 1}), "pickled or zipped"),
    "old pickle": (pickle.dumps({"a": 1}, 0), "pickled or zipped"),
    "gzip": (gzip.compress(JSON.encode()), "a compressed file; unpack it"),
    "web page": (b"\n<!DOCTYPE html>\n<html>404", "a web page, .* download the file itself"),
    "LFS": (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d\n", "a pointer of Git LFS"),
    "GGUF": (b"GGUF\x03\0\0\0" + bytes(99), "a GGUF file without a tokenizer, such as an adapter"),
    "GGUF cut off": (b"GGUF\x03\0\0\0" + bytes(9), "cut off inside its header"),
    "safetensors": ((99).to_bytes(8, "little") + b'{"a":{}}', "the weights of a model; open"),
    "merges.txt": (b"#version: 0.2\n\xc4\xa0 t\n", "a merges.txt, which is half a tokenizer; give the vocab.json"),
    "SentencePiece's .vocab": (b"<unk>\t0\n<s>\t0\n", "a .vocab listing is for people; open the .model"),
    "minbpe's .vocab": (b"[\\u0000] 0\n[\\u0001] 1\n", ".vocab listing is for people"),
    "vocab.txt": (b"[PAD]\n[UNK]\n", r"line 1: '\[PAD\]' begins no file that is read here; expected is"),
    "vocab.txt, what is expected": (b"[PAD]\n[UNK]\n", r"the minbpe family \(minbpe v1, bpe v1, thai tokenizer v1.0\)"),
    "and of nanochat": (b"[PAD]\n[UNK]\n", r"nanochat's tokenizer\.pkl"),
    "web page after a byte order mark": (b"\xef\xbb\xbf<!DOCTYPE html>\n", "a web page, .* download"),
    "binary data behind a line of text": (b"RIFF\n" + bytes(range(1, 200)) + b"\0", BINARY),
    "a byte order mark": (b"\xef\xbb\xbf", "the file is empty"),
    "Python": (b"cat\nimport os\n", "line 1: 'cat' begins no file"),
    "vocab.json": (
        json.dumps({character: i for i, character in enumerate(CHARACTER_OF.values())}).encode(),
        "a vocab.json, which is half .*give the merges.txt .*open the tokenizer.json beside",
    ),
    "a name with a number": (b'{"hello": 1}', "not byte-level BPE, .* 243 are missing; open a tokenizer.json"),
    "names with numbers": (b'{"a": 1, "b": 2, "hello": 3}', "not byte-level BPE, .* 241 are missing; open a tokenizer"),
    "names with other things": (b'{"a": 1, "b": 2, "c": "d"}', "JSON, but not a vocab.json"),
    "tokenizer_config.json": (b'{"model_max_length": 9, "x": ""}', "it has no model. .*open the tokenizer.json"),
    "list": (b"[1, 2]", "begins no file that is read"),
    "latin-1": ('{"model": "é"}'.encode("latin-1"), "not UTF-8 at byte 11"),
    "JSON cut off": (JSON[:5_000].encode(), "line 1: not JSON from character .*fetch it again"),
    "a long number": (b'{"model":' + b"1" * 5_000 + b"}", "a number too long"),
    "no vocab": (changed(vocab=...), LIBRARY + "Missing vocab"),
    "no merges": (changed(merges=...), LIBRARY + "Missing vocab/merges"),
    "a merge of three": (changed(merges=[["a", "b", "c"]]), LIBRARY + "MergeType"),
    "vocab a list": (changed(vocab=[1]), LIBRARY + "invalid type"),
    "a negative id": (changed(vocab={"a": -1}), LIBRARY + "invalid value"),
    "an added token without id": (part(added_tokens=[{"content": "x"}]), "an added token with its id and content"),
    "added tokens of text": (part(added_tokens=["x"]), "its added_tokens are not a list of tokens"),
    "a newer pre-tokenizer": (part(pre_tokenizer={"type": "Foo"}), LIBRARY + "PreTokenizer"),
    "a newer normalizer": (part(normalizer={"type": "Foo"}), LIBRARY + "Normalizer"),
    "a newer decoder": (part(decoder={"type": "Foo"}), LIBRARY + "Decoder"),
    "a newer version": (part(version="2.0"), LIBRARY),
    "ranks cut off": (RANKS[:-1].encode(), "line 256: the line does not end; the file is cut off"),
    "a broken rank": (RANKS[:100].encode() + b"\n" + RANKS[100:].encode(), "expected a token in base 64 and its rank"),
    "minbpe cut off": (MODEL[:-2].encode(), "the line does not end; the file is cut off"),
    "60 MB": (lambda: b"{" + b" " * 60_000_000, "over 50,000,000 bytes; no tokenizer is so large"),
    "49 MB of line ends": (lambda: b"\n" * 49_000_000, "the file is empty"),
    "49 MB of brackets": (lambda: b"[" * 49_000_000, "begins no file that is read"),
} | {
    f"{name} in {encoding}": (text.encode(encoding), "text in UTF-.*, where UTF-8 is expected; save it as UTF-8")
    for name, text in (("JSON", JSON), ("ranks", RANKS), ("minbpe", MODEL))
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32")
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_wrong_file_gets_our_sentence_under_every_name(name):
    data, words = FILES[name]
    data = data() if callable(data) else data
    pattern = "gpt2" if file_format_if_known(data) is TIKTOKEN else None
    for suffix in SUFFIXES if len(data) < 1_000_000 else SUFFIXES[:1]:
        with pytest.raises(ValueError, match=rf"(?s)^x({suffix})?[:,].*{words}") as refused:
            read_tokenizer(data, f"x{suffix}", split_pattern=pattern)
        said = str(refused.value)
        assert len(said) < 400 and "\n" not in said and "column" not in said


def test_cut_off_models_of_sentencepiece_are_refused_wherever_they_end():
    model = train_sentencepiece("low lower " * 9, vocab_size=270).data
    for end in range(1, len(model), 997):
        with pytest.raises(ValueError, match=r"^x: .*fetch it again|^x\.model: the file is empty|^x: damaged"):
            read_tokenizer(model[:end], "x.model")


@pytest.mark.parametrize(
    "text", [RANKS, RANKS + "\n", RANKS + " \r\n\n", "\ufeff" + RANKS, "\ufeff" + MODEL, "\ufeff" + JSON]
)
def test_blank_lines_and_a_byte_order_mark_do_no_harm(text):
    data = text.encode()
    pattern = "gpt2" if file_format_if_known(data) is TIKTOKEN else None
    assert isinstance(read_tokenizer(data, "x", split_pattern=pattern), Tokenizer)
