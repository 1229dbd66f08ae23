"""Records as CSV, which has no cells for lists."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any


def csv_without_lists(records: Sequence[Mapping[Any, Any]]) -> str:
    """Return CSV with all keys but those of lists, which no cell can hold; None is an empty cell.

    >>> csv_without_lists([{"name": "gpt2", "ids": [1, 2], "cost": None}])
    'name,cost\\ngpt2,\\n'
    """
    keys = dict.fromkeys(key for each in records for key, value in each.items() if not isinstance(value, list | tuple))
    file = io.StringIO()
    writer = csv.DictWriter(file, list(keys), extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return file.getvalue()
