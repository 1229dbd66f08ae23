"""The text that all pages share: samples, files, and what is typed."""

import codecs

import charset_normalizer
import streamlit as st

from tokviz.samples import SAMPLES, sample

START_TEXT = (
    "Tokens are not words: unbelievable, 3221 + 2334 = 5555.\n"
    "ภาษาไทยไม่เว้นวรรคระหว่างคำ\n"
    "今天天气很好。 👩‍🍳\n"
    'def greet(name):\n    return f"Hello, {name}!"\n'
)
GUESSED_BYTES = 200_000  # of a file that is not UTF-8; enough to guess its encoding by
PREVIEW = 300  # characters


def shared_text() -> str:
    """Return the text that all pages share."""
    return st.session_state.setdefault("text", START_TEXT)


def save_text(text: str) -> None:
    """Keep a text as the one that all pages share."""
    st.session_state.text = text


def sample_picker() -> None:
    """Show buttons that replace the shared text by a sample."""
    with st.container(horizontal=True, gap="small"):
        for name in SAMPLES:
            st.button(name.capitalize(), key=f"_sample_{name}", on_click=take_sample, args=(name,))


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
    """Return the text of a file: UTF-8, or UTF-16 with a byte order mark; ValueError for another.

    >>> decoded_text("สวัสดี".encode("utf-16")), decoded_text(b"\\xef\\xbb\\xbfa")
    ('สวัสดี', 'a')
    """
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if utf16 else "utf-8-sig")


def guessed_encoding(data: bytes) -> str | None:
    """Return the encoding that a file most likely has, None where nothing fits.

    >>> guessed_encoding("ภาษาไทยไม่เว้นวรรคระหว่างคำ และไม่มีตัวพิมพ์ใหญ่".encode("cp874"))
    'cp874'
    """
    best = charset_normalizer.from_bytes(data[:GUESSED_BYTES]).best()
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
        st.session_state.undecoded = (upload.name, upload.getvalue(), e.start)
        return
    st.session_state["file:version"] += 1  # an empty uploader: the file is the text now, and may change


def _ask_for_encoding(name: str, data: bytes, place: int) -> None:
    """Say that a file is not UTF-8, and offer to read it with the encoding it most likely has."""
    st.text(f"{name} is not UTF-8: byte {place:,} cannot be read.")
    guess = guessed_encoding(data)
    if guess is None:
        st.text("Nothing else fits either; it may be no text. Save it as UTF-8 and open it again.")
        return
    text = data.decode(guess, "replace")
    st.text(f"It could be {guess}. It would begin:")
    st.code(text[:PREVIEW], language=None, wrap_lines=True)
    st.button(f"Open it as {guess}", on_click=_take_decoded, args=(text,))


def _take_decoded(text: str) -> None:
    save_text(text)
    st.session_state.undecoded = None
    st.session_state["file:version"] += 1
