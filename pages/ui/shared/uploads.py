"""File uploaders that take each file once, and say which files they refuse.

Streamlit empties an uploader only by showing another in its place, and still calls the callback of the one that is gone
with a message that was under way. So a file is taken from the uploader that is shown, and from no other.
"""

from collections.abc import Callable, Hashable

import streamlit as st
from streamlit.typing import UploadedFile

from pages.ui.options import reset_widget, widget_key
from pages.ui.shared.messages import FAILED, show_error
from tokviz.live.document import FullError
from tokviz.system.text_file import TextFile, text_file

PREVIEW = 300  # characters


def show_uploader(
    label: str,
    *,
    name: str,
    max_bytes: int,
    accept: Callable[..., None],
    args: tuple[Hashable, ...] = (),
    several: bool = False,
    keeps: bool = False,
    help: str | None = None,
) -> UploadedFile | list[UploadedFile] | None:
    """Show where files are opened, and return those that are in the uploader.

    `accept(files, *args)` is called once for the files given, and with none when they are removed. Larger files are
    refused. An uploader of several files is emptied when they are taken, unless it `keeps` them to be joined by others;
    any other by `empty_uploader(name)`.
    """
    key = widget_key(name)
    return st.file_uploader(
        label, accept_multiple_files=several, max_upload_size=max_bytes // 1_000_000, help=help,
        key=key, on_change=_accept_fitting_and_refuse_large_files,
        args=(key, name, max_bytes, several and not keeps, accept, args),
    )  # fmt: skip


def _accept_fitting_and_refuse_large_files(
    key: str, name: str, max_bytes: int, empties: bool, accept: Callable[..., None], args: tuple[Hashable, ...]
) -> None:
    """Hand on the files that are in an uploader and fit, and refuse those that are too large."""
    if key != widget_key(name):
        return  # of an uploader that is gone: its files were taken before
    given = st.session_state.get(key) or []
    files = given if isinstance(given, list) else [given]
    fitting = [file for file in files if file.size <= max_bytes]
    if empties or len(fitting) < len(files):
        empty_uploader(name)
    for file in files:
        if file.size > max_bytes:
            keep_refusal(name, f"{file.name} has {file.size:,} bytes; a file may have up to {max_bytes:,}.")
    accept(fitting, *args)


def empty_uploader(name: str) -> None:
    """Empty an uploader, and no longer ask for the encoding of its file."""
    st.session_state.pop(f"{name}:undecoded", None)
    reset_widget(name)


def keep_refusal(name: str, words: str) -> None:
    """Keep why a file is not taken, for `show_refusals` to say."""
    st.session_state.setdefault(f"{name}:refused", []).append(words)


def show_refusals(name: str, *, title: str = FAILED) -> None:
    """Say why files were not taken, once."""
    if words := st.session_state.pop(f"{name}:refused", None):
        show_error("\n".join(words), title=title)


def show_text_uploader(
    *, name: str, max_bytes: int, accept: Callable[..., None], args: tuple[Hashable, ...] = ()
) -> None:
    """Show where a text file is opened, and ask for its encoding if need be; `accept(text, *args)` is called once."""
    show_uploader(
        "A text file, such as a .txt",
        help="In UTF-8. If it is not, you are asked how to read it.",
        name=name,
        max_bytes=max_bytes,
        accept=_accept_text_or_keep_file,
        args=(name, accept, args),
    )
    if undecoded := st.session_state.get(f"{name}:undecoded"):
        show_encoding_question(undecoded, name, _accept_guessed_text, name, accept, args)
    show_refusals(name)


def _accept_text_or_keep_file(
    files: list[UploadedFile], name: str, accept: Callable[..., None], args: tuple[Hashable, ...]
) -> None:
    """Hand on the text of a file, or keep the file to ask for its encoding."""
    st.session_state.pop(f"{name}:undecoded", None)
    for upload in files:
        file = text_file(upload.name, upload.getvalue())
        if file.text is None:
            st.session_state[f"{name}:undecoded"] = file
        else:
            empty_uploader(name)
            _accept_or_refuse(accept, file.text, name, args)


def _accept_guessed_text(name: str, accept: Callable[..., None], args: tuple[Hashable, ...]) -> None:
    """Hand on the text of the file that was kept, in its guessed encoding."""
    file: TextFile | None = st.session_state.get(f"{name}:undecoded")
    if file is not None:  # the button can be pressed twice
        empty_uploader(name)
        _accept_or_refuse(accept, file.guessed_text, name, args)


def _accept_or_refuse(accept: Callable[..., None], text: str, name: str, args: tuple[Hashable, ...]) -> None:
    """Hand on a text, or keep why there is no room for it."""
    try:
        accept(text, *args)
    except FullError as e:
        keep_refusal(name, str(e))


def show_encoding_question(file: TextFile, name: str, accept: Callable[..., None], *args: Hashable) -> None:
    """Say that a file is not UTF-8, and offer to read it in its likely encoding: `accept(*args)`.

    `name` tells this button from others. Streamlit keeps the arguments as long as the session lives: they are to name
    the file, not to hold it.
    """
    if file.error is not None:
        st.text(f"{file.name} is not {file.error.encoding.upper()}: byte {file.error.start:,} cannot be read.")
    if file.guess is None:
        st.text("No other encoding fits, so it may not be text. Save it as UTF-8 and open it again.")
        return
    st.text(f"It could be {file.guess}. It would then begin:")
    st.code(file.guessed_text[:PREVIEW], language=None, wrap_lines=True)
    st.button(f"Open it as {file.guess}", key=f"_open_as {name}", on_click=accept, args=args)
