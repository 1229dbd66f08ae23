"""The opened files as a corpus: the text of each, a question about its encoding, or why it is not counted."""

from dataclasses import dataclass, field

import streamlit as st
from streamlit.typing import UploadedFile

from pages.ui.options import option_value, show_option_widget
from pages.ui.shared.messages import show_error
from pages.ui.shared.opened_files import FILES_MAX, add_file_under_free_name, opened_files
from pages.ui.shared.uploads import keep_refusal, show_encoding_question, show_refusals, show_uploader
from tokviz.corpus.corpus import Corpus
from tokviz.corpus.documents import Chat, document_texts, documents_with_places
from tokviz.corpus.paths import has_known_suffix, is_jsonl
from tokviz.system.text_file import TextFile, text_file

FILE_BYTES_MAX = 10_000_000
TOTAL_CHARACTERS_MAX = 50_000_000
UPLOADER = "corpus"


@dataclass(frozen=True)
class CorpusFile:
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


def countable_files() -> dict[str, CorpusFile]:
    """Return the files that are counted, by name."""
    return {name: one for name, one in _corpus_files().items() if not (one.undecoded or one.problem)}


def show_corpus_opener() -> None:
    """Show where to open files, what is asked about them, and why any of them is refused or not counted."""
    show_uploader(
        f"Up to {FILES_MAX} text files (UTF-8)",
        help="Each line of a .jsonl file is a document: a text, a prompt with its completion, or the messages of a "
        "chat, ShareGPT's too. .gz files are unpacked. Train can use the same files.",
        name=UPLOADER, max_bytes=FILE_BYTES_MAX, accept=_add_or_refuse_files, several=True,
    )  # fmt: skip
    if any(map(is_jsonl, opened_files())):
        show_option_widget("text_key", st.text_input, "Key of the text in .jsonl files")
    readings = _corpus_files()
    for name, one in readings.items():
        if one.undecoded:
            show_encoding_question(one.undecoded, f"{UPLOADER} {name}", _convert_to_utf8_if_undecoded, name)
    show_refusals(UPLOADER, title="Some files were not added")
    if problems := [one.problem for one in readings.values() if one.problem]:
        show_error("\n".join(problems), title="Some files are not counted")
    if files := countable_files().values():
        st.text(f"{len(files)} file{'s' * (len(files) != 1)}, {sum(len(one.text) for one in files):,} characters")


def _add_or_refuse_files(uploads: list[UploadedFile]) -> None:
    """Add the uploaded files, if they can be counted: they are kept here, whatever page is open."""
    for upload in uploads:
        try:
            name = add_file_under_free_name(upload.name, upload.getvalue())
        except ValueError as e:
            keep_refusal(UPLOADER, str(e))
            continue
        one = _corpus_files()[name]
        if not _is_plain_text_name(name):
            continue  # what is wrong with it, another key may put right
        if one.problem:
            del opened_files()[name]
            keep_refusal(UPLOADER, one.problem)
        elif not one.undecoded and one.text.encode() != one.data:
            opened_files()[name] = one.text.encode()  # of marked UTF-16, which Train does not read


def _convert_to_utf8_if_undecoded(name: str) -> None:
    """Keep a file in its guessed encoding from now on, once: its button can be pressed twice."""
    one = _corpus_files().get(name)
    if one and one.undecoded:
        opened_files()[name] = one.undecoded.guessed_text.encode("utf-8", "replace")


def _corpus_files() -> dict[str, CorpusFile]:
    """Return the opened files as they are read, each only once."""
    known: dict[str, CorpusFile] = st.session_state.get("corpus_readings", {})
    found: dict[str, CorpusFile] = {}
    key, room = option_value("text_key"), TOTAL_CHARACTERS_MAX
    for name, data in opened_files().items():
        one = known.get(name)
        if one is None or one.data is not data or one.text_key != key:
            one = _corpus_file(name, data, key)
            if one.n_characters > room:
                words = f"{name} would bring the files to more than {TOTAL_CHARACTERS_MAX:,} characters."
                one = CorpusFile(data, key, problem=words)
        found[name] = one
        room -= one.n_characters
    st.session_state.corpus_readings = found
    return found


def _corpus_file(name: str, data: bytes, key: str) -> CorpusFile:
    """Return a file as it is read: its text, a guess at its encoding, or what is wrong with it."""
    if len(data) > FILE_BYTES_MAX:
        words = f"{name} has {len(data):,} bytes; a file may have up to {FILE_BYTES_MAX:,} here."
        return CorpusFile(data, key, problem=words)
    if not _is_plain_text_name(name):
        try:
            return _corpus_file_of_documents(name, data, key)
        except ValueError as e:
            return CorpusFile(data, key, problem=f"{name}: {e}")
    file = text_file(name, data)
    if file.text is not None:
        return CorpusFile(data, key, file.text)
    if file.guess is not None:
        return CorpusFile(data, key, undecoded=file)
    return CorpusFile(data, key, problem=f"{name} is not UTF-8, and no other encoding fits, so it may not be text.")


def _is_plain_text_name(name: str) -> bool:
    """Return whether a file is plain text; the text of other files is in their documents."""
    return name.lower().endswith(".txt") or not has_known_suffix(name)


def _corpus_file_of_documents(name: str, data: bytes, key: str) -> CorpusFile:
    """Return what the documents of a file say, on lines of its own; ValueError if it is damaged or has no text."""
    corpus = Corpus.of_bytes({name: data}, text_key=key, unpacked_max=FILE_BYTES_MAX)
    texts: list[str] = []
    with_chats = False
    for placed in documents_with_places(corpus):
        texts += document_texts(placed.document)
        with_chats |= isinstance(placed.document, Chat)
    if not any(texts) and corpus.bad_lines:
        raise ValueError(f"there is no text in it; left out: {corpus.bad_lines[0]}")
    return CorpusFile(data, key, "\n".join(texts), has_chats=with_chats)
