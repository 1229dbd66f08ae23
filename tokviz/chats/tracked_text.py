"""TrackedText: a text that remembers through cutting and joining which parts of it are whose.

A chat template does with a message what a program does with a str: it strips and splits it, and joins it with others.
Each result here is the one that a str gives, and knows where its parts are from. What is made by other means
(formatting, encoding) does not.
"""

import operator
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, SupportsIndex

from markupsafe import Markup

Mark = tuple[int, int, int]  # start and end in characters, and whose it is; where they are equal, its turn begins,
GENERATION, END_GENERATION = -1, -2  # or, in place of an owner, what the model generates begins or ends,
_LINE = -3  # or, for this minus a line number, what that line of the template writes begins


class TrackedText(str):
    """A str with marks; `marks` never overlap, and are in order.

    >>> text = "<" + tracked_text(" low lower ", 0).strip().split()[1] + ">"
    >>> text, covering_marks(text)
    ('<lower>', ((1, 6, 0),))
    """

    _marks: tuple[Mark, ...]  # with an underscore, so that no template can read it

    def __new__(cls, text: str, marks: Iterable[Mark] = ()) -> "TrackedText":
        """Return the text with these marks."""
        tracked = super().__new__(cls, text)
        tracked._marks = tuple(marks)
        return tracked

    def __str__(self) -> str:
        return self

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        found = super().__getitem__(key)
        if not isinstance(key, slice):
            return self._marked_stretch(operator.index(key) % len(self), found)
        start, _, step = key.indices(len(self))
        return self._marked_stretch(start, found) if step == 1 else found

    def __iter__(self) -> Iterator[str]:
        return map(self.__getitem__, range(len(self)))

    def _marked_stretch(self, start: int, text: str) -> "TrackedText":
        """Return a text that this one contains from `start` on, with its marks."""
        if len(text) == len(self):
            return self
        stop = start + len(text)
        cut = [(max(a, start) - start, min(b, stop) - start, owner) for a, b, owner in self._marks]
        return TrackedText(text, [mark for mark in cut if mark[0] < mark[1]])

    def __add__(self, other: str) -> str:
        if type(other) is str:
            return TrackedText(super().__add__(other), self._marks)
        # A text that is marked as safe escapes what it is added to.
        is_plain = isinstance(other, str) and not hasattr(other, "__html__")
        return joined_text([self, other]) if is_plain else NotImplemented

    def __radd__(self, other: str) -> str:
        if type(other) is str:
            n = len(other)
            return TrackedText(other.__add__(self), [(start + n, end + n, owner) for start, end, owner in self._marks])
        return joined_text([other, self]) if isinstance(other, str) else NotImplemented

    def strip(self, chars: str | None = None, /) -> str:
        """As str.strip."""
        text = super().strip(chars)
        return self._marked_stretch(len(self) - len(super().lstrip(chars)), text)

    def lstrip(self, chars: str | None = None, /) -> str:
        """As str.lstrip."""
        text = super().lstrip(chars)
        return self._marked_stretch(len(self) - len(text), text)

    def rstrip(self, chars: str | None = None, /) -> str:
        """As str.rstrip."""
        return self._marked_stretch(0, super().rstrip(chars))

    def removeprefix(self, prefix: str, /) -> str:
        """As str.removeprefix."""
        text = super().removeprefix(prefix)
        return self._marked_stretch(len(self) - len(text), text)

    def removesuffix(self, suffix: str, /) -> str:
        """As str.removesuffix."""
        return self._marked_stretch(0, super().removesuffix(suffix))

    def _parts_with_marks(self, parts: Iterable[str], gap: int = 0) -> list[str]:
        """Return parts that follow one another in this text, at least `gap` characters apart, with their marks."""
        at = 0
        found: list[str] = []
        for part in parts:
            start = self.find(part, at)
            found.append(self._marked_stretch(start, part))
            at = start + len(part) + gap
        return found

    def split(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        """As str.split."""
        return self._parts_with_marks(super().split(sep, maxsplit), len(sep or ""))

    def rsplit(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        """As str.rsplit."""
        return self._parts_with_marks(super().rsplit(sep, maxsplit), len(sep or ""))

    def splitlines(self, keepends: bool = False) -> list[str]:
        """As str.splitlines."""
        return self._parts_with_marks(super().splitlines(keepends))

    def partition(self, sep: str, /) -> tuple[str, str, str]:
        """As str.partition."""
        first, second, third = self._parts_with_marks(super().partition(sep))
        return first, second, third

    def rpartition(self, sep: str, /) -> tuple[str, str, str]:
        """As str.rpartition."""
        first, second, third = self._parts_with_marks(super().rpartition(sep))
        return first, second, third

    def replace(self, old: str, new: str, /, *count: SupportsIndex, **named: SupportsIndex) -> str:
        """As str.replace, which takes the count by name from Python 3.13 on; what is put in keeps its own marks."""
        text = super().replace(old, new, *count, **named)
        if not old:
            return text
        first, *others = self.split(old, *(count or named.values()))
        return joined_text([first, *(part for other in others for part in (new, other))])

    def join(self, parts: Iterable[str], /) -> str:
        """As str.join."""
        texts = list(parts)
        super().join(texts)  # which refuses what is not a text
        return joined_text([part for each in texts for part in (self, each)][1:])

    def lower(self) -> str:
        """As str.lower."""
        return self._marked_if_as_long(super().lower())

    def upper(self) -> str:
        """As str.upper."""
        return self._marked_if_as_long(super().upper())

    def title(self) -> str:
        """As str.title."""
        return self._marked_if_as_long(super().title())

    def capitalize(self) -> str:
        """As str.capitalize."""
        return self._marked_if_as_long(super().capitalize())

    def _marked_if_as_long(self, text: str) -> str:
        """Return a text in the place of this one; its marks are lost if it has another length."""
        return TrackedText(text, self._marks) if len(text) == len(self) else text


class TrackedMarkup(Markup):
    """A text with marks that a template calls safe. Jinja writes it as it is, and escapes what is joined to it."""

    _marks: tuple[Mark, ...] = ()

    def __str__(self) -> str:
        return TrackedText(super().__str__(), self._marks)

    def __repr__(self) -> str:
        return repr(Markup(super().__str__()))


_TRACKED = (TrackedText, TrackedMarkup)


class TrackedDict(dict):
    """An object of JSON that is all one owner's."""

    _owner: int


class TrackedList(list):
    """A list of JSON that is all one owner's."""

    _owner: int


class TrackedTurn(dict):
    """A message, whose turn a template writes."""

    def __init__(self, message: dict[str, Any], owner: int) -> None:
        super().__init__(message)
        self._owner = owner


def tracked_text(text: str, owner: int) -> TrackedText:
    """Return a text that is all one owner's. No method of a text does this, or a template could forge marks."""
    return TrackedText(text, [(0, len(text), owner)] if text else ())


def tracked_json(value: Any, owner: int) -> Any:
    """Return a value of JSON whose texts, keys, objects and lists are one owner's."""
    if isinstance(value, str):
        return tracked_text(value, owner)
    if isinstance(value, dict):
        made: Any = TrackedDict({tracked_text(key, owner): tracked_json(each, owner) for key, each in value.items()})
    elif isinstance(value, list):
        made = TrackedList(tracked_json(each, owner) for each in value)
    else:
        return value
    made._owner = owner
    return made


def plain_value(value: Any) -> Any:
    """Return the plain value of a tracked one, and any other value as it is."""
    match value:
        case TrackedText():
            return str.__str__(value)
        case TrackedMarkup():
            return Markup(str.__str__(value))
        case TrackedDict() | TrackedTurn():
            return dict(value)
        case TrackedList():
            return list(value)
    return value


def text_marked_safe(value: Any) -> Markup:
    """Return a text as Jinja's filter `safe` does, with its marks."""
    if not (marks := covering_marks(value)):
        return Markup(value)
    made = TrackedMarkup(value)
    made._marks = marks
    return made


@cache
def place_mark(owner: int) -> TrackedText:
    """Return an empty text that marks a place in the text it is joined to: where the turn of a message begins, say."""
    return TrackedText("", [(0, 0, owner)])


def line_mark_owner(line: int) -> int:
    """Return the number that marks, in place of an owner, where a line of the template begins to write."""
    return _LINE - line


def covering_marks(text: object) -> tuple[Mark, ...]:
    """Return the marks of a text; one that is not tracked has none."""
    return tuple(mark for mark in all_marks(text) if mark[0] < mark[1])


def turn_starts_and_owners(text: object) -> tuple[tuple[int, int], ...]:
    """Return where turns begin in a text, and whose they are, as far as it knows."""
    return tuple((start, owner) for start, end, owner in all_marks(text) if start == end and owner >= 0)


def generated_stretches(text: object) -> tuple[tuple[int, int], ...]:
    """Return start and end of what the template marks as generated, those that are empty too."""
    begins = [start for start, _, owner in all_marks(text) if owner == GENERATION]
    ends = [start for start, _, owner in all_marks(text) if owner == END_GENERATION]
    return tuple(zip(begins, ends, strict=False))


def line_starts(text: object) -> tuple[tuple[int, int], ...]:
    """Return where what a line of the template writes begins, and the number of the line, from 1."""
    return tuple((start, _LINE - owner) for start, _, owner in all_marks(text) if owner < _LINE)


def all_marks(text: object) -> tuple[Mark, ...]:
    """Return the marks of a text, and the marks of turns."""
    return text._marks if isinstance(text, _TRACKED) else ()


def joined_text(parts: Iterable[str]) -> str:
    """Return texts joined to one that keeps their marks.

    >>> covering_marks(joined_text(["a", tracked_text("b", 1), tracked_text("c", 2)]))
    ((1, 2, 1), (2, 3, 2))
    """
    at, texts = 0, list(parts)
    marks: list[Mark] = []
    for part in texts:
        if type(part) is not str and (found := all_marks(part)):
            marks += [(start + at, end + at, owner) for start, end, owner in found] if at else found
        at += len(part)
    return TrackedText("".join(texts), marks)
