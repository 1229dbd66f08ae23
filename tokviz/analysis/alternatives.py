"""The top-level alternatives of a split pattern: which one cuts what, and the pattern without some of them.

In: the name of a split pattern or any regular expression, and a text. Out: the alternatives with their names
and explanations, the pretokens with the alternative that cut each, and the pattern with alternatives
switched off. An alternative is found with groups, sets, escapes and comments respected; of equal ways to
cut a place the first in the pattern wins, as in every regular expression with alternatives.
"""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import regex

from tokviz.analysis.regex_pieces import Piece, pieces
from tokviz.core.patterns import (
    ALTERNATIVES,
    COMPILE_SECONDS,
    SPLIT_PATTERNS,
    Alternative,
    compiled,
    pattern_name,
    shortened,
)
from tokviz.core.pretokens import TIMEOUT_SECONDS, pretokens, too_long
from tokviz.system import sandbox
from tokviz.system.recent import recent

Result = TypeVar("Result")
ALTERNATIVES_MAX = 100  # told apart; what stands behind them counts as one
KNOWN_LENGTH_MAX = 100  # characters of a pretoken that is worth remembering
# Which alternative cut a pretoken with this character behind it: under a named pattern nothing else decides.
Known = dict[tuple[str, str], int | None]
_NEVER = "(?!)"  # matches nowhere
_KNOWN = {alternative.regex: alternative for named in ALTERNATIVES.values() for alternative in reversed(named)}


class Cut(NamedTuple):
    """A pretoken, where it starts in characters, and the number of the alternative that cut it.

    alternative: counted from 0; None where none matches, and for a pattern that moves the start of a match (\\K)
    or tries a place again after an empty match.
    """

    pretoken: str
    char_start: int
    alternative: int | None


@dataclass(frozen=True)
class Parts:
    """A pattern taken apart: flags at its front, and its alternatives; joined by bars they are the pattern.

    pieces: those of each alternative, which alone might mean something else, or nothing. removable: whether an
    alternative can simply be left out. It cannot where groups are numbered, or where flags between alternatives
    hold for those that follow; there it is kept and made to match nowhere.
    """

    front: str
    pieces: tuple[tuple[Piece, ...], ...]
    removable: bool

    @cached_property
    def regexes(self) -> tuple[str, ...]:
        """The alternatives as regular expressions."""
        return tuple("".join(piece.text for piece in alternative) for alternative in self.pieces)

    def without(self, off: Collection[int]) -> str:
        """Return the pattern with the alternatives of these numbers switched off."""
        if not self.removable:
            return self.front + "|".join((_NEVER if i in off else "") + part for i, part in enumerate(self.regexes))
        kept = [part for i, part in enumerate(self.regexes) if i not in off]
        return self.front + "|".join(kept) if kept else _NEVER


@recent(maxsize=64)
def parts(split_pattern: str) -> Parts:
    """Return a pattern taken apart; ValueError, in words, for one that does not compile.

    >>> parts(r"(?i)'s|[a|b]+|(?:x|y)").front, parts(r"(?i)'s|[a|b]+|(?:x|y)").regexes
    ('(?i)', ("'s", '[a|b]+', '(?:x|y)'))
    """
    name = pattern_name(split_pattern)
    return _guarded(name, _parts, name, seconds=COMPILE_SECONDS)


def _guarded(name: str, function: Callable[..., Result], *arguments: object, seconds: float) -> Result:
    """Return what a function makes of a pattern of this name: of the user's own, in a child process."""
    if name in ALTERNATIVES:
        return function(*arguments)
    return sandbox.call(function, *arguments, seconds=seconds, what=f"the split pattern {shortened(name)}")


def _parts(split_pattern: str) -> Parts:
    pattern = compiled(split_pattern)
    found: list[list[Piece]] = [[]]
    front, removable = "", not pattern.groups
    for piece in pieces(pattern.pattern):
        if piece.kind == "bar" and piece.depth == 0 and len(found) < ALTERNATIVES_MAX:
            found.append([])
        elif piece.kind == "flags" and piece.depth == 0 and found == [[]]:
            front += piece.text
        else:
            removable &= piece.kind != "flags" or piece.depth > 0
            found[-1].append(piece)
    result = Parts(front, tuple(map(tuple, found)), removable)
    try:
        for i in range(len(found)):
            regex.compile(result.without(set(range(len(found))) - {i}))
    except regex.error:
        # Written in a way this module does not know: one piece.
        return Parts("", (tuple(pieces(pattern.pattern)),), True)
    return result


def alternatives(split_pattern: str) -> tuple[Alternative, ...]:
    """Return the top-level alternatives of a pattern, with explanations where they are known.

    Those of a named pattern have its names; one of a pattern of one's own has the name of an equal one, else
    its number. Raises ValueError, in words, for a pattern that does not compile.

    >>> [alternative.name for alternative in alternatives(r"\\p{N}{1,3}|[a-z]+|\\s+")]
    ['numbers', 'alternative 2', 'white space']
    """
    name = pattern_name(split_pattern)
    if name in ALTERNATIVES:
        return ALTERNATIVES[name]
    found = []
    for number, part in enumerate(parts(split_pattern).regexes, 1):
        known = _KNOWN.get(part)
        found.append(known or Alternative(f"alternative {number}", part, ""))
    return tuple(found)


def without(split_pattern: str, off: Collection[int]) -> str:
    """Return a pattern with the alternatives of these numbers, counted from 0, switched off.

    >>> without("gpt2", [0, 1, 2, 3])
    '\\\\s++$|\\\\s+(?!\\\\S)|\\\\s'
    >>> without(r"(a)\\1|(b)\\2", [0])  # the number of the second group stays as it is
    '(?!)(a)\\\\1|(b)\\\\2'
    """
    return parts(split_pattern).without(off)


def cuts(
    text: str,
    split_pattern: str = "cl100k",
    *,
    off: Collection[int] = (),
    timeout: float = TIMEOUT_SECONDS,
    known: Known | None = None,
) -> list[Cut]:
    """Return the pretokens of a text, each with the alternative that cut it; joined, they are the text.

    Alternatives whose numbers are in `off` are switched off. `timeout` is in seconds, of cutting and finding
    each. known: what earlier calls with the same named pattern have found, which makes this one faster; it is
    added to. Raises ValueError, in words, for a pattern that does not compile or does not end in time.

    >>> [(cut.pretoken, cut.alternative) for cut in cuts("it's 12", "gpt2")]
    [('it', 1), ("'s", 0), (' 12', 2)]
    >>> [(cut.pretoken, cut.alternative) for cut in cuts("it's 12", "gpt2", off=[0, 3])]
    [('it', 1), ("'", None), ('s', 1), (' 12', 2)]
    """
    name = pattern_name(split_pattern)
    if name in ALTERNATIVES and not off:
        return _cuts(text, name, frozenset(), timeout, {} if known is None else known)
    return _guarded(name, _cuts, text, name, frozenset(off), timeout, seconds=2 * timeout + COMPILE_SECONDS)


def _cuts(text: str, split_pattern: str, off: frozenset[int], timeout: float, known: Known | None = None) -> list[Cut]:
    whole = without(split_pattern, off) if off else split_pattern
    found = pretokens(text, whole, timeout=timeout)
    singles = [] if SPLIT_PATTERNS.get(whole, whole) == "" else _singles(split_pattern, off)
    result, start, deadline = [], 0, time.monotonic() + timeout
    try:
        for pretoken in found:
            end = start + len(pretoken)
            key = pretoken, text[end : end + 1]
            if known is None or key not in known:
                number = _cutting(singles, text, start, end, deadline)
                if known is not None and len(pretoken) <= KNOWN_LENGTH_MAX:
                    known[key] = number
            else:
                number = known[key]
            result.append(Cut(pretoken, start, number))
            start = end
    except TimeoutError as e:
        raise too_long(whole, text, timeout) from e
    return result


def alternative_at(text: str, start: int, end: int, split_pattern: str) -> Alternative | None:
    """Return the alternative that cuts the pretoken text[start:end], offsets in characters.

    None where none matches there, for "none", and where it does not end in time.

    >>> alternative_at("it's 12", 2, 4, "gpt2").name, alternative_at("it's 12", 4, 7, "gpt2").name
    ('contraction', 'numbers')
    """
    name = pattern_name(split_pattern)
    if name == "none":
        return None
    try:
        found = _guarded(name, _cutting_at, text, start, end, name, seconds=TIMEOUT_SECONDS)
    except (TimeoutError, sandbox.SandboxError):
        return None
    return None if found is None else alternatives(split_pattern)[found]


def _cutting_at(text: str, start: int, end: int, split_pattern: str) -> int | None:
    singles = _singles(split_pattern, frozenset())
    return _cutting(singles, text, start, end, time.monotonic() + TIMEOUT_SECONDS)


@recent(maxsize=64)
def _singles(split_pattern: str, off: frozenset[int]) -> list[tuple[int, regex.Pattern[str]]]:
    """Return the alternatives that are switched on, each as a pattern of its own, with their numbers."""
    taken = parts(split_pattern)
    numbers = range(len(taken.regexes))
    return [(i, regex.compile(taken.without(set(numbers) - {i}))) for i in numbers if i not in off]


def _cutting(
    singles: list[tuple[int, regex.Pattern[str]]], text: str, start: int, end: int, deadline: float
) -> int | None:
    """Return the number of the first alternative that matches exactly text[start:end] from its start."""
    for number, pattern in singles:
        match = pattern.match(text, start, timeout=max(deadline - time.monotonic(), 0.001))
        if match and match.end() == end and match.start() == start:
            return number
    return None
