"""`tokviz diff`: no difference, the first one, the kinds of all, and exit codes."""

import json

import pytest

import tokviz
from tokviz.core.samples import sample


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("diff")
    ranks = tokviz.train(sample("mixed")[:1_000] + " 2024" * 9, vocab_size=300, split_pattern="gpt2").mergeable_ranks
    for name, pattern in (("a", "gpt2"), ("b", "gpt2"), ("digits", r"\p{N}|[^\p{N}]+")):
        tokviz.Tokenizer(name, pattern, ranks).save(folder / f"{name}.json")
    (folder / "texts.jsonl").write_text('{"text": "low"}\n{"text": "the year 2024"}\nno')
    return folder


@pytest.fixture
def files(folder, monkeypatch):
    monkeypatch.chdir(folder)


@pytest.mark.slow
def test_a_copy_does_not_differ(printed, files):
    assert printed("diff", "a.json", "b.json") == "Texts that differ, comparing ids: 0 of 71\n"


def test_the_first_difference_is_small_and_ends_in_1(ran, files):
    code, out, err = ran("diff", "gpt2", "cl100k_base", "--text", "texts.jsonl")
    assert code == 1 and "left out: texts.jsonl, line 3" in err
    assert out.split("\n\n")[0].splitlines() == [
        "Texts that differ, comparing where tokens end: 1 of 2",
        "texts.jsonl, line 2, as small as it gets: ' 2'",
        "  gpt2: ' 2' 362",
        "  cl100k_base: ' ' 220  '2' 17",
    ]
    head, row = out.split("\n\n")[1].splitlines()
    assert head.split() == ["kind", "texts", "stretches", "the", "first"] and row.split()[:3] == ["digits", "1", "1"]


@pytest.mark.slow
def test_json_has_all_of_it(ran, files):
    code, out, _ = ran("diff", "a.json", "digits.json", "--text", "texts.jsonl", "--json")
    found = json.loads(out)
    assert code == 1 and (found["by_ids"], found["n_texts"], found["n_differing"]) == (True, 2, 1)
    assert found["first"]["name"] == "texts.jsonl, line 2" and len(found["first"]["text"]) <= 3
    code, out, _ = ran("diff", "a.json", "digits.json", "--no-ids", "--text", "texts.jsonl", "--json")
    assert json.loads(out)["by_ids"] is False


def test_a_refusal_prints_nothing(refused, files):
    assert "no.json" in refused("diff", "a.json", "no.json")
