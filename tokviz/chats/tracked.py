"""TrackedText: a text that remembers through cutting and joining which parts of it somebody wrote.

A chat template does with a message what a program does with a str: it strips and splits it, and joins it with others.
Each result here knows where its parts are from. What is made by other means (formatting, encoding) does not.
"""

from collections.abc import Iterable
from typing import SupportsIndex

Mark = tuple[int, int, int]  # start and end in characters, and whose it is


class TrackedText(str):
    """A str with marks; `marks` never overlap, and stand in order.

    >>> text = "<" + tracked(" low lower ", 0).strip().split()[1] + ">"
    >>> text, marks_of(text)
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
        if not isinstance(key, slice):
            at = key.__index__()
            at += len(self) * (at < 0)
            return self._cut(at, at + 1) if 0 <= at < len(self) else super().__getitem__(key)
        start, stop, step = key.indices(len(self))
        return self._cut(start, max(start, stop)) if step == 1 else super().__getitem__(key)

    def _cut(self, start: int, stop: int) -> "TrackedText":
        cut = [(max(a, start) - start, min(b, stop) - start, owner) for a, b, owner in self._marks]
        return TrackedText(super().__getitem__(slice(start, stop)), [mark for mark in cut if mark[0] < mark[1]])

    def __add__(self, other: str) -> str:
        return joined([self, other]) if isinstance(other, str) else NotImplemented

    def __radd__(self, other: str) -> str:
        return joined([other, self]) if isinstance(other, str) else NotImplemented

    def strip(self, chars: str | None = None, /) -> str:
        """As str.strip."""
        return self.lstrip(chars).rstrip(chars)

    def lstrip(self, chars: str | None = None, /) -> str:
        """As str.lstrip."""
        return self[len(self) - len(super().lstrip(chars)) :]

    def rstrip(self, chars: str | None = None, /) -> str:
        """As str.rstrip."""
        return self[: len(super().rstrip(chars))]

    def removeprefix(self, prefix: str, /) -> str:
        """As str.removeprefix."""
        return self[len(self) - len(super().removeprefix(prefix)) :]

    def removesuffix(self, suffix: str, /) -> str:
        """As str.removesuffix."""
        return self[: len(super().removesuffix(suffix))]

    def _found(self, parts: Iterable[str], gap: int = 0) -> list[str]:
        """Return parts that follow one another in this text, at least `gap` characters apart, with their marks."""
        at, found = 0, []
        for part in parts:
            start = self.find(part, at)
            found.append(self[start : start + len(part)])
            at = start + len(part) + gap
        return found

    def split(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        """As str.split."""
        return self._found(super().split(sep, maxsplit), len(sep or ""))

    def rsplit(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        """As str.rsplit."""
        return self._found(super().rsplit(sep, maxsplit), len(sep or ""))

    def splitlines(self, keepends: bool = False) -> list[str]:
        """As str.splitlines."""
        return self._found(super().splitlines(keepends))

    def partition(self, sep: str, /) -> tuple[str, str, str]:
        """As str.partition."""
        first, second, third = self._found(super().partition(sep))
        return first, second, third

    def rpartition(self, sep: str, /) -> tuple[str, str, str]:
        """As str.rpartition."""
        first, second, third = self._found(super().rpartition(sep))
        return first, second, third

    def replace(self, old: str, new: str, count: SupportsIndex = -1, /) -> str:
        """As str.replace; what takes the place of something keeps its own marks."""
        if not old:
            return super().replace(old, new, count)
        first, *others = self.split(old, count)
        return joined([first, *(part for other in others for part in (new, other))])

    def join(self, parts: Iterable[str], /) -> str:
        """As str.join."""
        return joined_by(self, parts)

    def lower(self) -> str:
        """As str.lower."""
        return self._relettered(super().lower())

    def upper(self) -> str:
        """As str.upper."""
        return self._relettered(super().upper())

    def title(self) -> str:
        """As str.title."""
        return self._relettered(super().title())

    def capitalize(self) -> str:
        """As str.capitalize."""
        return self._relettered(super().capitalize())

    def _relettered(self, text: str) -> str:
        """Return a text in the place of this one; its marks are lost if it has another length."""
        return TrackedText(text, self._marks) if len(text) == len(self) else text


def tracked(text: str, owner: int) -> TrackedText:
    """Return a text that is all one owner's. No method of a text does this, or a template could forge marks."""
    return TrackedText(text, [(0, len(text), owner)] if text else ())


def marks_of(text: str) -> tuple[Mark, ...]:
    """Return the marks of a text; a plain str has none."""
    return text._marks if isinstance(text, TrackedText) else ()


def joined(parts: Iterable[str]) -> str:
    """Return texts joined to one that keeps their marks.

    >>> marks_of(joined(["a", tracked("b", 1), tracked("c", 2)]))
    ((1, 2, 1), (2, 3, 2))
    """
    at, texts, marks = 0, [], []
    for part in parts:
        marks += [(start + at, end + at, owner) for start, end, owner in marks_of(part)]
        texts.append(part)
        at += len(part)
    return TrackedText("".join(texts), marks)


def joined_by(between: str, parts: Iterable[str]) -> str:
    """Return texts joined with another between them."""
    all_parts = [part for each in parts for part in (between, each)]
    return joined(all_parts[1:])
