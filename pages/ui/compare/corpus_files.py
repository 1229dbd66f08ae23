"""The opened files as a corpus: the text of each, a question about its encoding, or why it is not counted."""

from dataclasses import dataclass, field

import streamlit as st
from streamlit.typing import UploadedFile

from pages.ui.options import option_value, option_widget
from pages.ui.shared.messages import show_error
from pages.ui.shared.opened_files import FILES_MAX, add_file, opened_files
from pages.ui.shared.uploads import ask_for_encoding, refuse, show_refused, show_uploader
from tokviz.corpus.corpus import Corpus
from tokviz.corpus.documents import Chat, document_texts, placed_documents
from tokviz.corpus.paths import has_known_suffix, is_jsonl
from tokviz.system.text_file import TextFile, text_file

FILE_BYTES_MAX = 10_000_000
TOTAL_CHARACTERS_MAX = 50_000_000
UPLOADER = "corpus"


@dataclass(frozen=True)
class Reading:
    """A file as it was read, under the key of texts in JSON of that moment.

    undecoded: it is not UTF-8, and has a likely encoding to ask about. has_chats: whether chats are among its
    documents. problem: why it is not counted, in words.
    """

    data: bytes = field(repr=False)
    text_key: str
    text: str = field(default="", repr=False)
    undecoded: TextFile | None = field(default=None, repr=False)
    has_chats: bool = False
    problem: str = ""

    @property
    def n_characters(self) -> int:
        """How many characters are held of it, decoded or not."""
        return len(self.undecoded.guessed_text if self.undecoded else self.text)


def corpus_texts() -> dict[str, str]:
    """Return the texts that are counted, by the names of their files."""
    return {name: one.text for name, one in _counted_readings().items()}


def corpus_lines() -> dict[str, bytes]:
    """Return the files that are counted whose lines are documents, by name."""
    return {name: one.data for name, one in _counted_readings().items() if is_jsonl(name)}


def has_chats() -> bool:
    """Return whether any file that is counted has chats."""
    return any(one.has_chats for one in _counted_readings().values())


def _counted_readings() -> dict[str, Reading]:
    """Return the files that are counted, by name."""
    return {name: one for name, one in _readings().items() if not (one.undecoded or one.problem)}


def show_corpus_opener() -> None:
    """Show where to open files, what is asked about them, and why any of them is refused or not counted."""
    show_uploader(
        f"Text files, UTF-8, up to {FILES_MAX}",
        help="Each line of a .jsonl file is a document: a text, a prompt with its completion, or the messages of a "
        "chat, ShareGPT's too. .gz files are unpacked. Train can use the same files.",
        name=UPLOADER, max_bytes=FILE_BYTES_MAX, accept=_add_files, several=True,
    )  # fmt: skip
    if any(map(is_jsonl, opened_files())):
        option_widget("text_key", st.text_input, "Key of the text in .jsonl files")
    readings = _readings()
    for name, one in readings.items():
        if one.undecoded:
            ask_for_encoding(one.undecoded, f"{UPLOADER} {name}", _take_decoded, name)
    show_refused(UPLOADER, title="Some files were not added")
    if problems := [one.problem for one in readings.values() if one.problem]:
        show_error("\n".join(problems), title="Some files are not counted")
    if texts := corpus_texts():
        st.text(f"{len(texts)} file{'s' * (len(texts) != 1)}, {sum(map(len, texts.values())):,} characters")


def _add_files(uploads: list[UploadedFile]) -> None:
    """Add the uploaded files, if they can be counted: they are kept here, whatever page is open."""
    for upload in uploads:
        try:
            name = add_file(upload.name, upload.getvalue())
        except ValueError as e:
            refuse(UPLOADER, str(e))
            continue
        one = _readings()[name]
        if not _is_plain(name):
            continue  # what is wrong with it, another key may put right
        if one.problem:
            del opened_files()[name]
            refuse(UPLOADER, one.problem)
        elif not one.undecoded and one.text.encode() != one.data:
            opened_files()[name] = one.text.encode()  # of marked UTF-16, which Train does not read


def _take_decoded(name: str) -> None:
    """Keep a file in its guessed encoding from now on, once: its button can be pressed twice."""
    one = _readings().get(name)
    if one and one.undecoded:
        opened_files()[name] = one.undecoded.guessed_text.encode("utf-8", "replace")


def _readings() -> dict[str, Reading]:
    """Return the opened files as they are read, each only once."""
    known: dict[str, Reading] = st.session_state.get("corpus_readings", {})
    found: dict[str, Reading] = {}
    key, room = option_value("text_key"), TOTAL_CHARACTERS_MAX
    for name, data in opened_files().items():
        one = known.get(name)
        if one is None or one.data is not data or one.text_key != key:
            one = _reading(name, data, key)
            if one.n_characters > room:
                words = f"{name} would bring the files to more than {TOTAL_CHARACTERS_MAX:,} characters."
                one = Reading(data, key, problem=words)
        found[name] = one
        room -= one.n_characters
    st.session_state.corpus_readings = found
    return found


def _reading(name: str, data: bytes, key: str) -> Reading:
    """Return a file as it is read: its text, a guess at its encoding, or what is wrong with it."""
    if len(data) > FILE_BYTES_MAX:
        words = f"{name} has {len(data):,} bytes; a file may have up to {FILE_BYTES_MAX:,} here."
        return Reading(data, key, problem=words)
    if not _is_plain(name):
        try:
            return _reading_of_documents(name, data, key)
        except ValueError as e:
            return Reading(data, key, problem=f"{name}: {e}")
    file = text_file(name, data)
    if file.text is not None:
        return Reading(data, key, file.text)
    if file.guess is not None:
        return Reading(data, key, undecoded=file)
    return Reading(data, key, problem=f"{name} is not UTF-8, and no other encoding fits, so it may not be text.")


def _is_plain(name: str) -> bool:
    """Return whether a file is plain text; the text of other files is in their documents."""
    return name.lower().endswith(".txt") or not has_known_suffix(name)


def _reading_of_documents(name: str, data: bytes, key: str) -> Reading:
    """Return what the documents of a file say, on lines of its own; ValueError if it is damaged or has no text."""
    corpus = Corpus.of_bytes({name: data}, text_key=key, unpacked_max=FILE_BYTES_MAX)
    texts: list[str] = []
    with_chats = False
    for placed in placed_documents(corpus):
        texts += document_texts(placed.document)
        with_chats |= isinstance(placed.document, Chat)
    if not any(texts) and corpus.bad_lines:
        raise ValueError(f"there is no text in it; left out: {corpus.bad_lines[0]}")
    return Reading(data, key, "\n".join(texts), has_chats=with_chats)
