"""All figures as files: those of `tokviz.parity` and of `tokviz parity`."""

import csv
import io
import json
from functools import partial

import streamlit as st

from pages.ui.languages.figures import Figures


def figure_files(figures: Figures) -> None:
    """Show the buttons that download all figures."""
    for label, file in (("CSV", parity_csv), ("JSON", parity_json)):
        st.download_button(label, partial(file, figures), file_name=f"parity.{label.lower()}",
                           key=f"parity {label}", on_click="ignore", icon=":material/download:",
                           type="tertiary", help="All figures, also of single sentences")  # fmt: skip


def parity_csv(figures: Figures) -> str:
    """Return a line for each tokenizer and language, as `tokviz parity --csv` prints them."""
    rows = _rows(figures)
    text = io.StringIO()
    names = [name for name in rows[0] if name != "premiums"]
    writer = csv.DictWriter(text, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def parity_json(figures: Figures) -> str:
    """Return all figures, with those of single sentences, as `tokviz parity --json` prints them."""
    return json.dumps(_rows(figures), ensure_ascii=False, indent=2)


def _rows(figures: Figures) -> list[dict]:
    return [row._asdict() for of_each in figures.values() for row in of_each.values()]
