"""The result of a training: figures, the curve of compression, the merges, files to download."""

from collections.abc import Callable
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from pages.ui.session_tokenizers.trained_records import Trained
from pages.ui.shared.messages import show_errors
from pages.ui.shared.options import option_widget
from tokviz import SPLIT_PATTERNS, Tokenizer
from tokviz.formats.exports import file_text
from tokviz.formats.minbpe import VERSIONS
from tokviz.formats.python_code import minbpe_loader, tiktoken_loader
from tokviz.live.views.glyphs import visible
from tokviz.system.recent import recent

CURVE_POINTS = 2_000
# What each file is for.
FORMATS = {
    ".json": "tokenizer.json, for the tokenizers library of Hugging Face and all that use it",
    ".tiktoken": "The ranks, for tiktoken, which also needs the lines below",
    ".model": "The format of minbpe and of the classes that tutorials modelled on it",
    ".vocab": "A listing for people: every token, and the two it is made of",
}
# The lines of Python that load a file, from a tokenizer and the version of its .model.
CODE = {
    ".json": lambda *_: 'import tokenizers\n\ntokenizer = tokenizers.Tokenizer.from_file("tokenizer.json")\n',
    ".tiktoken": lambda tokenizer, _: tiktoken_loader(tokenizer, "tokenizer.tiktoken"),
    ".model": lambda tokenizer, version: minbpe_loader(tokenizer, "tokenizer.model", version=version),
}


def result(trained: Trained) -> None:
    """Show what was learned: figures, curve, merges, downloads."""
    tokenizer, steps = trained.tokenizer, trained.steps
    st.subheader("Result", anchor=False)
    st.text(f"{tokenizer.name}: {len(steps):,} merges from {trained.n_bytes:,} bytes")
    if not steps:
        st.info("No pair occurred often enough for a merge: the tokens are single bytes.")
        return
    rows = merges_table(trained)
    chart, table = st.columns([2, 3])
    with chart:
        _curve(trained)
    with table:
        st.dataframe(rows, hide_index=True, height=360)
    _downloads(trained)


def merges_table(trained: Trained) -> pd.DataFrame:
    """Return the merges in the order they were learned, a row each."""
    steps = trained.steps
    shown = {token_id: visible(token) for token, token_id in trained.tokenizer.mergeable_ranks.items()}
    return pd.DataFrame(
        {
            "merge": [step.rank + 1 for step in steps],
            "pair": [str(step.pair) for step in steps],
            "id": [step.token_id for step in steps],
            "left": [shown[step.pair[0]] for step in steps],
            "right": [shown[step.pair[1]] for step in steps],
            "new token": [shown[step.token_id] for step in steps],
            "count": [step.count for step in steps],
            "tokens after it": [step.n_tokens for step in steps],
        }
    )


def _curve(trained: Trained) -> None:
    """Show the compression against the merges, over the text it was trained on."""
    steps = trained.steps[:: max(1, len(trained.steps) // CURVE_POINTS)]
    curve = pd.DataFrame(
        {
            "merges": [step.rank + 1 for step in steps],
            "bytes per token": [trained.n_bytes / step.n_tokens for step in steps],
        }
    )
    st.altair_chart(
        alt.Chart(curve, height=360)
        .mark_line()
        .encode(x="merges:Q", y=alt.Y("bytes per token:Q", scale=alt.Scale(zero=False)))
    )


@recent(maxsize=8)
def _file(tokenizer: Tokenizer, suffix: str, version: str) -> bytes:
    """Return a file, made only once: a tokenizer.json is tried on many texts before it is offered."""
    return file_text(tokenizer, suffix, version=version if suffix == ".model" else None).encode()


def _deferred(*args: Any) -> Callable[[], bytes]:
    """Return a function that makes a file on demand: a tokenizer.json of 32,000 merges takes a second."""
    return lambda: _file(*args)


def _downloads(trained: Trained) -> None:
    """Offer the files; a format that cannot hold the tokenizer says why."""
    tokenizer = trained.tokenizer
    # Every format can hold these; others are tried before they are offered.
    sure = tokenizer.split_pattern in SPLIT_PATTERNS and not tokenizer.special_tokens
    offered = set()
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        buttons = st.container(horizontal=True, gap="small", width="content")
        version = option_widget(
            "model_version", st.selectbox, "Version of .model", options=VERSIONS, width=190,
            help="The first line of the file. The class that loads it may insist on its own.",
        )  # fmt: skip
    with buttons:
        for suffix, purpose in FORMATS.items():
            with show_errors():
                data = (_deferred if sure else _file)(tokenizer, suffix, version)
                st.download_button(suffix, data, file_name=f"tokenizer{suffix}", help=purpose, on_click="ignore")
                offered.add(suffix)
    with st.expander("Load these files in Python"):
        for suffix, code in CODE.items():
            if suffix in offered:
                with show_errors():
                    st.code(code(tokenizer, version))
