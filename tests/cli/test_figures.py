"""The figures that the lessons show, on the command line: words, one-hot vectors, parameters."""

import json
import re

import pytest
from many_texts import many_texts

import tokviz
from tokviz.cli import main
from tokviz.core.pretokens import pretokens
from tokviz.core.samples import sample
from tokviz.corpus.blocks import WORDS, TextCutter
from tokviz.text.word_rules import WORD_RULES

TUTORIAL = r"""([,.:;?_!"()']|--|\s)"""  # the rule with which many tutorials cut a text into words


@pytest.mark.slow
def test_words_are_counted_as_the_tutorial_counts_them(printed, tmp_path):
    text = sample("english")
    (tmp_path / "story.txt").write_text(text, newline="")
    arguments = ["count", tmp_path / "story.txt", "--split-pattern", TUTORIAL]
    rows = {row["unit"]: row for row in json.loads(printed(*arguments, "--json"))}
    expected = [piece.strip() for piece in re.split(TUTORIAL, text) if piece.strip()]
    found = rows[f"pretokens, {TUTORIAL}"]
    assert (found["n_total"], found["n_distinct"]) == (len(expected), len(set(expected)))
    assert found["n_distinct_lower"] == len({word.lower() for word in expected}) < found["n_distinct"]
    assert (found["one_hot_width"], found["n_numbers"]) == (len(set(expected)), len(set(expected)) * len(expected))
    assert (rows["characters"]["n_total"], rows["characters"]["one_hot_width"]) == (len(text), len(set(text)))
    assert (rows["bytes"]["n_total"], rows["bytes"]["one_hot_width"]) == (len(text.encode()), 256)
    assert rows["words, white space"]["n_distinct"] == len(set(text.split()))
    assert f"{len(expected):,}" in printed(*arguments)


def test_words_of_a_corpus_are_those_of_its_texts(printed, tmp_path):
    texts = [sample("mixed"), "", "The end", "The"]
    lines = "".join(json.dumps({"body": text}) + "\n" for text in texts[1:])
    (tmp_path / "a.txt").write_text(texts[0], newline="")
    (tmp_path / "b.jsonl").write_text(lines + "no JSON\n")
    options = ["--text-key", "body", "--split-pattern", "gpt2", "--split-pattern", TUTORIAL, "--json"]
    rows = {row["unit"]: row for row in json.loads(printed("count", tmp_path, *options))}
    pieces = {f"words, {name}": [word for text in texts for word in rule(text)] for name, rule in WORD_RULES.items()}
    pieces["pretokens, gpt2"] = [p.strip() for text in texts for p in pretokens(text, "gpt2") if p.strip()]
    pieces[f"pretokens, {TUTORIAL}"] = [p.strip() for text in texts for p in re.split(TUTORIAL, text) if p.strip()]
    pieces["characters"] = list("".join(texts))
    for unit, expected in pieces.items():
        assert rows[unit]["n_total"] == len(expected), unit
        assert rows[unit]["n_distinct"] == len(set(expected)), unit
        assert rows[unit]["n_distinct_lower"] == len({piece.lower() for piece in expected}), unit


@pytest.mark.slow
@pytest.mark.parametrize("rule", WORD_RULES)
def test_no_word_reaches_across_a_cut(rule):
    text = "".join(text[:300] for text in many_texts()) + sample("mixed")[:1_000]
    for block in (1, 7, 100):
        cut = TextCutter(WORDS, block)
        parts = [text[i : i + 3] for i in range(0, len(text), 3)]
        texts = [*map(cut.add_and_take_text, parts), cut.add_and_take_text("", closed=True)]
        assert "".join(texts) == text and len(list(filter(None, texts))) > 3
        assert [word for one in filter(None, texts) for word in WORD_RULES[rule](one)] == WORD_RULES[rule](text)


def test_an_empty_text_has_no_words(printed, tmp_path):
    (tmp_path / "empty.txt").touch()
    rows = json.loads(printed("count", tmp_path / "empty.txt", "--split-pattern", "gpt2", "--json"))
    assert {row["n_total"] for row in rows} == {0}


@pytest.mark.slow
def test_what_a_vocabulary_costs_in_parameters(printed, tmp_path):
    found = json.loads(printed("inspect", "gpt2", "--parameters", 768, "--json"))["parameters"]
    assert found == {"width": 768, "embedding": 50_257 * 768, "output": 50_257 * 768}
    out = printed("inspect", "gpt2", "--parameters", 768)
    assert "38,597,376 in the embedding" in out and "Ids below 50,257, which is the width of a one-hot vector" in out
    (tmp_path / "a.txt").write_text("low")
    arguments = ["compare", "gpt2", "o200k_base", "--parameters", 768, "--text", tmp_path / "a.txt"]
    rows = json.loads(printed(*arguments, "--json"))
    assert [row["embedding"] for row in rows] == [tokviz.load(row["tokenizer"]).n_vocab * 768 for row in rows]
    assert "embedding" in printed(*arguments).splitlines()[0]


@pytest.mark.parametrize("command", [["inspect", "gpt2"], ["compare", "gpt2", "--text", __file__]])
def test_a_width_that_is_none_is_refused(capsys, command):
    assert main([*command, "--parameters", "0"]) == 1
    assert "at least 1" in capsys.readouterr().err
