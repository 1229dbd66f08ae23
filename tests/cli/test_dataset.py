"""`tokviz count --tokenizer`: the tokens of a data set, as text, CSV and JSON."""

import gzip
import json

import pytest
from foreign_files import wordpiece_file

import tokviz
from tokviz.chats.formats import ChatML
from tokviz.chats.prompt import Message, prompt_spans

TEXTS = ["", "low", "low lower lowest", "<|endoftext|>", "\ud83d", "a" * 5_000]
CHAT = [{"role": "system", "content": "Answer."}, {"role": "user", "content": "How many?"}]
PAIR = {"prompt": "2+2=", "completion": "4"}


@pytest.fixture
def files(tmp_path):
    lines = [json.dumps({"text": text}) for text in TEXTS] + [json.dumps({"messages": CHAT}), json.dumps(PAIR)]
    with gzip.open(tmp_path / "a.jsonl.gz", "wt") as file:
        file.write("\n".join([*lines, "no JSON", '{"other": 1}']))
    (tmp_path / "b.txt").write_text("a whole file\nis a document")
    (tmp_path / "c.jsonl").touch()
    return tmp_path


def lengths(name):
    """Return the tokens of each document, in order."""
    encode = tokviz.load(name).encode
    tokenizer = ChatML().tokenizer(tokviz.load(name))
    prompt = ChatML().prompt([Message(**each) for each in CHAT], reply=False)
    chat, pair = len(prompt_spans(tokenizer, prompt)), len(encode("2+2=")) + len(encode("4"))
    return [*(len(encode(text)) for text in TEXTS), chat, pair, len(encode("a whole file\nis a document"))]


def test_json_has_the_figures_of_each_tokenizer(printed, files):
    names = ["gpt2", "o200k_base"]
    out = printed("count", files, "--tokenizer", names[0], "--tokenizer", names[1], "--window", 10, "--json")
    for name, found in zip(names, json.loads(out), strict=True):
        expected = lengths(name)
        ordered = sorted(expected)
        assert (found["tokenizer"], found["format"], found["n_documents"]) == (name, "ChatML", 9)
        assert (found["n_tokens"], sum(found["by_part"].values())) == (sum(expected), sum(expected))
        assert (found["shortest"], found["median"], found["p95"], found["longest"]) == (
            0,
            ordered[4],
            *ordered[-1:] * 2,
        )
        assert found["n_over"] == sum(length > 10 for length in expected)
        assert found["n_lost"] == sum(max(0, length - 10) for length in expected)
        assert sum(each["n_documents"] for each in found["histogram"]) == 9
        first = found["longest_documents"][0]
        assert first == {"file": str(files / "a.jsonl.gz"), "line": 6, "n_tokens": ordered[-1]}
        assert len(found["longest_documents"]) == 9


def test_bad_lines_are_named_and_the_rest_is_counted(ran, files):
    err = ran("count", files, "--tokenizer", "gpt2").err
    assert f"left out: {files / 'a.jsonl.gz'}, line 9: not JSON" in err
    assert f"left out: {files / 'a.jsonl.gz'}, line 10: lacks the key 'text', or 'messages'" in err


def test_the_text_shows_the_same_figures(printed, files):
    (found,) = json.loads(printed("count", files, "--tokenizer", "gpt2", "--json"))
    out = printed("count", files, "--tokenizer", "gpt2")
    lines = out.splitlines()
    assert lines[0].split()[:3] == ["tokenizer", "documents", "tokens"] and "over 8,192" in lines[0]
    assert lines[1].split()[:3] == ["gpt2", "9", f"{found['n_tokens']:,}"]
    assert f"{files / 'a.jsonl.gz'}, line 6" in out and "scaffolding" in out
    assert "1,025 to 2,048" not in out.split("longest")[-1]


def test_texts_alone_have_no_table_of_parts(printed, tmp_path):
    (tmp_path / "a.txt").write_text("low")
    assert "tokens of" not in printed("count", tmp_path, "--tokenizer", "gpt2", "--tokenizer", "gpt2")


def test_an_empty_data_set_has_no_lengths(printed, files):
    row = "gpt2               0       0         -       -    -        -           0     0"
    assert printed("count", files / "c.jsonl", "--tokenizer", "gpt2").splitlines()[1] == row


def test_the_format_is_that_of_the_file_unless_one_is_named(ran, printed, files):
    (files / "own").mkdir()
    (files / "own" / "tokenizer.json").write_bytes(wordpiece_file())
    (files / "own" / "tokenizer_config.json").write_text(json.dumps({"chat_template": "{{ messages[0].content }}!"}))
    (files / "mine.jinja").write_text("{% for m in messages %}{{ m.content }}{% endfor %}")
    arguments = [files / "a.jsonl.gz", "--tokenizer", files / "own", "--json"]
    for options, name in ([], "its own template"), (["--chat-format", files / "mine.jinja"], "mine.jinja"):
        (found,) = json.loads(printed("count", *arguments, *options))
        assert found["format"] == name and found["by_part"]["system"] and found["n_uncounted"] == 0
    err = ran("count", *arguments, "--chat-format", "harmony").err
    assert "line 7: not counted under" in err and "needs byte-level BPE" in err
    assert json.loads(printed("count", files, "--tokenizer", "o200k_harmony", "--json"))[0]["format"] == "harmony"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--tokenizer", "gpt2", "--window", "0"], "--window must be at least 1 token, not 0"),
        (["--window", "9"], "--window is for counts of tokens: name a --tokenizer"),
        (["--window", "0"], "--window is for counts of tokens"),
        (["--chat-format", "ChatML"], "--chat-format is for counts of tokens"),
        (
            ["--tokenizer", "gpt2", "--chat-format", "none"],
            "there is no chat format and no file 'none': expected is usual",
        ),
        (["--tokenizer", "nothing"], "there is no file 'nothing'"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_way_out(refused, files, arguments, reason):
    assert reason in refused("count", files, *arguments)
