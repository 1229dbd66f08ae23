"""Rows, which every command with a table prints as text, CSV or JSON."""

import csv
import io
import json

import pytest

from tokviz.cli import main
from tokviz.cli.rows import SHARE, Rows

COMMANDS = {
    "words": (["count", "a.txt", "--split-pattern", "gpt2"], ["characters", "pretokens, gpt2"]),
    "documents": (["count", "a.txt", "chat.jsonl", "-t", "gpt2", "-t", "o200k_base"], ["gpt2", "o200k_base", "user"]),
    "compare": (["compare", "gpt2", "o200k_base", "--text", "a.txt", "--parameters", "768"], ["gpt2", "o200k_base"]),
    "parity": (["parity", "-t", "gpt2", "--languages", "th", "lo"], ["Lao", "Thai"]),
    "audit": (["audit", "small.model"], ["no text has it"]),
}


@pytest.mark.parametrize(("command", "shown"), COMMANDS.values(), ids=COMMANDS)
def test_csv_and_json_have_the_same_figures(printed, trained, tmp_path, monkeypatch, command, shown):
    monkeypatch.chdir(tmp_path)
    trained.save("small.model")
    (tmp_path / "a.txt").write_text("low lower lowest, ภาษาไทย")
    (tmp_path / "chat.jsonl").write_text('{"messages": [{"role": "user", "content": "How many?"}]}')
    assert all(word in printed(*command) for word in shown)
    of_json = json.loads(printed(*command, "--json"))
    of_csv = list(csv.DictReader(io.StringIO(printed(*command, "--csv"))))
    records = of_json["tokens"] if command[0] == "audit" else of_json
    for line, record in zip(of_csv, records, strict=True):
        record |= {f"n_{part}": n for part, n in record.get("by_part", {}).items()}
        assert line == {key: "" if record[key] is None else str(record[key]) for key in line}
        left_out = [value for key, value in record.items() if key not in line and key != "format"]
        assert all(isinstance(value, list | dict) for value in left_out)


def test_json_and_csv_exclude_each_other():
    for command, _ in COMMANDS.values():
        with pytest.raises(SystemExit, match="2"):
            main([*command, "--csv", "--json"])


def test_a_table_has_texts_on_the_left_and_numbers_on_the_right():
    records = [
        {"name": "gpt2", "text": " ไทย", "id": 50_256, "share": 0.5},
        {"name": "x", "text": None, "id": 7, "share": 1},
    ]
    heads = {"name": "", "text": "token", "id": "id", "share": "of all"}
    assert str(Rows(records, heads, {"text": repr, "id": str, "share": SHARE})).splitlines() == [
        "      token      id  of all",
        "gpt2  ' ไทย'  50256   50.0%",
        "x     -           7  100.0%",
    ]
    assert str(Rows([], heads)).split() == ["token", "id", "of", "all"]
