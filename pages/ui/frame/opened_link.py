"""The link that opened this session. It may come from anyone, so every value in it is checked."""

from typing import Any

import streamlit as st

from pages.ui.lessons.texts import take_texts
from pages.ui.options import OPTIONS, overridden_by_link, restore_options
from pages.ui.playground.chat_rows import restore_rows
from pages.ui.session_tokenizers.tokenizer_list import add_opened, add_trained
from pages.ui.shared.text import set_document_text
from tokviz.live.document import FullError
from tokviz.records.link import link_contents
from tokviz.system.sandbox import SandboxError


def take_link() -> None:
    """Show, once, what the link that opened this session holds."""
    if "s" not in st.query_params:
        return
    packed = st.query_params["s"]
    st.query_params.clear()
    try:
        contents = link_contents(packed)
    except (TypeError, ValueError, RecursionError) as e:
        is_busy = isinstance(e, SandboxError) and e.why == "busy"
        way_out = "Open the link again" if is_busy else "It may have been cut off when it was copied"
        st.session_state.problem = f"The link cannot be read: {e}. {way_out}."
        return
    for trained in contents.trained:
        add_trained(trained)
    for opened in contents.opened:
        add_opened(opened)
    shown, options = contents.shown, contents.options
    _rename(options, contents.names)
    if "tokenizer" in options:
        options.setdefault("merges_tokenizer", "")  # whatever the tab had there
    restore_options(options, only={key for key, option in OPTIONS.items() if option.linked})
    overridden_by_link().update(options)
    take_texts(options)
    if "rows" in shown:
        overridden_by_link().add("rows")
        restore_rows(shown["rows"])
    try:
        for name in ("text", "ids", "functions", "template"):
            if isinstance(shown.get(name), str):
                set_document_text(name, shown[name])
    except FullError as e:
        st.session_state.problem = f"A text of the link could not be taken: {e}."


def _rename(options: dict[str, Any], names: dict[str, str]) -> None:
    """Rename the tokenizers in options to their names in this session."""
    for key in ("tokenizer", "merges_tokenizer", "train_start", "reference"):
        if isinstance(options.get(key), str):
            options[key] = names.get(options[key], options[key])
    if isinstance(options.get("compared"), list):
        options["compared"] = [names.get(name, name) if isinstance(name, str) else name for name in options["compared"]]
