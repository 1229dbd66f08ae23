"""Checks of the pieces of a tokenizer: counting pairs, merging one, a split pattern, merges recovered from ranks."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.core.patterns import pattern_name_or_regex
from tokviz.core.pretokens import pretokens
from tokviz.formats.equivalence import ODD
from tokviz.formats.pretrained import load
from tokviz.solutions.outcomes import Outcome, name_with_most_matches, outcome_of, shortened_repr, stop_on_failure
from tokviz.solutions.questions import LONG_SECONDS, Solution
from tokviz.training.naive import merged_tokens, pair_counts

LISTS: tuple[list[int], ...] = ([1, 2, 3, 1, 2], [1, 1, 1], [1, 1, 1, 1, 2], [7], [])
MERGES: tuple[tuple[list[int], tuple[int, int], int], ...] = (
    ([1, 2, 3, 1, 2], (1, 2), 4),
    ([1, 1, 1], (1, 1), 9),
    ([3, 1], (1, 2), 9),
    ([1, 2], (1, 2), 3),
    ([], (1, 2), 3),
)


def pair_counter_outcomes(solution: Solution, name: str) -> Iterator[Outcome]:
    """Check a function that counts the pairs in a list of ids, such as `get_stats(ids)`."""
    expected = [pair_counts([ids]) for ids in LISTS]
    yield _call_outcome(solution, name, "counts", [(ids,) for ids in LISTS], expected, LISTS)


def merge_function_outcomes(solution: Solution, name: str) -> Iterator[Outcome]:
    """Check a function that merges a pair in a list of ids, `merge(ids, pair, idx)`."""
    yield _call_outcome(solution, name, "merged ids", MERGES, [merged_tokens(*given) for given in MERGES], MERGES)


def _call_outcome(
    solution: Solution, name: str, what: str, given: Sequence[tuple], expected: list, inputs: Sequence[Any]
) -> Outcome:
    with stop_on_failure(what):
        results, are_same = zip(
            *(solution.call_and_check_first_argument_unchanged(name, arguments) for arguments in given), strict=True
        )
    found = [[*result] if isinstance(result, tuple) else result for result in results]
    outcome = outcome_of(what, found, expected, inputs)
    if outcome.state == "ok" and not all(are_same):
        return Outcome(what, "differs", "they are right, but the list that was given is changed: make a new one")
    return outcome


def split_pattern_outcomes(solution: Solution, name: str) -> Iterator[Outcome]:
    """Check a split pattern: which named one cuts alike."""
    with stop_on_failure("pattern"):
        pattern = pattern_name_or_regex(solution.ask("constant", name, kind=str))
        cuts = [pretokens(text, pattern) for text in ODD]
    expected = {named: [pretokens(text, named) for text in ODD] for named in SPLIT_PATTERNS if named != "none"}
    named = name_with_most_matches(cuts, expected)
    yield outcome_of(f"cuts as {named} does", cuts, expected[named], ODD)


def recovered_merges_outcomes(solution: Solution, name: str) -> Iterator[Outcome]:
    """Check a function that recovers merges from ranks, on the ranks of cl100k."""
    what, cl100k = "merges of cl100k", load("cl100k_base")
    with stop_on_failure(what):
        merges, _ = solution.call_and_check_first_argument_unchanged(
            name, [cl100k.mergeable_ranks], seconds=LONG_SECONDS
        )
    expected = dict(zip(cl100k.merges, cl100k.merge_ids.tolist(), strict=True))
    if not isinstance(merges, Mapping):
        yield Outcome(
            what, "differs", f"expected is a dict of pairs of ids to ids, and it returned {shortened_repr(merges)}"
        )
    elif merges != expected:
        yield Outcome(what, "differs", _words_on_first_other_merge(merges, expected))
    else:
        yield Outcome(what, "ok")


def _words_on_first_other_merge(found: Mapping[Any, Any], expected: Mapping[tuple[int, int], int]) -> str:
    by_rank = sorted(
        found.items(), key=lambda item: (0, item[1], "") if isinstance(item[1], int) else (1, 0, str(item[1]))
    )
    pairs = enumerate(zip_longest(by_rank, expected.items()))
    rank, (theirs, right) = next((rank, both) for rank, both in pairs if both[0] != both[1])
    return (
        f"merge {rank + 1:,} of {len(expected):,}: yours is {shortened_repr(theirs)}, expected {shortened_repr(right)}"
    )
