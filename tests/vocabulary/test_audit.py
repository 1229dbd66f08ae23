import csv
import io
import json
import unicodedata

import pytest

import tokviz
from tokviz.cli import main
from tokviz.families.teaching import list_tokenizer
from tokviz.vocabulary import absorbed
from tokviz.vocabulary.absorbed import tokens_absorbed
from tokviz.vocabulary.audit import SIGNS, audit
from tokviz.vocabulary.audit_report import as_csv, as_json, as_markdown, audit_rows

GPT2_SUMMARY = {
    "tokens": 50_256,
    "special tokens": 1,
    "never": 13,
    "only in context": 331,
    "not found": 0,
    "not UTF-8 alone": 344,
    "own text encodes to others": 0,
    "same but for case": 20_457,
    "same but for space": 16_986,
    "same but for normal form": 52,
    "absorbed": 64,
    "like a special token": 0,
    "under-training candidates": 288,
}


@pytest.fixture(scope="module")
def gpt2():
    return audit(tokviz.load("gpt2"))


@pytest.mark.slow
def test_the_summary_of_gpt2(gpt2):
    assert gpt2.summary == GPT2_SUMMARY


def test_absorbed_tokens_are_parts_of_the_next_merges():
    tokenizer = tokviz.load("gpt2")
    found = {tokenizer.token_bytes(one.token_id): one for one in tokens_absorbed(tokenizer)}
    for token in (b" TheNitrome", b" RandomRedditor", b"rawdownload", b"StreamerBot", b" externalToEVA"):
        assert found[token].left_over < 0.001
    assert b" the" not in found and b" petertodd" not in found
    for token, one in found.items():
        into = tokenizer.token_bytes(one.into_id)
        left, right = tokenizer.merge_pair(tokenizer.merge_rank(one.into_id))
        assert token in (left, right) and left + right == into
        ranks = (tokenizer.merge_rank(one.token_id) + 1, tokenizer.merge_rank(one.into_id) + 1)
        assert one.left_over == pytest.approx(1 - ranks[0] / ranks[1]) and one.left_over <= 0.01


def test_absorbed_equals_what_all_merges_say(trained, monkeypatch):
    monkeypatch.setattr(absorbed, "LEFT_OVER_MAX", 0.2)
    first = {}
    for rank, pair in enumerate(trained.merges):
        for part in pair:
            first.setdefault(part, rank)
    ids = trained.merge_ids.tolist()
    expected = [i for rank, i in enumerate(ids) if i in first and 1 - (rank + 1) / (first[i] + 1) <= 0.2]
    assert [one.token_id for one in tokens_absorbed(trained)] == expected


@pytest.mark.slow
def test_twins_are_the_first_other_tokens(gpt2):
    of = {token.text: token for token in gpt2.tokens if token.text}
    ids = {token.token_id: token.text for token in gpt2.tokens}
    assert ids[of["Egg"].same_but_space] == " Egg" if "Egg" in of else of[" Egg"].same_but_case
    for token in gpt2.tokens:
        for other, same in (
            (token.same_but_case, str.casefold),
            (token.same_but_space, str.strip),
            (token.same_but_form, lambda text: unicodedata.normalize("NFKC", text)),
        ):
            if other is not None:
                assert other != token.token_id and same(ids[other]) == same(token.text) != ""


def test_candidates_have_known_signs(gpt2):
    assert {sign for token in gpt2.candidates for sign in token.signs} < set(SIGNS)
    assert not any(token.signs for token in gpt2.tokens if token.text in (" the", "a"))
    like = tokviz.train("<|end|> <|end|> <|end|>", vocab_size=262, split_pattern="none")
    assert "like a special token" in {sign for token in audit(like).candidates for sign in token.signs}


def test_special_tokens_as_plain_text(gpt2):
    (special,) = gpt2.special
    assert (special.token_id, special.text) == (50256, "<|endoftext|>")
    assert tokviz.load("gpt2").decode(special.plain_ids) == "<|endoftext|>" and 50256 not in special.plain_ids


def test_the_reports_hold_the_same(gpt2):
    table = audit_rows(gpt2)
    assert len(table) == 288 and len(audit_rows(gpt2, every=True)) == 50_256
    parsed = json.loads(as_json(gpt2))
    assert parsed["summary"] == GPT2_SUMMARY and parsed["tokens"] == table
    lines = list(csv.DictReader(io.StringIO(as_csv(gpt2))))
    assert [line["bytes"] for line in lines] == [row["bytes"] for row in table]
    assert all(line["id"] == str(row["id"]) for line, row in zip(lines, table, strict=True))
    markdown = as_markdown(gpt2)
    assert "| never | 13 |" in markdown and '`" TheNitrome"`' in markdown and "## Absorbed: 64" in markdown
    assert all(line.count(" | ") >= 1 for line in markdown.splitlines() if line.startswith("|"))


@pytest.mark.slow
def test_the_command(capsys):
    assert main(["audit", "gpt2", "--limit", "2"]) == 0
    shown = capsys.readouterr().out
    assert "not UTF-8 alone" in shown and "the first 2 of 288\n" in shown and r"b'\xc0'" in shown
    assert main(["audit", "gpt2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["never"] == 13
    assert main(["audit", "gpt2", "--csv", "--all"]) == 0
    assert len(list(csv.reader(io.StringIO(capsys.readouterr().out)))) == 50_257
    assert main(["audit", "gpt2", "--markdown"]) == 0
    assert capsys.readouterr().out.startswith("# Audit of gpt2\n")
    assert main(["audit", "gpt2", "--all"]) == 1
    assert "--json and --csv" in capsys.readouterr().err


def test_other_families_are_refused():
    with pytest.raises(ValueError, match="byte-level BPE"):
        audit(list_tokenizer("words", "the cat"))
