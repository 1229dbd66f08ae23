"""A folder is read by the file in it that says most, and a file with those beside it that belong to it."""

import errno
import json
from pathlib import Path

import pytest
import tokenizers
from foreign_files import sentencepiece_file
from gguf_files import byte_level_gguf
from hf_files import byte_level, library_of
from many_texts import many_texts
from tekken_files import tekken_file
from tokenizers import AddedToken

from tokviz import Tokenizer
from tokviz.formats.files import read
from tokviz.formats.folders import companion_file_contents
from tokviz.formats.sentencepiece import SentencePieceTokenizer


def write(folder: Path, **files: bytes) -> Path:
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / name.replace("__", ".")).write_bytes(data)
    return folder


SPEC = byte_level()


def test_a_folder_is_read_by_the_file_that_says_most(tmp_path, trained):
    folder = write(tmp_path / "model", tokenizer__model=sentencepiece_file(), model__safetensors=b"weights")
    assert isinstance(read(folder), SentencePieceTokenizer)
    write(folder, tekken__json=tekken_file(trained))
    assert isinstance(read(folder), Tokenizer) and read(folder).name == "model"
    write(folder, tokenizer__json=json.dumps(SPEC).encode(), vocab__json=b"{}", config__json=b"{}")
    tokenizer = Tokenizer.read(folder)
    assert isinstance(tokenizer, Tokenizer) and tokenizer.special_tokens == {"<|endoftext|>": 0}


def test_the_only_file_of_a_kind_is_read_whatever_its_name(tmp_path):
    folder = write(tmp_path / "quants", **{"q4.gguf": byte_level_gguf(SPEC), "readme.md": b"hello"})
    assert isinstance(read(folder), Tokenizer)
    write(folder, **{"q8.gguf": byte_level_gguf(SPEC)})
    with pytest.raises(ValueError, match=r"^the folder quants holds several tokenizers, q4\.gguf, q8\.gguf; name one"):
        read(folder)


def test_a_folder_without_a_tokenizer_is_refused(tmp_path):
    folder = write(tmp_path / "none", config__json=b"{}")
    with pytest.raises(ValueError, match=r"^the folder none holds no tokenizer; expected is tokenizer\.json, tek"):
        read(folder)


def test_a_folder_that_is_named_by_a_point_is_called_by_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(write(tmp_path / "none"))
    with pytest.raises(ValueError, match=r"^the folder none holds no tokenizer"):
        read(Path())


def test_tokens_that_only_the_config_names_are_added(tmp_path):
    """As transformers does: they get the ids after the last one, in the order of those in the config."""
    n_vocab = library_of(SPEC).get_vocab_size()
    decoder = {
        str(n_vocab + 1): {"content": "<b>", "special": True, "normalized": False},
        str(n_vocab): {"content": "<a>", "special": True, "normalized": False},
        "0": {"content": "<|endoftext|>", "special": True},
    }
    config = json.dumps({"added_tokens_decoder": decoder}).encode()
    folder = write(tmp_path, tokenizer__json=json.dumps(SPEC).encode(), tokenizer_config__json=config)
    tokenizer = read(folder / "tokenizer.json")
    library = tokenizers.Tokenizer.from_str(json.dumps(SPEC))
    library.add_special_tokens([AddedToken("<a>", normalized=False), AddedToken("<b>", normalized=False)])
    assert isinstance(tokenizer, Tokenizer)
    assert tokenizer.special_tokens == {"<|endoftext|>": 0, "<a>": n_vocab, "<b>": n_vocab + 1}
    text = "low<a>er<b><|endoftext|>"
    assert tokenizer.encode(text, allowed_special="all") == library.encode(text).ids
    library.encode_special_tokens = True
    assert [tokenizer.encode(text) for text in many_texts()] == [library.encode(text).ids for text in many_texts()]


def test_a_token_of_the_config_that_always_matches_does_so_here(tmp_path):
    config = json.dumps({"added_tokens_decoder": {"700": {"content": "<tool>", "special": False}}}).encode()
    folder = write(tmp_path, tokenizer__json=json.dumps(SPEC).encode(), tokenizer_config__json=config)
    tokenizer = read(folder)
    assert isinstance(tokenizer, Tokenizer) and tokenizer.always_special == {"<tool>"}
    assert 700 in tokenizer.encode("a<tool>b")


@pytest.mark.parametrize(
    ("decoder", "words"),
    [
        ([], None),
        ([1], "its added_tokens_decoder is"),
        ({"x": {"content": "<a>"}}, "expected an added token with its id and content"),
        ({"1": "<a>"}, "expected an added token with its id and content"),
        ({"9" * 20: {"content": "<a>"}}, "expected an added token with its id and content"),
    ],
)
def test_a_damaged_config_is_refused(tmp_path, decoder, words):
    config = json.dumps({"added_tokens_decoder": decoder}).encode()
    folder = write(tmp_path, tokenizer__json=json.dumps(SPEC).encode(), tokenizer_config__json=config)
    if words is None:
        assert isinstance(read(folder), Tokenizer)
        return
    with pytest.raises(ValueError, match=rf"^tokenizer_config\.json: {words}"):
        read(folder)


def test_only_files_that_belong_to_one_are_read_with_it(tmp_path):
    names = ("mine.json", "tokenizer.json", "tokenizer_config.json", "chat_template.jinja", "merges.txt")
    write(tmp_path, **dict.fromkeys((*names, "gpt2-merges.txt"), b"#version"))
    assert companion_file_contents(tmp_path / "mine.json") == {}
    assert list(companion_file_contents(tmp_path / "gpt2-vocab.json")) == ["gpt2-merges.txt"]
    assert list(companion_file_contents(tmp_path / "tokenizer.json")) == [
        "chat_template.jinja",
        "tokenizer_config.json",
    ]
    assert list(companion_file_contents(tmp_path / "vocab.json")) == [
        "chat_template.jinja",
        "merges.txt",
        "tokenizer_config.json",
    ]


@pytest.mark.parametrize(
    ("path", "error", "words"),
    [
        ("../../x", FileNotFoundError, r"^there is no file '../../x': name a tokenizer file, or a folder with one$"),
        (
            "x" * 5_000,
            OSError,
            r"^'\S+x… cannot be read \(File name too long\): name another file, or let this program",
        ),
        ("tokenizer.json/x", NotADirectoryError, r"^'\S+/tokenizer.json/x' cannot be read \(Not a directory\)"),
        ("a\0b", ValueError, r"is not a path: it contains a NUL$"),
    ],
    ids=["no file", "too long", "not in a folder", "NUL"],
)
def test_what_is_not_there_or_cannot_be_read_is_told_in_words(path, error, words, tmp_path):
    write(tmp_path, tokenizer__json=b"{}")
    given = path if path.startswith("..") else f"{tmp_path}/{path}"
    for open_it in (Tokenizer.read, read):
        with pytest.raises(error, match=words):
            open_it(given)


def test_a_file_that_fails_as_it_is_read_is_told_in_words(tmp_path, monkeypatch):
    def failing(path):
        raise OSError(errno.EIO, "Input/output error")

    write(tmp_path, tokenizer__json=b"{}")
    monkeypatch.setattr("tokviz.formats.folders.open_file", failing)
    with pytest.raises(OSError, match=r"tokenizer.json' cannot be read \(Input/output error\)"):
        Tokenizer.read(tmp_path / "tokenizer.json")
