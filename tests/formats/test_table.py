"""Each format is one value of a table, from which reading, saving and the documents follow."""

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


def test_the_documents_name_every_format():
    rows = [line.split("|")[1:] for line in Path("docs/files.md").read_text().splitlines() if line.startswith("| `")]
    for one in FORMATS:
        name = "minbpe" if one.name == "minbpe" else one.suffix or one.name
        told = [row for row in rows if name.lower().removeprefix(".") in row[0].lower()]
        assert told or one.read is None, one.name
        assert not one.read or one.suffix == "" or any(row[2].strip().startswith("yes") for row in told), one.name
