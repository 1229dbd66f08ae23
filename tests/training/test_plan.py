"""A training as one value: what it refuses, its record, and a way to train that is added at run time."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trainings import task

import tokviz
from tokviz.core.steps import WHOLE
from tokviz.jobs.worker import train_and_yield_messages
from tokviz.records import plan as records
from tokviz.records.session_tokenizer import Kept, unpack_kept
from tokviz.records.training import FromTraining
from tokviz.system import sandbox
from tokviz.training.pairs import Pairs, learn_steps
from tokviz.training.parity.language_pairs import ParityVariant
from tokviz.training.parity.parity_aware import ParityAware
from tokviz.training.plan import PLAIN, Plan, Way
from tokviz.training.superwords import Superwords

TEXT = "a tidy tiger tied a tie tighter to tidy her tiny tail, and to, to, to"


@dataclass(frozen=True)
class ByWords(Way):
    """Counts each distinct pretoken once, however often it occurs."""

    at_least: int = 1  # characters

    def steps(self, plan, counts):
        once = dict.fromkeys((word for word in counts[WHOLE] if len(word) >= self.at_least), 1)
        return learn_steps(Pairs(once, plan.start), plan.n_merges, plan.min_count, plan.start)


def test_a_fourth_way_is_one_class_and_its_name_in_records(monkeypatch):
    monkeypatch.setitem(records.WAYS, "words", ByWords)
    monkeypatch.setattr(sandbox, "inside", True)  # a child process would not know of the way
    plain, plan = Plan(270, "gpt2", ["<s>"]), Plan(270, "gpt2", ["<s>"], way=ByWords(2))
    by_words = plan.train(TEXT)
    once = {WHOLE: {word: 1 for word in plain.pretoken_counts_by_part(TEXT)[WHOLE] if len(word) > 1}}
    assert by_words == plain.tokenizer(plain.steps(once)) != plain.train(TEXT)

    said = train_and_yield_messages(task([TEXT], vocab_size=270, special_tokens=["<s>"], way=ByWords(2)))
    steps = tuple(step for message in said if isinstance(message, list) for step in message)
    assert plan.tokenizer(steps) == by_words

    kept = Kept(by_words, FromTraining(plan, steps, len(TEXT)))
    back = unpack_kept(kept.packed_record)
    assert back == kept and back.origin.plan.way == ByWords(2)


START = tokviz.train(TEXT, vocab_size=262, split_pattern="gpt2", special_tokens=["<s>"], name="start")
SPECIAL = st.one_of(
    st.lists(st.sampled_from(["<a>", "<b>", "é"]), unique=True),
    st.dictionaries(st.sampled_from(["<a>", "<b>"]), st.integers(2_000, 9_000), max_size=1),
)
LANGUAGE = st.dictionaries(st.sampled_from(["en", "th"]), st.text(min_size=1, max_size=9), min_size=1)
WAYS = st.one_of(
    st.just(PLAIN),
    st.integers(262, 300).map(Superwords),
    st.builds(
        ParityAware,
        st.none() | st.lists(LANGUAGE, max_size=2).map(tuple),
        st.builds(ParityVariant, n_global=st.integers(0, 3), window=st.integers(0, 9), alpha=st.floats(1, 2)),
    ),
)


@given(
    vocab_size=st.integers(300, 1_000),
    special_tokens=SPECIAL,
    min_count=st.integers(1, 9),
    start=st.sampled_from([None, START]),
    way=WAYS,
    hold_out=st.booleans(),
)
def test_every_plan_comes_back_from_its_record(way, hold_out, **sizes):
    plan = Plan(split_pattern="gpt2", way=way, hold_out=hold_out and not isinstance(way, ParityAware), **sizes)
    assert records.plan_of_record(records.plan_record(plan)) == plan


def test_texts_of_several_languages_count_together_where_a_way_does_not_tell_them_apart():
    plan = Plan(262, "gpt2")
    assert plan.pretoken_counts_by_part({"en": "low lower", "th": "low กา"}) == plan.pretoken_counts_by_part(
        ["low lower", "low กา"]
    )


def test_a_start_that_training_cannot_continue_from_is_refused_before_anything_is_counted():
    made_of_nothing = tokviz.Tokenizer("odd", "gpt2", {bytes([i]): i for i in range(256)} | {b"abc": 256})

    def documents():
        raise AssertionError("read")
        yield ""

    with pytest.raises(ValueError, match="cannot continue from odd"):
        Plan(300, "gpt2", start=made_of_nothing).pretoken_counts_by_part(documents())


def test_a_language_cannot_have_the_name_of_a_part():
    plan = Plan(262, "gpt2", way=ParityAware())
    with pytest.raises(ValueError, match="across words"):
        plan.steps(plan.pretoken_counts_by_part({"across words": "low", "th": "กา"}))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"vocab_size": 255}, "at least 256"),
        ({"vocab_size": 261, "start": START}, "at least 262"),
        ({"vocab_size": True}, "at least 256"),
        ({"vocab_size": 2**40}, "at most"),
        ({"min_count": 0}, "at least 1"),
        ({"split_pattern": "(a"}, "is not a regular expression"),
        ({"split_pattern": "(a", "way": Superwords(280)}, "is not a regular expression"),
        ({"special_tokens": ["<s>", "<s>"]}, "given twice"),
        ({"special_tokens": {"<s>": 299}}, "the id 299 .* lies inside the vocabulary"),
        ({"special_tokens": {"<t>": 300}, "start": START}, "lies inside the vocabulary, which ends at 300"),
        ({"way": Superwords(255)}, "from 256"),
        ({"way": Superwords(301)}, "superwords_from must be a size from 256 to the vocab_size 300"),
        ({"way": ParityAware(), "hold_out": True}, "nothing is held out"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused(change, words):
    with pytest.raises(ValueError, match=words):
        Plan(**{"vocab_size": 300, "split_pattern": "gpt2"} | change)
