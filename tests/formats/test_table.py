"""Each format is one value of a table, from which reading, saving and the documents follow."""

import re
from pathlib import Path

import tokviz
from tokviz import Tokenizer
from tokviz.formats import table
from tokviz.formats.format import Format, Source
from tokviz.formats.table import FORMATS, format_words
from tokviz.formats.tiktoken import parse_ranks, ranks_text

MAGIC = b"my ranks\n"


def is_mine(data: bytes) -> bool:
    return data.startswith(MAGIC)


def read_mine(source: Source) -> Tokenizer:
    return Tokenizer(source.name, source.split_pattern or "none", parse_ranks(source.data.removeprefix(MAGIC)))


def mine_text(tokenizer: Tokenizer) -> str:
    return MAGIC.decode() + ranks_text(tokenizer.mergeable_ranks)


def test_a_format_that_joins_the_table_is_read_and_saved(monkeypatch, tmp_path):
    mine = Format("mine", is_mine, read_mine, mine_text, suffix=".mine", takes=("split_pattern",), words="a .mine")
    monkeypatch.setattr(table, "FORMATS", (*FORMATS, mine))
    tokenizer = tokviz.train("low lower lowest", vocab_size=260, split_pattern="gpt2")
    tokviz.save(tokenizer, tmp_path / "own.mine")
    assert tokviz.read(tmp_path / "own.mine", split_pattern="gpt2") == tokenizer
    assert Tokenizer.read(tmp_path / "own.mine").split_pattern == "none"
    assert format_words().startswith("a .mine, ")


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
