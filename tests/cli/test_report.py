"""`tokviz compare A B --report`: from the samples, the documents or the lines of a text, to a terminal or a page."""

import json
import os

import pytest

import tokviz


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Two tokenizers, the second of which has single digits, in the working folder."""
    monkeypatch.chdir(tmp_path)
    for name, pattern in {"a": "cl100k", "b": "qwen2"}.items():
        tokviz.train("low 1998 lower 1998", vocab_size=261, split_pattern=pattern).save(f"{name}.model")
    return tmp_path


def test_a_report_has_a_heading_for_each_kind_of_change(printed, files):
    shown = printed("compare", "a.model", "b.model", "--report")
    assert [line for line in shown.splitlines() if line and line[0] != " "] == [
        "From a.model to b.model", "Texts", "Tokens and ids", "Special tokens", "Digits and white space", "Rules"
    ]  # fmt: skip
    assert "6 texts: " in shown


def test_texts_are_documents_or_the_lines_of_a_single_one(printed, ran, files):
    (files / "texts").mkdir()
    (files / "texts/a.txt").write_text("low 1998\n\nlower\n")
    (files / "texts/b.jsonl").write_text('{"text": "1998"}\nno JSON\n')
    one = json.loads(printed("compare", "a.model", "b.model", "--report", "--text", files / "texts/a.txt", "--json"))
    assert one["From a.model to b.model"][0].startswith("2 texts") and one["Texts"][1].startswith("line 1, 'low 1998'")
    _, out, err = ran("compare", "a.model", "b.model", "--report", "--text", files / "texts", "--json")
    assert json.loads(out)["From a.model to b.model"][0].startswith("2 texts") and "b.jsonl, line 2" in err
    assert any("b.jsonl, line 1: " in line for line in json.loads(out)["Texts"])


def test_the_same_twice_is_one_line_and_a_page_can_be_written(printed, files):
    page = files / "report.html"
    shown = printed("compare", "a.model", "a.model", "--report", "--html", page)
    assert shown == "From a.model to a.model\n  Nothing changes: tokens, ids, special tokens and rules are the same.\n"
    assert "Nothing changes" in page.read_text() and page.read_text().startswith("<!doctype html>")


def test_names_that_are_not_text_are_escaped_in_a_page(ran, files):
    os.rename(files / "a.model", odd := os.fsdecode(b"a\xff\x1b.model"))
    (files / "texts").mkdir()
    for name in (b"texts/\xfe.txt", b"texts/b.txt"):
        (files / os.fsdecode(name)).write_text("low 1998")
    code, out, _ = ran("compare", odd, "b.model", "--report", "--text", "texts", "--html", "report.html")
    assert code == 0 and "\x1b" not in out
    page = (files / "report.html").read_text()
    assert r"From a\udcff\x1b.model to b.model" in page and r"\udcfe.txt, line 1" in page


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["gpt2", "--report"], "takes two tokenizers"),
        (["gpt2", "o200k_base", "--report", "--csv"], "without --csv"),
        (["gpt2", "--html", "x.html"], "are for --report"),
        (["gpt2", "--text", "a", "--text", "b"], "are for --report"),
        (["gpt2", "--text-key", "body"], "are for --report"),
        (["gpt2", "--stdin", "jsonl"], "are for --report"),
    ],
)
def test_what_a_report_refuses(refused, arguments, reason):
    assert reason in refused("compare", *arguments)
