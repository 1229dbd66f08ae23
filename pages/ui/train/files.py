"""The files to train on: uploaded or taken from Compare, kept as bytes for the session, removed."""

from collections.abc import Collection
from itertools import count

import streamlit as st
from streamlit.typing import UploadedFile

from pages.ui.options import option_value, option_widget
from pages.ui.shared.opened_files import corpus_files, is_among, offer_files, training_files
from pages.ui.shared.uploads import refuse, show_refused, uploader
from tokviz.training.corpus import Corpus
from tokviz.training.corpus_paths import SUFFIXES, has_format

FILE_BYTES_MAX = 50_000_000
TOTAL_BYTES_MAX = 100_000_000  # of all files, unpacked
FILES_MAX = 50
UPLOADER = "training_files"


def training_corpus() -> Corpus | None:
    """Return the files to train on, None if there are none."""
    files = training_files()
    return Corpus.of_bytes(files, text_key=option_value("text_key"), unpacked_max=TOTAL_BYTES_MAX) if files else None


def file_box() -> None:
    """Show where to open files, the files there are, and the key of texts in JSON."""
    uploader(
        f"Text files, UTF-8, up to {FILES_MAX}, of {TOTAL_BYTES_MAX // 1_000_000} MB in all",
        help="A .txt file is one document; in a .jsonl file each line is one. Either may be gzipped (.gz); its "
        "unpacked size counts. No merge reaches from one document into another. A reload forgets the files.",
        name=UPLOADER, max_bytes=FILE_BYTES_MAX, accept=_add_files, several=True,
    )  # fmt: skip
    show_refused(UPLOADER, title="Some files were not added")
    offer_files("Compare", {name: len(data) for name, data in _files_of_compare().items()}, take=_take_files_of_compare)
    option_widget("text_key", st.text_input, "Key of the text in .jsonl files")
    files = training_files()
    if not files:
        return
    shown = [f"{name}: {len(data):,} bytes" for name, data in files.items()]
    st.code("\n".join(shown), language=None, height=min(40 + 24 * len(shown), 200))
    st.button("Remove all files", on_click=training_files().clear)


def _add_files(uploads: list[UploadedFile]) -> None:
    """Add the uploaded files: they are kept here, on whatever page."""
    for upload in uploads:
        _add(upload.name, upload.getvalue())


def _add(given_name: str, data: bytes) -> None:
    """Add a file under its name, or that with a number, if there is room."""
    files = training_files()
    name = free_file_name(given_name, files)
    if not has_format(name):
        refuse(UPLOADER, f"{given_name} does not end in one of {', '.join(SUFFIXES)}.")
    elif len(files) >= FILES_MAX:
        refuse(UPLOADER, f"{given_name} is one too many: you can open {FILES_MAX} files.")
    elif sum(map(len, files.values())) + len(data) > TOTAL_BYTES_MAX:
        refuse(
            UPLOADER,
            f"{given_name} would bring the files to more than {TOTAL_BYTES_MAX:,} bytes. The command line takes "
            "any number: python -m tokviz train.",
        )
    else:
        files[name] = data


def _files_of_compare() -> dict[str, bytes]:
    """Return the files of Compare's corpus that are not here yet, as UTF-8, under names that tell their format."""
    return {
        name if has_format(name) else f"{name}.txt": text.encode("utf-8", "replace")
        for name, text in corpus_files().items()
        if not is_among(name, training_files())
    }


def _take_files_of_compare() -> None:
    for name, data in _files_of_compare().items():
        _add(name, data)


def free_file_name(name: str, taken: Collection[str]) -> str:
    """Return a free name for a file, with the same ending.

    >>> free_file_name("a.txt", ["a.txt"]), free_file_name("a.txt", [])
    ('(2) a.txt', 'a.txt')
    """
    return next(each for each in (name if n == 1 else f"({n}) {name}" for n in count(1)) if each not in taken)
