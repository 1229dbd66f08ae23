"""Download a tokenizer: the files it was opened from, every format that can hold it, and the lines that load these."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from pages.ui.options import option_value, show_option_widget
from pages.ui.session_tokenizers.tokenizer_list import opened_file_of, training_of
from pages.ui.shared.buttons import show_dialog_button, show_file_button
from tokviz import SPLIT_PATTERNS, AnyTokenizer, Tokenizer
from tokviz.formats import table as formats
from tokviz.formats.files import tokenizer_file_text
from tokviz.formats.minbpe import VERSIONS
from tokviz.formats.pretrained import full_name, is_pretrained
from tokviz.formats.python_code import minbpe_loading_code, tiktoken_loading_code
from tokviz.system.recent import recent

TITLE = "Download the tokenizer"
MERGES_AT_ONCE = 20_000  # a tokenizer.json of more takes seconds to try
# What each file is for.
FORMATS = {one.suffix: one.purpose for one in reversed(formats.FORMATS) if one.write}
# The lines of Python that load a file, from a tokenizer, the name of the file, and the version of a .model.
CODE: Mapping[str, Callable[[Tokenizer, str, str], str]] = {
    ".json": lambda _, file, __: f'import tokenizers\n\ntokenizer = tokenizers.Tokenizer.from_file("{file}")\n',
    ".tiktoken": lambda tokenizer, file, _: tiktoken_loading_code(tokenizer, file),
    ".model": lambda tokenizer, file, version: minbpe_loading_code(tokenizer, file, version=version),
}


def show_download_button(tokenizer: AnyTokenizer, label: str = "Download", **look: Any) -> None:
    """Show the button that offers the files of a tokenizer; label: what it says where that is not beside its name."""
    show_dialog_button(label, partial(show_downloads, tokenizer), title=TITLE, icon=":material/download:", **look)


def show_downloads(tokenizer: AnyTokenizer) -> None:
    """Show the files of a tokenizer, to download."""
    st.text(f"{full_name(tokenizer.name)} · {tokenizer.kind} · ids up to {tokenizer.n_vocab - 1:,}")
    opened = opened_file_of(tokenizer.name)  # of a GGUF file only the header
    files = {} if opened is None else {opened.file_name: opened.data, **opened.beside}
    for number, (name, data) in enumerate(files.items()):
        _show_file_row("As opened", name, data=data, file_name=name, key=f"_opened_file_{number}")
    if isinstance(tokenizer, Tokenizer):
        _show_format_downloads(tokenizer)
    elif not files:
        st.text("It was made here for teaching, and no file format can hold it.")


def _show_file_row(
    label: str, words: str, *, data: bytes | Callable[[], bytes] | None, file_name: str = "", **look: Any
) -> None:
    """Show a button that downloads a file, or none, beside words that may be the user's."""
    button, said = st.columns([2, 5], vertical_alignment="center")
    with button:
        if data is None:
            st.button(label, disabled=True, width="stretch", **look)
        else:
            show_file_button(label, data, file_name, width="stretch", **look)
    said.text(words)


def _show_format_downloads(tokenizer: Tokenizer) -> None:
    """Offer the formats; one that cannot hold the tokenizer says why."""
    version = option_value("model_version") if option_value("model_version") in VERSIONS else VERSIONS[0]
    offered: dict[str, str] = {}
    for suffix, purpose in FORMATS.items():
        is_sure = _surely_fits_format(tokenizer, suffix)
        if suffix == ".json" and not is_sure and not _is_quick_or_wanted_else_ask(tokenizer):
            continue
        try:
            made = partial(_file_bytes, tokenizer, suffix, version)
            data = made if is_sure else made()  # a .json of 32,000 merges takes a second
        except ValueError as e:
            _show_file_row(suffix, _error_sentence(str(e)), data=None, key=f"_refused {suffix}")
            continue
        offered[suffix] = download_file_name(tokenizer.name, suffix)
        _show_file_row(suffix, f"{purpose}.", data=data, file_name=offered[suffix])
        if suffix == ".model":
            show_option_widget(
                "model_version", st.selectbox, "Version of .model", options=VERSIONS, width=190,
                help="The first line of the file. The class that loads it may require a particular one.",
            )  # fmt: skip
    with st.expander("Load these files in Python"):
        for suffix, name in offered.items():
            if suffix in CODE:
                try:
                    st.code(CODE[suffix](tokenizer, name, version))
                except ValueError as e:
                    st.text(_error_sentence(str(e)))


def _surely_fits_format(tokenizer: Tokenizer, suffix: str) -> bool:
    """Return whether a format can hold the tokenizer for certain; others are tried before they are offered."""
    training = training_of(tokenizer.name)
    start = training.plan.start if training else tokenizer
    known = start.special_tokens if start and is_pretrained(start) else {}
    if not tokenizer.takes_whole or (suffix == ".model" and (training is None or start is not None)):
        return False
    return tokenizer.split_pattern in SPLIT_PATTERNS and tokenizer.special_tokens == known


def _is_quick_or_wanted_else_ask(tokenizer: Tokenizer) -> bool:
    """Show a button that asks for a tokenizer.json, if that takes long, and return whether it was pressed before."""
    wanted: set[int] = st.session_state.setdefault("files_wanted", set())
    if len(tokenizer.merge_tokens) <= MERGES_AT_ONCE or hash(tokenizer) in wanted:
        return True
    st.button("Make .json", on_click=wanted.add, args=(hash(tokenizer),),
              help="It is tested on many texts first, which takes a few seconds.")  # fmt: skip
    return False


@recent(maxsize=8)
def _file_bytes(tokenizer: Tokenizer, suffix: str, version: str) -> bytes:
    """Return a file, made only once: a tokenizer.json is tried on many texts before it is offered."""
    return tokenizer_file_text(tokenizer, suffix, version=version if suffix == ".model" else None).encode()


def download_file_name(name: str, suffix: str) -> str:
    """Return the name of a file for a tokenizer, which every file system takes and any line of code can quote.

    >>> download_file_name("tokenizer.json", ".json"), download_file_name("a/b: “c”", ".model")
    ('tokenizer.json', 'a_b_ “c”.model')
    """
    stem = name.removesuffix(suffix)  # of one that is named after its file
    safe = "".join(each if each.isprintable() and each not in '/\\:*?"<>|' else "_" for each in stem)
    return f"{safe.strip(' .') or 'tokenizer'}{suffix}"


def _error_sentence(why: str) -> str:
    """Return the words of an error as a sentence.

    >>> _error_sentence("a .model file cannot hold this tokenizer: its ids have gaps")
    'A .model file cannot hold this tokenizer: its ids have gaps.'
    """
    return f"{why[:1].upper()}{why[1:]}."
