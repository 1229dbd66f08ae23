"""What a tab keeps and a link carries: the same when it comes back, refused when it is damaged."""

import base64
import json
import zlib
from dataclasses import replace
from functools import cache

import pytest
from trainings import trained_of

import tokviz
from tokviz.core.samples import sample
from tokviz.core.steps import WHOLE
from tokviz.corpus.counting import pretoken_counts
from tokviz.records.packing import pack, unpack
from tokviz.records.session_tokenizer import Kept, unpack_kept
from tokviz.records.training import text_digest
from tokviz.training.held_out import HeldOut
from tokviz.training.parity.language_pairs import ParityVariant
from tokviz.training.parity.parity_aware import ParityAware, parity_aware_steps


@pytest.fixture(scope="module")
def record() -> Kept:
    text = "the theory of the thing <s> ที่นี่"
    made = {"split_pattern": "gpt2", "special_tokens": ["<s>"]}
    steps = tuple(tokviz.train_steps(text, vocab_size=290, **made))
    return trained_of(tokviz.Tokenizer.from_steps(steps, name="ของฉัน", **made), steps, len(text.encode()))


def test_a_trained_tokenizer_comes_back_with_its_steps(record):
    back = unpack_kept(record.packed_record)
    assert back == record and back.tokenizer.name == "ของฉัน"
    assert back.tokenizer.special_tokens == record.tokenizer.special_tokens


def test_each_merge_comes_back_with_the_language_it_was_chosen_for():
    steps = tuple(parity_aware_steps({"th": "กา", "en": "low"}, vocab_size=259, variant=ParityVariant(n_global=1)))
    assert [step.language for step in steps] == [None, "en", "th"]
    trained = trained_of(tokviz.Tokenizer.from_steps(steps), steps, 9, way=ParityAware())
    assert unpack_kept(trained.packed_record) == trained
    longer = unpack(trained.packed_record) | {"parts": ["th"] * 4}
    with pytest.raises(ValueError, match="the record of a tokenizer is damaged"):
        unpack_kept(pack(longer))


def with_figures(kept: Kept, **figures) -> Kept:
    return replace(kept, origin=replace(kept.origin, **figures))


def test_the_figures_of_a_held_out_part_come_back_and_the_text_is_known_again(record):
    n_tokens = tuple(range(99, 99 - len(record.origin.steps), -1))
    held = with_figures(record, held_out=HeldOut(240, n_tokens), digests=(text_digest("the text"),))
    back = unpack_kept(held.packed_record)
    assert back == held != record and back.origin.held_out == HeldOut(240, n_tokens)
    assert (
        back.origin.was_trained_on("the text")
        and not back.origin.was_trained_on("the text ")
        and not record.origin.was_trained_on("the text")
    )


def extended(start, text=None, special=("<s>",)):
    text = text or sample("thai")
    options = {"vocab_size": len(start.mergeable_ranks) + 9, "special_tokens": special, "start": start}
    steps = tuple(tokviz.train_steps(text, **options))
    made_of = {"special_tokens": special, "start": start}
    tokenizer = tokviz.Tokenizer.from_steps(steps, name="more", **made_of)
    return trained_of(tokenizer, steps, len(text.encode()), start=start, n_before=len(start.encode(text)))


def changed(record, change):
    """Return a record with other values, of the plan where that has them."""
    of_plan = {key: value for key, value in change.items() if key in record["plan"]}
    return record | change | {"plan": record["plan"] | of_plan}


@cache
def continued_record() -> dict:
    return unpack(extended(tokviz.load("gpt2")).packed_record)


@pytest.mark.slow
def test_a_tokenizer_that_continued_from_one_that_ships_names_it(record):
    more = with_figures(extended(tokviz.load("cl100k_base")), held_out=HeldOut(12, tuple(range(20, 11, -1)), 21))
    back = unpack_kept(more.packed_record)
    assert back == more and back.origin.plan.start is tokviz.load("cl100k_base")
    assert unpack(more.packed_record)["plan"]["start"] == "cl100k_base"
    assert len(more.packed_record) < 1_000


def test_a_tokenizer_that_continued_from_one_of_the_session_has_it_in_its_record(record):
    more = extended(record.tokenizer, special=("</s>",))
    back = unpack_kept(more.packed_record)
    assert back == more and back.origin.plan.start.name == "ของฉัน"
    assert back.tokenizer.special_tokens == {"<s>": 276, "</s>": 277 + len(more.origin.steps)}
    twice = extended(more.tokenizer, sample("english"), special=())
    assert unpack_kept(twice.packed_record) == twice


@pytest.mark.parametrize(
    "change",
    [
        {"start": "gpt5"},
        {"start": ["gpt2"]},
        {"start": "cl100k_base"},
        {"split_pattern": "o200k"},
        {"n_before": None},
        {"n_before": -1},
        {"n_before": 0},
        {"held_out": [10, [9] * 9, 8]},
        {"special_tokens": {"<|endoftext|>": 50_256}},
        {"special_tokens": {"<s>": 50_260}},
        {"pairs": [[7, 50_256]]},
        {"pairs": [[83, 71]]},
        {"start": {"name": "s", "tokens": ["a"], "skipped": [0], "special_tokens": {}}},
        {"start": {"name": "s", "tokens": ["a"], "skipped": [0, 0], "special_tokens": {}}},
        {"start": {"name": "s", "tokens": ["ก"], "skipped": [0], "special_tokens": {}}},
        {"start": {"name": "s", "tokens": ["a" * 200_000], "skipped": [0], "special_tokens": {}}},
    ],
    ids=lambda change: json.dumps(change)[:40],
)
def test_a_damaged_record_of_a_continued_training_is_refused_in_words(change):
    record = continued_record()
    if change.get("pairs"):
        change = {**change, "counts": [1], "n_tokens": [1]}
    with pytest.raises(ValueError, match="damaged"):
        unpack_kept(pack(changed(record, change)))


def test_a_tokenizer_without_merges_comes_back():
    tokenizer = tokviz.Tokenizer("bytes", "none", {bytes([i]): i for i in range(256)})
    assert unpack_kept(trained_of(tokenizer, (), 0).packed_record).tokenizer == tokenizer


@pytest.mark.parametrize("text", ["", "a\ud83db\x00", "ภาษา", "<|endoftext|>" * 1000])
def test_every_text_comes_back(text):
    assert unpack(pack({"text": text})) == {"text": text}


@pytest.mark.parametrize(
    "change",
    [
        {"pairs": [[300, 97]]},
        {"pairs": [[97]]},
        {"pairs": "no"},
        {"counts": [1]},
        {"split_pattern": "(a"},
        {"special_tokens": {"<s>": 3}},
        {"special_tokens": {"": 999}},
        {"special_tokens": {"<s>": -1}},
        {"special_tokens": {"<s>": 2**40}},
        {"special_tokens": {f"<{i}>": 1000 + i for i in range(2000)}},
        {"pairs": [[97, 97], *([i, i] for i in range(256, 300))], "counts": [1] * 45, "n_tokens": [1] * 45},
        pytest.param(
            {"pairs": [[97, 98], *([i, 99] for i in range(256, 5000))], "counts": [1] * 4745, "n_tokens": [1] * 4745},
            marks=pytest.mark.slow,
        ),
        {"n_tokens": [0] * 34},
        {"n_bytes": None},
        {"n_tokens": [float("inf")] * 3},
        {"held_out": [1]},
        {"held_out": [10, [1]]},
        {"held_out": [10, [0] * 34]},
        {"digests": 7},
    ],
    ids=lambda change: json.dumps(change)[:30],
)
def test_a_damaged_record_is_refused_in_words(record, change):
    with pytest.raises(ValueError, match="damaged"):
        unpack_kept(pack(changed(unpack(record.packed_record), change)))


@pytest.mark.parametrize(
    "packed",
    [
        "",
        "no!",
        "ไทย",
        "abcd",
        pack({"text": "abc"})[:-6],
        base64.urlsafe_b64encode(zlib.compress(b"[" * 100_000)).decode(),
        base64.urlsafe_b64encode(zlib.compress(b" " * 50_000_000)).decode(),
        base64.urlsafe_b64encode(zlib.compress(b"\xff{}")).decode(),
    ],
    ids=["empty", "no base 64", "thai", "no zlib", "cut short", "deep", "a bomb", "no utf-8"],
)
def test_what_was_never_packed_is_refused_in_words(packed):
    with pytest.raises(ValueError, match="damaged"):
        unpack(packed)
    with pytest.raises(ValueError, match="damaged"):
        unpack_kept(packed)


def test_the_counts_of_a_training_text_stay_out_of_the_record():
    text = "low lower lowest"
    steps = tuple(tokviz.train_steps(text, vocab_size=260))
    tokenizer = tokviz.Tokenizer.from_steps(steps, split_pattern="cl100k")
    counted = trained_of(tokenizer, steps, len(text), {WHOLE: pretoken_counts([text])})
    plain = trained_of(tokenizer, steps, len(text))
    assert counted == plain and counted.packed_record == plain.packed_record
    assert unpack_kept(counted.packed_record).origin.counts is None
    assert plain.origin.pair_history(WHOLE, tokenizer) is None
    best = counted.origin.pair_history(WHOLE, tokenizer).top_pair_table(0, n_rows=1).rows[0]
    assert (best.pair, best.count) == (steps[0].pair, steps[0].count)


def test_the_pairs_of_a_training_text_are_those_under_the_tokenizer_that_is_asked_about():
    text = "low lower lowest"
    one, other = (tokviz.train(source, vocab_size=258, split_pattern="cl100k") for source in (text, "er er"))
    origin = trained_of(one, (), len(text), {WHOLE: pretoken_counts([text])}).origin
    first, second = (origin.pair_history(WHOLE, each).top_pair_table(2, n_rows=9) for each in (one, other))
    assert first.rows != second.rows and origin.pair_history(WHOLE, one).top_pair_table(2, n_rows=9) == first


def test_a_training_text_too_large_to_count_at_every_step_is_not_counted():
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 20_000))) * 10
    tokenizer = tokviz.Tokenizer("bytes", "none", {bytes([i]): i for i in range(256)})
    assert trained_of(tokenizer, (), len(text), {WHOLE: {text: 1}}).origin.pair_history(WHOLE, tokenizer) is None
