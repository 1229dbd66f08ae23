"""Rarely used functions of the playground, in one menu: export, special tokens."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.ui.options import option_value, widget_key
from pages.ui.playground.result import PlaygroundResult, token_table_csv_bytes, token_table_json_bytes
from pages.ui.session_tokenizers.download import TITLE, show_download_button
from pages.ui.session_tokenizers.tokenizer_list import show_special_tokens_toggle
from pages.ui.shared.buttons import show_dialog_button, show_file_button, show_save_button
from pages.ui.shared.messages import show_errors
from tokviz import AnyTokenizer, TokenSpans, load
from tokviz.display.saved_page import tokens_page
from tokviz.formats.pretrained import PRETRAINED, short_name
from tokviz.formats.python_code import (
    LIBRARY_FILE,
    Example,
    files_read_by_tokviz_and_tiktoken_code,
    tiktoken_code_if_equivalent,
    tokenizers_code_if_possible,
    tokenizers_file_bytes,
    tokviz_code,
)

SPECIAL_TOKENS_HEIGHT = 260  # pixels


def show_menu(tokenizer: AnyTokenizer, result: Callable[[], PlaygroundResult] | None) -> None:
    """Show the menu of rarely used functions; `result` returns what can be exported, None if there is nothing."""
    is_text = option_value("input") == "Text"
    sections = {
        "Export": partial(_show_exports, tokenizer, result),
        "Special tokens": partial(_show_special_tokens, tokenizer),
    }
    is_on = is_text and option_value("allow_special")
    with st.popover(f"More{': special tokens on' if is_on else ''}", type="tertiary", key=widget_key("more")):
        section = st.segmented_control(
            "What", options=list(sections), default="Export", required=True, key="_more",
            label_visibility="collapsed",
        )  # fmt: skip
        sections[section]()


def _show_exports(tokenizer: AnyTokenizer, result: Callable[[], PlaygroundResult] | None) -> None:
    """Show the buttons that download the tokens or the tokenizer."""
    if result is None:
        st.caption("There are no tokens to export yet.")
    else:
        for label, write in (("CSV", token_table_csv_bytes), ("JSON", token_table_json_bytes)):
            file = partial(_export_bytes, result, write)
            show_file_button(f"Tokens as {label}", file, f"tokens.{label.lower()}")
        show_save_button(partial(_page_html, result), "tokens.html", disabled=option_value("input") != "Text")
        show_dialog_button(
            "Show as code",
            partial(_show_code, result),
            title="Show as code",
            size="large",
            menu="more",
            icon=":material/code:",
        )
    show_download_button(tokenizer, TITLE, menu="more")


def _show_special_tokens(tokenizer: AnyTokenizer) -> None:
    """Show the switch for special tokens, and those of a tokenizer with their ids."""
    show_special_tokens_toggle(disabled=option_value("input") != "Text")
    if not tokenizer.special_tokens:
        st.caption("This tokenizer has none.")
        return
    by_id = sorted(tokenizer.special_tokens.items(), key=lambda item: item[1])
    digits = len(str(by_id[-1][1]))
    # As plain text, since anybody may have chosen the names.
    lines = "\n".join(f"{token_id:>{digits}}  {token}" for token, token_id in by_id)
    st.code(lines, language=None, height=min(SPECIAL_TOKENS_HEIGHT, 40 + 24 * len(by_id)))


def _export_bytes(result: Callable[[], PlaygroundResult], write: Callable[[AnyTokenizer, TokenSpans], bytes]) -> bytes:
    """Return a file of what is shown; runs in a thread without a session."""
    now = result()
    return write(now.tokenizer, now.spans)


def _page_html(result: Callable[[], PlaygroundResult]) -> str:
    """Return the text on view as a page, under its tokenizer and, to switch to, those that are well known."""
    now = result()
    known = {short_name(name): load(name) for name in PRETRAINED}
    others = {name: each for name, each in known.items() if each is not now.tokenizer}
    named: dict[str, AnyTokenizer] = {now.tokenizer.name: now.tokenizer, **others}
    look = now.look
    return tokens_page(named, now.spans.text, allowed_special=look.allowed_special, finds_hidden=look.finds_hidden)


def _show_code(result: Callable[[], PlaygroundResult]) -> None:
    """Show the lines of Python that give the same result, and the files they read."""
    with show_errors():
        example = result().example
        files = files_read_by_tokviz_and_tiktoken_code(example)
        if files:
            st.caption("The code reads these files from the folder it runs in:")
            with st.container(horizontal=True):
                for name, data in files.items():
                    show_file_button(name, data, name, icon=None)
        st.markdown("With tokviz")
        st.code(tokviz_code(example), wrap_lines=True)
        st.markdown("With tiktoken")
        code = tiktoken_code_if_equivalent(example)
        if code:
            st.code(code, wrap_lines=True)
        else:
            st.info(
                "tiktoken may give other tokens here. It knows only byte-level BPE. Its regex engine skips text "
                "that no alternative matches, and fails on very long white space. Where two special tokens match, "
                "it may take either."
            )
        _show_library_code(example)


def _show_library_code(example: Example) -> None:
    """Show the lines for the tokenizers library, if it can run the tokenizer, and the file that they read."""
    with st.spinner("Trying the tokenizers library…"):
        code = tokenizers_code_if_possible(example)
    st.markdown("With the tokenizers library")
    if code is None:
        st.info("The tokenizers library cannot run this tokenizer with the same ids.")
        return
    show_file_button(LIBRARY_FILE, partial(tokenizers_file_bytes, example.tokenizer), LIBRARY_FILE, key="_library_file")
    st.code(code, wrap_lines=True)
