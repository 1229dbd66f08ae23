"""The range plot: a line for each language, with a dot on it for what it pays under each tokenizer."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from pages.ui.languages.figures import Figures, figure_table, precise_parity_text
from pages.ui.languages.parallel import language_name, reference_language
from pages.ui.shared.charts import COLOURS, SHAPES, legend_labels

LINE, SOFT_LINE, PICKED = "#8a8594", "#8a859466", "#0f8a8333"
ROW_HEIGHT = 15  # pixels
LARGE_TYPE = "clamp(min(0.034 * (windowSize()[1] || 720), 0.045 * (windowSize()[0] || 1280)), 12, 56)"


def range_plot(
    figures: Figures, rows: Sequence[str], *, picked: str, groups: Mapping[str, str], height: int | None, large: bool
) -> alt.LayerChart:
    """Return the plot of languages, by their codes from the top down.

    picked: the language to mark. groups: the group of each, if they are in groups, named where it begins. height: in
    pixels; None for that of its place on the page, with type to match. large: for a room, with type by the height of
    the window.
    """
    labels = list(legend_labels(figures).values())
    lines = _line_table(figures, rows, picked=picked, groups=groups)
    row_height = f"height / {max(len(rows), 1)}"
    type_size = alt.ExprRef(
        LARGE_TYPE if large else f"clamp(0.85 * {row_height}, clamp(1.1 * {row_height}, 10, 12), 32)"
    )
    low, high = _axis_ends(figures, rows)
    ends = low, high + (high - low) / 8 * bool(groups)  # with room for their names
    x, y = _axes(ends, list(lines["language"]), type_size)
    of_rows = alt.Chart(lines).encode(y=y)
    tooltip = [
        alt.Tooltip("language:N", title="Language"),
        *(alt.Tooltip(f"pays {i}:N", title=label) for i, label in enumerate(labels)),
    ]
    layers = [
        of_rows.transform_filter("datum.picked").mark_rect(color=PICKED),
        alt.Chart(pd.DataFrame({"pays": [1.0]})).mark_rule(color=LINE, strokeWidth=1.5).encode(x=x),
        of_rows.mark_rule(color=LINE, strokeWidth=2).encode(x="low:Q", x2="high:Q"),
        *_group_layers(lines, y, type_size),
        *_dot_layers(figure_table(figures, rows), labels, x, y, row_height),
        of_rows.mark_rect(opacity=0)
        .encode(tooltip=tooltip)
        .add_params(alt.selection_point("clicked", fields=["code"])),
    ]
    return alt.LayerChart(layer=layers).properties(height=height or "container")


def _axes(ends: tuple[float, float], names: list[str], type_size: alt.ExprRef) -> tuple[alt.X, alt.Y]:
    """Return what is paid as x, between these ends, and languages as y, in the order of their names."""
    look: dict[str, Any] = {"ticks": False, "domain": False, "labelFlush": False, "labelFontSize": type_size}
    scale = alt.Scale(domain=list(ends), nice=False, zero=False)
    at_top = alt.Axis(orient="top", values=_tick_values(*ends), labelExpr=tick_label_expression(),
                      labelOverlap="greedy", gridColor=SOFT_LINE, **look)  # fmt: skip
    names_axis = alt.Axis(grid=False, labelOverlap=False, labelLimit=0, labelPadding=8, **look)
    y = alt.Y("language:N", title=None, sort=names, scale=alt.Scale(type="band", padding=0), axis=names_axis)
    return alt.X("pays:Q", title=None, scale=scale, axis=at_top), y


def _dot_layers(dots: pd.DataFrame, labels: list[str], x: alt.X, y: alt.Y, row_height: str) -> list[alt.Chart]:
    """Return the dots, filled if they compare: a colour and a shape for each tokenizer."""
    type_size = alt.ExprRef(f"clamp(0.85 * {row_height}, 12, 32)")
    legend = alt.Legend(title=None, orient="top", offset=6, columns=3, symbolOpacity=1, symbolStrokeWidth=2,
                        labelLimit=180, labelFontSize=type_size,
                        symbolSize=alt.ExprRef(f"pow(clamp(0.62 * {row_height}, 10, 22), 2)"))  # fmt: skip
    looks: dict[str, Any] = {"legend": legend, "sort": labels}
    base = alt.Chart(dots).encode(
        x=x,
        y=y,
        color=alt.Color("tokenizer:N", scale=alt.Scale(domain=labels, range=COLOURS), **looks),
        shape=alt.Shape("tokenizer:N", scale=alt.Scale(domain=labels, range=SHAPES), **looks),
    )
    size = alt.ExprRef(f"pow(clamp(0.62 * {row_height}, 7, 22), 2)")
    dot: dict[str, Any] = {"size": size, "opacity": 1, "aria": False}
    return [
        base.transform_filter("datum.compares").mark_point(filled=True, **dot),
        base.transform_filter("!datum.compares").mark_point(filled=False, strokeWidth=1.5, **dot),
    ]


def _axis_ends(figures: Figures, rows: Sequence[str]) -> tuple[float, float]:
    """Return the ends of an axis that has all figures of these languages, and 1."""
    paid = [each[code].parity or 1.0 for each in figures.values() for code in rows]
    low, high = min([1.0, *paid]), max([1.2, *paid])
    room = (high - low) / 40
    return low - room, high + room


def _tick_values(low: float, high: float) -> list[float]:
    """Return where an axis has numbers: at 1, and at up to some eight round ones that are not too close to it.

    >>> _tick_values(0.9, 15.6), _tick_values(0.95, 2.1)
    ([1.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0], [1.0, 1.2, 1.4, 1.6, 1.8, 2.0])
    """
    step = next(step for step in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 1e9) if (high - low) / step <= 8)
    found = [round(step * i, 6) for i in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return [1.0, *(float(tick) for tick in found if abs(tick - 1) >= 0.5 * step)]


def tick_label_expression() -> str:
    """Return Vega's expression for the label of a tick: at 1 it is the language that the others are compared with."""
    return f"datum.value == 1 ? {json.dumps(language_name(reference_language()))} : format(datum.value, '~g') + '×'"


def _line_table(figures: Figures, rows: Sequence[str], *, picked: str, groups: Mapping[str, str]) -> pd.DataFrame:
    """Return a row for each language: where its line begins and ends, and what is shown when it is pointed at."""
    found, before = [], None
    for code in rows:
        paid = [of_each[code].parity or 1.0 for of_each in figures.values() if of_each[code].parity is not None]
        group = groups.get(code, "")
        line = {"language": language_name(code), "code": code, "picked": code == picked,
                "low": min(paid, default=None), "high": max(paid, default=None),
                "group": group if group != before else ""}  # fmt: skip
        line |= {f"pays {i}": precise_parity_text(of_each[code]) for i, of_each in enumerate(figures.values())}
        found.append(line)
        before = group
    return pd.DataFrame(found)


def _group_layers(lines: pd.DataFrame, y: alt.Y, type_size: alt.ExprRef) -> list[alt.Chart]:
    """Return the names of groups, at the right of their first languages, and the lines between them."""
    first = lines[lines["group"] != ""][["language", "group"]]
    if first.empty:
        return []
    above = alt.Y("language:N", bandPosition=0, sort=list(lines["language"]))
    base = alt.Chart(first)
    names = base.mark_text(align="right", dx=-4, color=LINE, fontSize=type_size)
    return [
        base.mark_rule(color=SOFT_LINE).encode(y=above),
        names.encode(y=y, x=alt.XValue("width"), text="group:N"),
    ]
