"""What a training gave: figures, the curve of compression, the merges, files to download."""

import altair as alt
import pandas as pd
import streamlit as st

from pages.ui.records import Trained
from pages.ui.words import errors_in_words, visible

CURVE_POINTS = 2_000


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
    tokenizer, steps = trained.tokenizer, trained.steps
    return pd.DataFrame(
        {
            "rank": [step.rank for step in steps],
            "left": [visible(tokenizer.token_bytes(step.pair[0])) for step in steps],
            "right": [visible(tokenizer.token_bytes(step.pair[1])) for step in steps],
            "new token": [visible(step.token_bytes) for step in steps],
            "id": [step.token_id for step in steps],
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


def _downloads(trained: Trained) -> None:
    """Offer the files; a format that cannot hold the tokenizer says why."""
    tokenizer = trained.tokenizer
    for column, suffix, text in zip(
        st.columns([1, 1, 4]),
        (".model", ".vocab"),
        (tokenizer.model_text, tokenizer.vocab_text),
        strict=False,
    ):
        with column, errors_in_words():
            st.download_button(suffix, text().encode(), file_name=f"tokenizer{suffix}", width="stretch")
