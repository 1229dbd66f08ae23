"""The merges, one after the other: the text as it stands after the first k of them."""

import pandas as pd
import streamlit as st

from pages.ui.frame import frame
from pages.ui.shelf import tokenizer_picker, trained_here
from pages.ui.text import sample_picker, shared_text
from pages.ui.token_view import token_view
from pages.ui.words import errors_in_words, visible
from tokviz import MergeTrace, token_spans, trace

MAX_CHARACTERS = 100_000
N_PAIRS = 10

frame(
    "Merges",
    "A tokenizer learns merges one after the other. Move the slider: the text is shown as it stands after "
    "so many of them. Which pair do you think comes next?",
    has_editor=False,
)
picker, samples = st.columns([1, 3], vertical_alignment="bottom")
with picker:
    tokenizer = tokenizer_picker()
with samples:
    sample_picker()
text = shared_text()
if len(text) > MAX_CHARACTERS:
    st.info(f"The text is long; its first {MAX_CHARACTERS:,} characters are shown here.")
    text = text[:MAX_CHARACTERS]


def history() -> MergeTrace:
    """Return the trace of the text, made once for a text and a tokenizer."""
    known = st.session_state.get("history")
    if known is None or known[0] is not tokenizer or known[1] != text:
        st.session_state.history = known = (tokenizer, text, trace(tokenizer, text))
    return known[2]


def merge_in_words(rank: int, count: int) -> str:
    """Return what a merge joins, and how often in this text."""
    left, right = map(visible, tokenizer.merge_pair(rank))
    times = "once" if count == 1 else f"{count:,} times" if count else "nowhere in this text"
    return f"merge {rank + 1:,}:  {left} + {right} → {visible(tokenizer.merge_tokens[rank])}   {times}"


@st.fragment
def stepper() -> None:
    """Show the slider and the step it stands at; errors too, since a fragment runs alone."""
    with errors_in_words():
        step()


def step() -> None:
    """Show the slider, the text at that step, and the pairs that could come next."""
    n_merges = len(tokenizer.merge_tokens)
    if not text or not n_merges:
        st.info("Paste a text in the playground, or take a sample: its merges appear here." if n_merges else
                "This tokenizer has no merges: every token is one byte.")  # fmt: skip
        return
    k = st.slider("Merges made", 0, n_merges, min(n_merges, 50), key=f"_k_{tokenizer.name}_{n_merges}")
    merged = history()
    curve = merged.curve()
    ids = merged.ids_at(k)
    if k:
        st.text("Just made   " + merge_in_words(k - 1, int(curve[k - 1] - curve[k])))
    if k < n_merges:
        st.text("Comes next  " + merge_in_words(k, int(curve[k] - curve[k + 1])))
    view, pairs = st.columns([3, 2], gap="large")
    with view:
        token_view(tokenizer, key="merges", spans=token_spans(tokenizer, ids), panes=("counts", "tokens"), height=420)
    with pairs:
        pair_table(merged, k)


def pair_table(merged: MergeTrace, k: int) -> None:
    """Show the most frequent pairs of the text at this step; the next merge is among them, or not."""
    counts = merged.pair_counts(k)
    top = sorted(counts.items(), key=lambda item: -item[1])[:N_PAIRS]
    if not top:
        st.info("No two neighbouring tokens are left within a pretoken.")
        return
    following = tokenizer.merge_tokens[k] if k < len(tokenizer.merge_tokens) else None
    rows = []
    for (left, right), count in top:
        pair = tokenizer.token_bytes(left), tokenizer.token_bytes(right)
        mark = "next" if pair[0] + pair[1] == following else ""
        rows.append((visible(pair[0]), visible(pair[1]), count, mark))
    st.dataframe(pd.DataFrame(rows, columns=["left", "right", "count in this text", ""]), hide_index=True)
    if tokenizer.name in trained_here():
        st.caption(
            "The most frequent pair of the training text is merged next; of equal ones the first in the "
            "text. If this is not the text it was trained on, the counts here are others."
        )
    else:
        st.caption("The merges of this tokenizer were learned from another text; the counts are of this one.")


stepper()
