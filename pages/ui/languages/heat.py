"""The heat map: what each language pays under each tokenizer."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.compare.numbers import UNKNOWN, without_column_if_all_zero
from pages.ui.languages.figures import Figures, interval_text, picture_caption, show_interval_note_if_any
from pages.ui.languages.parallel import language_name
from pages.ui.options import option_value, set_option
from pages.ui.shared.charts import (
    UNKNOWN_CELL,
    UNKNOWN_SHARE,
    clicked_fields_or_none,
    heat_map,
    legend_labels,
    show_chart,
)
from tokviz.formats.claude import CLAUDE_VERSIONS

LANGUAGE_HEIGHT = 22  # pixels of a row


def show_heat_map(figures: Figures, rows: Sequence[str], *, title: str) -> DeltaGenerator:
    """Show the heat map, languages by their codes from the top down, and return the row with its files.

    title: of its picture.
    """
    names = {label: name for name, label in legend_labels(figures).items() if name not in CLAUDE_VERSIONS}
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
    legend = [] if large else ["The stronger the colour, the more a language costs."]
    if "unknown" in cells and (cells["unknown"] >= UNKNOWN_SHARE).any():
        legend.append(f"{UNKNOWN_CELL} {UNKNOWN}")
    if legend:
        st.caption(" ".join(legend))
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
