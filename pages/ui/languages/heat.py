"""The heat map: what each language pays under each tokenizer, or tokens per character and per byte of the samples."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.compare.numbers import UNKNOWN, without_column_if_all_zero
from pages.ui.languages.figures import Figures, interval_text, picture_caption, show_interval_note_if_any
from pages.ui.languages.parallel import language_name
from pages.ui.options import option_value, set_option, show_choice
from pages.ui.session_tokenizers.tokenizer_list import tokenizer_named
from pages.ui.shared.charts import (
    UNKNOWN_CELL,
    UNKNOWN_SHARE,
    clicked_fields_or_none,
    heat_map,
    legend_labels,
    show_chart,
)
from pages.ui.shared.messages import show_error
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.samples import SAMPLES, sample
from tokviz.formats.claude import CLAUDE_VERSIONS
from tokviz.formats.pretrained import full_name
from tokviz.text.tables import text_figures

PARITY = "parity"
# Of samples, with what they say.
MEASURES = {
    "tokens per character": "Tokens per character (code point) of each sample, line ends and spaces included.",
    "tokens per byte": "Tokens per byte of UTF-8 of each sample: 1.00 means that no bytes were merged. An ASCII letter "
    "is one byte, a Thai or Chinese character three.",
}
LANGUAGE_HEIGHT = 22  # pixels of a row


def show_heat_map_of_chosen_measure(figures: Figures, rows: Sequence[str], *, title: str) -> DeltaGenerator:
    """Show the chosen measure as a heat map: languages by their codes from the top down, or the samples.

    title: of the picture of languages. Returns the row with the files.
    """
    measure = show_choice("measure", "Measure", [PARITY, *MEASURES], format_func=str.capitalize)
    names = {label: name for name, label in legend_labels(figures).items() if name not in CLAUDE_VERSIONS}
    if measure != PARITY:
        return _show_figures_of_samples(list(names.values()), measure)
    cells = language_cells(figures, rows)
    codes = {language_name(code): code for code in rows}

    def pick_clicked_cell() -> None:
        """Pick the language that was clicked."""
        if cell := clicked_fields_or_none("languages"):
            set_option("sentence_language", codes.get(cell["row"], ""))
            set_option("sentence_tokenizer", names.get(cell["column"], option_value("sentence_tokenizer")))

    large = option_value("presenting")
    chart = heat_map(cells, title="pays", large=large, row_height=LANGUAGE_HEIGHT)
    files = show_chart(chart, "languages", cells=cells, title=title, caption=picture_caption(figures),
                       on_point=pick_clicked_cell,
                       alt_text="Heat map: what each language pays, a row for each")  # fmt: skip
    _show_unknown_legend_if_needed(cells)
    show_interval_note_if_any(figures, "Intervals, shown where you point,")
    return files


def language_cells(figures: Figures, rows: Sequence[str]) -> pd.DataFrame:
    """Return the cells of the heat map: a row for each language, a column for each tokenizer."""
    labels = legend_labels(figures)
    cells = pd.DataFrame(
        [
            {
                "row": language_name(code),
                "column": labels[name],
                "value": of_each[code].parity,
                "interval": interval_text(of_each[code]),
                "unknown": max(of_each[code].unknown_share, of_each[code].reference_unknown_share),
            }
            for code in rows
            for name, of_each in figures.items()
        ]
    ).astype({"value": float})
    return without_column_if_all_zero(cells, "unknown")


def _show_unknown_legend_if_needed(cells: pd.DataFrame) -> None:
    """Say which figures are not comparable, if any is."""
    if "unknown" in cells and (cells["unknown"] >= UNKNOWN_SHARE).any():
        st.caption(f"{UNKNOWN_CELL} {UNKNOWN}")


def _show_figures_of_samples(names: Sequence[str], measure: str) -> DeltaGenerator:
    """Show a measure of every sample under every tokenizer, and the figures as a table."""
    st.caption(MEASURES[measure])
    table = _sample_table_showing_errors(names)
    if table.empty:
        return st.container(key="desk-files", horizontal=True)
    cells = table.rename(columns={"tokenizer": "row", "sample": "column", measure: "value", "unknown text": "unknown"})
    cells["row"] = cells["row"].map({full_name(name): label for name, label in legend_labels(names).items()})
    large = option_value("presenting")
    files = show_chart(heat_map(cells, title=measure, large=large), "samples", cells=cells,
                       title=f"{measure.capitalize()} of each sample",
                       caption=f"{', '.join(dict.fromkeys(cells['row']))} · {MEASURES[measure]}",
                       alt_text=f"Heat map: {measure}, a row for each tokenizer")  # fmt: skip
    _show_unknown_legend_if_needed(cells)
    with st.container(key="desk-table"):
        share = st.column_config.NumberColumn("unknown", format="percent", width=80)
        formats = dict.fromkeys(MEASURES, st.column_config.NumberColumn(format="%.2f"))
        st.dataframe(table, hide_index=True, column_config={**formats, "unknown text": share}, placeholder="–")
    return files


def _sample_table_showing_errors(names: Sequence[str]) -> pd.DataFrame:
    """Return a row for each tokenizer and sample; a tokenizer that cannot encode one is left out, as the page says."""
    rows = []
    for name in names:
        try:
            rows += [{"tokenizer": full_name(name), **row} for row in _rows_of_samples(tokenizer_named(name))]
        except ValueError as e:
            show_error(e, title="A tokenizer is left out")
    return without_column_if_all_zero(pd.DataFrame(rows), "unknown text")


def _rows_of_samples(tokenizer: AnyTokenizer) -> list[dict]:
    """Return a row for each sample."""
    rows = []
    for name in SAMPLES:
        text, figures = sample(name), text_figures(tokenizer, sample(name))
        n_tokens, n_chars, n_bytes = figures["n_tokens"], len(text), len(text.encode())
        of_text = {"tokens per character": n_tokens / n_chars, "tokens per byte": n_tokens / n_bytes}
        sizes = {"tokens": n_tokens, "characters": n_chars, "bytes": n_bytes}
        rows.append({"sample": name, **of_text, "unknown text": figures["unknown_share"], **sizes})
    return rows
