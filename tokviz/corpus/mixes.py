"""Mixes: texts or corpora of several languages, each with its share of the bytes, to train a tokenizer on.

Nothing is random. Each language gives the beginning of its text, up to the last whole character; a text that is too
short begins again.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from tokviz.core.pretokens import well_formed_text
from tokviz.corpus.corpus import BadLine, Corpus
from tokviz.corpus.counting import CorpusDocument

NO_TEXT = "{} has a share of the mix but no text: give it one, or a share of 0"


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
                (_n_text_bytes(name, some) * total // shares[name] for name, some in self.corpora.items()), default=1
            )
        self.sizes = n_mix_bytes_by_language(shares, n_bytes)
        self.n_bytes = n_bytes
        self.files = [file for corpus in self.corpora.values() for file in corpus.files]
        self._reset_figures()

    def _reset_figures(self) -> None:
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

    def __iter__(self) -> Iterator[CorpusDocument]:
        self._reset_figures()
        for name, size in self.sizes.items():
            corpus = self.corpora[name]
            for document in documents_filling(corpus, size):
                self.n_documents += 1
                yield self._blocks_counting_bytes(document)
                if corpus.n_bad > self._bad.get(name, (0,))[0]:
                    self._bad[name] = corpus.n_bad, corpus.bad_lines

    def _blocks_counting_bytes(self, blocks: Iterable[str]) -> Iterator[str]:
        for block in blocks:
            self.n_read += len(block.encode())
            yield block


def documents_filling(documents: Iterable[CorpusDocument], n_bytes: int) -> Iterator[Iterator[str]]:
    """Yield documents of `n_bytes` bytes of UTF-8, up to three fewer, each as its blocks, to be used up in turn.

    Documents that end too soon begin again. Raises ValueError if they have no text.

    >>> ["".join(document) for document in documents_filling(["low", "ก"], 11)]
    ['low', 'ก', 'low', '']
    """
    left = n_bytes

    def blocks_cut_to_what_is_left(blocks: Iterable[str]) -> Iterator[str]:
        nonlocal left
        for block in blocks:
            data = well_formed_text(block).encode()
            if part := data[:left].decode(errors="ignore"):
                yield part
            left -= min(len(data), left)
            if not left:
                return

    while left:
        before = left
        for document in documents:
            yield blocks_cut_to_what_is_left([document] if isinstance(document, str) else document)
            if not left:
                return
        if left == before:
            raise ValueError("the documents of a mix have no text: give at least one that is not empty")


def _n_text_bytes(name: str, corpus: Corpus) -> int:
    """Return how many bytes the text of a corpus has; ValueError if it has none."""
    blocks = (block for some in corpus for block in ([some] if isinstance(some, str) else some))
    n_bytes = sum(len(well_formed_text(block).encode()) for block in blocks)
    if not n_bytes:
        raise ValueError(NO_TEXT.format(name))
    return n_bytes


def mixed_documents(texts: Mapping[str, str], shares: Mapping[str, int], n_bytes: int) -> list[str]:
    """Return the documents of a mix, one language after the other; see `mixed_documents_by_language`.

    >>> mixed_documents({"english": "two ", "thai": "สอง"}, {"english": 2, "thai": 1}, 18)
    ['two ', 'two ', 'two ', 'สอ']
    """
    return list(chain.from_iterable(mixed_documents_by_language(texts, shares, n_bytes).values()))


def mixed_documents_by_language(
    texts: Mapping[str, str], shares: Mapping[str, int], n_bytes: int
) -> dict[str, list[str]]:
    """Return the documents of a mix of `n_bytes` bytes of UTF-8, up to three bytes fewer for each language.

    The languages follow one another in the order of `shares`, and each repetition of a text is a document
    of its own, so that no merge reaches from its end to its beginning. A share of 0 leaves a language out.
    Raises ValueError for bad shares, and for a language that has a share but no text.

    >>> mixed_documents_by_language({"english": "two ", "thai": "สอง"}, {"english": 2, "thai": 1}, 18)
    {'english': ['two ', 'two ', 'two '], 'thai': ['สอ']}
    """
    documents: dict[str, list[str]] = {}
    for language, size in n_mix_bytes_by_language(shares, n_bytes).items():
        if not (text := texts.get(language)):
            raise ValueError(NO_TEXT.format(language))
        documents[language] = list(filter(None, map("".join, documents_filling([text], size))))
    return documents


def n_mix_bytes_by_language(shares: Mapping[str, int], n_bytes: int) -> dict[str, int]:
    """Return how many bytes each language with a share above 0 gets, rounded down.

    >>> n_mix_bytes_by_language({"english": 2, "thai": 1, "chinese": 0}, 10_000)
    {'english': 6666, 'thai': 3333}
    """
    if min(shares.values(), default=0) < 0 or not any(shares.values()):
        raise ValueError(f"shares must be whole numbers, none below 0 and at least one above, not {dict(shares)}")
    total = sum(shares.values())
    if n_bytes < 1:
        raise ValueError(f"a mix must have at least 1 byte, not {n_bytes!r}")
    return {language: n_bytes * share // total for language, share in shares.items() if share}
