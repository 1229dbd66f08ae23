"""Every merge of a training in the order it was learned, and the curve of compression."""

from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from pages.ui.shared.charts import show_chart
from tokviz import AnyTokenizer
from tokviz.core.steps import ACROSS
from tokviz.records.training import FromTraining
from tokviz.text.glyphs import visible_token

CURVE_POINTS = 2_000
OWN, HELD_OUT = "the text trained on", "the tenth left out"


def show_merges_and_curve_if_any(tokenizer: AnyTokenizer, training: FromTraining, *, widths: Sequence[int]) -> None:
    """Show every merge, and the curve of compression, in two columns of these relative widths."""
    if not training.steps:
        return
    chart, table = st.columns(widths, gap="medium")
    with chart:
        if (n_inside := training.n_inside_words()) < len(training.steps):
            st.caption(f"After merge {n_inside:,} the text is cut into longer pretokens, of many words each.")
        show_chart(compression_chart(compression_curves(training)), "compression",
                   title="Bytes per token after each merge", caption=tokenizer.name,
                   alt_text="Bytes per token against the number of merges")  # fmt: skip
    with table:
        st.caption("All merges, in the order learned")  # also keeps the buttons above clear of the table's own
        st.dataframe(merges_table(tokenizer, training), hide_index=True, height=360)


def merges_table(tokenizer: AnyTokenizer, training: FromTraining) -> pd.DataFrame:
    """Return the merges in the order they were learned, a row each."""
    steps = training.steps
    ids = list({token_id for step in steps for token_id in (*step.pair, step.token_id)})
    shown = {token_id: visible_token(tokenizer.token_bytes(token_id)) for token_id in ids}
    table = pd.DataFrame(
        {
            "merge": [step.rank + 1 for step in steps],
            "left": [shown[step.pair[0]] for step in steps],
            "right": [shown[step.pair[1]] for step in steps],
            "new token": [shown[step.token_id] for step in steps],
            "count": [step.count for step in steps],
            "tokens after it": [step.n_tokens for step in steps],
            "id": [step.token_id for step in steps],
            "pair": [str(step.pair) for step in steps],
        }
    )
    if training.languages:
        table.insert(1, "for", [step.language for step in steps])
    if ACROSS in training.plan.patterns_by_part():
        parts = ["across" if step.part == ACROSS else "inside" for step in steps]
        table.insert(1, "words", parts)
    return table


def compression_chart(curves: pd.DataFrame) -> alt.Chart:
    """Return the curves of a text trained on and one held out."""
    return (
        alt.Chart(curves, height=360)
        .mark_line()
        .encode(
            x=alt.X("merges:Q", scale=alt.Scale(nice=False), axis=alt.Axis(tickCount=8, tickMinStep=1, format=",d")),
            y=alt.Y("bytes per token:Q", scale=alt.Scale(zero=False)),
            color=alt.Color("text:N", sort=[OWN, HELD_OUT], legend=alt.Legend(title=None, orient="top")),
            strokeDash=alt.StrokeDash("text:N", sort=[OWN, HELD_OUT], legend=None),
        )
    )


def compression_curves(training: FromTraining) -> pd.DataFrame:
    """Return the bytes per token after each merge, on the text trained on and the text held out, if one was."""
    every = max(1, len(training.steps) // CURVE_POINTS)
    numbers = range(1, len(training.steps) + 1)[::every]
    parts: dict[str, tuple[int, Sequence[int]]] = {OWN: (training.n_bytes, [step.n_tokens for step in training.steps])}
    if training.held_out:
        parts[HELD_OUT] = training.held_out.n_bytes, training.held_out.n_tokens
    return pd.concat(
        pd.DataFrame({"merges": numbers, "bytes per token": [n_bytes / n for n in n_tokens[::every]], "text": text})
        for text, (n_bytes, n_tokens) in parts.items()
    )
