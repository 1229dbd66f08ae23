"""`tokviz show`: a text in colour in the terminal, and the snippets."""

import io
import sys

import pytest

import tokviz
from tokviz.cli import main
from tokviz.display.snippets import SNIPPETS


def test_a_text_is_shown_under_each_tokenizer(printed):
    out = printed("show", "low lower", "-t", "gpt2", "-t", "o200k_base")
    assert out == "gpt2: 2 tokens\nlow|␣lower\n\no200k_base: 2 tokens\nlow|␣lower\n"


@pytest.mark.parametrize("kind", SNIPPETS)
def test_every_format_is_that_of_show(printed, kind, tmp_path):
    (tmp_path / "story.txt").write_text("ภาษา <b>\n", encoding="utf-8")
    out = printed("show", "--file", tmp_path / "story.txt", "-t", "gpt2", "--format", kind)
    options = {"captions": True, "colours": 0} if kind == "ansi" else {}
    assert out == tokviz.show(tokviz.load("gpt2"), "ภาษา <b>\n").snippet(kind, **options)


def test_colours_go_to_a_terminal_only(printed, monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("COLORTERM", raising=False)
    assert "\x1b[" not in printed("show", "low", "-t", "gpt2")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "\x1b[38;5;" in printed("show", "low", "-t", "gpt2")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in printed("show", "low", "-t", "gpt2")


def test_the_text_comes_from_standard_input(printed, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"low lower")))
    assert "low|␣lower" in printed("show", "-t", "gpt2")


def test_two_texts_are_refused(capsys, tmp_path):
    (tmp_path / "a.txt").write_text("a")
    assert main(["show", "text", "--file", str(tmp_path / "a.txt")]) == 1
    assert "leave one out" in capsys.readouterr().err


def test_a_page_is_written_whole(printed, capsys, tmp_path):
    page = tmp_path / "page.html"
    out = printed("show", "low <b>lower</b>", "-t", "gpt2", "--html", page)
    assert out.startswith('<iframe src="page.html"') and "</iframe>" in out
    assert page.read_text().startswith("<!doctype html>") and "<b>lower" not in page.read_text()
    assert main(["show", "low", "--html", str(tmp_path / "none" / "page.html")]) == 1
    assert "there is no folder" in capsys.readouterr().err
