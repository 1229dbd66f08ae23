"""What paths, folders and globs stand for: every file once, and nothing skipped in silence."""

import glob
import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from tokviz.corpus.corpus import Corpus
from tokviz.corpus.paths import files_at_path


@pytest.fixture
def books(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("books/a.txt", "books/in/b.txt", "books/in/deep/c.jsonl", "books/.hidden/d.txt", "books/x**y/e.txt"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("low")
    return Path("books")


@pytest.mark.parametrize(
    "pattern",
    [
        *("books/**/*.txt", "**/*.txt", "books/**", "books/*/**/*.jsonl", "b*/**/deep/**/*", "books/x[*]*y/**/*.txt"),
        *("books/**//*.txt", "./**/b.txt", "books/x**y/*.txt"),
    ],
)
def test_a_glob_finds_what_pythons_glob_finds(books, pattern):
    expected = {os.path.normpath(path) for path in glob.glob(pattern, recursive=True) if os.path.isfile(path)}
    assert files_at_path(pattern) == sorted(expected) != []


def test_a_file_is_counted_once_in_spite_of_links_in_a_circle(books):
    (books / "in" / "again").symlink_to(books.resolve())
    (books / "in" / "up").symlink_to("..")
    assert files_at_path("books/**/a.txt") == files_at_path("**/a.txt") == ["books/a.txt"]
    assert files_at_path("books").count("books/in/b.txt") == 1
    assert files_at_path("books/in/up") == [
        "books/in/up/" + file.removeprefix("books/") for file in files_at_path("books")
    ]


def test_a_folder_gives_no_file_that_lies_outside_of_it(books, tmp_path):
    (outside := tmp_path / "outside").mkdir()
    for name in ("secret.txt", "in.txt"):
        (outside / name).write_text("low")
    before = files_at_path("books")
    (books / "secret.txt").symlink_to(outside / "secret.txt")
    (books / "in/secret.txt").symlink_to("../../outside/secret.txt")
    (books / "twice.txt").symlink_to(books.resolve() / "in/twice.txt")
    (books / "in/twice.txt").symlink_to(outside / "secret.txt")
    (books / "gone.txt").symlink_to("nowhere.txt")
    assert files_at_path("books") == before
    (books / "again.txt").symlink_to("in/b.txt")
    assert "books/again.txt" in files_at_path("books")
    assert files_at_path("books/secret.txt") == ["books/secret.txt"]  # who names a link wants what it leads to
    assert "books/secret.txt" in files_at_path("books/*.txt")
    (tmp_path / "linked").symlink_to(books)
    assert len(files_at_path("linked")) == len(files_at_path("books"))
    (only := tmp_path / "only").mkdir()
    (only / "secret.txt").symlink_to(outside / "secret.txt")
    with pytest.raises(ValueError, match="but links that lead out of it; name those, as with a glob"):
        files_at_path("only")


@contextmanager
def without_rights(path):
    """Take the rights from a file or folder, and from root its power over them."""
    path.chmod(0)
    root = os.geteuid() == 0
    try:
        if root:
            os.seteuid(65534)
        yield
    finally:
        if root:
            os.seteuid(0)
        path.chmod(0o755)


@pytest.mark.skipif(not hasattr(os, "seteuid"), reason="no such rights here")
@pytest.mark.parametrize("named", ["{}", "{}/**/*.txt", "{}/in/b.txt"])
def test_what_may_not_be_read_is_refused_and_not_skipped(named):
    with tempfile.TemporaryDirectory() as folder:  # not the folder of the test, which others than root cannot enter
        (inner := Path(folder, "in")).mkdir()
        (inner / "b.txt").write_text("low")
        Path(folder).chmod(0o755)
        with (
            without_rights(inner / "b.txt" if named.endswith("b.txt") else inner),
            pytest.raises(PermissionError, match="in"),
        ):
            Corpus([named.format(folder)])


def test_a_text_file_that_is_named_is_read_whatever_its_suffix(books):
    for name, data in (("notes.md", b"low"), ("Makefile", b""), ("old.csv", "low".encode("utf-16")), ("a.zip", b"a\0")):
        (books / name).write_bytes(data)
    assert ["".join(document) for document in Corpus(["books/notes.md", "books/[M]*"])] == ["low", ""]
    assert [*Corpus(["books/notes.md"], stdin="jsonl")] == []
    assert files_at_path("books/old.csv") == ["books/old.csv"]  # of which reading says that it is UTF-16
    assert not {"books/notes.md", "books/a.zip"} & {*files_at_path("books")}
    for path in ("books/a.zip", "books/*"):
        with pytest.raises(ValueError, match=r"'books/a\.zip' is binary"):
            files_at_path(path)


def test_closed_standard_input_is_refused_in_words(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ValueError, match="standard input is closed"):
        files_at_path("-")
