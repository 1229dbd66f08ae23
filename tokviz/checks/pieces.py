"""Checks of the pieces of a tokenizer: counting pairs, merging one, a split pattern, merges recovered from ranks."""

from collections.abc import Iterator
from itertools import zip_longest

from tokviz.checks.outcomes import Outcome, ask, compared, first_differing
from tokviz.checks.runs import called, constant, recovered
from tokviz.checks.solution import Failed
from tokviz.core.patterns import SPLIT_PATTERNS, pattern_name
from tokviz.core.pretokens import pretokens
from tokviz.formats.equivalence import ODD
from tokviz.formats.pretrained import load
from tokviz.training.naive import merged, pair_counts

LISTS: tuple[list[int], ...] = ([1, 2, 3, 1, 2], [1, 1, 1], [1, 1, 1, 1, 2], [7], [])
MERGES: tuple[tuple[list[int], tuple[int, int], int], ...] = (
    ([1, 2, 3, 1, 2], (1, 2), 4),
    ([1, 1, 1], (1, 1), 9),
    ([3, 1], (1, 2), 9),
    ([1, 2], (1, 2), 3),
    ([], (1, 2), 3),
)
RECOVER_SECONDS = 180.0


def check_stats(path: str, name: str) -> Iterator[Outcome]:
    """Check a function that counts the pairs in a list of ids, such as `get_stats(ids)`."""
    expected = [pair_counts([ids]) for ids in LISTS]
    found = ask(path, called, name, [[ids] for ids in LISTS])
    yield _called("counts", found, expected, LISTS)


def check_merge(path: str, name: str) -> Iterator[Outcome]:
    """Check a function that merges a pair in a list of ids, `merge(ids, pair, idx)`."""
    expected = [merged(*given) for given in MERGES]
    yield _called("merged ids", ask(path, called, name, MERGES), expected, MERGES)


def _called(what: str, found: object, expected: list, inputs: tuple) -> Outcome:
    if isinstance(found, Failed) or not isinstance(found, list):
        return compared(what, found, None, str)
    results = [result for result, _ in found]
    outcome = compared(what, results, expected, lambda: first_differing(inputs, results, expected))
    if outcome.state == "ok" and not all(is_same for _, is_same in found):
        return Outcome(what, "differs", "they are right, but the list that was given is changed: make a new one")
    return outcome


def check_pattern(path: str, name: str) -> Iterator[Outcome]:
    """Check a split pattern: which named one cuts alike."""
    pattern = ask(path, constant, name)
    if isinstance(pattern, Failed):
        yield Outcome("pattern", "failed", pattern.words)
        return
    try:
        cuts = [pretokens(text, pattern_name(pattern)) for text in ODD]
    except ValueError as e:
        yield Outcome("pattern", "failed", str(e))
        return
    expected = {named: [pretokens(text, named) for text in ODD] for named in SPLIT_PATTERNS if named != "none"}
    n_right = {named: sum(map(list.__eq__, cuts, each)) for named, each in expected.items()}
    nearest = max(n_right, key=n_right.__getitem__)
    what = f"cuts as {nearest} does"
    yield compared(what, cuts, expected[nearest], lambda: first_differing(ODD, cuts, expected[nearest]))


def check_recovered(path: str, name: str) -> Iterator[Outcome]:
    """Check a function that recovers merges from ranks, on those of cl100k."""
    cl100k = load("cl100k_base")
    found = ask(path, recovered, name, cl100k.mergeable_ranks, seconds=RECOVER_SECONDS)
    expected = dict(zip(cl100k.merges, cl100k.merge_ids.tolist(), strict=True))

    def differs() -> str:
        by_rank = sorted(
            found.items(), key=lambda item: str(item[1]) if not isinstance(item[1], int) else f"{item[1]:09}"
        )
        pairs = enumerate(zip_longest(by_rank, expected.items()))
        rank, (theirs, right) = next((rank, both) for rank, both in pairs if both[0] != both[1])
        return f"merge {rank + 1:,} of {len(expected):,}: yours is {theirs}, expected {right}"

    yield compared("merges of cl100k", found, expected, differs)
