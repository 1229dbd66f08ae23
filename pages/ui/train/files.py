"""The files to train on: uploaded, kept as bytes for the session, removed."""

from collections.abc import Collection
from itertools import count

import streamlit as st

from pages.ui.shared.options import option_value, option_widget
from pages.ui.shared.uploads import UploadedFile, refuse, show_refused, uploader
from tokviz.training.corpus import Corpus
from tokviz.training.corpus_paths import SUFFIXES, has_format

FILE_BYTES_MAX = 50_000_000
TOTAL_BYTES_MAX = 100_000_000  # of all files, unpacked
FILES_MAX = 50
UPLOADER = "training_files"


def training_files() -> dict[str, bytes]:
    """Return the files by their names, in the order in which they were opened."""
    return st.session_state.setdefault("training_files", {})


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
    option_widget("text_key", st.text_input, "Key of the text in .jsonl files")
    files = training_files()
    if not files:
        return
    shown = [f"{name}: {len(data):,} bytes" for name, data in files.items()]
    st.code("\n".join(shown), language=None, height=min(40 + 24 * len(shown), 200))
    st.button("Remove all files", on_click=training_files().clear)


def _add_files(uploads: list[UploadedFile]) -> None:
    """Add the uploaded files: they are kept here, on whatever page."""
    files = training_files()
    for upload in uploads:
        name, data = free_file_name(upload.name, files), upload.getvalue()
        if not has_format(name):
            refuse(UPLOADER, f"{upload.name} does not end in one of {', '.join(SUFFIXES)}.")
        elif len(files) >= FILES_MAX:
            refuse(UPLOADER, f"{upload.name} is one too many: you can open {FILES_MAX} files.")
        elif sum(map(len, files.values())) + len(data) > TOTAL_BYTES_MAX:
            refuse(
                UPLOADER,
                f"{upload.name} would bring the files to more than {TOTAL_BYTES_MAX:,} bytes. The command line takes "
                "any number: python -m tokviz train.",
            )
        else:
            files[name] = data


def free_file_name(name: str, taken: Collection[str]) -> str:
    """Return a free name for a file, with the same ending.

    >>> free_file_name("a.txt", ["a.txt"]), free_file_name("a.txt", [])
    ('(2) a.txt', 'a.txt')
    """
    return next(each for each in (name if n == 1 else f"({n}) {name}" for n in count(1)) if each not in taken)
