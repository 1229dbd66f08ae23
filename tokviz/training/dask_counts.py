"""Pretoken counts by Dask, for a corpus too large for one machine.

They equal the counts of a single process, in the same order: each partition is counted by the same function, and
neighbours are added, the earlier first. Needs the extra `[dask]`.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from tokviz.training.corpus_counts import CorpusCounts
from tokviz.training.counting import merged_counts, pretoken_counts

if TYPE_CHECKING:
    from dask.bag import Bag


def dask_counts(
    documents: "Bag", split_pattern: str = "cl100k", *, special_tokens: Collection[str] = (), split_every: int = 8
) -> CorpusCounts:
    """Return the pretoken counts of a bag of str, computed where the bag is.

    `split_every`: how many partitions are added at a time.

    >>> from dask import bag
    >>> documents = bag.from_sequence(["to be or", " not to be"], npartitions=2)
    >>> dask_counts(documents, "gpt2").counts
    {'to': 1, ' be': 2, ' or': 1, ' not': 1, ' to': 1}
    """
    result = CorpusCounts(split_pattern, special_tokens, complete=True)
    count = partial(_partition_counts, split_pattern=result.split_pattern, special_tokens=result.special_tokens)
    counts = documents.reduction(count, merged_counts, split_every=split_every)
    result.counts = counts.compute()
    return result


def _partition_counts(documents: Iterable[str], **made_of: Any) -> Mapping[str, int]:
    return pretoken_counts(documents, **made_of)
