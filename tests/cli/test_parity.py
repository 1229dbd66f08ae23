"""`tokviz parity`: tables, CSV and JSON of what languages pay, on the sentences included and on one's own."""

import io
import json

import pytest

import tokviz
from tokviz.cli import main
from tokviz.languages.parity import parity_rows
from tokviz.languages.table import LANGUAGES, parallel_sentences


def test_several_tokenizers_stand_side_by_side_the_dearest_language_first(printed):
    caption, head, *lines = printed("parity", "-t", "gpt2", "-t", "o200k_base").splitlines()
    assert caption == "tokens relative to English, for the same sentences (12), with 95% intervals (bootstrap)"
    assert head.split() == ["language", "code", "gpt2", "o200k_base"]
    assert len(lines) == len(LANGUAGES)
    rows = parity_rows(tokviz.load("gpt2"), parallel_sentences())
    others = {row.language: row for row in parity_rows(tokviz.load("o200k_base"), parallel_sentences())}
    for line, row in zip(lines, rows, strict=True):
        both = (row, others[row.language])
        cells = [f"{it.parity:.2f} ({it.parity_low:.2f}–{it.parity_high:.2f})" for it in both]
        shown = cells if row.language != "en" else ["1.00", "1.00"]
        assert line.split() == [*row.name.split(), row.language, *" ".join(shown).split()]


def test_one_tokenizer_shows_the_premiums_of_sentences(printed):
    lines = printed("parity", "-t", "gpt2", "--languages", "Thai", "lao_Laoo").splitlines()
    assert [line.split()[:2] for line in lines[2:]] == [["Lao", "lo"], ["Thai", "th"], ["English", "en"]]
    row = parity_rows(tokviz.load("gpt2"), parallel_sentences())[6]
    figures = (row.parity, row.parity_low, row.parity_high, row.lowest_premium, row.median_premium, row.highest_premium)
    assert row.language == "lo" and row.lowest_premium < row.median_premium < row.highest_premium
    assert lines[1].split()[3:6] == ["95%", "from", "to"]
    assert lines[2].split()[2:] == [*(f"{x:.2f}" for x in figures), f"{row.n_tokens:,}", f"{row.bytes_per_token:.2f}"]


def test_a_parity_is_of_the_tokens_of_the_reference(printed):
    options = ("-t", "gpt2", "-t", "cl100k_base", "--languages", "th", "--reference", "fi")
    rows = json.loads(printed("parity", *options, "--json"))
    assert [(row["tokenizer"], row["language"]) for row in rows] == [
        ("gpt2", "th"), ("gpt2", "fi"), ("cl100k_base", "th"), ("cl100k_base", "fi")
    ]  # fmt: skip
    assert {len(row["premiums"]) for row in rows} == {12}
    assert rows[0]["parity"] == rows[0]["n_tokens"] / rows[1]["n_tokens"]


def test_your_own_sentences(printed, tmp_path, monkeypatch):
    (tmp_path / "own.tsv").write_text("en\ttlh\nred\tDoq\ntwo\tcha'\n", encoding="utf-8")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "eng_Latn.dev").write_text("red\ntwo\n")
    (tmp_path / "own" / "tlh.dev").write_text("Doq\ncha'\n")
    of_table = printed("parity", "-t", "gpt2", "--file", tmp_path / "own.tsv", "--json")
    assert of_table == printed("parity", "-t", "gpt2", "--folder", tmp_path / "own", "--json")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((tmp_path / "own.tsv").read_bytes())))
    assert of_table == printed("parity", "-t", "gpt2", "--file", "-", "--json")
    row = json.loads(of_table)[0]
    assert (row["language"], row["name"], row["n_sentences"]) == ("tlh", "tlh", 2)
    assert row["n_tokens"] == sum(len(tokviz.load("gpt2").encode(text)) for text in ("Doq", "cha'"))


def test_a_language_that_is_not_there_is_refused(refused, tmp_path):
    assert "there are no sentences in tlh; there are some in en, th," in refused("parity", "--languages", "tlh")
    assert "'not one' is not the code of a language" in refused("parity", "--reference", "not one")
    (tmp_path / "own.tsv").write_text("fi\tth\nkaksi\tสอง\n", encoding="utf-8")
    said = refused("parity", "--file", tmp_path / "own.tsv")
    assert "no sentences in en; there are some in fi, th: compare with one of these by --reference" in said
    (tmp_path / "own.tsv").write_text("en\tth\n\tสอง\n", encoding="utf-8")
    assert "no sentence has a text in 'en'" in refused("parity", "--file", tmp_path / "own.tsv")
    assert "No such file" in refused("parity", "--folder", tmp_path / "none")


def test_a_table_says_how_much_of_a_text_is_unknown(printed, tmp_path):
    words = {"[UNK]": 0, "the": 1, "new": 2, "bridge": 3}
    model = {"type": "WordLevel", "vocab": words, "unk_token": "[UNK]"}
    (tmp_path / "words.json").write_text(json.dumps({"pre_tokenizer": {"type": "Whitespace"}, "model": model}))
    options = ("--languages", "th", "-t", tmp_path / "words.json")
    lines = printed("parity", *options).splitlines()
    assert lines[1].split()[-1] == "unknown" and lines[3].split()[-1] == "100.0%"
    lines = printed("parity", *options, "-t", "gpt2").splitlines()
    assert next(line for line in lines if line.startswith("Thai")).count("(100% unknown)") == 1


def test_a_file_and_a_folder_exclude_each_other():
    with pytest.raises(SystemExit, match="2"):
        main(["parity", "--file", "a.tsv", "--folder", "a"])
