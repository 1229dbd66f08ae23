"""The tokens of a folder: what is left out, as git leaves it out, and how files add up."""

import os
import shutil
import subprocess

import pytest

import tokviz
from tokviz.corpus.folder_tokens import FolderTokens, folder_tokens

GPT2 = tokviz.load("gpt2")
FILES = {
    ".gitignore": "*.log\r\n/build/\n!keep.log\ndocs/*.tmp\n# not a pattern\n\\!odd\n[ab].c\n**/deep/x\n!\n[\n",
    "a.c": "int a;", "c.c": "int c;", "run.log": "x", "keep.log": "x", "!odd": "x", "build/out.txt": "x",
    "src/build/in.txt": "one two", "src/.gitignore": "*.txt\n!in.txt\n!run.log\n", "src/other.txt": "x",
    "src/run.log": "log", "src/deep/x/y": "x", "src/deep/z": "z z z", "docs/a.tmp": "x", "docs/b/c.tmp": "tmp",
    "build2/.git/config": "x",
}  # fmt: skip


def made(folder, files=FILES):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(folder)


def test_what_is_ignored_is_what_git_ignores(tmp_path):
    root = made(tmp_path)
    found = folder_tokens(root, GPT2)
    assert found.files["src/build/in.txt"] == 2 and found.files["src/run.log"] == 1
    assert not {"run.log", "build/out.txt", "a.c", "!odd", "src/other.txt", "src/deep/x/y", "docs/a.tmp"} & {
        *found.files
    }
    if shutil.which("git"):
        shutil.rmtree(tmp_path / "build2")  # which git takes for a repository
        subprocess.run(["git", "init", "--quiet", root], check=True)
        listed = subprocess.run(["git", "ls-files", "--others", "--exclude-standard"], cwd=root, capture_output=True)
        assert sorted(found.files) == sorted(listed.stdout.decode().splitlines())
        inside = folder_tokens(f"{root}/src", GPT2)  # the list of the repository holds in it
        assert {f"src/{name}" for name in inside.files} == {name for name in found.files if name.startswith("src/")}
        assert folder_tokens(f"{root}/build", GPT2).files == {"out.txt": 1}  # ignored, but named


def test_files_that_are_no_texts_are_counted_and_links_are_not_followed(tmp_path):
    made(
        tmp_path,
        {"a.txt": "low lower", "b.bin": b"a\0b", "c.txt": b"\xff\xfel\0o\0w\0", "d.txt": b"caf\xe9", "e/f": ""},
    )
    (tmp_path / "e/up").symlink_to(tmp_path)
    (tmp_path / "e/again").symlink_to(tmp_path / "a.txt")
    (tmp_path / "e/round").symlink_to(tmp_path / "e/round")
    os.mkfifo(tmp_path / "pipe")
    found = folder_tokens(str(tmp_path), GPT2)
    assert found == FolderTokens({"a.txt": 2, "c.txt": 1, "e/f": 0}, n_binary=2)
    (tmp_path / "link").symlink_to(tmp_path / "e")
    assert folder_tokens(f"{tmp_path}/link", GPT2).files == {"f": 0}


def test_texts_with_a_mark_are_read_and_a_file_named_git_is_left_out(tmp_path):
    encodings = ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
    made(tmp_path, {each: "\ufefflow".encode(each) for each in encodings} | {"sub/.git": "gitdir: x", "x.git": "low"})
    assert folder_tokens(str(tmp_path), GPT2) == FolderTokens(dict.fromkeys(["x.git", *encodings], 1))


def test_a_file_that_is_too_large_to_hold_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("tokviz.corpus.folder_tokens.BYTES_MAX", 4)
    found = folder_tokens(made(tmp_path, {"a": "lows", "b": "lower"}), GPT2)
    assert list(found.files) == ["a"] and len(found.unread) == 1 and "b' is larger than 4 bytes" in found.unread[0]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_named(tmp_path):
    made(tmp_path, {"a": "x", "b": "x", "c/d": "x"})
    (tmp_path / "b").chmod(0)
    (tmp_path / "c").chmod(0)
    found = folder_tokens(str(tmp_path), GPT2)
    (tmp_path / "c").chmod(0o700)
    assert found.files == {"a": 1} and [reason.split("'")[1][-1] for reason in sorted(found.unread)] == ["b", "c"]


def test_what_fails_while_it_is_read_is_named(tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("tokviz.corpus.folder_tokens.open_file", refuse)
    found = folder_tokens(made(tmp_path, {"a": "x"}), GPT2)
    assert not found.files and "Permission denied" in found.unread[0]


def test_rows_add_up_and_are_in_the_order_of_a_tree():
    rows = FolderTokens({"a": 5, "z/x": 3, "z/y/w": 4, "z/y/v": 1, "b c/d": 5}).rows()
    assert [(row["path"], row["n_tokens"]) for row in rows] == [
        ("./", 18), ("z/", 8), ("z/y/", 5), ("z/y/w", 4), ("z/y/v", 1), ("z/x", 3), ("a", 5), ("b c/", 5), ("b c/d", 5)
    ]  # fmt: skip
    assert [tuple(row.values()) for row in FolderTokens().rows()] == [("./", 0, 0)]
