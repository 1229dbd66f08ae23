"""CorpusMix: several corpora as one, each with its share of the bytes; `mixes` does the same for texts in memory.

Every iteration gives the same documents. A corpus that is too short is read again from the beginning.
"""

from collections.abc import Iterable, Iterator, Mapping

from tokviz.core.pretokens import well_formed
from tokviz.training.corpus import BadLine, Corpus
from tokviz.training.counting import Document
from tokviz.training.mixes import mix_sizes


class CorpusMix:
    """Documents of a mix, to be counted like those of a `Corpus`; the corpora follow one another.

    sizes: how many bytes of UTF-8 each corpus gets. n_bytes: the sum of these; n_read: how many have been yielded.
    The other figures are those of `Corpus`; lines that a corpus leaves out every time it is read count once.
    """

    def __init__(self, corpora: Mapping[str, Corpus], shares: Mapping[str, int], n_bytes: int | None = None) -> None:
        """Find the sizes; without `n_bytes`, those of the largest mix that reads no text twice.

        Finding that reads all files once. Raises ValueError for bad shares, and for a corpus without text.
        """
        self.corpora = {name: corpora[name] for name, share in shares.items() if share}
        if n_bytes is None:
            total = sum(shares.values())
            n_bytes = min(
                (_n_bytes(name, some) * total // shares[name] for name, some in self.corpora.items()), default=1
            )
        self.sizes = mix_sizes(shares, n_bytes)
        self.n_bytes = n_bytes
        self.files = [file for corpus in self.corpora.values() for file in corpus.files]
        self._forget()

    def _forget(self) -> None:
        self.n_read = self.n_documents = 0
        self._bad: dict[str, tuple[int, list[BadLine]]] = {}

    @property
    def n_bad(self) -> int:
        """How many lines were left out."""
        return sum(n for n, _ in self._bad.values())

    @property
    def bad_lines(self) -> list[BadLine]:
        """The first of the lines that were left out."""
        return [bad for _, lines in self._bad.values() for bad in lines]

    @property
    def without_text(self) -> list[str]:
        """Files without any text."""
        return [file for corpus in self.corpora.values() for file in corpus.without_text]

    def fingerprint(self) -> list[list[object]]:
        """Return the sizes and the fingerprints of the corpora."""
        return [[name, size, *(self.corpora[name].fingerprint() or ())] for name, size in self.sizes.items()]

    def __iter__(self) -> Iterator[Document]:
        self._forget()
        for name, size in self.sizes.items():
            corpus = self.corpora[name]
            for document in first_bytes(corpus, size):
                self.n_documents += 1
                yield self._noted(document)
                if corpus.n_bad > self._bad.get(name, (0,))[0]:
                    self._bad[name] = corpus.n_bad, corpus.bad_lines

    def _noted(self, blocks: Iterable[str]) -> Iterator[str]:
        for block in blocks:
            self.n_read += len(block.encode())
            yield block


def first_bytes(documents: Iterable[Document], n_bytes: int) -> Iterator[Iterator[str]]:
    """Yield documents of `n_bytes` bytes of UTF-8, up to three fewer, each as its blocks, to be used up in turn.

    Documents that end too soon begin again. Raises ValueError if they have no text.

    >>> ["".join(document) for document in first_bytes(["low", "ก"], 11)]
    ['low', 'ก', 'low', '']
    """
    left = n_bytes

    def cut(blocks: Iterable[str]) -> Iterator[str]:
        nonlocal left
        for block in blocks:
            data = well_formed(block).encode()
            if part := data[:left].decode(errors="ignore"):
                yield part
            left -= min(len(data), left)
            if not left:
                return

    while left:
        before = left
        for document in documents:
            yield cut([document] if isinstance(document, str) else document)
            if not left:
                return
        if left == before:
            raise ValueError("there is no text to fill a mix with")


def _n_bytes(name: str, corpus: Corpus) -> int:
    """Return how many bytes the text of a corpus has; ValueError if it has none."""
    blocks = (block for some in corpus for block in ([some] if isinstance(some, str) else some))
    n_bytes = sum(len(well_formed(block).encode()) for block in blocks)
    if not n_bytes:
        raise ValueError(f"{name} has a share of the mix but no text: give it one, or a share of 0")
    return n_bytes
