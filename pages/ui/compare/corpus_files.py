"""The files of a corpus: opened here or taken from Train, kept for the session, removed."""

from itertools import count

import streamlit as st
from streamlit.typing import UploadedFile

from pages.ui.options import option_value
from pages.ui.shared.opened_files import corpus_files, is_among, offer_files, training_files
from pages.ui.shared.uploads import ask_for_encoding, refuse, show_refused, uploader
from tokviz.system.text_file import TextFile, text_file
from tokviz.training.corpus import Corpus

FILE_BYTES_MAX = 10_000_000
TOTAL_CHARACTERS_MAX = 50_000_000
FILES_MAX = 50
UPLOADER = "corpus"
ALL = "all files"  # the name of their sum, which no file has


def corpus_opener() -> None:
    """Show where to open files, and say why any of them is refused."""
    uploader(
        f"Text files, UTF-8, up to {FILES_MAX}",
        name=UPLOADER, max_bytes=FILE_BYTES_MAX, accept=_add_files, several=True,
    )  # fmt: skip
    offer_files("Train", {name: len(data) for name, data in _files_of_train().items()}, take=_take_files_of_train)
    for file in _undecoded():
        ask_for_encoding(file, f"{UPLOADER} {id(file)}", _take_decoded, id(file))
    show_refused(UPLOADER, title="Some files were not added")
    files = corpus_files()
    if files:
        st.text(f"{len(files)} files, {sum(map(len, files.values())):,} characters")


def has_files() -> bool:
    """Return whether there is a file to remove, even one that still waits for its encoding."""
    return bool(corpus_files() or _undecoded())


def remove_all() -> None:
    """Forget the files; their figures stay on view."""
    corpus_files().clear()
    _undecoded().clear()


def _undecoded() -> list[TextFile]:
    return st.session_state.setdefault("corpus_undecoded", [])


def _add_files(uploads: list[UploadedFile]) -> None:
    """Add the uploaded files: they are kept here, on whatever page."""
    for upload in uploads:
        _add_file(upload.name, upload.getvalue())


def _add_file(name: str, data: bytes) -> None:
    """Add a file if it is text and there is room; ask about an encoding that is not certain."""
    file = text_file(name, data)
    if file.text is None and file.guess is None:
        refuse(UPLOADER, f"{name} is not UTF-8, and no other encoding fits: it may not be text.")
    elif file.text is None:
        if _has_room(file.name, file.guessed_text):
            _undecoded().append(file)
    else:
        _add(file.name, file.text)


def _files_of_train() -> dict[str, bytes]:
    """Return the files to train on that are not here yet."""
    here = {*corpus_files(), *(file.name for file in _undecoded())}
    return {name: data for name, data in training_files().items() if not is_among(name, here)}


def _take_files_of_train() -> None:
    """Add the files to train on: a .txt file as it is, of others the documents, a line break after each."""
    for name, data in _files_of_train().items():
        if name.lower().endswith(".txt"):
            _take(name, data)
            continue
        try:
            corpus = Corpus.of_bytes({name: data}, text_key=option_value("text_key"), unpacked_max=FILE_BYTES_MAX)
            documents = [each if isinstance(each, str) else "".join(each) for each in corpus]
        except ValueError as e:
            refuse(UPLOADER, f"{name}: {e}")
        else:
            _take(f"{name}.txt", "\n".join(documents).encode())


def _take(name: str, data: bytes) -> None:
    if len(data) > FILE_BYTES_MAX:
        refuse(UPLOADER, f"{name} has {len(data):,} bytes; a file may have up to {FILE_BYTES_MAX:,} here.")
    else:
        _add_file(name, data)


def _add(name: str, text: str) -> None:
    """Add a text under its name, or that with a number, if there is room."""
    if _has_room(name, text):
        files = corpus_files()
        names = (name if n == 1 else f"{name} ({n})" for n in count(1))
        files[next(free for free in names if free not in {*files, ALL})] = text


def _has_room(name: str, text: str) -> bool:
    """Return whether there is room for one more text besides those kept, decoded or not; if not, say so."""
    kept = [*corpus_files().values(), *(file.guessed_text for file in _undecoded())]
    if len(kept) >= FILES_MAX:
        refuse(UPLOADER, f"{name} is one too many: you can open {FILES_MAX} files.")
    elif sum(map(len, kept)) + len(text) > TOTAL_CHARACTERS_MAX:
        refuse(UPLOADER, f"{name} would bring the files to more than {TOTAL_CHARACTERS_MAX:,} characters.")
    else:
        return True
    return False


def _take_decoded(file_id: int) -> None:
    """Add a file in its guessed encoding, once: its button can be pressed twice."""
    for file in [file for file in _undecoded() if id(file) == file_id]:
        _undecoded().remove(file)
        _add(file.name, file.guessed_text)
