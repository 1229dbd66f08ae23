"""The button that opens a picture of a heat map, drawn by `assets/picture`."""

import math

import pandas as pd
import streamlit as st

from pages.ui.shared.components import Component

PICTURE = Component("picture", ("token_view", "picture"))


def heat_picture(cells: pd.DataFrame, *, name: str, title: str, caption: str, unknown_share: float) -> None:
    """Show the button for the cells of a heat map, with the columns that `heat_map` takes.

    unknown_share: cells with more unknown text than this have no tint.
    """
    rows, columns = list(dict.fromkeys(cells["row"])), list(dict.fromkeys(cells["column"]))
    cells = cells.assign(value=pd.to_numeric(cells["value"]), lost=cells.get("unknown", 0.0))
    cells["lost"] = cells["lost"].fillna(0.0) >= unknown_share
    highest = cells["value"][~cells["lost"]].max()
    found = {(row, column): figures for row, column, *figures in cells[["row", "column", "value", "lost"]].to_numpy()}

    def cell(row: str, column: str) -> dict[str, object]:
        value, lost = found.get((row, column), (math.nan, False))
        if not math.isfinite(value):
            return {"shown": "–", "share": None, "lost": False}
        share = None if lost else value / highest if highest > 0 else 0.0
        return {"shown": f"{value:.2f}", "share": share, "lost": bool(lost)}

    data = {
        "name": name, "title": title, "caption": caption, "columns": columns,
        "tints": {theme: list(st.get_option(f"theme.{theme}.chartSequentialColors")) for theme in ("light", "dark")},
        "rows": [{"name": row, "cells": [cell(row, column) for column in columns]} for row in rows],
    }  # fmt: skip
    PICTURE.show(key=f"picture {name}", data=data, width="content")
