"""Each format is one value of a table, from which reading, saving and the documents follow."""

import re
from pathlib import Path

import pytest
from opening import part

import tokviz
from tokviz import Tokenizer
from tokviz.formats import table
from tokviz.formats.folders import likeliest_tokenizer_file_name
from tokviz.formats.format import Format, Source
from tokviz.formats.table import FORMATS
from tokviz.formats.tiktoken import parse_ranks, ranks_text

MAGIC = b"my ranks\n"


def is_mine(data: bytes) -> bool:
    return data.startswith(MAGIC)


def read_mine(source: Source) -> Tokenizer:
    return Tokenizer(source.name, source.split_pattern or "none", parse_ranks(source.data.removeprefix(MAGIC)))


def mine_text(tokenizer: Tokenizer) -> str:
    return MAGIC.decode() + ranks_text(tokenizer.mergeable_ranks)


MINE = Format("mine", is_mine, read_mine, mine_text, suffix=".mine", takes=("split_pattern",), words="a .mine")


def uploader():
    from pages.ui.session_tokenizers.file_opener import show_tokenizer_file_opener

    show_tokenizer_file_opener()


def test_a_format_is_one_value_and_its_line_in_the_table(monkeypatch, tmp_path):
    monkeypatch.setattr(table, "FORMATS", (*FORMATS, MINE))
    tokenizer = tokviz.train("low lower lowest", vocab_size=260, split_pattern="gpt2")
    path = tmp_path / "own.mine"
    tokviz.save(tokenizer, path)
    assert tokviz.read(path, split_pattern="gpt2") == tokviz.read(tmp_path, split_pattern="gpt2") == tokenizer
    assert (
        Tokenizer.read(path).split_pattern == "none"
        and likeliest_tokenizer_file_name({"a": b"{}", "b": path.read_bytes()}) == "b"
    )
    with pytest.raises(ValueError, match=r"^own.mine: this is mine, whose special tokens are its own$"):
        tokviz.read(path, special_tokens=["<s>"])
    path.write_text("some notes")
    with pytest.raises(ValueError, match=r"begins no file that is read here; expected is a \.mine, "):
        tokviz.read(path)
    assert any(each.value.startswith("A .mine, a tokenizer.json, ") for each in part(uploader).text)


def without_notes(words: str) -> str:
    return re.sub(r" \(.*?\)", "", words.replace("`", "")).strip()


def test_the_documents_have_a_row_for_each_format():
    table_lines = Path("docs/files.md").read_text().partition("| file | opens as | exports |\n")[2].split("\n\n")[0]
    rows = [[without_notes(cell) for cell in line.split("|")[1:-1]] for line in table_lines.splitlines()[1:]]
    told = [(name, not read.startswith("no"), written.partition(",")[0]) for name, read, written in rows]
    expected = [
        (without_notes(one.words or one.name).removeprefix("a "), bool(one.read), one.suffix if one.write else "no")
        for one in FORMATS
        if one.words or one.write
    ]
    assert sorted(told) == sorted(expected)
    with_another = [one.name for one in FORMATS if not one.words and not one.write]
    assert all(any(name in row[0] for row in told) for name in with_another)
