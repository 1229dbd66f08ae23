"""A page with one token view, and an empty page beside it: what the browser tests and the bench drive.

Query parameters: tokenizer, text, file (with `n`: its first characters; opened by a button), special=all, editable=no,
height (pixels), delay (seconds every run takes), rest (seconds), ids (separated by commas), hidden=no.
"""

import time
from pathlib import Path

import streamlit as st

import tokviz
from pages.ui.frame.tab_memory import sync_tab_memory_and_return_omitted_names
from pages.ui.shared.live import document, page_look
from pages.ui.shared.text import set_document_text
from pages.ui.shared.token_view import show_ids_view, show_token_view

SAMPLES = {"Sample A": "Sample A, a text.", "Sample B": "ตัวอย่าง B\n\n  你好"}


def start() -> None:
    """Take the query parameters of the first run; a change of page drops them."""
    if "options" in st.session_state:
        return
    options = st.query_params.to_dict()
    st.session_state.update(options=options, runs=0, finds_hidden=options.get("hidden") != "no")
    document("text", options.get("text", ""))


@st.fragment
def live_view() -> None:
    """The token view; beside it, for the tests, the text as the server has it."""
    options = st.session_state.options
    time.sleep(float(options.get("delay", 0)))
    tokenizer = tokviz.load(options.get("tokenizer", "o200k_base"))
    if "ids" in options:
        document("ids", options["ids"])
        show_ids_view(tokenizer, "ids", key="ids")
    else:
        show_token_view(
            tokenizer,
            key="view",
            editable=options.get("editable") != "no",
            look=page_look(options.get("special", ())),
            height=int(options.get("height", 288)),
            rest=float(options.get("rest", 0.4)),
        )
    st.session_state.runs += 1
    text = document("text").text
    if len(text) <= 2000:
        st.code(text, language=None)
    st.text(f"runs: {st.session_state.runs}")


def view_page() -> None:
    """The page with the view."""
    start()
    for column, (name, sample) in zip(st.columns(2), SAMPLES.items(), strict=True):
        if column.button(name):
            set_document_text("text", sample)
    st.button("Rerun")
    options = st.session_state.options
    if "file" in options and st.button("Open"):
        set_document_text("text", Path(options["file"]).read_text(encoding="utf-8")[: int(options["n"])])
    live_view()
    sync_tab_memory_and_return_omitted_names()


def other_page() -> None:
    """A page without a view, which takes as long to run."""
    time.sleep(float(st.session_state.options.get("delay", 0)))
    st.text("Nothing here.")


st.set_page_config(layout="wide")
st.navigation(
    [st.Page(view_page, title="View", default=True), st.Page(other_page, title="Other", url_path="other")],
    position="top",
).run()
