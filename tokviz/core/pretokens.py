"""Pretokens: a text cut by a split pattern before any merge. Everything that cuts a text cuts it here.

Joined, the pretokens are the text: what no alternative matches becomes a pretoken of its own. A timeout stops a
pattern that would never end.
"""

from array import array
from collections.abc import Callable, Collection, Iterator
from itertools import accumulate, chain, pairwise

import ahocorasick_rs
import regex

from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.core.patterns import compiled_parts, pattern_name_or_regex, short_repr
from tokviz.system import sandbox
from tokviz.system.recent import recent

# The named patterns cut 5 to 10 million characters a second here, so the timeout leaves room for a slow
# machine and still stops a pattern that backtracks for ever.
TIMEOUT_SECONDS = 2.0
CHARACTERS_PER_EXTRA_SECOND = 200_000
_CALLS = regex.compile(r"\(\?(?:[R&]|P>|[+-]?\d)")  # a group, or the whole pattern, from inside a pattern
RUN = 10_000  # pretokens yielded at a time


def pretokens(text: str, split_pattern: str = "cl100k", *, timeout: float | None = None) -> list[str]:
    """Return the pretokens of a text; joined, they are the text.

    `timeout` is in seconds; by default 2, and one more for every 200,000 characters. Raises
    ValueError for a pattern that does not compile, does not end in time, or crashes its engine.

    >>> pretokens("Hello world, it's 12345!")
    ['Hello', ' world', ',', ' it', "'s", ' ', '123', '45', '!']
    >>> pretokens("abc-def", "[a-z]+")
    ['abc', '-', 'def']
    >>> pretokens("one pretoken", "none")
    ['one pretoken']
    """
    if not text:
        return []
    return list(chain.from_iterable(pretoken_runs(text, split_pattern, timeout=timeout)))


def pretoken_runs(text: str, split_pattern: str, *, timeout: float | None = None) -> Iterator[list[str]]:
    """Yield the pretokens of a text that is not empty, many at a time; errors as in `pretokens`.

    A named pattern cuts in this process, any other in a child process.

    >>> list(pretoken_runs("two words", "gpt2"))
    [['two', ' words']]
    """
    name = pattern_name_or_regex(split_pattern)
    if name == "none":
        yield [text]
        return
    if timeout is None:
        timeout = TIMEOUT_SECONDS + len(text) / CHARACTERS_PER_EXTRA_SECOND
    if name in SPLIT_PATTERNS:
        yield from _pretoken_runs_without_sandbox(text, name, timeout)
        return
    try:
        what = f"the split pattern {short_repr(name)}"
        ends = memoryview(sandbox.call(_packed_pretoken_ends, text, name, timeout, seconds=timeout, what=what)).cast(
            "i"
        )
    except sandbox.SandboxError as e:
        if e.why == "time":
            raise timeout_error(name, text, timeout) from e
        if e.why == "memory":
            raise ValueError(
                f"the split pattern {short_repr(name)} ran out of memory on {len(text):,} characters: "
                + ("a group that calls itself without end is the likely reason" if _CALLS.search(name) else "try fewer")
            ) from e
        raise
    for first in range(0, len(ends), RUN):
        start = ends[first - 1] if first else 0
        run = ends[first : first + RUN].tolist()
        yield [text[begin:end] for begin, end in pairwise([start, *run])]


def _packed_pretoken_ends(text: str, pattern: str, timeout: float) -> bytes:
    """Return where each pretoken ends, in characters, as int32."""
    lengths = (len(pretoken) for run in _pretoken_runs_without_sandbox(text, pattern, timeout) for pretoken in run)
    return array("i", accumulate(lengths)).tobytes()


def timeout_error(pattern: str, text: str, timeout: float) -> ValueError:
    """Return the error for a pattern that did not end within `timeout` seconds on a text."""
    return ValueError(
        f"the split pattern {short_repr(pattern)} did not end within {timeout:.1f} seconds on "
        f"{len(text):,} characters: try fewer, or look for nested repeats such as (a+)+, which match in too many ways"
    )


def _pretoken_runs_without_sandbox(text: str, split_pattern: str, timeout: float) -> Iterator[list[str]]:
    """Return the pretokens of a text, many at a time where the pattern can be repeated; ValueError out of time."""
    first, *others = compiled_parts(split_pattern)
    runs = _pretoken_runs_by_one_regex(text, first, timeout)
    for pattern in others:
        runs = _pretoken_runs_cut_again(runs, pattern, timeout)
    return runs


def _pretoken_runs_cut_again(
    runs: Iterator[list[str]], pattern: regex.Pattern[str], timeout: float
) -> Iterator[list[str]]:
    for run in runs:
        yield [piece for whole in run for cut in _pretoken_runs_by_one_regex(whole, pattern, timeout) for piece in cut]


def _pretoken_runs_by_one_regex(text: str, pattern: regex.Pattern[str], timeout: float) -> Iterator[list[str]]:
    end = 0
    repeated = _repeated_pattern_if_equivalent(pattern)
    try:
        for match in repeated.finditer(text, timeout=timeout) if repeated else ():
            run = match.captures(1)
            if "" in run:
                break  # a repeat ends at an empty match, but a search continues after it
            if match.start() > end:
                yield [text[end : match.start()]]
            yield run
            end = match.end()
        if end < len(text):
            yield list(_matches_and_gaps(text, pattern, timeout, end))
    except TimeoutError as e:
        raise timeout_error(pattern.pattern, text, timeout) from e


# Syntax that asks where a match began, moves its start, calls the pattern itself, or allows errors in it ({e<=1}).
_OF_THE_WHOLE_MATCH = regex.compile(r"\\[GK]|\(\*|\(\?[R&P\d]|(?<!\\[pP])\{(?!\d*,?\d*\})")


@recent(maxsize=64)
def _repeated_pattern_if_equivalent(pattern: regex.Pattern[str]) -> regex.Pattern[str] | None:
    """Return a pattern whose one group captures many matches of another in a row; None where that may differ.

    The module looks at the clock at every search, which takes three times as long as cutting a pretoken.
    So each search finds hundreds.
    """
    version = pattern.flags & regex.V1 if "V1" not in pattern.pattern else 0
    flagged = pattern.flags != regex.compile("", version).flags
    if flagged or pattern.groups or _OF_THE_WHOLE_MATCH.search(pattern.pattern):
        return None
    return regex.compile(f"(?:({pattern.pattern})){{1,256}}+", version)


def _matches_and_gaps(text: str, pattern: regex.Pattern[str], timeout: float, end: int) -> Iterator[str]:
    """Yield the non-empty matches from `end` on, and the texts between them as pretokens of their own."""
    for match in pattern.finditer(text, pos=end, timeout=timeout):
        # \K in a pattern can move the start of a match, but never before the end of the last one.
        start, stop = match.span()
        if start == stop:
            continue
        if start > end:
            yield text[end:start]
        yield text[start:stop]
        end = stop
    if end < len(text):
        yield text[end:]


def well_formed_text(text: str) -> str:
    """Return the text with every lone surrogate replaced by U+FFFD, as tiktoken does; TypeError for anything but a str.

    >>> well_formed_text("a\\ud83d")
    'a\ufffd'
    """
    if not isinstance(text, str):
        ways_out = "decode bytes first, and give several texts to encode_batch"
        raise TypeError(f"expected a text, a str, not {type(text).__name__}: {ways_out}")
    try:
        text.encode()
    except UnicodeEncodeError:
        # Through UTF-16, so that a pair of surrogates becomes one character.
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def split_at_special_tokens(text: str, special_tokens: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Yield the special tokens of a text, and the stretches between them, each with whether it is special.

    Of two special tokens that match at one place, the longer wins. Empty stretches are left out.

    >>> list(split_at_special_tokens("a<s>b", ["<s>"]))
    [('a', False), ('<s>', True), ('b', False)]
    """
    return special_token_splitter(special_tokens)(text)


def special_token_splitter(special_tokens: Collection[str]) -> Callable[[str], Iterator[tuple[str, bool]]]:
    """Return what splits one text after another as `split_at_special_tokens` does."""
    automaton = _automaton(tuple(special_tokens)) if special_tokens else None

    def stretches_and_special_tokens(text: str) -> Iterator[tuple[str, bool]]:
        begin = 0
        for _, start, end in automaton.find_matches_as_indexes(text) if automaton else ():
            if start > begin:
                yield text[begin:start], False
            yield text[start:end], True
            begin = end
        if begin < len(text):
            yield text[begin:], False

    return stretches_and_special_tokens


@recent(maxsize=64)
def _automaton(special_tokens: tuple[str, ...]) -> ahocorasick_rs.AhoCorasick:
    """Return what finds special tokens in one pass (Aho and Corasick 1975), however they overlap."""
    return ahocorasick_rs.AhoCorasick(special_tokens, matchkind=ahocorasick_rs.MatchKind.LeftmostLongest)
