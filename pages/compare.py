"""The same text under two or more tokenizers, side by side."""

import pandas as pd
import streamlit as st

from pages.ui.frame import frame
from pages.ui.kept import kept
from pages.ui.open_tokenizer import open_tokenizer
from pages.ui.shelf import MOST_COMPARED, shelf, shelf_label, tokenizer_named
from pages.ui.text import sample_picker, save_text, shared_text
from pages.ui.token_view import TokenView, token_view
from pages.ui.words import errors_in_words
from tokviz.metrics import agreement, metrics

frame(
    "Compare",
    "One text under several tokenizers: type in the first, all follow. Try the Thai sample and see what "
    "each makes of it.",
)
picker, samples = st.columns([2, 3], vertical_alignment="bottom")
with picker:
    chosen = kept("compared", st.multiselect, "Tokenizers", options=shelf(), max_selections=MOST_COMPARED,
                  format_func=shelf_label)  # fmt: skip
with samples, st.container(horizontal=True, vertical_alignment="bottom"):
    sample_picker()
    open_tokenizer()


@st.fragment
def live() -> None:
    """Show the comparison while the text is typed; errors too, since a fragment runs alone."""
    with errors_in_words():
        side_by_side()


def side_by_side() -> None:
    """Show the figures, the text to type in under the first tokenizer, and below it the others."""
    table = st.container()
    views = {chosen[0]: column_view(chosen[0], editable=True)}
    others = chosen[1:]
    per_row = 2 if len(others) in (2, 4) else 3
    for row in range(0, len(others), per_row):
        for column, name in zip(st.columns(per_row), others[row : row + per_row], strict=False):
            with column:
                views[name] = column_view(name, editable=False)
    with table:
        st.dataframe(figures(views), hide_index=True)
        st.caption(
            "A word is a run of characters without white space; there is no figure for scripts written without "
            "spaces. Agreement: the boundaries shared with the first tokenizer, of all boundaries in either."
        )


def column_view(name: str, *, editable: bool) -> TokenView:
    """Show the text under one tokenizer; the first one is wide and can be typed in."""
    st.text(name)
    return token_view(
        tokenizer_named(name),
        key=f"compare {name} {editable}",
        text=shared_text(),
        editable=editable,
        on_edit=save_text if editable else None,
        storage="text" if editable else None,
        panes=("counts", "tokens"),
    )


def figures(views: dict[str, TokenView]) -> pd.DataFrame:
    """Return the table of figures, a row for each tokenizer."""
    first = next(iter(views.values())).spans
    rows = []
    for name, view in views.items():
        figure = metrics(view.spans.text, view.spans.ids.tolist())
        rows.append(
            {
                "tokenizer": name,
                "tokens": figure.n_tokens,
                "distinct": figure.n_distinct,
                "bytes per token": round(figure.bytes_per_token, 2),
                "characters per token": round(figure.chars_per_token, 2),
                "tokens per word": f"{figure.fertility:.2f}" if figure.fertility else "–",
                "agreement with the first": round(
                    agreement(first.byte_ends.tolist(), view.spans.byte_ends.tolist()), 2
                ),
            }
        )
    return pd.DataFrame(rows)


if len(chosen) < 2:
    st.info("Choose two tokenizers or more.")
else:
    live()
