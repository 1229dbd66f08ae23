"""CorpusCounts: the pretoken counts of a corpus, to save, read, merge and resume.

One pass over a corpus serves many vocabulary sizes, and a run that was killed resumes from its last saved counts. The
file is gzipped JSON: a line of facts, then a line for each pretoken.
"""

import gzip
import json
import zlib
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, field, replace
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from tokviz.core.patterns import pattern_name_or_regex, short_repr
from tokviz.corpus.corpus import BadLine, Corpus
from tokviz.corpus.counting import (
    add_counts,
    document_texts_to_pretokenize,
    numbered_batch_counts,
    pretoken_counts,
    text_batches,
)
from tokviz.system.atomic_file import replacement_file
from tokviz.system.input_file import open_file

if TYPE_CHECKING:
    from dask.bag import Bag

    from tokviz.corpus.mixes import CorpusMix

FORMAT = "tokviz pretoken counts 1"
SUFFIX = ".counts"  # of a file of counts
COUNT_MAX = 2**48  # of one pretoken, so that sums fit 64 bits; no corpus has that many
_DAMAGES = (ValueError, KeyError, TypeError, AttributeError, StopIteration, EOFError, RecursionError, zlib.error)


@dataclass
class CorpusCounts:
    """Pretoken counts in the order of first occurrence, and what they were made with.

    n_batches: how many batches of texts are counted. n_bad_lines, bad_lines: how many lines were left out, and the
    first of them. complete: whether everything is counted. fingerprint: the text key, and the names, sizes and times of
    the files, None if they are not known.

    >>> first, second = CorpusCounts("gpt2", counts={"to": 1}), CorpusCounts("gpt2", counts={"be": 1, "to": 1})
    >>> CorpusCounts.merged([first, second]).counts
    {'to': 2, 'be': 1}
    """

    split_pattern: str
    special_tokens: Collection[str] = ()
    counts: dict[str, int] = field(default_factory=dict)
    n_batches: int = 0
    n_documents: int = 0
    n_bad_lines: int = 0
    bad_lines: list[BadLine] = field(default_factory=list)
    complete: bool = False
    fingerprint: list[list[object]] | None = None

    def __post_init__(self) -> None:
        self.split_pattern = pattern_name_or_regex(self.split_pattern)
        self.special_tokens = list(self.special_tokens)

    def count(self, corpus: "Corpus | CorpusMix", *, workers: int | None = 1) -> Iterator[int]:
        """Count what is not counted yet; after each batch yield how many are counted.

        Raises ValueError if the files have changed since the counts so far were made.
        """
        for number, counts in self.rest(corpus, workers=workers):
            self.add(number, counts, corpus)
            yield self.n_batches

    def rest(
        self, corpus: "Corpus | CorpusMix", *, workers: int | None = 1
    ) -> Generator[tuple[int, Mapping[str, int]]]:
        """Yield the number and the counts of each batch that is not counted yet, for `add`; errors as in `count`.

        An interrupt may stop it while it reads, counts or waits, but must not stop `add` halfway.
        """
        fingerprint = corpus.fingerprint()
        if self.n_batches and self.fingerprint != fingerprint:
            raise ValueError(
                "the files, or the key of their texts, have changed since counting began: delete the file of counts to "
                "start again, or name another one for these"
            )
        self.fingerprint = fingerprint
        texts = document_texts_to_pretokenize(corpus, self.split_pattern, special_tokens=self.special_tokens)
        first = self.n_batches
        for number, counts in numbered_batch_counts(
            islice(text_batches(texts), first, None), self.split_pattern, workers=workers
        ):
            yield first + number, counts
        self._copy_figures(corpus)
        self.complete = True

    def add(self, number: int, counts: Mapping[str, int], corpus: "Corpus | CorpusMix") -> None:
        """Add the counts of a batch of a corpus, if it is the next one."""
        if number == self.n_batches:
            add_counts(self.counts, counts)
            self.n_batches += 1
            self._copy_figures(corpus)

    def _copy_figures(self, corpus: "Corpus | CorpusMix") -> None:
        self.n_documents, self.n_bad_lines = corpus.n_documents, corpus.n_bad
        self.bad_lines = list(corpus.bad_lines)

    @classmethod
    def merged(cls, parts: Iterable["CorpusCounts"]) -> "CorpusCounts":
        """Return the sum of counts, as if the second corpus came after the first, and so on.

        Raises ValueError if split patterns or special tokens differ.
        """
        parts = list(parts)
        result = cls(parts[0].split_pattern, parts[0].special_tokens, complete=all(part.complete for part in parts))
        for part in parts:
            if (part.split_pattern, part.special_tokens) != (result.split_pattern, result.special_tokens):
                raise ValueError(
                    f"counts of the split pattern {short_repr(part.split_pattern)} with special tokens "
                    f"{part.special_tokens} cannot be added to counts of {short_repr(result.split_pattern)} with "
                    f"{result.special_tokens}: count one of the corpora again"
                )
            add_counts(result.counts, part.counts)
            result.n_documents += part.n_documents
            result.n_bad_lines += part.n_bad_lines
            result.bad_lines += part.bad_lines
        return result

    def save(self, path: str | Path) -> None:
        """Write the counts to a file; at any moment either the old or the new one is there, whole."""
        path = Path(path)
        facts = {key: value for key, value in vars(self).items() if key != "counts"}
        facts["bad_lines"] = [astuple(bad) for bad in self.bad_lines]
        head = {"format": FORMAT, "n_pretokens": len(self.counts), **facts}
        with replacement_file(path) as file, gzip.open(file, "wt", 1, encoding="ascii", newline="") as lines:
            lines.write(json.dumps(head) + "\n")
            # One call for all is quicker; no line end is in a string of JSON.
            pretokens = json.dumps([*self.counts], separators=("\n", ":"))[1:-1].split("\n")
            lines.writelines(f"{pretoken}\t{n}\n" for pretoken, n in zip(pretokens, self.counts.values(), strict=False))

    @classmethod
    def read(cls, path: str | Path) -> "CorpusCounts":
        """Return the counts in a file; ValueError if it is damaged or not a file of counts, or as `open_file`."""
        with open_file(path) as file:
            return cls._read(file, path)

    @classmethod
    def _read(cls, file: BinaryIO, path: str | Path) -> "CorpusCounts":
        try:
            with gzip.open(file, "rt", encoding="ascii", newline="\n") as lines:
                head = json.loads(next(lines))
                if (found := head.pop("format")) != FORMAT:
                    raise ValueError(f"its format must be {FORMAT!r}, not {found!r:.100}; count the corpus again")
                n_pretokens = head.pop("n_pretokens")
                head["bad_lines"] = [BadLine(*bad) for bad in head["bad_lines"]]
                rows = (line.rsplit("\t", 1) for line in lines)
                result = cls(**head, counts={json.loads(pretoken): int(n) for pretoken, n in rows})
                result._check_fields()
        except (*_DAMAGES, gzip.BadGzipFile) as e:
            reason = str(e) or type(e).__name__
            raise ValueError(f"{path} is not a file of pretoken counts, or is damaged: {reason[:200]}") from e
        if len(result.counts) != n_pretokens:
            raise ValueError(f"{path} is cut off: it has {len(result.counts):,} of {n_pretokens!r} pretokens")
        return result

    def _check_fields(self) -> None:
        """Raise ValueError for values that cannot be those of a CorpusCounts, however they came into a file."""
        numbers = (self.n_batches, self.n_documents, self.n_bad_lines, *self.counts.values())
        for number in numbers:
            if type(number) is not int or not 0 <= number <= COUNT_MAX:
                raise ValueError(f"expected whole numbers from 0 to {COUNT_MAX:,}, not {number!r:.100}")
        bad_lines, fingerprint = self.bad_lines, self.fingerprint or []
        for name, is_right, expected in (
            ("complete", isinstance(self.complete, bool), "true or false"),
            ("special_tokens", all(isinstance(one, str) and one for one in self.special_tokens), "a list of texts"),
            ("bad_lines", all(map(_is_bad_line, bad_lines)), "a list of lines"),
            ("fingerprint", isinstance(fingerprint, list), "a list"),
        ):
            if not is_right:
                raise ValueError(f"its {name} must be {expected}, not {getattr(self, name)!r:.100}")
        if not all(type(pretoken) is str and pretoken and n for pretoken, n in self.counts.items()):
            raise ValueError("every pretoken must be a text that is not empty, with a count above 0")
        "".join(self.counts).encode()  # raises UnicodeEncodeError, a ValueError, for half a surrogate pair


def _is_bad_line(bad: BadLine) -> bool:
    """Return whether what a file says of a line left out can be its file, its number and the reason."""
    return list(map(type, astuple(bad))) == [str, int, str]


def dask_counts(
    documents: "Bag", split_pattern: str = "cl100k", *, special_tokens: Collection[str] = (), split_every: int = 8
) -> CorpusCounts:
    """Return the pretoken counts of a bag of str, computed by Dask where the bag is, for a corpus of many machines.

    They equal those of a single process, in the same order: each partition is counted by the same function, and
    neighbours are added, the earlier first, `split_every` at a time. Needs the extra `[dask]`.

    >>> from dask import bag
    >>> documents = bag.from_sequence(["to be or", " not to be"], npartitions=2)
    >>> dask_counts(documents, "gpt2").counts
    {'to': 1, ' be': 2, ' or': 1, ' not': 1, ' to': 1}
    """
    none = CorpusCounts(split_pattern, special_tokens, complete=True)
    counts: CorpusCounts = documents.reduction(
        partial(_partition_counts, none=none), CorpusCounts.merged, split_every=split_every
    ).compute()
    return counts


def _partition_counts(documents: Iterable[str], none: CorpusCounts) -> CorpusCounts:
    """Return the counts of documents, with how many these are; `none` says how to count."""
    numbers = count()
    numbered = (document for document, _ in zip(documents, numbers, strict=False))
    counts = pretoken_counts(numbered, none.split_pattern, special_tokens=none.special_tokens)
    return replace(none, counts=counts, n_documents=next(numbers))
