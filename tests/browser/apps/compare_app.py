"""A page with one compare view, and what its script knows when the typing rests: for the browser tests and the bench.

Query parameters: tokenizers (separated by commas: names, with "gpt2@2000" for the first 2,000 merges, and "words" for
one that leaves spaces uncovered and begins with an empty token), text, file (with `n`: its first characters; opened by
a button).
"""

from collections.abc import Collection
from functools import cache
from pathlib import Path

import regex
import streamlit as st

import tokviz
from pages.ui.compare.side_by_side import show_compare_view
from pages.ui.shared.live import document
from pages.ui.shared.text import set_document_text
from tokviz.core.spans import spans_from_byte_offsets

st.set_page_config(layout="wide")
options = st.session_state.setdefault("options", st.query_params.to_dict())
document("text", options.get("text", ""))


class Words:
    """Runs without white space, behind a token that holds no text."""

    name, kind, special_tokens, n_vocab, unknown_id = "words", "words", {"<s>": 0}, 2, None

    def spans(self, text: str, *, allowed_special: str | Collection[str] = ()) -> tokviz.TokenSpans:
        """Return an empty token, and a token for each run."""
        found = [(0, 0), *(match.span() for match in regex.finditer(rb"[^ \n]+", text.encode()))]
        return spans_from_byte_offsets(text.encode(), [0] + [1] * (len(found) - 1), *zip(*found, strict=True))

    def token_bytes(self, token_id: int) -> bytes:
        """Return how the vocabulary writes a token."""
        return (b"<s>", b"a run")[token_id]


@cache
def tokenizer(name: str) -> tokviz.AnyTokenizer:
    """Return the tokenizer of a name in the query."""
    base, _, merges = name.partition("@")
    if base == "words":
        return Words()
    return tokviz.load(base).truncated(int(merges)) if merges else tokviz.load(base)


@st.fragment
def view() -> None:
    """The compare view, and what is known of it here."""
    names = options.get("tokenizers", "gpt2,cl100k_base,o200k_base").split(",")
    comparison = show_compare_view(
        {name: tokenizer(name) for name in names},
        key="view",
        reference=st.session_state.get("reference", ""),
        on_reference=lambda name: st.session_state.update(reference=name),
    )
    st.text(f"rested: {len(comparison.text)} characters, reference {comparison.reference}")


if "file" in options and st.button("Open"):
    set_document_text("text", Path(options["file"]).read_text(encoding="utf-8")[: int(options["n"])])
view()
