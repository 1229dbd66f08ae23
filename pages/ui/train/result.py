"""The result of a training: figures, where to go with it, its download, the curve of compression, the merges."""

from collections.abc import Callable, Sequence

import altair as alt
import pandas as pd
import streamlit as st

from pages.ui.pages import COMPARE, MERGES, PLAYGROUND
from pages.ui.session_tokenizers.download import show_download_button
from pages.ui.session_tokenizers.tokenizer_list import choose_and_compare_tokenizer
from pages.ui.shared.buttons import show_button
from pages.ui.shared.charts import show_chart
from pages.ui.shared.text import shared_text
from pages.ui.train.superwords import show_superwords_saving_if_used
from tokviz import AnyTokenizer, Tokenizer
from tokviz.core.samples import sample
from tokviz.core.steps import ACROSS
from tokviz.records.training import FromTraining
from tokviz.text.glyphs import visible_token
from tokviz.text.words import quantity

CURVE_POINTS = 2_000
SHORT_TEXT = 500  # characters
OWN, HELD_OUT = "on its own training text", "on the part held out"
NEVER_MORE = (
    "No text gets more tokens: the old merges come first, as before, and the new ones only join the tokens that remain."
)
CAN_BE_MORE = (
    "With superwords a text can get more tokens than before: the old merges now reach across words too, and may join "
    "different neighbours."
)
PLACES = {"Watch": MERGES, "Compare": COMPARE, "Playground": PLAYGROUND}


def show_training_result(tokenizer: AnyTokenizer, training: FromTraining) -> None:
    """Show what was learned in a few figures, and where to go with it."""
    st.subheader("Result", anchor=False)
    start = training.plan.start
    on_top = f" on top of {start.name}" if start else ""
    st.text(f"Done: ‘{tokenizer.name}’ learned {quantity(len(training.steps), 'merge')}{on_top}.")
    if not training.steps:
        left = "nothing was learned" if start else "every token is a single byte"
        st.info(f"No pair occurred often enough to be merged, so {left}. Train on a longer text.")
        return
    if start:
        show_gain(tokenizer, training, start)
    else:
        _show_bytes_per_token(training)
    show_superwords_saving_if_used(training)
    with st.container(horizontal=True, gap="small"):
        for label, page in PLACES.items():
            if show_button(label, icon=page.icon):
                choose_and_compare_tokenizer(tokenizer.name)
                st.switch_page(page.script)
        show_download_button(tokenizer)


def suggest_sample_if_short(begin: Callable[[], None]) -> None:
    """Offer to `begin` with a sample, if the text is too short to learn much from."""
    if len(shared_text()) < SHORT_TEXT:
        st.text("Your text is short: there is little to learn from it.")
        st.button("Train on the English sample", on_click=begin)


def _show_bytes_per_token(training: FromTraining) -> None:
    """Show the bytes per token on the text trained on, and on the text held out."""
    st.markdown("**Bytes per token**")
    own, held_out = st.columns(2)
    own.metric("On its own training text", f"{training.bytes_per_token:.2f}")
    own.caption(f"of {training.n_bytes:,} bytes")
    if training.held_out and training.held_out_bytes_per_token:
        held_out.metric("On the part held out", f"{training.held_out_bytes_per_token:.2f}")
        held_out.caption(f"of {training.held_out.n_bytes:,} bytes")
    else:
        held_out.caption("It will do worse on text it has not seen. Hold out a tenth to find out by how much.")


def show_gain(tokenizer: AnyTokenizer, training: FromTraining, start: Tokenizer) -> None:
    """Show what training gained on its text and on the part held out, what it costs English, and the new rows."""
    st.markdown("**Tokens before and after**")
    st.table(tokens_before_and_after_table(tokenizer, training, start))
    if not (training.held_out and training.held_out.n_tokens):
        st.caption("It gains less on text it has not seen. Hold out a tenth to find out how much.")
    st.caption(CAN_BE_MORE if ACROSS in training.plan.patterns_by_part() else NEVER_MORE)
    st.text(embedding_growth_sentence(start.n_vocab, tokenizer.n_vocab))


def tokens_before_and_after_table(tokenizer: AnyTokenizer, training: FromTraining, start: Tokenizer) -> pd.DataFrame:
    """Return the tokens of each text before and after, and by what share their number has changed."""
    english = sample("english")
    counts = {"The text trained on": (training.n_before or 0, training.steps[-1].n_tokens)}
    if training.held_out and training.held_out.n_tokens:
        counts["The tenth held out"] = training.held_out.n_before or 0, training.held_out.n_tokens[-1]
    counts["The English sample"] = len(start.encode(english)), len(tokenizer.encode(english))
    rows = [(f"{before:,}", f"{after:,}", change_text(before, after)) for before, after in counts.values()]
    return pd.DataFrame(rows, columns=["before", "after", "change"], index=list(counts))


def change_text(before: int, after: int) -> str:
    """Return by what share a number of tokens fell or, with superwords, rose.

    >>> change_text(744_022, 328_530), change_text(300, 300), change_text(10_000, 9_999), change_text(1_015, 1_034)
    ('−55.8%', 'none', 'under 0.1% less', '+1.9%')
    """
    if after == before:
        return "none"
    share = after / before - 1
    if abs(share) < 0.001:
        return f"under 0.1% {'more' if share > 0 else 'less'}"
    return f"{share:+.1%}".replace("-", "−")


def embedding_growth_sentence(before: int, after: int) -> str:
    """Return in words how the embedding of a model grows.

    >>> embedding_growth_sentence(100_277, 102_277)
    'The embedding grows by 2,000 rows, from 100,277 to 102,277.'
    """
    n = after - before
    return f"The embedding grows by {n:,} row{'s' * (n != 1)}, from {before:,} to {after:,}."


def show_merges_and_curve_if_any(tokenizer: AnyTokenizer, training: FromTraining) -> None:
    """Show every merge, and the curve of compression."""
    if not training.steps:
        return
    chart, table = st.columns([2, 3])
    with chart:
        _show_compression_curve(training, tokenizer.name)
    with table:
        st.dataframe(merges_table(tokenizer, training), hide_index=True, height=360)


def merges_table(tokenizer: AnyTokenizer, training: FromTraining) -> pd.DataFrame:
    """Return the merges in the order they were learned, a row each."""
    steps = training.steps
    ids = list({token_id for step in steps for token_id in (*step.pair, step.token_id)})
    shown = {token_id: visible_token(tokenizer.token_bytes(token_id)) for token_id in ids}
    table = pd.DataFrame(
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
    if training.languages:
        table.insert(1, "for", [step.language for step in steps])
    if ACROSS in training.plan.patterns_by_part():
        parts = ["across" if step.part == ACROSS else "inside" for step in steps]
        table.insert(1, "words", parts)
    return table


def _show_compression_curve(training: FromTraining, name: str) -> None:
    """Show the compression against the merges."""
    curves = compression_curves(training)
    if (n_inside := training.n_inside_words()) < len(training.steps):
        st.caption(f"After merge {n_inside:,} the text is cut into longer pretokens, of many words each.")
    show_chart(compression_chart(curves), "compression", title="Bytes per token after each merge",
               caption=name,
               alt_text="Bytes per token against the number of merges")  # fmt: skip


def compression_chart(curves: pd.DataFrame) -> alt.Chart:
    """Return the curves of a text trained on and one held out."""
    return (
        alt.Chart(curves, height=360)
        .mark_line()
        .encode(
            x="merges:Q",
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
