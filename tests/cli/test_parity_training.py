"""`tokviz train --parity`: texts by language, each merge for the one that is worst off."""

import json
from pathlib import Path

import pytest

import tokviz
from tokviz.core.samples import sample
from tokviz.corpus.corpus_counts import CorpusCounts
from tokviz.languages.table import parallel_sentences
from tokviz.training.plan import Plan

TEXTS = {"en": sample("english"), "th": sample("thai"), "zh-Hans": sample("chinese")}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for language, text in TEXTS.items():
        Path(f"{language}.txt").write_text(text, encoding="utf-8", newline="")


ASKED = ["--vocab-size", 350, "--split-pattern", "o200k"]
BY_LANGUAGE = ["train", "--parity", "en=en.txt", "tha_Thai=th.txt", "--parity", "zh-Hans=zh-Hans.txt", *ASKED]
OPTIONS = {"vocab_size": 350, "split_pattern": "o200k"}


def test_the_merges_are_those_of_the_package_and_each_names_its_language(ran):
    code, out, err = ran(*BY_LANGUAGE, "-o", "fair.model", "--verbose")
    assert (code, err) == (0, "")
    fair = tokviz.train_parity_aware(TEXTS, parallel_sentences(TEXTS), **OPTIONS)
    assert tokviz.read("fair.model") == fair
    steps = list(tokviz.parity_aware_steps(TEXTS, parallel_sentences(TEXTS), **OPTIONS))
    lines = out.splitlines()
    assert lines[:94] == [str(step) for step in steps] and lines[0].endswith(" in th")
    for language, line in zip(TEXTS, lines[-3:], strict=True):
        n_tokens = sum(fair.count(sentence[language]) for sentence in parallel_sentences(TEXTS))
        n_merges = sum(step.language == language for step in steps)
        assert line.split() == [language, f"{n_merges:,}", "12", f"{n_tokens:,}"]
    assert not list(Path().glob("*.counts"))


def test_languages_take_turns_as_the_options_say(printed):
    Path("own.tsv").write_text("en\tth\tzh-Hans\ntwo days\tสองวัน\t两天\n\tสาม\t三\n", encoding="utf-8")
    own = [{"en": "two days", "th": "สองวัน", "zh-Hans": "两天"}]
    turns = tokviz.ParityVariant(n_global=50, window=20)
    for given, expected in (
        (["--parity-sentences", "own.tsv"], {"sentences": own}),
        (["--parity-by-bytes", "--min-count", 2], {"min_count": 2}),
        (["--parity-global", 50, "--parity-window", 20], {"sentences": parallel_sentences(TEXTS), "variant": turns}),
    ):
        printed(*BY_LANGUAGE, *given, "-o", "fair.model")
        assert tokviz.read("fair.model") == tokviz.train_parity_aware(TEXTS, **expected, **OPTIONS)


def test_the_result_says_what_the_sentences_cost_and_what_is_not_measured(printed):
    result = json.loads(printed(*BY_LANGUAGE, "-o", "fair.model", "--json"))
    assert [row["language"] for row in result["parity"]] == [*TEXTS]
    assert sum(row["n_merges"] for row in result["parity"]) == result["n_merges"] == 94
    assert result["n_documents"] == 3
    by_bytes = json.loads(printed(*BY_LANGUAGE, "-o", "fair.model", "--json", "--parity-by-bytes"))
    assert {row["n_tokens"] for row in by_bytes["parity"]} == {None}
    plain = json.loads(printed("train", "en.txt", *ASKED, "-o", "x.model", "--json"))
    assert plain["parity"] is None


def test_one_pass_serves_many_sizes(printed, refused):
    printed(*BY_LANGUAGE, "-o", "fair.model", "--counts", "all.counts")
    of_counts = ["train", "--parity", *(f"{language}=all.{language}.counts" for language in TEXTS)]
    printed(*of_counts, "--vocab-size", 350, "-o", "again.model")
    assert tokviz.read("again.model") == tokviz.read("fair.model")
    mixed = ["train", "--parity", "en=all.en.counts", "th=th.txt", *ASKED, "-o", "x.model"]
    assert "the same for all languages" in refused(*mixed)
    printed("train", "en.txt", *ASKED, "-o", "x.model", "--counts", "gpt2.counts", "--special", "<s>")
    unlike = ["train", "--parity", "en=gpt2.counts", "th=all.th.counts", "--vocab-size", 350, "-o", "x.model"]
    assert "differ in split pattern or special tokens" in refused(*unlike)


def test_a_run_that_did_not_end_goes_on_from_its_counts(printed, refused, monkeypatch):
    def failing(*_, **__):
        raise OSError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(Plan, "steps", failing)
        refused(*BY_LANGUAGE, "-o", "fair.model")
    assert sorted(path.name for path in Path().glob("fair*")) == sorted(f"fair.model.{each}.counts" for each in TEXTS)
    with monkeypatch.context() as patched:
        patched.setattr(CorpusCounts, "add", failing)  # nothing is counted again
        printed(*BY_LANGUAGE, "-o", "fair.model")
    assert [path.name for path in Path().glob("fair*")] == ["fair.model"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--parity", "en.txt"], "as in en=english.txt th=thai/, not 'en.txt'"),
        (["--parity", "not one=en.txt"], "'not one' is not the code of a language"),
        (["--parity", "tlh=en.txt", "en=en.txt"], "the built-in sentences do not cover tlh"),
        (["--parity", "en=en.txt", "--mix", "th.txt=1"], "either as PATH or with --mix or --parity"),
        (["en.txt", "--parity-by-bytes"], "--parity-by-bytes belongs to --parity"),
        (["en.txt", "--parity-global", 3], "--parity-global belongs to --parity"),
        (["--parity", "en=en.txt", "--parity-window", -1], "window must be a whole number"),
        (["--parity", "en=en.txt", "th=empty.txt"], "no text to train on"),
        (["--parity", "en=en.txt", "--counts", "x.counts", "-o", "x.en.counts"], "both the tokenizer and the counts"),
    ],
)
def test_what_cannot_be_trained_fairly_is_refused(refused, arguments, reason):
    Path("empty.txt").touch()
    output = [] if "-o" in arguments else ["-o", "x.model"]
    assert reason in refused("train", *arguments, *output, "--vocab-size", 300)
