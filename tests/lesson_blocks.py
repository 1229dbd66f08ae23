"""What the blocks of a lesson show, in pieces that can be compared."""

from collections.abc import Iterable

from tokviz.exercises.lesson import Block, Lines, Table


def units(blocks: Iterable[Block]) -> list[object]:
    """Return what blocks show in the smallest pieces that slides part: lines, rows of tables, and words."""
    shown: list[object] = []
    for block in blocks:
        if isinstance(block, Lines):
            shown += [(line.label, line.count, line.spans.text) for line in block.lines]
        else:
            shown += block.rows if isinstance(block, Table) else [block]
    return shown
