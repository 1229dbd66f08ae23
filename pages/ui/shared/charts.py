"""Charts: shown in the page, and as PNG and SVG files to download; and the heat map.

A chart's words are drawn as text by Vega, and its tooltips are escaped there, so names may come from users.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import partial
from textwrap import wrap
from typing import Any, Literal

import altair as alt
import pandas as pd
import streamlit as st
import vl_convert
from streamlit.delta_generator import DeltaGenerator

from pages.ui.shared.buttons import show_file_button
from tokviz.formats.pretrained import full_name, short_name

# From Okabe and Ito's palette: colour-blind people can tell them apart, and both backgrounds keep them legible.
COLOURS = ("#1a80c4", "#d55e00", "#009e73", "#cc79a7", "#808000", "#56b4e9", "#e69f00", "#7570b3")
WORD_COLOURS = (*COLOURS[:5], "#4999c6", "#c38700", COLOURS[7])  # with enough contrast for large letters
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
ROW_HEIGHT, STRAIGHT_HEIGHT, SLANTED_HEIGHT, LABEL_PIXELS = 36, 28, 84, 130  # pixels
# If more of a text than this is unknown, its figure does not compare with others, and its cell has no colour.
UNKNOWN_SHARE = 0.01
UNKNOWN_LINE = "#c1440e"
# Vega's expressions: the colours are the theme's, so only the browser knows a cell's, and which ink is legible there.
IS_DARK = "luminance(scale('color', 0)) < 0.3"
UNKNOWN_TINT = f"({IS_DARK} ? '#38353b' : '#e4e2e6')"
TINT = "scale('color', datum.value)"
DARK_INK, LIGHT_INK = "#000000", "#ffffff"  # the better of these has a contrast of 4.58:1 or more with any colour
UNKNOWN_CELL = (
    f"*Grey with a dashed line*: {UNKNOWN_SHARE:.0%} or more of the text is unknown, so the figure is not comparable."
)
TITLE_SIZE, CAPTION_SIZE, CAPTION_PIXELS = 16, 12, 6  # pixels; the last of a letter of a caption, about
LARGE, LABEL_SIZE = 2, 12  # times as large as usual for a room; pixels of a name's letters
STRAIGHT_CHARACTERS = 50  # of all labels on top of a heat map; longer ones are slanted


def show_chart(
    chart: alt.Chart | alt.LayerChart,
    name: str,
    *,
    title: str,
    caption: str,
    alt_text: str,
    export_width: int = 640,
    on_point: Callable[[], None] | None = None,
    cells: pd.DataFrame | None = None,
    export_height: int | None = None,
    files: DeltaGenerator | None = None,
) -> DeltaGenerator:
    """Show a chart, and offer it as files called `name`, with a white background and `export_width` pixels wide.

    Returns the row with the files, for more of them. files: that row, if it is not to be right below the chart.

    The files have the title, the caption and the day. on_point: called when something in the chart is clicked, which
    `clicked_fields_or_none` then tells. cells: those of a heat map, of which the caption then says what grey means.
    export_height: in pixels, of a chart that is as high as its place on the page.
    """
    if cells is not None and "unknown" in cells and (cells["unknown"] >= UNKNOWN_SHARE).any():
        caption = f"{caption} · {UNKNOWN_CELL.replace('*', '').rstrip('.')}"
    st.altair_chart(chart, key=f"chart {name}", alt=alt_text, on_select=on_point or "ignore",
                    height="stretch" if export_height else "content")  # fmt: skip
    look: dict[str, Any] = {"width": export_width, "background": "white", "padding": 16}
    if export_height:
        look["height"] = export_height
    printed = partial(_printed_chart_json, chart, title, caption, look)
    makers = {
        "PNG": lambda: vl_convert.vegalite_to_png(printed(), scale=2),
        "SVG": lambda: vl_convert.vegalite_to_svg(printed()).encode(),
    }
    row = files or file_row(name)
    with row:
        for label, make in makers.items():
            show_file_button(label, make, f"{name}.{label.lower()}", key=f"download {name} {label}", type="tertiary")
    return row


def file_row(name: str) -> DeltaGenerator:
    """Return a row for the files of a chart called `name`."""
    return st.container(key=f"desk-{name.replace(' ', '-')}", horizontal=True, gap="small")


def clicked_fields_or_none(name: str) -> dict[str, str] | None:
    """Return the fields of what was clicked in the chart called `name`, or None: "row" and "column" in a heat map."""
    clicked = (st.session_state.get(f"chart {name}") or {}).get("selection", {}).get("clicked") or []
    return clicked[0] if clicked else None


def _printed_chart_json(chart: alt.Chart | alt.LayerChart, title: str, caption: str, look: Mapping[str, Any]) -> str:
    """Return a chart for a file, made on demand since writing it as JSON takes longer than showing it.

    The caption, with the day and the maker, is below the title, in lines as wide as the chart.
    """
    today = date.today()
    words = " · ".join([*filter(None, [caption]), f"{today.day} {today:%B %Y}", "tokviz"])
    heading = alt.TitleParams(title, subtitle=wrap(words, look["width"] // CAPTION_PIXELS), fontSize=TITLE_SIZE,
                              subtitleFontSize=CAPTION_SIZE, anchor="start", frame="group", offset=14,
                              subtitlePadding=6)  # fmt: skip
    colours = st.get_option("theme.light.chartSequentialColors")
    return chart.properties(title=heading, **look).configure_range(heatmap=colours).to_json()


def heat_map(cells: pd.DataFrame, *, title: str, large: bool = False, row_height: int = ROW_HEIGHT) -> alt.LayerChart:
    """Return a heat map of `cells`, with columns "row", "column" and "value"; rows and columns keep their order.

    Each cell shows its value, so that nothing depends on colour; a missing one is a dash without a colour.
    The colours begin at 0. With a column "unknown", the share of unknown text, cells with more of it than
    UNKNOWN_SHARE are grey with a dashed line, and left out of the scale. A column "interval" is shown when a cell is
    pointed at. large: for a room. row_height: in pixels.
    """
    scale = LARGE if large else 1
    rows, columns = list(dict.fromkeys(cells["row"])), list(dict.fromkeys(cells["column"]))
    cells = cells.assign(unknown=cells.get("unknown", 0.0))
    interval = [column for column in cells if column == "interval"]
    cells = cells[["row", "column", "value", "unknown", *interval]]
    highest = cells["value"][cells["unknown"] < UNKNOWN_SHARE].max()
    highest = float(highest) if highest > 0 else 1.0
    slanted = len(columns) * max(map(len, columns), default=0) > STRAIGHT_CHARACTERS
    height = scale * (row_height * len(rows) + (SLANTED_HEIGHT if slanted else STRAIGHT_HEIGHT))
    gap = alt.Scale(paddingInner=0.05, paddingOuter=0)
    base = alt.Chart(cells, height=height).encode(
        x=alt.X("column:N", title=None, sort=columns, scale=gap, axis=names_axis("top", slanted=slanted, scale=scale)),
        y=alt.Y("row:N", title=None, sort=rows, scale=gap, axis=names_axis("left", scale=scale)),
        tooltip=[
            alt.Tooltip("row:N", title="Row"),
            alt.Tooltip("column:N", title="Column"),
            alt.Tooltip("value:Q", title=title, format=".4f"),
            *(alt.Tooltip(f"{column}:N", title="95% interval") for column in interval),
            *([alt.Tooltip("unknown:Q", title="Unknown text", format=".1%")] if cells["unknown"].any() else []),
        ],
    )
    colour = alt.Color(
        "value:Q",
        legend=None,
        scale=alt.Scale(domain=[0, highest], range="heatmap"),
    )
    counted, cheap = "isValid(datum.value)", f"datum.unknown >= {UNKNOWN_SHARE}"
    tint = f"({cheap} ? {UNKNOWN_TINT} : {TINT})"
    ink = alt.when(f"contrast({tint}, '{DARK_INK}') < contrast({tint}, '{LIGHT_INK}')").then(alt.value(LIGHT_INK))
    figures = base.transform_filter(counted).mark_text(fontSize=13 * scale)
    lost = base.transform_filter(f"{counted} && {cheap}").mark_rect(
        cornerRadius=3, color=alt.ExprRef(UNKNOWN_TINT), stroke=UNKNOWN_LINE, strokeWidth=2, strokeDash=[5, 3]
    )
    layers = [
        base.transform_filter(f"{counted} && !({cheap})")
        .mark_rect(cornerRadius=3)
        .encode(color=colour)
        .add_params(alt.selection_point("clicked", fields=["row", "column"])),
        *([lost] if (cells["unknown"] >= UNKNOWN_SHARE).any() else []),
        figures.encode(text=alt.Text("value:Q", format=".2f"), color=ink.otherwise(alt.value(DARK_INK))),
        base.transform_filter(f"!{counted}").mark_text(text="–", color="#7d8a88", fontSize=13 * scale),
    ]
    return alt.LayerChart(layer=layers)


def legend_labels(names: Iterable[str]) -> dict[str, str]:
    """Return how tokenizers are named in a legend, no two alike.

    >>> legend_labels(["gpt2", "cl100k_base", "GPT-4"])
    {'gpt2': 'GPT-2', 'cl100k_base': 'GPT-4 · cl100k_base', 'GPT-4': 'GPT-4'}
    """
    short = {name: short_name(name) for name in names}
    times = Counter(short.values())
    return {name: full_name(name) if times[label] > 1 else label for name, label in short.items()}


def names_axis(
    orient: Literal["top", "left"],
    *,
    slanted: bool = False,
    grid: bool = False,
    pixels: int = LABEL_PIXELS,
    scale: float = 1,
) -> alt.Axis:
    """Return an axis that shows all names, each at most this many pixels long, beside the middle of what it names.

    scale: how many times larger than usual it is, with its names.
    """
    align: Literal["left", "center", "right"] = "left" if slanted else "center" if orient == "top" else "right"
    return alt.Axis(
        orient=orient,
        labelAngle=-35 if slanted else 0,
        labelAlign=align,
        labelBaseline="bottom" if orient == "top" else "middle",
        labelLimit=pixels * scale,
        labelFontSize=LABEL_SIZE * scale,
        labelOverlap=False,
        labelPadding=6,
        ticks=False,
        domain=False,
        grid=grid,
    )
