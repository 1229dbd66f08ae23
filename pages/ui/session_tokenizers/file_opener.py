"""Where the files of a tokenizer are given: to an uploader, or as a GGUF file, whose header the browser sends."""

import base64
import zlib
from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st
from streamlit.typing import UploadedFile

from pages.ui.options import reset_widget, widget_key
from pages.ui.session_tokenizers.given_file import (
    GivenFile,
    given_file,
    keep_given_file,
    open_given_file_or_ask,
    refuse_given_file,
    refused_hashes,
)
from pages.ui.shared.components import Component
from pages.ui.shared.text import browser_is_on_this_computer
from pages.ui.shared.uploads import empty_uploader, show_refusals, show_uploader
from tokviz.formats.elsewhere import ELSEWHERE, reason_not_included_of_family
from tokviz.formats.folders import likeliest_tokenizer_file_name, seems_to_hold_tokenizer
from tokviz.formats.huggingface.vocab_merges import which_half
from tokviz.formats.minbpe import MAX_FILE_BYTES
from tokviz.formats.table import file_kinds_in_words

UPLOADER = "tokenizer_file"
HINTS = (
    "For example a tokenizer.json, a tokenizer.model or a .tiktoken.",
    "Add files that belong together in one go.",
    "Files are only read; a chat template in one runs shut off from everything else.",
)
GGUF_FILE = Component("gguf_file", ("token_view", "gguf_file"))


def show_tokenizer_file_opener() -> None:
    """Show where files are given, what is asked about them, and why they cannot be opened."""
    uploads = show_uploader(
        "Tokenizer files",
        name=UPLOADER,
        max_bytes=MAX_FILE_BYTES,
        several=True,
        keeps=True,
        accept=_take_or_refuse_files,
    )
    show_refusals(UPLOADER)
    open_given_file_or_ask()
    if (given := given_file()) and given.question:
        if not uploads:  # a file in the uploader can be taken out
            st.button("Choose another file", type="tertiary", on_click=keep_given_file, args=(None,))
        return
    st.caption("  \n".join(HINTS))
    with st.expander("Which files can be opened"):
        words = file_kinds_in_words("GGUF")
        st.text(f"{words[0].upper()}{words[1:]}. A file is recognised by its content, whatever its name.")
    with st.expander("Where to get Llama, Qwen, Gemma, Mistral and DeepSeek"):
        st.text("\n\n".join(f"{reason_not_included_of_family(name)}." for name, it in ELSEWHERE.items() if it.where))
    key = widget_key("gguf_file")
    to = "tokviz, on this computer" if browser_is_on_this_computer() else "the computer that serves this page"
    GGUF_FILE.show(key=key, data={"bytesMax": MAX_FILE_BYTES, "to": to}, message=partial(_take_or_refuse_header, key))


def empty_tokenizer_file_opener() -> None:
    """Take all files out of it."""
    empty_uploader(UPLOADER)
    reset_widget("gguf_file")


def _take_or_refuse_files(uploads: Sequence[UploadedFile]) -> None:
    """Take the files that are in the uploader, of which one has changed."""
    keep_given_file(None)
    files = {upload.name: upload for upload in uploads}
    size = sum(upload.size for upload in files.values())
    if not files:
        return
    try:
        if size > MAX_FILE_BYTES:
            raise ValueError(
                f"These files have {size:,} bytes; a tokenizer's files may have up to {MAX_FILE_BYTES:,} in all."
            )
        contents = _untried_files_or_all({name: upload.getvalue() for name, upload in files.items()})
        name = likeliest_tokenizer_file_name(contents)
        keep_given_file(GivenFile(contents.pop(name), name, contents))
    except ValueError as e:
        refuse_given_file(str(e))


def _untried_files_or_all(files: dict[str, bytes]) -> dict[str, bytes]:
    """Leave out files that were refused, if another holds a tokenizer; half of one may have got its other half."""
    untried = {name: data for name, data in files.items() if which_half(data) or hash(data) not in refused_hashes()}
    return untried if any(map(seems_to_hold_tokenizer, untried.values())) else files


def _take_or_refuse_header(key: str, message: dict[str, Any]) -> None:
    """Take the header of a GGUF file that the browser has read."""
    if key != widget_key("gguf_file"):
        return
    empty_uploader(UPLOADER)
    try:
        keep_given_file(GivenFile(unpacked_header(message.get("header")), str(message.get("name"))))
    except ValueError as e:
        refuse_given_file(str(e))


def unpacked_header(packed: Any) -> bytes:
    """Return a header that a browser has packed with gzip, in base64; ValueError if it is damaged or too long.

    >>> import gzip
    >>> unpacked_header(base64.b64encode(gzip.compress(b"GGUF")).decode())
    b'GGUF'
    """
    try:
        unpacking = zlib.decompressobj(zlib.MAX_WBITS | 16)  # of gzip
        header = unpacking.decompress(base64.b64decode(packed, validate=True), MAX_FILE_BYTES + 1)
    except (ValueError, TypeError, zlib.error) as e:
        raise ValueError(f"The browser's copy of this file arrived damaged ({e}): open it again.") from e
    if len(header) > MAX_FILE_BYTES or not unpacking.eof:
        raise ValueError(
            f"The browser's copy of this file arrived damaged, or has over {MAX_FILE_BYTES:,} bytes: open it again, or "
            "a smaller one."
        )
    return header
