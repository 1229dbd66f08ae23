"""The table that the benches print: a line for each measurement, as soon as it is made."""

import statistics
from collections.abc import Sequence


def print_head() -> None:
    """Print the head of the table."""
    print("| | median | range | runs | goal |\n|---|---|---|---|---|", flush=True)


def print_row(name: str, values: Sequence[float], goal: str, unit: str = " ms", digits: int = 0) -> None:
    """Print median and range of the values; `goal` is what the median is to stay under."""
    spread = f"{min(values):.{digits}f}–{max(values):.{digits}f}"
    print(f"| {name} | {statistics.median(values):.{digits}f}{unit} | {spread} | {len(values)} | {goal} |", flush=True)
