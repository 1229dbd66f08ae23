"""The matrix of languages and tokenizers: parity on parallel sentences, and tokens per character of the samples."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import pandas as pd
import streamlit as st

from pages.ui.compare.numbers import UNKNOWN, without_zeroes
from pages.ui.languages.sentences import REFERENCE, sentences, take_cell
from pages.ui.options import option_value, option_widget
from pages.ui.session_tokenizers.tokenizer_list import tokenizer_named
from pages.ui.shared.charts import UNKNOWN_CELL, UNKNOWN_SHARE, heat_map, show_chart
from pages.ui.shared.messages import show_error
from tokviz.analysis.metrics import metrics
from tokviz.analysis.parity import LanguageCost, language_costs
from tokviz.analysis.unknown_text import unknown_text
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.samples import SAMPLES, sample
from tokviz.core.spans import text_spans

Figures = TypeVar("Figures")

# The measures, each with what it is called on a picture, and with what it says.
TITLES = {
    "parity": "What the same sentences cost in tokens, relative to English",
    "tokens per character": "Tokens per character of each sample",
    "tokens per byte": "Tokens per byte of each sample",
}
MEASURES = {
    "parity": "Tokens for the same sentences, relative to English: 2.00 costs twice as much, in money, time and room.",
    "tokens per character": "Tokens for one character (code point) of each sample, line ends and spaces among them.",
    "tokens per byte": "Tokens for one byte of UTF-8 of each sample: 1.00 means that no bytes were merged. An ASCII "
    "letter is one byte, a Thai or Chinese character three.",
}


def costs_of(names: list[str]) -> dict[str, dict[str, LanguageCost]]:
    """Return what each language costs under each tokenizer; one that cannot encode is left out, as the page says."""
    return _of_each(names, lambda tokenizer: language_costs(tokenizer, sentences(), reference=REFERENCE))


def language_matrix(costs: Mapping[str, Mapping[str, LanguageCost]]) -> None:
    """Show the chosen measure of every language or sample under every tokenizer, as a heat map and as a table.

    costs: of the languages, by the names of tokenizers.
    """
    measure = option_widget("measure", st.segmented_control, "Measure", options=list(MEASURES),
                   required=True, format_func=str.capitalize)  # fmt: skip
    st.caption(MEASURES[measure])
    figures = _parity_table(costs) if measure == "parity" else _sample_table(list(costs))
    if figures.empty:
        return
    cells = figures.set_axis(["row", "column", *figures.columns[2:]], axis=1).rename(columns={measure: "value"})
    lost = [name for name in UNKNOWN_COLUMNS if name in figures]
    if lost:
        cells["unknown"] = figures[lost].max(axis=1)
    presenting = option_value("presenting")
    chart, table = (st.container(), st.container(key="desk-table")) if presenting else st.columns(2, gap="large")
    with chart:
        show_chart(heat_map(cells, title=measure, large=presenting), "languages", cells=cells, title=TITLES[measure],
                   caption=_counts(figures, measure),
                   on_point=take_cell if measure == "parity" else None,
                   alt_text=f"Heat map: {measure}, a row for each tokenizer")  # fmt: skip
        if lost:
            st.caption(f"{UNKNOWN_CELL} {UNKNOWN}")
        if measure == "parity":
            st.text(worst_case(figures[cells["unknown"] < UNKNOWN_SHARE] if lost else figures))
    with table:
        decimals = st.column_config.NumberColumn(format="%.2f")
        formats = dict.fromkeys(["parity", *_RATIOS], decimals)
        for name, label in UNKNOWN_COLUMNS.items():
            formats[name] = st.column_config.NumberColumn(label, format="percent", width=80)
        st.dataframe(figures, hide_index=True, column_config=formats)


def _counts(figures: pd.DataFrame, measure: str) -> str:
    """Return in words what the figures were counted on."""
    names = ", ".join(dict.fromkeys(figures["tokenizer"]))
    if measure != "parity":
        return f"{names} · {MEASURES[measure]}"
    n_tokens = figures.groupby("tokenizer", sort=False)["tokens in English"].first()
    english = ", ".join(f"{name} {n:,}" for name, n in n_tokens.items())
    return f"Tokens of {figures['sentences'].iloc[0]} sentences in English: {english}"


_RATIOS = ("bytes per token", "tokens per character", "tokens per byte")
UNKNOWN_COLUMNS = {"unknown text": "unknown", "unknown in English": "in English"}  # with what stands above them


def worst_case(figures: pd.DataFrame) -> str:
    """Return in words where parity is highest, of the figures that compare."""
    if figures["parity"].isna().all():
        return (
            f"No figure here compares: in every row {UNKNOWN_SHARE:.0%} or more of the text, in the language or in "
            f"{REFERENCE}, is unknown."
        )
    row = figures.nlargest(1, "parity").iloc[0]
    return (
        f"Worst case: {row['language']} costs {row['parity']:.1f}× as much as {REFERENCE} with {row['tokenizer']}. "
        "Click a cell to see its sentences."
    )


def _of_each(names: list[str], figures: Callable[[AnyTokenizer], Figures]) -> dict[str, Figures]:
    """Return the figures of all tokenizers; one that cannot encode is left out, and the page says why."""
    found = {}
    for name in names:
        try:
            found[name] = figures(tokenizer_named(name))
        except ValueError as e:
            show_error(e, title="A tokenizer is left out")
    return found


def _parity_table(costs: Mapping[str, Mapping[str, LanguageCost]]) -> pd.DataFrame:
    """Return a row for each tokenizer and language of the parallel sentences."""
    return _table(
        {
            "tokenizer": name,
            "language": language,
            "parity": cost.parity,
            "unknown text": cost.unknown.share,
            "unknown in English": cost.reference_unknown.share,
            "sentences": cost.n_sentences,
            "tokens": cost.n_tokens,
            "tokens in English": cost.n_reference_tokens,
            "bytes per token": cost.bytes_per_token,
        }
        for name, languages in costs.items()
        for language, cost in languages.items()
    )


def _sample_table(names: list[str]) -> pd.DataFrame:
    """Return a row for each tokenizer and sample."""
    return _table({"tokenizer": name, **row} for name, rows in _of_each(names, _samples).items() for row in rows)


def _table(rows: Iterable[dict]) -> pd.DataFrame:
    """Return a table; the columns on unknown text are there only where a tokenizer has some."""
    table = pd.DataFrame(rows)
    for name in UNKNOWN_COLUMNS:
        table = without_zeroes(table, name)
    return table


def _samples(tokenizer: AnyTokenizer) -> list[dict]:
    """Return a row for each sample."""
    rows = []
    for name in SAMPLES:
        spans = text_spans(tokenizer, sample(name))
        figure = metrics(sample(name), spans.ids)
        rows.append(
            {
                "sample": name,
                "tokens per character": figure.n_tokens / figure.n_chars,
                "tokens per byte": figure.n_tokens / figure.n_bytes,
                "unknown text": unknown_text(tokenizer, spans).share,
                "tokens": figure.n_tokens,
                "characters": figure.n_chars,
                "bytes": figure.n_bytes,
            }
        )
    return rows
