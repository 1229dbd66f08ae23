"""The figures of a data set as rows and as JSON: those that the page and the command line show."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from tokviz.corpus.token_counts import PARTS, DatasetCount


def dataset_figures(name: str, count: DatasetCount, window: int) -> dict[str, Any]:
    """Return the figures of a data set under a tokenizer; all lengths are in tokens, None without documents.

    median, p95: the smallest length that 50 or 95 percent of the documents do not exceed. n_over: documents longer than
    the window. n_lost: tokens beyond it, which truncation drops. n_uncounted: documents that could not be counted.
    """
    tokens = count.tokens
    truncation = tokens.truncation(window)
    return {
        "tokenizer": name,
        "n_documents": tokens.n_documents,
        "n_tokens": tokens.n_tokens,
        "shortest": tokens.shortest,
        "median": tokens.length_percentile(50),
        "p95": tokens.length_percentile(95),
        "longest": tokens.longest,
        "window": window,
        "n_over": truncation.n_documents,
        "n_lost": truncation.n_tokens,
        "n_uncounted": count.n_uncounted,
    }


def length_heads(window: int) -> dict[str, str]:
    """Return the heads of a table of these figures, without those of documents that could not be counted."""
    names = ("tokenizer", "n_documents", "n_tokens", "shortest", "median", "p95", "longest", "n_over", "n_lost")
    heads = {"p95": "95%", "n_over": f"over {window:,}"}
    return {name: heads.get(name, name.removeprefix("n_")) for name in names}


def parts_with_tokens(counts: Iterable[DatasetCount]) -> list[str]:
    """Return the parts that have tokens under any tokenizer, or that is "text" alone, in the order of PARTS."""
    found = {part for count in counts for part, n in count.tokens.by_part.items() if n}
    return [part for part in PARTS if part in found]


def histogram_rows(counts: Iterable[DatasetCount]) -> list[tuple[tuple[int, int], list[int]]]:
    """Return each bin of lengths, as its first and last, with the number of documents in each count."""
    found = [count.tokens.length_histogram() for count in counts]
    bins = sorted({ends for histogram in found for ends in histogram})
    return [(ends, [histogram.get(ends, 0) for histogram in found]) for ends in bins]


def bin_name(ends: tuple[int, int]) -> str:
    """Return the name of a bin of lengths.

    >>> bin_name((1, 1)), bin_name((4_097, 8_192))
    ('1', '4,097 to 8,192')
    """
    first, last = ends
    return f"{first:,}" if first == last else f"{first:,} to {last:,}"


def dataset_record(name: str, count: DatasetCount, window: int) -> dict[str, Any]:
    """Return all figures under a tokenizer, with its histogram and the longest documents, as plain JSON."""
    return dataset_figures(name, count, window) | {
        "format": count.chat_format.name,
        "by_part": {part: count.tokens.by_part[part] for part in parts_with_tokens([count])},
        "histogram": [
            {"first": first, "last": last, "n_documents": n}
            for (first, last), n in count.tokens.length_histogram().items()
        ],
        "longest_documents": [asdict(document) for document in count.tokens.longest_documents()],
    }
