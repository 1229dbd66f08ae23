"""tekken.json: the ids of mistral-common's Tekkenizer, special tokens first."""

import json
import warnings
from pathlib import Path

import mistral_common
import pytest
from many_texts import many_texts
from mistral_common.tokens.tokenizers.tekken import Tekkenizer
from tekken_files import tekken_file

from tokviz import Tokenizer, trace
from tokviz.formats.files import read, read_tokenizer
from tokviz.formats.table import file_format_if_known

NAMED = [{"rank": i, "token_str": f"<t{i}>", "is_control": True} for i in range(25)]


def same_ids(tokenizer: Tokenizer, library: Tekkenizer) -> None:
    for text in many_texts():
        assert tokenizer.encode(text) == library.encode(text, bos=False, eos=False)
    assert tokenizer.n_vocab == library.n_words
    with warnings.catch_warnings(action="ignore"):
        pieces = [library.id_to_piece(i) for i in range(library.num_special_tokens)]
    assert list(tokenizer.special_tokens.items()) == [(piece, i) for i, piece in enumerate(pieces)]


@pytest.mark.parametrize("parts", [{}, {"special_tokens": NAMED, "version": "v11"}], ids=["2024", "later"])
def test_a_small_file_has_the_ids_of_tekkenizer(tmp_path, trained, parts):
    data = tekken_file(trained, **parts)
    assert file_format_if_known(data[:10_000]).name == "tekken.json"
    (tmp_path / "tekken.json").write_bytes(data)
    tokenizer = read(tmp_path / "tekken.json")
    assert isinstance(tokenizer, Tokenizer) and tokenizer.name == tmp_path.name
    same_ids(tokenizer, Tekkenizer.from_file(tmp_path / "tekken.json"))
    assert tokenizer.encode("a<SPECIAL_29>", allowed_special="all")[-1] == 29
    assert len(tokenizer.merges) == len(trained.merges) - 20
    assert trace(tokenizer, "the others").tokens_at(len(tokenizer.merges))[-1] == 10


@pytest.mark.slow
def test_mistrals_own_file_has_the_ids_of_tekkenizer():
    path = Path(mistral_common.__file__).parent / "data" / "tekken_240911.json"
    same_ids(read(path), Tekkenizer.from_file(path))


def changed(trained: Tokenizer, path: str, value: object) -> bytes:
    spec = json.loads(tekken_file(trained, special_tokens=json.loads(json.dumps(NAMED))))
    *keys, last = [int(key) if key.isdigit() else key for key in path.split("/")]
    part = spec
    for key in keys:
        part = part[key]
    part[last] = value
    return json.dumps(spec).encode()


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("vocab", {}, "a tekken.json has a config and a vocab"),
        ("config/default_vocab_size", 2**60, "its config asks for 1,152,921,504,606,846,976 tokens"),
        ("config/default_vocab_size", 9, "asks for 9 tokens with 30 special ones"),
        ("config/default_vocab_size", "600", "default_vocab_size in its config is '600', not a number"),
        ("config/default_num_special_tokens", -1, "default_num_special_tokens in its config is -1"),
        ("config/pattern", None, "has no split pattern"),
        ("config/pattern", "(a", "is not a regular expression"),
        ("vocab/300/rank", 299, "expected the token of rank 300"),
        ("vocab/300/token_bytes", "!", "expected the token of rank 300"),
        ("vocab/300/token_bytes", "", "expected the token of rank 300"),
        ("vocab/300", None, "expected the token of rank 300 .*, not None"),
        ("vocab/300/token_bytes", "YQ==", "the token b'a' has the ranks 97 and 300"),
        ("special_tokens/3/rank", 30, "its own rank below 30"),
        ("special_tokens/3/rank", 2, "its own rank below 30"),
        ("special_tokens/3/token_str", "<t2>", "it has a special token twice"),
        ("special_tokens/3", 7, "expected a special token .*, not 7"),
        ("special_tokens", 5, "its special_tokens are 5, not a list"),
        ("vocab/300/token_bytes", "YWFh" * 50_000, "a token of 150,000 bytes"),
    ],
)  # fmt: skip
def test_damage_is_refused_in_words(trained, path, value, words):
    with pytest.raises(ValueError, match=rf"^x: .*{words}"):
        read_tokenizer(changed(trained, path, value), "x")


def test_a_cut_off_file_is_refused(trained):
    with pytest.raises(ValueError, match=r"^x, line \d+: not JSON from character .*fetch it again"):
        read_tokenizer(tekken_file(trained)[:5_000], "x")
