"""Rows of a result, which print as a table, CSV or JSON, and the options that choose between these."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from tokviz.display.csv_text import csv_without_lists

Formatters = Mapping[Any, Callable[[Any], str]]
SHARE = "{:.1%}".format


@dataclass(frozen=True)
class Rows:
    """Records with the same keys, and the columns that a table shows of them.

    heads: the heading of each column of the table, by its key. formatters: how a column writes its values, if not
    as `cell_text` does.
    """

    records: Sequence[Mapping[Any, Any]]
    heads: Mapping[Any, str]
    formatters: Formatters = field(default_factory=dict)

    @classmethod
    def of_lines(cls, heads: Sequence[str], lines: Iterable[Iterable[object]]) -> Self:
        """Return rows for a table only; several columns may have the same heading."""
        return cls([dict(enumerate(line)) for line in lines], dict(enumerate(heads)))

    def __str__(self) -> str:
        """Return the table: texts are on the left of their column, numbers on the right.

        >>> print(Rows.of_lines(["tokenizer", "ids", "kind"], [["gpt2", 50257, "BPE"], ["none", None, "-"]]))
        tokenizer     ids  kind
        gpt2       50,257  BPE
        none            -  -
        """
        columns = zip(*map(self._column_cells, self.heads), strict=True)
        return "\n".join("  ".join(cells).rstrip() for cells in columns)

    def _column_cells(self, key: object) -> list[str]:
        """Return the heading of a column and its cells, all of the same width."""
        values = [each[key] for each in self.records]
        formatter = self.formatters.get(key, cell_text)
        cells = [self.heads[key], *("-" if value is None else formatter(value) for value in values)]
        is_text = key == next(iter(self.heads)) or any(isinstance(value, str | bytes | list) for value in values)
        width = max(map(len, cells))
        return [each.ljust(width) if is_text else each.rjust(width) for each in cells]


def cell_text(value: object) -> str:
    """Return a value as a table shows it.

    >>> cell_text(50257), cell_text(4.096), cell_text("gpt2")
    ('50,257', '4.10', 'gpt2')
    """
    if isinstance(value, float):
        return f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def add_output_options(command: argparse.ArgumentParser, *, csv: bool = False) -> argparse._MutuallyExclusiveGroup:
    """Add --json, and --csv for a command with rows; return the group, in which a command may have more forms."""
    group = command.add_mutually_exclusive_group()
    group.add_argument("--json", action="store_true", help="print the result as JSON")
    if csv:
        group.add_argument("--csv", action="store_true", help="print the table as CSV")
    return group


def print_result(options: argparse.Namespace, result: object, *shown: object, rows: Rows | None = None) -> None:
    """Print a result as JSON, or its rows as CSV, if the options say so; otherwise what is shown, a blank line between.

    Rows as the result are all three: the records, the rows, and the table.
    """
    if isinstance(result, Rows):
        result, shown, rows = result.records, shown or (result,), result
    if options.json:
        print(json.dumps(result, ensure_ascii=False))
    elif rows and options.csv:
        sys.stdout.write(csv_without_lists(rows.records))
    else:
        print(*shown, sep="\n\n")
