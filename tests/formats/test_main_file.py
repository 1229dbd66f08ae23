"""Of files that were given together, the one with the tokenizer is found whatever they are called."""

import json
import random

import pytest
from foreign_files import sentencepiece_file, wordpiece_file

import tokviz
from tokviz.formats.files import tokenizer_file_text
from tokviz.formats.folders import FILES_MAX, likeliest_tokenizer_file_name

BESIDE = {
    "config": b'{"architectures": ["LlamaForCausalLM"], "model_type": "llama"}',
    "tokenizer config": b'{"added_tokens_decoder": {"0": {"content": "<s>"}}, "model_max_length": 9}' + b" " * 99_999,
    "special tokens": b'{"eos_token": "</s>"}',
    "template": b"\n{%- for message in messages %}\n{{ message }}\n{%- endfor %}" + b"\n" * 99_999,
    "chat template": json.dumps({"chat_template": "{{ messages }}"}).encode(),
    "added": b'{"<s>": 900, "</s>": 901}',
    "merges": b"#version: 0.2\n" + b"a b\n" * 9_999,
    "readme": b"# A model\n",
    "nothing": b"",
}


@pytest.fixture(scope="module")
def kinds() -> dict[str, bytes]:
    tokenizer = tokviz.train("low lower lowest", vocab_size=260)
    written = {kind: tokenizer_file_text(tokenizer, kind).encode() for kind in (".json", ".tiktoken", ".model")}
    return written | {
        "GGUF": b"GGUF\x03\0\0\0",
        "tekken": b'{"config": {"pattern": ".", "default_vocab_size": 300}}',
        "SentencePiece": sentencepiece_file(),
        "WordPiece": wordpiece_file(),
        "vocabulary": json.dumps({f"token {i}": i for i in range(9)}).encode(),
    }


@pytest.mark.parametrize(
    "kind", [".json", ".tiktoken", ".model", "GGUF", "tekken", "SentencePiece", "WordPiece", "vocabulary"]
)
def test_a_tokenizer_is_told_from_what_lies_beside_it(kinds, kind):
    files = list((BESIDE | {kind: kinds[kind]}).items())
    for seed in range(5):
        random.Random(seed).shuffle(files)
        assert likeliest_tokenizer_file_name(dict(files)) == kind


def test_a_whole_tokenizer_wins_over_half_of_one_and_a_json_over_a_model(kinds):
    half = {"vocabulary": kinds["vocabulary"] + b" " * 99_999, "merges": BESIDE["merges"]}
    assert likeliest_tokenizer_file_name(half | {"whole": kinds[".json"]}) == "whole"
    assert likeliest_tokenizer_file_name(half | {"pieces": kinds["SentencePiece"]}) == "pieces"
    assert likeliest_tokenizer_file_name({"pieces": kinds["SentencePiece"], "whole": kinds[".json"]}) == "whole"


def test_files_are_neither_none_nor_many():
    for n in (0, FILES_MAX + 1):
        with pytest.raises(ValueError, match=f"{n} files; a tokenizer has at most 12"):
            likeliest_tokenizer_file_name({str(i): b"" for i in range(n)})
