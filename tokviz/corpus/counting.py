"""Counting: how often each pretoken occurs in documents, which is all that training needs to know of them.

Batches of texts are counted one by one, here or in other processes, and their counts are added in the order of the
batches. Memory holds a few million characters and the distinct pretokens, never the documents.
"""

import contextlib
import math
import time
from collections import Counter, deque
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future

from tokviz.core.batch import groups_reaching_cost
from tokviz.core.cut_places import is_divisible
from tokviz.core.normalizer import PLAIN, Normalizer
from tokviz.core.patterns import pattern_name_or_regex, short_repr
from tokviz.core.pretokens import pretoken_runs, well_formed_text
from tokviz.corpus.blocks import BLOCK, texts_to_pretokenize
from tokviz.corpus.cutting.cl100k_starts import cl100k_pretoken_starts
from tokviz.corpus.cutting.joined_texts import JoinedTexts
from tokviz.corpus.cutting.re_patterns import pretoken_cutter
from tokviz.system.child_pool import ChildPool
from tokviz.system.threads import n_cores

BATCH = 2**22  # characters
SMALL_BATCH = 2**20  # so that several processes end at about the same time
# A process takes a quarter of a second to start; meanwhile this one counts one to twelve million characters.
ALONE = 0.3  # seconds of counting before others are started
CorpusDocument = str | Iterable[str]  # a text, or its blocks one after another


def pretoken_counts(
    documents: Iterable[CorpusDocument],
    split_pattern: str = "cl100k",
    *,
    special_tokens: Collection[str] = (),
    normalizer: Normalizer = PLAIN,
    workers: int | None = 1,
) -> dict[str, int]:
    """Return how often each distinct pretoken occurs, in the order of first occurrence.

    No pretoken reaches from one document into the next, or into a special token; special tokens
    themselves are not counted. A document is a str, or an iterable of the blocks that make it. workers: how many
    processes count, this one included; None means one a core as soon as this one has counted for `ALONE`. The result
    is the same. normalizer: what changes the text between special tokens before it is split.

    >>> pretoken_counts(["to be or", " not to be"], "gpt2")
    {'to': 1, ' be': 2, ' or': 1, ' not': 1, ' to': 1}
    """
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
        raise ValueError(f"workers must be None or a whole number of at least 1, not {workers!r}")
    pattern = pattern_name_or_regex(split_pattern)
    texts = document_texts_to_pretokenize(documents, pattern, special_tokens=special_tokens, normalizer=normalizer)
    split = text_batches(texts, SMALL_BATCH)
    return merged_counts(counts for _, counts in numbered_batch_counts(split, pattern, workers=workers))


def document_texts_to_pretokenize(
    documents: Iterable[CorpusDocument],
    split_pattern: str,
    *,
    special_tokens: Collection[str] = (),
    normalizer: Normalizer = PLAIN,
) -> Iterator[str]:
    """Yield the texts that documents are cut into (see `blocks`); ValueError for anything but documents."""
    pattern = pattern_name_or_regex(split_pattern)
    for document in documents:
        yield from texts_to_pretokenize(
            well_formed_blocks(document), pattern, special_tokens=special_tokens, normalizer=normalizer
        )


def well_formed_blocks(document: CorpusDocument) -> Iterable[str]:
    """Return the blocks of a document, without lone surrogates; ValueError for anything but a document."""
    if isinstance(document, str):
        text = well_formed_text(document)
        return (text[i : i + BLOCK] for i in range(0, len(text), BLOCK)) if len(text) > BLOCK else [text]
    if isinstance(document, bytes) or not isinstance(document, Iterable):
        raise ValueError(f"a document must be a str, not {type(document).__name__}: {short_repr(document)}")
    return map(well_formed_text, document)


def text_batches(texts: Iterable[str], size: int = BATCH) -> Iterator[list[str]]:
    """Yield the texts in lists of about `size` characters in all.

    >>> list(text_batches(["ab", "c", "d", "ef"], 3))
    [['ab', 'c'], ['d', 'ef']]
    """
    return groups_reaching_cost(texts, size, len)


def numbered_batch_counts(
    batches: Iterable[list[str]], split_pattern: str, *, workers: int | None = 1
) -> Generator[tuple[int, Mapping[str, int]]]:
    """Yield the number of each batch and its pretoken counts, in the order of the batches.

    `workers` processes count (see `pretoken_counts`). This one counts a batch itself when each of the others has one in
    hand and one waiting. At an interrupt it first yields what is counted already; it may have yielded the first of
    these before.
    """
    pattern = pattern_name_or_regex(split_pattern)
    running: deque[_BatchCount] = deque()
    shares_at = -math.inf if workers else time.monotonic() + ALONE
    workers = workers or n_cores()
    with ChildPool(workers - 1, "counting") as pool:
        try:
            for number, batch in enumerate(batches):
                running.append(_BatchCount(number, batch, pattern))
                n_waiting = sum(not counting.is_done() for counting in running)
                if n_waiting <= 2 * pool.n_processes and time.monotonic() >= shares_at:
                    running[-1].future = pool.submit(count_pretokens, batch, pattern)
                else:
                    running[-1].count_here_unless_begun()
                # Counts wait for those of an earlier batch, but only a few of them.
                while running and (running[0].is_done() or len(running) > 4 * workers):
                    yield running[0].number, running[0].result()
                    running.popleft()
            for counting in reversed(running):  # the others take the first one that waits, this process the last
                counting.count_here_unless_begun()
            while running:
                yield running[0].number, running[0].result()
                running.popleft()
        except KeyboardInterrupt:
            while running and running[0].is_done():
                yield running[0].number, running[0].result()
                running.popleft()
            raise


class _BatchCount:
    """A batch being counted, here or elsewhere."""

    def __init__(self, number: int, batch: list[str], pattern: str) -> None:
        self.number, self._batch, self._pattern = number, batch, pattern
        self._counts: Mapping[str, int] | None = None
        self.future: Future[Mapping[str, int]] | None = None

    def is_done(self) -> bool:
        future = self.future
        return self._counts is not None or (future is not None and future.done() and not future.cancelled())

    def count_here_unless_begun(self) -> None:
        """Count here, unless a process has begun."""
        if self._counts is None and (self.future is None or self.future.cancel()):
            self._counts = count_pretokens(self._batch, self._pattern)

    def result(self) -> Mapping[str, int]:
        if self._counts is None and self.future:
            with contextlib.suppress(OSError):  # no process could be started
                return self.future.result()
        if self._counts is None:
            self._counts = count_pretokens(self._batch, self._pattern)
        return self._counts


def count_pretokens(texts: Iterable[str], split_pattern: str) -> Counter[str]:
    """Return the pretoken counts of texts that no pretoken reaches across, in the order of first occurrence.

    >>> count_pretokens(["to be or", " not to be"], "gpt2")[" be"]
    2
    """
    counts: Counter[str] = Counter()
    # Arrays of this many characters fit the processor's caches, and add little to the peak memory.
    for group in text_batches(filter(None, texts), SMALL_BATCH // 2):
        # Only a text without a place to cut is longer; its pretokens are not all held at once.
        is_short = max(map(len, group)) <= SMALL_BATCH
        if is_short and split_pattern == "cl100k":
            joined = JoinedTexts(group)
            for pretoken, n in joined.pretokens_with_partial_counts(cl100k_pretoken_starts(joined)):
                counts[pretoken] = counts.get(pretoken, 0) + n
            continue
        cut = pretoken_cutter(split_pattern) if is_short and is_divisible(split_pattern) else None
        for text in group:
            for run in [cut(text)] if cut else pretoken_runs(text, split_pattern):
                counts.update(run)
    return counts


def add_counts(counts: dict[str, int], more: Mapping[str, int]) -> None:
    """Add the counts of later texts to those of earlier ones."""
    for pretoken, n in more.items():
        counts[pretoken] = counts.get(pretoken, 0) + n


def merged_counts(in_order: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Return the sum of counts given in the order of their texts, in the order of first occurrence.

    >>> merged_counts([{"b": 1}, {"a": 1, "b": 2}])
    {'b': 3, 'a': 1}
    """
    counts_in_order = iter(in_order)
    counts = dict(next(counts_in_order, {}))
    for more in counts_in_order:
        add_counts(counts, more)
    return counts
