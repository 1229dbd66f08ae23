"""A page with one token view, and an empty page beside it: what the browser tests and the bench drive.

Query parameters: tokenizer, text, file (with `n`: its first characters; opened by a button), special=all, editable=no,
height and list_height (pixels), delay (seconds every run takes), ids (separated by commas).
"""

import time
from pathlib import Path

import streamlit as st

import tokviz
from pages.ui.components import send_code
from pages.ui.token_view import TOKEN_VIEW, token_view

SAMPLES = {"Sample A": "Sample A, a text.", "Sample B": "ตัวอย่าง B\n\n  你好"}


def start() -> None:
    """Take the query parameters of the first run; a change of page drops them."""
    if "text" in st.session_state:
        return
    options = st.query_params.to_dict()
    st.session_state.update(text=options.get("text", ""), options=options, runs=0)


def keep(text: str) -> None:
    """Keep the text the user typed."""
    st.session_state.text = text


@st.fragment
def live_view() -> None:
    """The token view; beside it, for the tests, the text as the server has it."""
    options = st.session_state.options
    time.sleep(float(options.get("delay", 0)))
    ids = [int(i) for i in options["ids"].split(",")] if "ids" in options else None
    view = token_view(
        tokviz.load(options.get("tokenizer", "o200k_base")),
        key="view",
        text=st.session_state.text,
        ids=ids,
        editable=options.get("editable") != "no",
        allowed_special=options.get("special", ()),
        height=int(options.get("height", 288)),
        list_height=int(options.get("list_height", 208)),
        storage=options.get("storage", "text"),
        on_edit=keep,
    )
    st.session_state.runs += 1
    if len(view.text) <= 2000:
        st.code(view.text, language=None)
    st.text(f"selected: {view.selected} runs: {st.session_state.runs}")


def view_page() -> None:
    """The page with the view."""
    start()
    send_code(TOKEN_VIEW)
    for column, (name, sample) in zip(st.columns(2), SAMPLES.items(), strict=True):
        if column.button(name):
            st.session_state.text = sample
    st.button("Rerun")
    options = st.session_state.options
    if "file" in options and st.button("Open"):
        st.session_state.text = Path(options["file"]).read_text(encoding="utf-8")[: int(options["n"])]
    live_view()


def other_page() -> None:
    """A page without a view."""
    st.text("Nothing here.")


st.set_page_config(layout="wide")
st.navigation(
    [st.Page(view_page, title="View", default=True), st.Page(other_page, title="Other", url_path="other")],
    position="top",
).run()
