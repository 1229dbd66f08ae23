"""The text that all pages share: samples, files, and what is typed."""

import codecs
from collections.abc import Mapping

import charset_normalizer
import streamlit as st

from pages.ui.kept import superseded
from tokviz.samples import SAMPLES, sample

START_TEXT = (
    "Tokens are not words: unbelievable, 3221 + 2334 = 5555.\n"
    "ภาษาไทยไม่เว้นวรรคระหว่างคำ\n"
    "今天天气很好。 👩‍🍳\n"
    'def greet(name):\n    return f"Hello, {name}!"\n'
)
GUESSED_BYTES = 200_000  # of a file that is not UTF-8; enough to guess its encoding by
PREVIEW = 300  # characters
_MARKS = {
    "utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
    "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}


def shared_text() -> str:
    """Return the text that all pages share."""
    return st.session_state.setdefault("text", START_TEXT)


def save_text(text: str) -> None:
    """Keep a text as the one that all pages share; what the tab kept from before is then out of date."""
    st.session_state.text = text
    superseded().add("text")


def sample_picker() -> None:
    """Show buttons that replace the shared text by a sample."""
    with st.container(horizontal=True, gap="small"):
        for name in SAMPLES:
            st.button(name.capitalize(), key=f"_sample_{name}", on_click=take_sample, args=(name,))


def example_picker(examples: Mapping[str, str]) -> None:
    """Show buttons that replace the shared text by an example; names to texts."""
    with st.container(horizontal=True, gap="small"):
        for name, text in examples.items():
            st.button(name, key=f"_example_{name}", on_click=save_text, args=(text,))


def take_sample(name: str) -> None:
    """Make a sample the shared text."""
    save_text(sample(name))


def file_opener() -> None:
    """Show a button that opens a text file as the shared text, and asks where it is not UTF-8."""
    with st.popover("Open a file", icon=":material/folder_open:"):
        version = st.session_state.setdefault("file:version", 0)
        key = f"_file_{version}"
        st.file_uploader("A text file, UTF-8", key=key, on_change=_take_file, args=(key,))
        if undecoded := st.session_state.get("undecoded"):
            _ask_for_encoding(*undecoded)


def decoded_text(data: bytes) -> str:
    """Return the text of a file: UTF-8, or UTF-16 or UTF-32 with a byte order mark; ValueError for another.

    >>> decoded_text("สวัสดี".encode("utf-16")), decoded_text(b"\\xef\\xbb\\xbfa")
    ('สวัสดี', 'a')
    """
    # The mark of UTF-32 begins with that of UTF-16.
    for encoding, marks in _MARKS.items():
        if data.startswith(marks):
            return data.decode(encoding)
    return data.decode("utf-8-sig")


def guessed_encoding(data: bytes) -> str | None:
    """Return the encoding that a file most likely has, None where nothing fits.

    >>> guessed_encoding("ภาษาไทยไม่เว้นวรรคระหว่างคำ และไม่มีตัวพิมพ์ใหญ่".encode("cp874"))
    'cp874'
    """
    beginning = data[:GUESSED_BYTES]
    if len(data) > GUESSED_BYTES:
        # A character cut in two would spoil the guess; white space is no part of a longer character.
        beginning = beginning[: max(map(beginning.rfind, b" \n\t"))]
    best = charset_normalizer.from_bytes(beginning).best()
    return best and best.encoding


def _take_file(key: str) -> None:
    """Make an uploaded file the shared text, or keep it until its encoding is known."""
    upload = st.session_state.get(key)
    st.session_state.undecoded = None
    if upload is None:
        return
    try:
        save_text(decoded_text(upload.getvalue()))
    except UnicodeDecodeError as e:
        guess = guessed_encoding(upload.getvalue())
        text = upload.getvalue().decode(guess, "replace") if guess else ""
        st.session_state.undecoded = (upload.name, e, guess, text)
        return
    st.session_state["file:version"] += 1  # an empty uploader: the file is the text now, and may change


def _ask_for_encoding(name: str, error: UnicodeDecodeError, guess: str | None, text: str) -> None:
    """Say that a file is not UTF-8, and offer to read it with the encoding it most likely has."""
    st.text(f"{name} is not {error.encoding.upper()}: byte {error.start:,} cannot be read.")
    if guess is None:
        st.text("Nothing else fits either; it may not be text. Save it as UTF-8 and open it again.")
        return
    st.text(f"It could be {guess}. It would begin:")
    st.code(text[:PREVIEW], language=None, wrap_lines=True)
    st.button(f"Open it as {guess}", on_click=_take_decoded, args=(text,))


def _take_decoded(text: str) -> None:
    save_text(text)
    st.session_state.undecoded = None
    st.session_state["file:version"] += 1
