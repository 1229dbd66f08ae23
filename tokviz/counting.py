"""Counting: how often each pretoken occurs in documents, all that training has to know of them.

In: documents, each a str or, where it is long, an iterator of blocks. Out: a dict of pretokens and
counts in the order of first occurrence. What is held at any time is a few million characters and the
distinct pretokens, never the documents. The work is a map and a reduce: batches of texts are counted
each on its own, here or in other processes, and the counts are added up in the order of the batches.
"""

import signal
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial

from tokviz.blocks import BLOCK, texts_of
from tokviz.patterns import pattern_name, shortened
from tokviz.pretokens import pretoken_runs, well_formed

BATCH = 2**22  # characters
Document = str | Iterable[str]


def pretoken_counts(
    documents: Iterable[Document],
    split_pattern: str = "cl100k",
    *,
    special_tokens: Collection[str] = (),
    workers: int = 1,
) -> dict[str, int]:
    """Return how often each distinct pretoken occurs, in the order of first occurrence.

    No pretoken reaches from one document into the next, or into a special token; special tokens
    themselves are not counted. A document is a str, or an iterable of the blocks that make it. With
    several workers, so many processes count; the result is the same.

    >>> pretoken_counts(["to be or", " not to be"], "gpt2")
    {'to': 1, ' be': 2, ' or': 1, ' not': 1, ' to': 1}
    """
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise ValueError(f"workers is a whole number of at least 1, not {workers!r}")
    texts = texts_of_documents(documents, split_pattern, special_tokens=special_tokens)
    return merged_counts(counted(batches(texts), split_pattern, workers=workers))


def texts_of_documents(
    documents: Iterable[Document], split_pattern: str, *, special_tokens: Collection[str] = ()
) -> Iterator[str]:
    """Yield the texts that documents are cut into (see `blocks`); ValueError for what is no document."""
    pattern = pattern_name(split_pattern)
    for document in documents:
        yield from texts_of(_blocks(document), pattern, special_tokens=special_tokens)


def _blocks(document: Document) -> Iterable[str]:
    """Return the blocks of a document, without lone surrogates; ValueError for what is none."""
    if isinstance(document, str):
        text = well_formed(document)
        return (text[i : i + BLOCK] for i in range(0, len(text), BLOCK)) if len(text) > BLOCK else [text]
    if isinstance(document, bytes) or not isinstance(document, Iterable):
        raise ValueError(f"a document is a str, not {type(document).__name__}: {shortened(document)}")
    return map(well_formed, document)


def batches(texts: Iterable[str], size: int = BATCH) -> Iterator[list[str]]:
    """Yield the texts in lists of about `size` characters in all.

    >>> list(batches(["ab", "c", "d", "ef"], 3))
    [['ab', 'c'], ['d', 'ef']]
    """
    batch: list[str] = []
    total = 0
    for text in texts:
        batch.append(text)
        total += len(text)
        if total >= size:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch


def counted(batches: Iterable[list[str]], split_pattern: str, *, workers: int = 1) -> Iterator[Counter[str]]:
    """Yield the pretoken counts of each batch, in the order of the batches, counted by so many processes."""
    count = partial(count_texts, split_pattern=pattern_name(split_pattern))
    if workers == 1:
        yield from map(count, batches)
        return
    pool = ProcessPoolExecutor(workers, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    try:
        # Not pool.map, which would read all batches at once.
        running: deque[Future[Counter[str]]] = deque()
        for batch in batches:
            running.append(pool.submit(count, batch))
            if len(running) > 2 * workers:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    except BrokenProcessPool as e:
        raise ValueError(
            "a process that counted was killed, perhaps for want of memory: try it with fewer workers"
        ) from e
    finally:
        pool.shutdown(cancel_futures=True)


def count_texts(texts: Iterable[str], split_pattern: str) -> Counter[str]:
    """Return the pretoken counts of texts that no pretoken reaches across, in the order of first occurrence.

    >>> count_texts(["to be or", " not to be"], "gpt2")[" be"]
    2
    """
    counts: Counter[str] = Counter()
    for text in texts:
        for run in pretoken_runs(text, split_pattern) if text else ():
            counts.update(run)
    return counts


def add_counts(counts: dict[str, int], more: Mapping[str, int]) -> None:
    """Add counts of what comes later to the counts of what came before."""
    for pretoken, n in more.items():
        counts[pretoken] = counts.get(pretoken, 0) + n


def merged_counts(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Return the sum of counts given in the order of their texts, in the order of first occurrence.

    >>> merged_counts([{"b": 1}, {"a": 1, "b": 2}])
    {'b': 3, 'a': 1}
    """
    counts: dict[str, int] = {}
    for part in parts:
        add_counts(counts, part)
    return counts
