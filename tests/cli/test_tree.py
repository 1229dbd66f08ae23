"""`tokviz count --tree` and `tokviz split`: what they print, and what they refuse."""

import json

import pytest

import tokviz


@pytest.fixture
def folder(tmp_path):
    for name, text in {"a/b.py": "x = 1\n", "a/c/d.md": "one two three", "e": "one two three four five"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "f.png").write_bytes(b"\x89PNG\0")
    return tmp_path


def test_a_tree_is_indented_with_the_largest_first(printed, folder):
    assert printed("count", "--tree", folder, "-t", "gpt2") == (
        "            files  tokens   share\n"
        "./              3      12  100.0%\n"
        "  a/            2       7   58.3%\n"
        "    b.py        1       4   33.3%\n"
        "    c/          1       3   25.0%\n"
        "      d.md      1       3   25.0%\n"
        "  e             1       5   41.7%\n\nfiles skipped that are binary or not UTF-8: 1\n"
    )
    shown = printed("count", "--tree", folder, "-t", "gpt2", "--depth", 1, "--limit", 2)
    assert "a/" in shown and "b.py" not in shown and "  e" not in shown and "more rows: 4" in shown


def test_a_tree_as_json_and_csv_has_everything(printed, folder):
    result = json.loads(printed("count", "--tree", folder, "--json", "--limit", 1))
    assert (result["tokenizer"], result["n_binary"], result["unread"], len(result["rows"])) == ("cl100k_base", 1, [], 6)
    assert printed("count", "--tree", folder, "--csv").splitlines()[:2] == ["path,n_files,n_tokens", "./,3,13"]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--window", 9], "not for --tree"),
        (["-t", "gpt2", "-t", "o200k_base"], "one tokenizer"),
        (["elsewhere"], "one folder"),
        (["--limit", -1], "--limit must be"),
        (["--limit", 0], "--limit must be"),
        (["--depth", -1], "--depth at least 0"),
        (["--text-key", "body"], "not for --tree"),
    ],
)
def test_what_a_tree_refuses(refused, folder, options, reason):
    assert reason in refused("count", "--tree", folder, *options)
    assert "is not a folder" in refused("count", "--tree", folder / "e")


def test_what_only_a_tree_takes_is_refused_without_it(refused, folder):
    for options in (["--depth", 3], ["--limit", 2], ["--depth", 0, "-t", "gpt2"]):
        assert "are for --tree" in refused("count", folder / "e", *options)


def test_names_of_files_cannot_steer_the_terminal(ran, tmp_path, monkeypatch):
    monkeypatch.setattr("tokviz.corpus.folder_tokens.BYTES_MAX", 9)
    for name in ("a\x1b[2Jb\n./", "large\x1b"):
        (tmp_path / name.rstrip("/")).write_text("low " * (1 + 9 * name.startswith("large")))
    _, out, err = ran("count", "--tree", tmp_path)
    assert "\x1b" not in out + err and "a\\x1b[2Jb\\n" in out
    assert "large\\x1b' is larger than 9 bytes" in err and "not read: 1" in out


def test_split_prints_a_line_of_json_for_each_chunk(printed, refused, tmp_path):
    text = tokviz.sample("thai")
    (tmp_path / "thai.txt").write_text(text)
    lines = printed("split", "--tokens", 64, "--overlap", 8, tmp_path / "thai.txt", "-t", "gpt2").splitlines()
    chunks = tokviz.split(text, tokviz.load("gpt2"), tokens=64, overlap=8)
    assert [tokviz.Chunk(**json.loads(line)) for line in lines] == list(chunks)
    assert "takes 2 tokens" in refused("split", "--tokens", 1, tmp_path / "thai.txt", "-t", "gpt2")
    assert "at least 1 token" in refused("split", "--tokens", 0, tmp_path / "thai.txt")
