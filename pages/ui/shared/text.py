"""The text that all pages share: samples, files, and what is typed."""

from collections.abc import Mapping

import streamlit as st

from pages.ui.shared.live import document
from pages.ui.shared.options import overridden_by_link, reset_widget, widget_key
from pages.ui.shared.text_file import ask_for_encoding, text_file
from tokviz.core.samples import SAMPLES, sample
from tokviz.live.document import Document

FILE_MB_MAX = 20
# Seconds after the last key until the page's script runs, for whatever does not come over the live socket.
QUICK_REST = 0.1
START_TEXT = (
    "Tokens are not words: unbelievable, 3221 + 2334 = 5555.\n"
    "ภาษาไทยไม่เว้นวรรคระหว่างคำ\n"
    "今天天气很好。 👩‍🍳\n"
    'def greet(name):\n    return f"Hello, {name}!"\n'
)


def shared_document() -> Document:
    """Return the document whose text all pages share."""
    return document("text", START_TEXT)


def shared_text() -> str:
    """Return the text that all pages share, as it is now."""
    return shared_document().text


def set_text(text: str) -> None:
    """Make this the text that all pages share; what the tab has kept is then out of date."""
    set_document_text("text", text)


def set_document_text(name: str, text: str) -> None:
    """Replace the text of a document; what the tab has kept of it is then out of date."""
    document(name).put(text)
    overridden_by_link().add(name)


def sample_picker() -> None:
    """Show buttons that replace the shared text with a sample."""
    with st.container(horizontal=True, gap="small"):
        for name in SAMPLES:
            st.button(name.capitalize(), key=f"_sample_{name}", on_click=take_sample, args=(name,))


def example_picker(examples: Mapping[str, str]) -> None:
    """Show buttons that replace the shared text with an example; `examples` maps names to texts."""
    with st.container(horizontal=True, gap="small"):
        for name, text in examples.items():
            st.button(name, key=f"_example_{name}", on_click=set_text, args=(text,))


def take_sample(name: str) -> None:
    """Make a sample the shared text."""
    set_text(sample(name))


def file_opener() -> None:
    """Show a button that opens a text file as the shared text, and asks about its encoding if it is not UTF-8."""
    with st.popover("Open a file", icon=":material/folder_open:"):
        key = widget_key("file")
        st.file_uploader("A text file, UTF-8", max_upload_size=FILE_MB_MAX, key=key, on_change=_take_file, args=(key,))
        if undecoded := st.session_state.get("undecoded"):
            ask_for_encoding(undecoded, _take_decoded)


def _take_file(key: str) -> None:
    """Make an uploaded file the shared text, or keep it until its encoding is known."""
    if key != widget_key("file"):
        return  # already taken
    upload = st.session_state.get(key)
    st.session_state.undecoded = None
    if upload is None:
        return
    if upload.size > FILE_MB_MAX * 1_000_000:
        st.session_state.problem = f"{upload.name} has {upload.size:,} bytes; a text may have {FILE_MB_MAX} MB"
        reset_widget("file")
        return
    opened = text_file(upload.name, upload.getvalue())
    if opened.text is None:
        st.session_state.undecoded = opened
        return
    set_text(opened.text)
    reset_widget("file")  # empties the uploader: the file is now the text, which may change


def _take_decoded() -> None:
    if st.session_state.undecoded is None:
        return  # the button can be pressed twice
    set_text(st.session_state.undecoded.guessed_text)
    st.session_state.undecoded = None
    reset_widget("file")
