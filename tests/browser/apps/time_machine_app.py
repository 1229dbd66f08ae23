"""A page with one time machine and a button that gives it a text: what the bench drives.

Query parameters: file (of text), n (its first characters are shown), tokenizer, or merges (a tokenizer of so
many is trained) with corpus (on so many characters of the file).
"""

from pathlib import Path

import streamlit as st

import tokviz
from pages.ui.merges.time_machine import show_time_machine
from pages.ui.session_tokenizers.tokenizer_list import add_tokenizer, kept_tokenizers
from pages.ui.shared.text import set_document_text
from pages.ui.train.run import train_at_once
from tokviz.records.session_tokenizer import Kept
from tokviz.training.plan import Plan

st.set_page_config(layout="wide")
options = st.session_state.setdefault("options", st.query_params.to_dict())


def text_of_file(n: int) -> str:
    """Return the first n characters of the file."""
    return Path(options["file"]).read_text(encoding="utf-8")[:n]


def trained() -> Kept | None:
    """Return the tokenizer trained for this bench, where one is asked for."""
    if "merges" not in options:
        return None
    if not kept_tokenizers():
        corpus = text_of_file(int(options["corpus"]))
        record = train_at_once(corpus, Plan(256 + int(options["merges"]), "cl100k"), "bench")
        add_tokenizer(record)
        assert record.origin.counts is not None
    return kept_tokenizers()["bench"]


record = trained()
tokenizer = record.tokenizer if record else tokviz.load(options["tokenizer"])
if st.button("Open"):
    set_document_text("text", text_of_file(int(options["n"])))
    st.session_state.opened = True
if "opened" in st.session_state:
    show_time_machine(tokenizer, training=record.origin if record else None)
