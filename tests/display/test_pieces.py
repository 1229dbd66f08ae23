"""Pieces of coloured text: what they say of tokens whose text is not what the vocabulary writes."""

import json
import re

import pytest
from foreign_files import sentencepiece_model, wordpiece_file
from hf_files import QWEN2, byte_level, splitting
from tokenizers import normalizers

from tokviz import AnyTokenizer, Tokenizer, load
from tokviz.core.normalizer import Normalizer
from tokviz.display.html_text import html_text
from tokviz.display.pieces import tokenized_text
from tokviz.formats.huggingface.tokenizer import HFTokenizer
from tokviz.formats.sentencepiece import SentencePieceTokenizer


def titles(tokenizer: AnyTokenizer, text: str) -> list[str]:
    return re.findall(r'<span title="([^"]*)"', html_text([tokenized_text(tokenizer, text)]))


def test_an_unknown_word_is_named_as_the_vocabulary_writes_it():
    tokenizer = HFTokenizer("wordpiece", wordpiece_file())
    unknown = tokenizer.unknown_id
    assert titles(tokenizer, "the ☃")[-1] == f"id {unknown}, [UNK], which is not in the vocabulary"
    pieces = tokenized_text(tokenizer, "the ☃").pieces
    assert [(piece.text, piece.tokens[0].written) for piece in pieces if piece.tokens][-1] == ("☃", "[UNK]")
    (whole,) = tokenizer.encode("the")
    assert titles(tokenizer, "the") == [f"id {whole}, bytes 74 68 65"]
    assert any(re.fullmatch(r"id \d+, ##\w+, bytes [0-9a-f ]+", title) for title in titles(tokenizer, "lowers"))


@pytest.mark.parametrize("rule", ["nmt_nfkc", "identity"])
def test_an_empty_token_and_a_changed_one_say_what_the_vocabulary_writes(rule):
    tokenizer = SentencePieceTokenizer("x", sentencepiece_model(normalization_rule_name=rule))
    found = titles(tokenizer, "ก ﬁ")
    assert re.fullmatch(r"id \d+, ·, no text", found[0])
    if rule == "nmt_nfkc":
        assert re.fullmatch(r"id \d+, f?i, bytes ef ac 81", found[-1])
    else:
        assert found[-1].startswith("3 tokens share this character: ef in id ")


def test_of_byte_level_bpe_a_title_has_only_bytes():
    assert titles(load("gpt2"), "low") == ["id 9319, bytes 6c 6f 77"]
    spec = byte_level(splitting(QWEN2), normalizer=normalizers.NFC())
    tokenizer = HFTokenizer("x", json.dumps(spec).encode())
    found = titles(tokenizer, "e\u0301")
    assert [title.split(", ", 1)[1] for title in found] == ["&lt;c3&gt;, no text", "&lt;a9&gt;, bytes 65 cc 81"]


def test_tokens_that_a_tokenizer_changed_are_written_as_they_are_in_the_vocabulary():
    ids = {bytes([i]): i for i in range(256)} | {b" a": 256, "é".encode(): 257}
    tokenizer = Tokenizer("toy", "none", ids, normalizer=Normalizer("NFC", prefix="each"))
    pieces = tokenized_text(tokenizer, "ae\u0301").pieces
    assert [piece.text for piece in pieces] == ["a", "e\u0301"]
    assert [token.written for piece in pieces for token in piece.tokens] == ["·a", "é"]
