"""What there is to train on: the shared text, or the files."""

from itertools import islice

from pages.ui.options import THE_TEXT, option_value
from pages.ui.shared.opened_files import training_files
from pages.ui.shared.text import shared_text
from pages.ui.train.files import training_corpus
from tokviz.records.trained import DIGESTS_MAX, text_digest
from tokviz.training.corpus import Corpus

MAX_TEXT_BYTES = 20_000_000
FILES_LOOKED_AT, BYTES_LOOKED_AT = 5, 200_000  # to tell what the files are like


def training_documents() -> tuple[list[str] | Corpus, tuple[str, ...]]:
    """Return what there is to train on, with digests of its texts; ValueError if there is nothing, or too much."""
    if option_value("train_on") != THE_TEXT:
        corpus = training_corpus()
        if corpus is None:
            raise ValueError("There are no files to train on: open one.")
        return corpus, tuple(text_digest(data) for data in [*training_files().values()][:DIGESTS_MAX])
    text = shared_text()
    n_bytes = len(text.encode("utf-8", "replace"))
    if not text:
        raise ValueError("There is no text to train on: paste one, or pick an example.")
    if n_bytes > MAX_TEXT_BYTES:
        raise ValueError(f"The text has {n_bytes:,} bytes; this page trains on at most {MAX_TEXT_BYTES:,}.")
    return [text], (text_digest(text),)


def beginning(n: int) -> str:
    """Return about the first `n` characters of what there is to train on."""
    if option_value("train_on") == THE_TEXT:
        return shared_text()[:n]
    starts = {name: _start(name, data) for name, data in islice(training_files().items(), FILES_LOOKED_AT)}
    corpus = Corpus.of_bytes(starts, text_key=option_value("text_key"), unpacked_max=FILES_LOOKED_AT * BYTES_LOOKED_AT)
    taken: list[str] = []
    try:
        for document in corpus:
            taken += [document] if isinstance(document, str) else document
    except ValueError:  # a gzipped file unpacks to more: what came before is enough
        pass
    return "".join(taken)[:n]


def _start(name: str, data: bytes) -> bytes:
    """Return the first bytes of a file, and of UTF-8 no half character."""
    start = data[:BYTES_LOOKED_AT]
    return start if name.lower().endswith(".gz") else start.decode("utf-8", "ignore").encode()
