"""Lessons under test: what their blocks show, in pieces that can be compared, and one lesson more for a while."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from tokviz.exercises import Block, Lesson, Lines, Table
from tokviz.lessons import LESSONS


@contextmanager
def added(lesson: Lesson) -> Iterator[None]:
    """Add a lesson after all others."""
    LESSONS.append(lesson)
    try:
        yield
    finally:
        LESSONS.remove(lesson)


def units(blocks: Iterable[Block]) -> list[object]:
    """Return what blocks show in the smallest pieces that slides part: lines, rows of tables, and words."""
    shown: list[object] = []
    for block in blocks:
        if isinstance(block, Lines):
            shown += [(line.label, line.count_in_words, line.spans.text) for line in block.lines]
        else:
            shown += block.rows if isinstance(block, Table) else [block]
    return shown
