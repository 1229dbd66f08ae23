"""The section on vocabulary size: tokens of the shared text against the vocabulary, and what a size costs."""

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from pages.ui.compare.numbers import share_text
from pages.ui.options import show_option_widget
from pages.ui.session_tokenizers.tokenizer_list import kept_named, show_own_training_text_note_if_any, tokenizer_named
from pages.ui.shared.charts import COLOURS, legend_labels, names_axis, show_chart
from pages.ui.shared.messages import show_errors
from pages.ui.shared.text import shared_text
from pages.ui.shared.token_view import height_of_lines, show_text_editor
from tokviz import AnyTokenizer, Tokenizer, load, trace
from tokviz.formats.pretrained import full_name, short_name
from tokviz.system.recent import recent
from tokviz.text.words import joined_with_and
from tokviz.vocabulary.cost import N_BYTES, VocabularyCut, n_embedding_and_output_parameters, vocabulary_doublings

REST = 0.5  # seconds after the last key until the curves follow
CHARACTERS_MAX = 100_000
CURVE_POINTS = 300
CHART_HEIGHT, ROW_HEIGHT, BAR_HEIGHT = 285, 34, 22  # pixels
WIDTH_MAX = 65_536
PART_OPACITIES = (1.0, 0.5)  # of the embedding and the output layer, in the colour of the tokenizer
GREY = "#777e7d"  # legible on both backgrounds
FIGURE_ROOM = 1.15  # times the longest bar, after which its figure has room
BILLIONS = "replace(format(datum.value, '~s'), 'G', 'B')"  # as in the names of models, not giga
LITTLE = 0.05  # of the tokens; there is a knee if all further doublings save less
# Of this many pretokens, 5% are a hundred, give or take ten. In shorter parts of English and Python texts the knee was
# often half or twice that of the whole text, or there was none; from here on it hardly moved.
PRETOKENS_MIN = 2_000
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [12, 4], [4, 1])


@st.fragment
def show_vocabulary_size_section(names: list[str]) -> None:
    """Show the text, the curve of every tokenizer whose merges are known, and the parameters each costs a model."""
    said = st.container(key="compare-said")
    show_text_editor("text", key="size text", rest=REST, height=height_of_lines(4))
    text = shared_text()[:CHARACTERS_MAX]
    if not text:
        st.info("There is no text yet. Type one above, or pick an example.")
        return
    st.caption(
        "This shows each tokenizer as if its training had stopped earlier: the tokens of the text, and the parameters "
        "of a model's embedding and output layer, without special tokens."
    )
    if len(text) < len(shared_text()):
        st.info(f"This text is long, so only its first {CHARACTERS_MAX:,} characters are used.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        width = show_option_widget(
            "width", st.number_input, "Model width", min_value=1, max_value=WIDTH_MAX, step=64, width=220
        )
        tied = show_option_widget("tied", st.toggle, "Output layer shares the embedding")
        logarithmic = show_option_widget("log_axis", st.toggle, "Logarithmic axis")
    curves = _show_omissions_and_return_curves_and_pretoken_counts(names, text)
    if not curves:
        return
    named = legend_labels(curves)
    drawn = {named[name]: curve for name, curve in curves.items()}
    cuts = {name: list(vocabulary_doublings(curve)) for name, (curve, _) in drawn.items()}
    said.text(last_doubling_sentence(cuts))
    left, right = st.columns(2, gap="large")
    with left:
        show_chart(curve_chart(drawn, logarithmic=logarithmic), "vocabulary curve",
                   title="Tokens in a text, by vocabulary size",
                   caption=f"{', '.join(drawn)} · {len(text):,} characters",
                   alt_text="Tokens in the text against the vocabulary size of each tokenizer")  # fmt: skip
    table = tokens_and_parameters_table(cuts, width=int(width), tied=tied)
    with right:
        whole = table.groupby("tokenizer", sort=False).tail(1)
        show_chart(parameters_chart(whole), "vocabulary parameters",
                   title="Parameters in the embedding and the output layer",
                   caption=f"{', '.join(drawn)} · model width {int(width):,}",
                   alt_text="Parameters in the embedding and the output layer of each tokenizer")  # fmt: skip
    with st.container(gap=None):
        if any(n_pretokens < PRETOKENS_MIN for _, n_pretokens in drawn.values()):
            st.text(
                "A text this short cannot show where a larger vocabulary stops paying off: that takes "
                f"{PRETOKENS_MIN:,} pretokens."
            )
        for name, (_, n_pretokens) in drawn.items():
            st.text(knee_text(name, cuts[name], n_pretokens))
    show_own_training_text_note_if_any(curves, shared_text())
    table = table.replace({"tokenizer": {label: full_name(name) for name, label in named.items()}})
    formats = {name: st.column_config.NumberColumn(format="localized") for name in table.columns[1:]}
    formats["saved"] = st.column_config.NumberColumn("saved by doubling", format="percent")
    st.dataframe(table, hide_index=True, height=360, column_config=formats, placeholder="–")


def _show_omissions_and_return_curves_and_pretoken_counts(
    names: list[str], text: str
) -> dict[str, tuple[np.ndarray, int]]:
    """Return the curve of each tokenizer with a history, and its number of pretokens."""
    without = [name for name in names if not isinstance(tokenizer_named(name), Tokenizer)]
    if without:
        are, they = ("is", "its") if len(without) == 1 else ("are", "their")
        st.text(
            f"{', '.join(map(short_name, without))} {are} left out: {they} merges are not known, so the vocabulary "
            "cannot be cut."
        )
    found = {}
    for name in names:
        if name not in without:
            with show_errors("A tokenizer is left out"):
                found[name] = _curve_and_n_pretokens(name, kept_named(name), text)
    return found


@recent(maxsize=16)
def _curve_and_n_pretokens(name: str, own: AnyTokenizer | None, text: str) -> tuple[np.ndarray, int]:
    """Return the tokens of a text at each size of a vocabulary, and its pretokens; an included one is known by name."""
    tokenizer = load(name) if own is None else own
    assert isinstance(tokenizer, Tokenizer)  # of any other, no merges are known
    traced = trace(tokenizer, text)
    return traced.curve(), len(traced.pretoken_ends)


def curve_chart(curves: dict[str, tuple[np.ndarray, int]], *, logarithmic: bool) -> alt.Chart:
    """Return a line of tokens against the vocabulary for each tokenizer, in its own colour and dashes."""
    points = []
    for name, (curve, _) in curves.items():
        sizes = np.unique(np.geomspace(N_BYTES, N_BYTES + len(curve) - 1, CURVE_POINTS).round().astype(int))
        points.append(pd.DataFrame({"tokenizer": name, "vocabulary": sizes, "tokens": curve[sizes - N_BYTES]}))
    names = list(curves)
    scale = alt.Scale(type="log", base=2, nice=False) if logarithmic else alt.Scale(zero=True)
    # Where no curve is: they fall slowly from the left on, or at once.
    legend = alt.Legend(
        title=None, orient="bottom-left" if logarithmic else "top-right", labelLimit=200, symbolSize=400
    )
    return (
        alt.Chart(pd.concat(points), height=CHART_HEIGHT)
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("vocabulary:Q", scale=scale, title="vocabulary size", axis=alt.Axis(format=",", tickCount=6)),
            y=alt.Y("tokens:Q", title="tokens in the text", scale=alt.Scale(zero=True)),
            color=alt.Color("tokenizer:N", legend=legend, sort=names, scale=alt.Scale(domain=names, range=COLOURS)),
            strokeDash=alt.StrokeDash(
                "tokenizer:N", legend=legend, sort=names, scale=alt.Scale(domain=names, range=DASHES)
            ),
            tooltip=["tokenizer:N", alt.Tooltip("vocabulary:Q", format=","), alt.Tooltip("tokens:Q", format=",")],
        )
    )


def tokens_and_parameters_table(cuts: dict[str, list[VocabularyCut]], *, width: int, tied: bool) -> pd.DataFrame:
    """Return a row for each tokenizer and doubling: tokens, and parameters."""
    table = pd.DataFrame(
        [(name, cut.n_vocab, cut.n_tokens, cut.saved) for name, of_one in cuts.items() for cut in of_one],
        columns=["tokenizer", "vocabulary", "tokens", "saved"],
    )
    table[["embedding", "output"]] = [
        n_embedding_and_output_parameters(n_vocab, width, tied=tied) for n_vocab in table["vocabulary"]
    ]
    return table.assign(parameters=table["embedding"] + table["output"])


def parameters_chart(whole: pd.DataFrame) -> alt.LayerChart:
    """Return a bar with its figure for each tokenizer with its whole vocabulary: embedding, and output unless tied."""
    tied = not whole["output"].any()
    title = "parameters of the embedding, which is the output layer too" if tied else "parameters"
    parts = whole.drop(columns="parameters").melt(["tokenizer"], ["embedding", "output"], "part", "parameters")
    parts = parts[parts["parameters"] > 0].replace({"part": {"output": "output layer"}})
    names, kinds = list(whole["tokenizer"]), list(dict.fromkeys(parts["part"]))
    y = alt.Y("tokenizer:N", title=None, sort=names, axis=names_axis("left"))
    room = alt.Scale(domainMax=float(whole["parameters"].max()) * FIGURE_ROOM, nice=False)
    figures = alt.Chart(whole).transform_calculate(figure=BILLIONS.replace("value, '~s'", "parameters, '.3~s'"))
    bars = (
        alt.Chart(parts, height=max(CHART_HEIGHT, ROW_HEIGHT * len(names) + 120))
        .mark_bar(size=BAR_HEIGHT)
        .encode(
            x=alt.X("parameters:Q", title=title, scale=room, axis=alt.Axis(labelExpr=BILLIONS, tickCount=5)),
            y=y,
            color=alt.Color("tokenizer:N", legend=None, scale=alt.Scale(domain=names, range=COLOURS)),
            opacity=alt.Opacity(
                "part:N",
                legend=None if tied else alt.Legend(title=None, orient="bottom", symbolFillColor=GREY),
                scale=alt.Scale(domain=kinds, range=PART_OPACITIES[: len(kinds)]),
            ),
            tooltip=["tokenizer:N", "part:N", alt.Tooltip("parameters:Q", format=",")],
        )
    )
    words = figures.mark_text(align="left", dx=6, fontSize=13, color=GREY).encode(
        x="parameters:Q", y=y, text="figure:N"
    )
    return alt.LayerChart(layer=[bars, words])


def last_doubling_sentence(cuts: dict[str, list[VocabularyCut]]) -> str:
    """Return in words what the second half of each vocabulary saves, "" where no vocabulary has so many tokens.

    >>> last_doubling_sentence({"A": [VocabularyCut(512, 90, 0.1)], "B": [VocabularyCut(600, 90, 0.002)]})
    'The second half of the vocabulary saves 10% of the tokens here under A and <1% under B.'
    """
    saved = {name: of_one[-1].saved for name, of_one in cuts.items()}
    found = [f"{share_text(share)} under {name}" for name, share in saved.items() if share is not None]
    if not found:
        return ""
    found[0] = found[0].replace(" under ", " of the tokens here under ", 1)
    return f"The second half of the vocabulary saves {joined_with_and(found)}."


def knee_text(name: str, cuts: list[VocabularyCut], n_pretokens: int) -> str:
    """Return in words from which size on a larger vocabulary saves little, if the text is long enough to tell."""
    saving = [cut for cut in cuts if cut.saved is not None and cut.saved >= LITTLE]
    last = cuts[-1]
    if n_pretokens < PRETOKENS_MIN:
        words = ""
    elif saving and saving[-1] is last:
        words = f"no knee here. The last doubling, to {last.n_vocab:,}, still saves {last.saved:.0%} of the tokens. "
    else:
        knee = saving[-1] if saving else cuts[0]
        words = f"the knee is at {knee.n_vocab:,}. Above it, each doubling saves less than {LITTLE:.0%} of the tokens. "
    fewest = f"{n_pretokens:,} tokens is the fewest the text can have, one for each pretoken, with any vocabulary."
    return f"{name}: {words}{fewest}"
