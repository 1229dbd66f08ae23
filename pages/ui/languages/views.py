"""The figures of all languages: over the years, as a range plot, a heat map or a table, with their files."""

import json
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.languages.figures import (
    Figures,
    interval_text,
    is_comparable,
    parity_sentence,
    picture_caption,
    show_interval_note_if_any,
    show_note_on_bytes_if_any,
)
from pages.ui.languages.heat import show_heat_map
from pages.ui.languages.order import ordered_languages_and_groups
from pages.ui.languages.own_sentence import own_languages
from pages.ui.languages.parallel import language_name, reference_language
from pages.ui.languages.range_plot import ROW_HEIGHT, range_plot
from pages.ui.languages.years import open_sentences_of_clicked_point, show_languages_menu, show_years
from pages.ui.options import option_value, show_choice
from pages.ui.shared.buttons import show_file_button
from pages.ui.shared.charts import UNKNOWN_SHARE, legend_labels, show_chart
from pages.ui.shared.claude_counts import show_claude_picker
from tokviz.display.csv_text import csv_without_lists
from tokviz.languages.table import LANGUAGES

VIEWS = YEARS, DOTS, HEAT, TABLE = "Years", "Dots", "Heat map", "Table"
FITTING_MAX = 36  # languages that the plot fits into the window
PRESENTED_MAX = {DOTS: 12, HEAT: 8}  # languages whose names are legible from the last row
PRINTED_ROW = 18  # pixels


def show_view_choice() -> str:
    """Show the choice of a view, over the years with that of the languages, and return the view."""
    if (view := show_choice("languages_view", "View", VIEWS)) == YEARS:
        show_languages_menu()
    return view


def show_figures(figures: Figures, view: str, order: str, picked: str) -> None:
    """Show a view of the figures, the languages in an order, and one of them marked.

    figures: over the years those of `vocabulary_figures`.
    """
    rows, groups = ordered_languages_and_groups(figures, order)
    n_languages = len(rows)
    if option_value("presenting") and view in PRESENTED_MAX:
        rows = rows_that_fit(rows, {picked, reference_language(), *own_languages()}, PRESENTED_MAX[view])
    title = parity_sentence(figures, picked).rstrip(".")
    if view == YEARS:
        files = show_years(figures, picked)
    elif view == HEAT:
        files = show_heat_map(figures, rows, title=title)
    elif view == TABLE:
        files = _show_parity_table(figures, rows)
    else:
        files = _show_range_plot(figures, rows, groups, picked, title)
    if len(rows) < n_languages:
        st.caption(f"{len(rows)} of the {n_languages:,} languages.")
    with files:
        for label, file in (("CSV", parity_csv), ("JSON", parity_json)):
            show_file_button(
                label, partial(file, figures), f"parity.{label.lower()}", key=f"parity {label}", type="tertiary",
                help="All figures, single sentences included",
            )  # fmt: skip
    if view != YEARS:
        show_note_on_bytes_if_any(figures)
        show_claude_picker()


def rows_that_fit(rows: Sequence[str], kept: Collection[str], most: int) -> list[str]:
    """Return no more than `most` rows if it can: those to keep, and others at even distances.

    >>> "".join(rows_that_fit("abcdefghijklmnopqrstuvwxyz", kept="yz", most=16))
    'acefhjlmoqstvxyz'
    """
    others = [code for code in rows if code not in kept]
    n = max(2, most - (len(rows) - len(others)))
    if len(others) > n:
        others = [others[round(i * (len(others) - 1) / (n - 1))] for i in range(n)]
    return [code for code in rows if code in kept or code in others]


def _show_range_plot(
    figures: Figures, rows: list[str], groups: dict[str, str], picked: str, title: str
) -> DeltaGenerator:
    """Show the range plot."""
    fits = len(rows) <= FITTING_MAX
    plot = range_plot(figures, rows, picked=picked, groups=groups, large=bool(option_value("presenting")),
                      height=None if fits else ROW_HEIGHT * len(rows))  # fmt: skip
    with st.container(key="range-plot" if fits else "long-plot"):
        files = show_chart(
            plot,
            "languages",
            title=title,
            caption=picture_caption(figures),
            on_point=open_sentences_of_clicked_point,
            export_height=PRINTED_ROW * len(rows) if fits else None,
            alt_text="Range plot: a line for each language, a dot for each tokenizer",
        )
    if any(not is_comparable(row) for of_each in figures.values() for row in of_each.values()):
        st.caption(f"*Hollow*: {UNKNOWN_SHARE:.0%} or more of the text is unknown, so the figure is not comparable.")
    show_interval_note_if_any(figures)
    return files


def _show_parity_table(figures: Figures, rows: list[str]) -> DeltaGenerator:
    """Show a table to sort by any column."""
    labels = legend_labels(figures)
    table = pd.DataFrame(
        [
            {
                "language": language_name(code),
                **{
                    column: value
                    for name, of_each in figures.items()
                    if (row := of_each[code])
                    for column, value in (
                        (labels[name], row.parity if is_comparable(row) else None),
                        (f"{labels[name]} 95%", interval_text(row) if is_comparable(row) else None),
                    )
                },
                "code": code,
                "script": LANGUAGES[code].script if code in LANGUAGES else None,
                "family": LANGUAGES[code].family if code in LANGUAGES else None,
            }
            for code in rows
        ]
    ).astype(dict.fromkeys(labels.values(), float))
    formats: dict[str, Any] = dict.fromkeys(labels.values(), st.column_config.NumberColumn(format="%.2f"))
    formats["language"] = st.column_config.TextColumn(pinned=True)
    formats["script"] = st.column_config.TextColumn(width=96)  # the longest, “Devanagari”, is rarely in sight at first
    st.dataframe(table, hide_index=True, column_config=formats, height=520, placeholder="–")
    show_interval_note_if_any(figures, "The columns that end in 95%")
    return st.container(key="desk-files", horizontal=True, gap="small")


def parity_csv(figures: Figures) -> str:
    """Return a line for each tokenizer and language, as `tokviz parity --csv` prints them."""
    return csv_without_lists(_figure_rows(figures))


def parity_json(figures: Figures) -> str:
    """Return all figures, with those of single sentences, as `tokviz parity --json` prints them."""
    return json.dumps(_figure_rows(figures), ensure_ascii=False, indent=2)


def _figure_rows(figures: Figures) -> list[dict]:
    """Return all figures, a row each."""
    return [row._asdict() for of_each in figures.values() for row in of_each.values()]
