"""Ways to learn merges, and which of them explains those that somebody's code has learned."""

from functools import cache
from itertools import cycle, islice, product

import pytest

from tokviz.core.patterns import pattern_name_or_regex
from tokviz.core.pretokens import pretokens
from tokviz.solutions.learned import difference_words, first_difference_if_any, nearest_explaining_way
from tokviz.solutions.probes import END, N_MERGES, training_text
from tokviz.solutions.training import CS336
from tokviz.solutions.ways import FIRST, GREATER, OVERLAPS, SPECIAL, SPLITS, TIE_RULES, LearningWay, way_steps
from tokviz.training.naive import naive_steps

TEXT = training_text()
WITH_END = training_text(END)


@cache
def all_pairs(way, text, special):
    return [step.pair for step in islice(way_steps(way, text, special), N_MERGES)]


def pairs(way, text, special=(), n=N_MERGES):
    return all_pairs(way, text, special)[:n]


@pytest.mark.parametrize("split", ["none", "gpt2", "cl100k"])
def test_first_come_first_merged_is_the_naive_algorithm(split):
    tokens = {i: bytes([i]) for i in range(256)}
    expected = []
    for step in naive_steps(pretokens(TEXT, pattern_name_or_regex(split)), N_MERGES):
        expected.append((tokens[step.pair[0]], tokens[step.pair[1]]))
        tokens[step.token_id] = step.token_bytes
    assert pairs(LearningWay(split), TEXT) == expected


@pytest.mark.slow
def test_the_text_tells_all_ways_apart():
    ways = LearningWay("gpt2").all_ways_by_fewest_departures(has_special=True)
    assert len(ways) == len(SPLITS) * len(SPECIAL) * len(OVERLAPS) * len(TIE_RULES)
    ties = {tuple(pairs(LearningWay("gpt2", tie=tie), WITH_END, (END,))) for tie in TIE_RULES}
    splits = {tuple(pairs(LearningWay(split), WITH_END, (END,))) for split in SPLITS}
    specials = {tuple(pairs(LearningWay("gpt2", special, tie=GREATER), WITH_END, (END,))) for special in SPECIAL}
    assert (len(ties), len(splits), len(specials)) == (len(TIE_RULES), len(SPLITS), len(SPECIAL))
    assert pairs(LearningWay("none", overlaps=False), "aaaaab" * 5 + "cd" * 12, n=1) == [(b"c", b"d")]
    assert pairs(LearningWay("none"), "aaaaab" * 5 + "cd" * 12, n=1) == [(b"a", b"a")]


ALL = [*product(SPLITS, TIE_RULES)]
FEW = [*zip(cycle(SPLITS), TIE_RULES)] if len(SPLITS) < len(TIE_RULES) else [*zip(SPLITS, cycle(TIE_RULES))]


@pytest.mark.parametrize(
    ("split", "tie"), [pytest.param(*each, marks=[pytest.mark.slow] * (each not in FEW)) for each in ALL]
)
def test_merges_are_explained_by_the_way_that_gave_them(split, tie):
    way = LearningWay(split, tie=tie)
    assert nearest_explaining_way(pairs(way, WITH_END, (END,)), CS336, WITH_END, (END,)) == way


def test_expected_merges_do_not_differ():
    assert first_difference_if_any(pairs(CS336, WITH_END, (END,)), N_MERGES, CS336, WITH_END, (END,)) is None


@pytest.mark.slow
def test_a_tie_is_told_from_a_wrong_count():
    tied = first_difference_if_any(
        pairs(LearningWay("gpt2", tie=FIRST), WITH_END, (END,)), N_MERGES, CS336, WITH_END, (END,)
    )
    assert tied.is_tie and tied.way.tie == FIRST and TIE_RULES[GREATER].words in difference_words(tied, CS336)
    wrong = [*pairs(CS336, WITH_END, (END,), 5), (b"q", b"z")]
    found = first_difference_if_any(wrong, 6, CS336, WITH_END, (END,))
    assert (found.rank, found.theirs, found.their_count, found.is_tie, found.way) == (5, (b"q", b"z"), 0, False, None)
    assert "Yours occurs never there" in difference_words(
        found, CS336
    ) and "explains all your merges" in difference_words(found, CS336)


def test_too_few_and_too_many_merges_are_told():
    right = pairs(CS336, WITH_END, (END,))
    for merges, n, words in ((right[:-1], N_MERGES, "merge 60 is missing"), (right, N_MERGES - 1, "one too many")):
        assert words in difference_words(first_difference_if_any(merges, n, CS336, WITH_END, (END,)), CS336)
    assert first_difference_if_any([(b"a", b"b")], 3, LearningWay("none"), "ab") is None  # no pair is left to merge
