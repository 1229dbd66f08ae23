"""What a tokenizer gained that continued from another: tokens before and after, and the rows of the embedding."""

import pandas as pd
import streamlit as st

from tokviz import AnyTokenizer, Tokenizer
from tokviz.core.samples import sample
from tokviz.core.steps import ACROSS
from tokviz.records.training import FromTraining

NEVER_MORE = (
    "No text gets more tokens: the old merges are made first, as before, and the new ones only join what those leave."
)
CAN_BE_MORE = (
    "With superwords a text can get more tokens than before: the old merges now reach across words too, and may join "
    "different neighbours."
)


def gain(tokenizer: AnyTokenizer, training: FromTraining, start: Tokenizer) -> None:
    """Show what training gained on its text and on the part held out, what it costs English, and the new rows."""
    st.markdown("**Tokens before and after**")
    st.table(gain_table(tokenizer, training, start))
    if not (training.held_out and training.held_out.n_tokens):
        st.caption("On text it has not seen it gains less. Hold out a tenth to find out how much.")
    st.caption(CAN_BE_MORE if ACROSS in training.plan.parts() else NEVER_MORE)
    st.text(rows_words(start.n_vocab, tokenizer.n_vocab))


def gain_table(tokenizer: AnyTokenizer, training: FromTraining, start: Tokenizer) -> pd.DataFrame:
    """Return the tokens of each text before and after, and by what share their number has changed."""
    english = sample("english")
    counts = {"The text trained on": (training.n_before or 0, training.steps[-1].n_tokens)}
    if training.held_out and training.held_out.n_tokens:
        counts["The tenth held out"] = training.held_out.n_before or 0, training.held_out.n_tokens[-1]
    counts["The English sample"] = len(start.encode(english)), len(tokenizer.encode(english))
    rows = [(f"{before:,}", f"{after:,}", change(before, after)) for before, after in counts.values()]
    return pd.DataFrame(rows, columns=["before", "after", "change"], index=list(counts))


def change(before: int, after: int) -> str:
    """Return by what share a number of tokens fell or, with superwords, rose.

    >>> change(744_022, 328_530), change(300, 300), change(10_000, 9_999), change(1_015, 1_034)
    ('−55.8%', 'none', 'under 0.1% less', '+1.9%')
    """
    if after == before:
        return "none"
    share = after / before - 1
    if abs(share) < 0.001:
        return f"under 0.1% {'more' if share > 0 else 'less'}"
    return f"{share:+.1%}".replace("-", "−")


def rows_words(before: int, after: int) -> str:
    """Return in words how the embedding of a model grows.

    >>> rows_words(100_277, 102_277)
    'The embedding grows by 2,000 rows, from 100,277 to 102,277.'
    """
    n = after - before
    return f"The embedding grows by {n:,} row{'s' * (n != 1)}, from {before:,} to {after:,}."
