"""The tokenizers that other programs keep on this computer, where browser and server are one machine.

That is asked again whenever a file is opened, and only files that a search of this session has found are.
"""

from typing import Any

import streamlit as st

from pages.ui.session_tokenizers.given_file import GivenFile, keep_given_file, open_given_file_or_ask, refuse_given_file
from pages.ui.shared.buttons import show_button
from pages.ui.shared.components import Component
from pages.ui.shared.text import browser_is_on_this_computer
from tokviz.formats.folders import companion_file_contents, needed_bytes
from tokviz.server.local_folders import path_with_tilde, possible_model_folders_by_program
from tokviz.server.local_tokenizers import SECONDS, LocalTokenizer, SearchResult, search_for_tokenizers
from tokviz.server.same_machine import has_same_machine_mark

LOCAL_TOKENIZERS = Component("local_tokenizers", ("token_view", "local_tokenizers"))
KEY = "local_tokenizers"
SUFFIXES = (".json", ".model", ".tiktoken", ".gguf", ".pkl")
LIST_WIDTH = 640  # pixels; a popover is as wide as what it shows, and a phone as it is
BEFORE = "Looks for tokenizers in the folders of these programs, and in the Python packages installed beside tokviz:"
NONE = "No tokenizer was found in the folders of these programs, nor in the Python packages installed beside tokviz:"


def may_open_local_files() -> bool:
    """Return whether this page may open files by their paths: browser and server are one machine."""
    return browser_is_on_this_computer() and has_same_machine_mark(st.context.headers)


def show_local_opener_if_allowed() -> None:
    """Show a button that searches this computer, and what it has found."""
    if not may_open_local_files():
        return
    found: SearchResult | None = st.session_state.get("local_found")
    if show_button("Search again" if found else "Search this computer", type="secondary" if found else "primary"):
        with st.spinner("Searching…", show_time=True):
            found = search_for_tokenizers(possible_model_folders_by_program())
        st.session_state.update(local_found=found, local_search=st.session_state.get("local_search", 0) + 1)
        st.rerun()
    if found and found.tokenizers:
        number = st.session_state.local_search
        rows = [
            {
                "name": each.name,
                "family": each.family,
                "size": file_size_text(each.n_bytes),
                "folder": path_with_tilde(each.path.parent),
            }
            for each in found.tokenizers
        ]
        data = {"search": number, "tokenizers": rows}
        LOCAL_TOKENIZERS.show(key=KEY, data=data, width=LIST_WIDTH, message=_take_or_refuse_chosen_file)
    else:
        st.caption(NONE if found else BEFORE)
        folders = possible_model_folders_by_program().items()
        st.text("\n".join(f"{program}: {', '.join(map(path_with_tilde, each))}" for program, each in folders))
    if found and not found.is_complete:
        st.text(f"The search stopped after {SECONDS:.0f} seconds, or after too many results. There may be more.")
    open_given_file_or_ask()


def _take_or_refuse_chosen_file(message: dict[str, Any]) -> None:
    """Open a file that the search of this session has found."""
    found = st.session_state.get("local_found")
    is_of_shown_search = message.get("search") == st.session_state.get("local_search")
    if not (may_open_local_files() and found and is_of_shown_search):
        return
    number = message.get("number")
    if not isinstance(number, int) or not 0 <= number < len(found.tokenizers):
        return
    try:
        tokenizer = found.tokenizers[number]
        data = needed_bytes(tokenizer.checked_file())
        keep_given_file(GivenFile(data, opened_file_name(tokenizer), companion_file_contents(tokenizer.path)))
    except (OSError, ValueError) as e:
        refuse_given_file(str(e))


def opened_file_name(tokenizer: LocalTokenizer) -> str:
    """Return the name under which a file is opened: that of its repository or package, where its own is a usual one.

    >>> from pathlib import Path
    >>> paths = {"ada/small-2.5": "tokenizer.json", "small:7b": "blobs/sha256-0", "ada: a.model.v1": "a.model.v1",
    ...          "ada: bob3": "bob3/tokenizer.model", "ada: tokenizer.model.v1": "tokenizer.model.v1"}
    >>> [opened_file_name(LocalTokenizer(name, "BPE", 9, Path(path), Path(path))) for name, path in paths.items()]
    ['small-2.5.json', 'small:7b.gguf', 'a.model.v1.model', 'bob3.model', 'ada: tokenizer.model.v1.model']
    """
    name, suffix = tokenizer.name.rpartition("/")[2], tokenizer.path.suffix
    name = name if ": tokenizer" in name else name.rpartition(": ")[2]
    if suffix not in SUFFIXES:
        suffix = ".model" if suffix else ".gguf"  # of a version of Mistral's, and of a blob of Ollama's
    return name if name.endswith(suffix) else name + suffix


def file_size_text(n_bytes: int) -> str:
    """Return the size of a file.

    >>> file_size_text(4_661_211_424), file_size_text(9_085_657), file_size_text(999)
    ('4.7 GB', '9.1 MB', '1 kB')
    """
    for size, unit in ((1e9, "GB"), (1e6, "MB")):
        if n_bytes >= size:
            return f"{n_bytes / size:.1f} {unit}"
    return f"{n_bytes / 1e3:.0f} kB"
