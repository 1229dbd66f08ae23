"""What there is to train on: the shared text, or the files opened in this session."""

from itertools import islice

import streamlit as st
from streamlit.typing import UploadedFile

from pages.ui.options import THE_TEXT, option_value, show_option_widget
from pages.ui.shared.opened_files import (
    FILES_MAX,
    TOTAL_BYTES_MAX,
    add_file_under_free_name,
    free_file_name,
    opened_files,
    show_remove_files_button,
)
from pages.ui.shared.text import shared_text
from pages.ui.shared.uploads import keep_refusal, show_refusals, show_uploader
from tokviz.core.pretokens import well_formed_text
from tokviz.corpus.corpus import Corpus
from tokviz.corpus.paths import SUFFIXES, has_known_suffix
from tokviz.records.training import DIGESTS_MAX, text_digest

MAX_TEXT_BYTES = 20_000_000
FILE_BYTES_MAX = 50_000_000
FILES_LOOKED_AT, BYTES_LOOKED_AT = 5, 200_000  # to see what the files are like
UPLOADER = "training_files"


def training_documents_and_digests() -> tuple[list[str] | Corpus, tuple[str, ...]]:
    """Return what there is to train on, with digests of its texts; ValueError if there is nothing, or too much."""
    if option_value("train_on") != THE_TEXT:
        files = training_files()
        if not files:
            raise ValueError("There are no files to train on: open one.")
        corpus = Corpus.of_bytes(files, text_key=option_value("text_key"), unpacked_max=TOTAL_BYTES_MAX)
        return corpus, tuple(text_digest(data) for data in [*files.values()][:DIGESTS_MAX])
    text = shared_text()
    n_bytes = len(text.encode("utf-8", "replace"))
    if not text:
        raise ValueError("There is no text to train on: paste one, or pick an example.")
    if n_bytes > MAX_TEXT_BYTES:
        raise ValueError(f"The text has {n_bytes:,} bytes; this page trains on at most {MAX_TEXT_BYTES:,}.")
    return [text], (text_digest(text),)


def beginning_of_training_text(n: int) -> str:
    """Return about the first `n` characters of what there is to train on, well-formed."""
    if option_value("train_on") == THE_TEXT:
        return well_formed_text(shared_text()[:n])
    starts = {name: _first_bytes(name, data) for name, data in islice(training_files().items(), FILES_LOOKED_AT)}
    corpus = Corpus.of_bytes(starts, text_key=option_value("text_key"), unpacked_max=FILES_LOOKED_AT * BYTES_LOOKED_AT)
    taken: list[str] = []
    try:
        for document in corpus:
            taken += [document] if isinstance(document, str) else document
    except ValueError:  # a gzipped file unpacks to more: what came before is enough
        pass
    return "".join(taken)[:n]


def _first_bytes(name: str, data: bytes) -> bytes:
    """Return the first bytes of a file, and of UTF-8 no half character."""
    start = data[:BYTES_LOOKED_AT]
    return start if name.lower().endswith(".gz") else start.decode("utf-8", "ignore").encode()


def training_files() -> dict[str, bytes]:
    """Return the opened files under names that tell their format: other files than these are plain text."""
    files: dict[str, bytes] = {}
    for name, data in opened_files().items():
        files[name if has_known_suffix(name) else free_file_name(f"{name}.txt", opened_files())] = data
    return files


def show_training_file_opener() -> None:
    """Show where to open files, the files there are, and the key of texts in JSON."""
    show_uploader(
        f"Up to {FILES_MAX} text files (UTF-8), {TOTAL_BYTES_MAX // 1_000_000} MB in all",
        help="A .txt file is one document; in a .jsonl file each line is one. Either may be gzipped (.gz); its "
        "unpacked size counts. No merge crosses the end of a document. Compare’s Corpus counts the same files. A "
        "reload forgets them.",
        name=UPLOADER, max_bytes=FILE_BYTES_MAX, accept=_add_or_refuse_files, several=True,
    )  # fmt: skip
    show_refusals(UPLOADER, title="Some files were not added")
    show_option_widget("text_key", st.text_input, "Key of the text in .jsonl files")
    shown = [f"{name}: {len(data):,} bytes" for name, data in opened_files().items()]
    if shown:
        st.code("\n".join(shown), language=None, height=min(40 + 24 * len(shown), 200))
        show_remove_files_button()


def _add_or_refuse_files(uploads: list[UploadedFile]) -> None:
    """Add the uploaded files: they are kept here, whatever page is open."""
    for upload in uploads:
        if not has_known_suffix(upload.name):
            keep_refusal(UPLOADER, f"{upload.name} does not end in one of {', '.join(SUFFIXES)}.")
            continue
        try:
            add_file_under_free_name(upload.name, upload.getvalue())
        except ValueError as e:
            keep_refusal(UPLOADER, str(e))
