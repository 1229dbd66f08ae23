"""Superwords, the stage of a training in which merges reach across words, as a part of the trained one's record."""

from dataclasses import dataclass
from typing import Any

from tokviz.core.patterns import compiled


@dataclass(frozen=True)
class Superwords:
    """The stage of a training in which merges reach across words.

    after: so many merges inside words, cut by `split_pattern`, come before it. n_without, held_out_without: the tokens
    of the text, and of that held out, after as many merges inside words alone; None if that is not known.
    """

    after: int
    split_pattern: str
    n_without: int | None = None
    held_out_without: int | None = None


def superwords_of_record(record: Any, n_merges: int) -> Superwords | None:
    """Return the stage of a record, None if it has none; ValueError or TypeError for one that is damaged.

    Call it in a child process, since anybody may have written the pattern.
    """
    if not record:
        return None
    after, pattern, *without = record
    if not 0 <= int(after) <= n_merges:
        raise ValueError(f"superwords cannot follow {after} of {n_merges} merges")
    compiled(str(pattern))
    return Superwords(int(after), str(pattern), *(None if n is None else int(n) for n in without))
