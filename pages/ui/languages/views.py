"""The figures of all languages: over the years, as a range plot, a heat map or a table, with their order and files."""

import json
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.compare.numbers import UNKNOWN
from pages.ui.languages.figures import (
    Figures,
    figure_table,
    highest_parity,
    interval_text,
    is_comparable,
    language_codes_in,
    parity_sentence,
    picture_caption,
    show_interval_note_if_any,
    show_note_on_bytes_if_any,
)
from pages.ui.languages.parallel import language_name, reference_language
from pages.ui.languages.range_plot import ROW_HEIGHT, range_plot
from pages.ui.languages.sentences import own_languages
from pages.ui.languages.years import open_sentences_of_clicked_point, show_languages_menu, show_years
from pages.ui.options import option_value, set_option, show_choice, show_option_widget
from pages.ui.shared.buttons import show_file_button
from pages.ui.shared.charts import (
    UNKNOWN_CELL,
    UNKNOWN_SHARE,
    clicked_fields_or_none,
    heat_map,
    legend_labels,
    show_chart,
)
from pages.ui.shared.claude_counts import show_claude_picker
from tokviz.display.csv_text import csv_without_lists
from tokviz.formats.claude import CLAUDE_VERSIONS
from tokviz.formats.pretrained import short_name
from tokviz.languages.table import LANGUAGES

VIEWS = YEARS, DOTS, HEAT, TABLE = "Years", "Dots", "Heat map", "Table"
MOST, SCRIPT, FAMILY, NAME = "the most they pay", "script", "family", "name"  # orders, besides those of tokenizers
ELSE = "Not in the table"
FITTING_MAX = 36  # languages that the plot fits into the window
PRESENTED_MAX = {DOTS: 12, HEAT: 8}  # languages whose names are legible from the last row
PRINTED_ROW, HEAT_ROW = 18, 22  # pixels


def show_order_picker(names: Sequence[str]) -> str:
    """Show the choice of an order, and return it: one of those above, or one of these names of tokenizers."""
    one = names if len(names) > 1 else []
    return show_option_widget(
        "languages_order", st.selectbox, "Order", options=list(dict.fromkeys([MOST, *one, SCRIPT, FAMILY, NAME])),
        format_func=lambda order: "Most expensive first" if order == MOST else f"By {short_name(order)}",
        label_visibility="collapsed", width=185,
    )  # fmt: skip


def ordered_languages_and_groups(figures: Figures, order: str) -> tuple[list[str], dict[str, str]]:
    """Return the codes of the languages in an order, and the group of each if they are in groups.

    Groups, and languages within one, go by the most that they pay.
    """
    codes = sorted(language_codes_in(figures), key=lambda code: highest_parity(figures, code), reverse=True)
    if order == NAME:
        return sorted(codes, key=language_name), {}
    if order in (SCRIPT, FAMILY):
        groups = {code: getattr(LANGUAGES[code], order) if code in LANGUAGES else ELSE for code in codes}
        places = {group: i for i, group in enumerate(dict.fromkeys(groups.values()))}
        return sorted(codes, key=lambda code: places[groups[code]]), groups
    if order in figures:
        of_one = {order: figures[order]}
        return sorted(codes, key=lambda code: highest_parity(of_one, code), reverse=True), {}
    return codes, {}


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
        files = _show_heat_map(figures, rows, title=title)
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


def _show_heat_map(figures: Figures, rows: Sequence[str], *, title: str) -> DeltaGenerator:
    """Show the heat map, languages by their codes from the top down, and return the row with its files.

    title: of its picture.
    """
    names = {label: name for name, label in legend_labels(figures).items() if name not in CLAUDE_VERSIONS}
    codes = {language_name(code): code for code in rows}
    names_in_heat_maps = {"language": "row", "tokenizer": "column", "pays": "value"}
    cells = figure_table(figures, rows).rename(columns=names_in_heat_maps)

    def pick_clicked_cell() -> None:
        """Pick the language that was clicked."""
        if cell := clicked_fields_or_none("languages"):
            set_option("sentence_language", codes.get(cell["row"], ""))
            set_option("sentence_tokenizer", names.get(cell["column"], option_value("sentence_tokenizer")))

    large = option_value("presenting")
    chart = heat_map(cells, title="cost", large=large, row_height=HEAT_ROW)
    files = show_chart(chart, "languages", cells=cells, title=title, caption=picture_caption(figures),
                       on_point=pick_clicked_cell,
                       alt_text="Heat map: what each language costs, a row for each")  # fmt: skip
    legend = [] if large else ["The stronger the colour, the more a language costs."]
    if (cells["unknown"] >= UNKNOWN_SHARE).any():
        legend.append(f"{UNKNOWN_CELL} {UNKNOWN}")
    if legend:
        st.caption(" ".join(legend))
    show_interval_note_if_any(figures, "Intervals, shown where you point,")
    return files


def _show_parity_table(figures: Figures, rows: list[str]) -> DeltaGenerator:
    """Show a table to sort by any column."""
    labels, known = legend_labels(figures), [LANGUAGES.get(code) for code in rows]
    columns: dict[str, list[Any]] = {"language": [*map(language_name, rows)]}
    for name, of_each in figures.items():
        fair = [of_each[code] if is_comparable(of_each[code]) else None for code in rows]
        columns[labels[name]] = [row and row.parity for row in fair]
        columns[f"{labels[name]} 95%"] = [row and interval_text(row) for row in fair]
    columns["code"] = rows
    columns |= {group: [language and getattr(language, group) for language in known] for group in (SCRIPT, FAMILY)}
    table = pd.DataFrame(columns).astype(dict.fromkeys(labels.values(), float))
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
