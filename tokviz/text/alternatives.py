"""The top-level alternatives of a split pattern: which one cuts what, and the pattern without some of them.

Those of a named pattern have names and explanations. Those of any other regular expression stand between the bars
outside its groups and sets. A pattern that refers to its groups by number, or that ignores white space (the flag x),
counts as one alternative. Those of a pattern with several parts are numbered from the first part to the last.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple, TypeVar

import regex

from tokviz.core.cut_places import PIECES, last_safe_cut
from tokviz.core.named_patterns import ALTERNATIVES, PARTS, Alternative
from tokviz.core.patterns import COMPILE_SECONDS, compiled_pattern, pattern_name_or_regex, pattern_parts, short_repr
from tokviz.core.pretokens import TIMEOUT_SECONDS, timeout_error
from tokviz.core.unicode_classes import compiled_with_classes_of_tiktoken
from tokviz.system import sandbox
from tokviz.system.recent import recent

Result = TypeVar("Result")
ALTERNATIVES_MAX = 100  # told apart; the last of them holds the rest
_NEVER = "(?!)"  # matches nowhere
_EXPLAINED = {alternative.regex: alternative for named in ALTERNATIVES.values() for alternative in reversed(named)}

_FLAGS = regex.compile(r"(?:\(\?(?:[a-zL]|V[01])+(?:-[a-z]+)?\))+")
_AS_ONE = regex.compile(r"\(\?[a-zA-Z01]*x|\\[1-9]|\\g<-?\d|\(\?P=-?\d|\(\?\(?\d")
# What may hold a bar that is not one at the top level; sets hold sets only in version 1 of the module.
_ESCAPE, _COMMENT, _CLASS = r"\\.", r"\(\?\#(?:\\.|[^)\\])*\)", r"\[:[^][:]*:\]"
_SET = rf"\[\^?\]?(?:\\.|{_CLASS}|[^]\\])*\]"
_NESTED_SET = rf"(?<set>\[\^?\]?(?:\\.|{_CLASS}|(?:--|&&|\|\||~~)\]?|(?&set)|[^][\\])*\])"
_TOKEN, _NESTED_TOKEN = (
    regex.compile(rf"{_ESCAPE}|{_COMMENT}|{each}|[()|]", regex.DOTALL) for each in (_SET, _NESTED_SET)
)


class Cut(NamedTuple):
    """A pretoken, where it starts in characters, and the first alternative that matched all of it, from 0, or None."""

    pretoken: str
    char_start: int
    alternative: int | None


class _Split(NamedTuple):
    """The flags at the front of a part of a pattern, and its alternatives; joined by bars they are the part.

    first: the number of its first alternative, from 0, among all of the pattern.
    removable: whether an alternative can be left out. Where groups are numbered, or flags hold for what follows them,
    it has to stay, and is made to match nowhere. mark: how the names of the groups begin that tell which alternative
    matched; no group of the pattern's own begins so. has_groups: whether it has any.
    """

    front: str
    alternatives: tuple[str, ...]
    removable: bool
    first: int = 0
    mark: str = "of"
    has_groups: bool = False
    is_named: bool = False

    def pattern_without(self, off: Collection[int], *, marked: bool = False) -> str:
        """Return the part without some alternatives; marked, an empty group at its end tells which one matched."""
        numbered = list(enumerate(self.alternatives, self.first))
        shown = [
            f"{_NEVER if i in off else ''}{alternative}{f'(?<{self.mark}{i}>)' if marked else ''}"
            for i, alternative in numbered
            if i not in off or not self.removable
        ]
        return self.front + "|".join(shown) if any(i not in off for i, _ in numbered) else _NEVER


def _result_in_child_process_unless_named(
    name: str, function: Callable[..., Result], *arguments: object, seconds: float, is_whole: bool = True
) -> Result:
    """Return what a function makes of a pattern of this name: in a child process, unless it is a whole named one."""
    if name in ALTERNATIVES and is_whole:
        return function(*arguments)
    return sandbox.call(function, *arguments, seconds=seconds, what=f"the split pattern {short_repr(name)}")


@recent(maxsize=64)
def _splits(name: str) -> tuple[_Split, ...]:
    """Return the parts of a pattern."""
    if name in PARTS:
        splits = [
            _Split("", tuple(alternative.regex for alternative in part), True, is_named=True) for part in PARTS[name]
        ]
    else:
        splits = sandbox.call(_own_splits, name, seconds=COMPILE_SECONDS, what=f"the split pattern {short_repr(name)}")
    firsts = accumulate((len(split.alternatives) for split in splits), initial=0)
    return tuple(split._replace(first=first) for split, first in zip(splits, firsts, strict=False))


def _own_splits(split_pattern: str) -> list[_Split]:
    return [_parsed_own_part(part) for part in pattern_parts(split_pattern)]


def _parsed_own_part(part: str) -> _Split:
    pattern = compiled_pattern(part)
    text, flags = pattern.pattern, _FLAGS.match(pattern.pattern)
    start, depth = flags.end() if flags else 0, 0
    begin = start
    found: list[str] = []
    for match in (_NESTED_TOKEN if pattern.flags & regex.V1 else _TOKEN).finditer(text, start):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if match[0] == "|" and not depth and len(found) < ALTERNATIVES_MAX - 1:
            found.append(text[begin : match.start()])
            begin = match.end()
    if not found or _AS_ONE.search(text):
        return _Split("", (text,), True)
    removable = not pattern.groups and not _FLAGS.search(text, start)
    mark = "of"
    while mark in text:
        mark += "_"
    return _Split(text[:start], (*found, text[begin:]), removable, 0, mark, bool(pattern.groups))


def alternatives(split_pattern: str) -> tuple[Alternative, ...]:
    """Return the top-level alternatives of a pattern, with explanations where they are known.

    Those of a named pattern have its names; one of your own pattern has the name of an equal one, else
    its number. Raises ValueError, in words, for a pattern that does not compile.

    >>> [alternative.name for alternative in alternatives(r"\\p{N}{1,3}|[a-z]+|\\s+")]
    ['numbers', 'alternative 2', 'white space']
    """
    name = pattern_name_or_regex(split_pattern)
    if name in ALTERNATIVES:
        return ALTERNATIVES[name]
    return tuple(
        replace(_EXPLAINED.get(each) or Alternative(f"alternative {number}", each, ""), part=part)
        for part, split in enumerate(_splits(name), 1)
        for number, each in enumerate(split.alternatives, split.first + 1)
    )


def pattern_without(split_pattern: str, off: Collection[int]) -> str:
    """Return a pattern with the alternatives of these numbers, counted from 0, switched off.

    >>> pattern_without("gpt2", [0, 1, 2, 3])
    '\\\\s++$|\\\\s+(?!\\\\S)|\\\\s'
    >>> pattern_without("a|(?i)x|b", [1])  # the flag holds for what follows it
    'a|(?!)(?i)x|b'
    """
    return "\n".join(split.pattern_without(frozenset(off)) for split in _splits(pattern_name_or_regex(split_pattern)))


def cuts(
    text: str, split_pattern: str = "cl100k", *, off: Collection[int] = (), timeout: float = TIMEOUT_SECONDS
) -> list[Cut]:
    """Return the pretokens of a text, each with the alternative that cut it; joined, they are the text.

    In a pattern of several parts, what one part cuts out the next may match as well; the first counts.

    Alternatives whose numbers are in `off` are switched off. `timeout` is in seconds. Raises ValueError, in words, for
    a pattern that does not compile or does not end in time.

    >>> [(cut.pretoken, cut.alternative) for cut in cuts("it's 12", "gpt2")]
    [('it', 1), ("'s", 0), (' 12', 2)]
    >>> [(cut.pretoken, cut.alternative) for cut in cuts("it's 12", "gpt2", off=[0, 3])]
    [('it', 1), ("'", None), ('s', 1), (' 12', 2)]
    """
    name = pattern_name_or_regex(split_pattern)
    arguments = (_splits(name), text, frozenset(off), timeout)
    if not text:
        return []  # also of a pattern that never ends
    return _result_in_child_process_unless_named(
        name, _cuts, *arguments, seconds=timeout + COMPILE_SECONDS, is_whole=not off
    )


def _cuts(splits: tuple[_Split, ...], text: str, off: frozenset[int], timeout: float) -> list[Cut]:
    found = [Cut(text, 0, None)]
    for split in splits:
        try:
            found = [cut for whole in found for cut in _cuts_of_piece(whole, split, off, timeout)]
        except TimeoutError as e:
            raise timeout_error(split.pattern_without(off), text, timeout) from e
    return found


def _cuts_of_piece(piece: Cut, split: _Split, off: frozenset[int], timeout: float) -> Iterator[Cut]:
    """Yield what a part of a pattern makes of a piece that the parts before it left."""
    text, begin, number = piece
    end = 0
    for match in _marked_pattern(split, off).finditer(text, timeout=timeout):
        start, stop = match.span()
        if start == stop:
            continue
        if start > end:
            yield Cut(text[end:start], begin + end, None)
        is_whole = stop - start == len(text) and number is not None
        yield Cut(text[start:stop], begin + start, number if is_whole else _matched_alternative_number(split, match))
        end = stop
    if end < len(text):
        yield Cut(text[end:], begin + end, None) if end else piece


@recent(maxsize=64)
def _marked_pattern(split: _Split, off: frozenset[int]) -> regex.Pattern[str]:
    pattern = split.pattern_without(off, marked=len(split.alternatives) > 1)
    # Without some of its alternatives a named pattern is one of the user's own.
    return compiled_with_classes_of_tiktoken(pattern) if split.is_named and not off else regex.compile(pattern)


def _matched_alternative_number(split: _Split, match: regex.Match[str]) -> int:
    """Return the number of the alternative that matched."""
    if len(split.alternatives) == 1:
        return split.first
    if not split.has_groups:
        return int(str(match.lastgroup).removeprefix(split.mark))
    groups = match.groupdict()  # the last group may be another one, where two have the same name
    numbers = range(split.first, split.first + len(split.alternatives))
    return next(i for i in numbers if groups.get(f"{split.mark}{i}") is not None)


def alternative_at(text: str, start: int, end: int, split_pattern: str) -> Alternative | None:
    """Return the alternative that cuts the pretoken text[start:end], offsets in characters.

    None where none matches there, for "none", and where it does not end in time.

    >>> alternative_at("it's 12", 2, 4, "gpt2").name, alternative_at("it's 12", 4, 7, "gpt2").name
    ('contraction', 'numbers')
    """
    name = pattern_name_or_regex(split_pattern)
    if name == "none":
        return None
    split, *others = _splits(name)
    try:
        if others:
            found = _alternative_number_by_recutting(text, start, end, name)
        else:
            found = _result_in_child_process_unless_named(
                name, _alternative_number_at, split, text, start, end, seconds=TIMEOUT_SECONDS
            )
    except (TimeoutError, ValueError):
        return None
    return None if found is None else alternatives(name)[found]


def _alternative_number_by_recutting(text: str, start: int, end: int, name: str) -> int | None:
    """Return the number of the alternative that cut a pretoken, for a pattern of several parts."""
    begin = last_safe_cut(text[:start], name)
    pieces = PIECES[name].finditer(text, begin) if name in PIECES else ()
    stop = next((piece.end() for piece in pieces if piece.end() >= end), len(text))
    cut = next((cut for cut in cuts(text[begin:stop], name) if cut.char_start == start - begin), None)
    return cut.alternative if cut and len(cut.pretoken) == end - start else None


def _alternative_number_at(split: _Split, text: str, start: int, end: int) -> int | None:
    match = _marked_pattern(split, frozenset()).match(text, start, timeout=TIMEOUT_SECONDS)
    return _matched_alternative_number(split, match) if match and match.span() == (start, end) else None
