"""The chart of the years: a line for each language through the cheapest vocabulary of each year, and all points."""

import json
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate
from math import log2
from typing import Any

import altair as alt
import pandas as pd

from pages.ui.languages.figures import Figures, is_comparable, precise_parity_text
from pages.ui.languages.parallel import language_name
from pages.ui.languages.range_plot import LARGE_TYPE, LINE, SOFT_LINE, tick_label_expression
from pages.ui.shared.charts import COLOURS, WORD_COLOURS
from tokviz.formats.pretrained import INCLUDED, short_name
from tokviz.languages.parity import ParityRow

TYPE, GAP, LARGE_GAP = "12", 0.06, 0.088  # pixels; between names, as shares of the height
YEAR_WIDTH, PLACE_WIDTH = 0.8, 0.3  # what the points of a year take of it, and those of one tokenizer at most
POINTS_FROM = 440  # pixels of width that the points of all tokenizers need beside the lines, and names between its ends
SHOWN = f"(datum.cheapest || width >= {POINTS_FROM})"  # of the points of tokenizers that are not chosen
TICKS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0)
BARE: dict[str, Any] = {"grid": False, "ticks": False, "domain": False, "labelPadding": 6, "labelLimit": 0}
TOOLTIP = ["Language", "Tokenizer", "Maker", "Year", "Cost (95% interval)"]


def year_of(row: ParityRow) -> int:
    """Return the year of the vocabulary of an included tokenizer."""
    return INCLUDED[row.tokenizer].year


def rows_of_language(figures: Figures, code: str) -> list[ParityRow]:
    """Return what a language pays under each tokenizer, without those to which too much of the text is unknown."""
    return [rows[code] for rows in figures.values() if is_comparable(rows[code]) and rows[code].parity]


def cheapest_by_year(rows: Sequence[ParityRow]) -> list[ParityRow]:
    """Return for each year the row of the vocabulary under which a language pays least."""
    cheapest = {year_of(row): row for row in sorted(rows, key=lambda row: row.parity or 0, reverse=True)}
    return [cheapest[year] for year in sorted(cheapest)]


def years_plot(
    rows: Mapping[str, Sequence[ParityRow]], *, chosen: Collection[str], picked: str, large: bool = False
) -> alt.LayerChart:
    """Return the chart of what languages pay, by their codes.

    chosen: tokenizers whose points are filled. picked: the language with a thicker line. large: for a room, which has
    larger type. Above the chart are the names of the tokenizers at both ends of that line, and of those chosen.
    """
    table, names = _point_table(rows, chosen), [language_name(code) for code in rows]
    type_size, scale = alt.ExprRef(LARGE_TYPE if large else TYPE), 2 if large else 1
    colour = alt.Color("Language:N", scale=alt.Scale(domain=names, range=COLOURS[: len(names)]), legend=None)
    base = alt.Chart(table).encode(x=alt.X("x:Q", axis=None), y=alt.Y("cost:Q", axis=None), color=colour)
    look: dict[str, Any] = {"size": 70 * scale, "opacity": 1, "aria": False}
    aside = alt.condition("datum.cheapest", alt.value(1), alt.value(0.45))  # of the points that are on no line
    width = alt.condition(alt.datum.code == picked, alt.value(4 * scale), alt.value(1.8 * scale))
    of_picked = table[table["code"] == picked]
    on_line = sorted(of_picked["place"][of_picked["cheapest"]])
    ends = on_line[:1] + on_line[-1:]
    named = of_picked[of_picked["chosen"] | of_picked["place"].isin(ends)].sort_values("place", ascending=False)
    shown = f"(width >= {POINTS_FROM} || indexof({ends}, datum.value) >= 0)"
    top = _names_axis(named, "place", "Tokenizer", type_size, shown=shown, orient="top", labelOverlap="greedy")
    reference = alt.Chart(pd.DataFrame({"cost": [1.0]})).mark_rule(color=LINE, strokeWidth=1.5)
    layers = [
        reference.encode(y=_cost_axis(table, type_size)),
        _lines_to_names(table, type_size, gap=LARGE_GAP if large else GAP, top=top),
        base.transform_filter("datum.cheapest").mark_line().encode(x=_year_axis(table, type_size), strokeWidth=width),
        base.transform_filter(f"!datum.chosen && {SHOWN}")
        .mark_point(strokeWidth=1.6 * scale, **look)
        .encode(opacity=aside),
        base.transform_filter("datum.chosen").mark_point(filled=True, **look),
        base.transform_filter(f"datum.chosen || {SHOWN}")
        .mark_point(size=260 * scale, opacity=0)
        .encode(tooltip=[f"{name}:N" for name in TOOLTIP])
        .add_params(alt.selection_point("clicked", fields=["code", "name"])),
    ]
    chart = alt.LayerChart(layer=layers).properties(
        height="container", padding={"left": 5, "top": 5, "right": 12, "bottom": 5}
    )
    return chart.resolve_axis(x="independent", y="independent")


def _point_table(rows: Mapping[str, Sequence[ParityRow]], chosen: Collection[str]) -> pd.DataFrame:
    """Return a row for each point. Each tokenizer has a place within its year, and each language one within that."""
    found = []
    for i, (code, of_one) in enumerate(rows.items()):
        cheapest = cheapest_by_year(of_one)
        for row in of_one:
            name, maker = row.tokenizer, INCLUDED[row.tokenizer].maker
            shown = language_name(code), short_name(name), maker, year_of(row), precise_parity_text(row)
            kind = {"code": code, "name": name, "chosen": name in chosen, "cheapest": row in cheapest}
            at = {"cost": row.parity, "aside": (i + 0.5) / len(rows) - 0.5}
            found.append(kind | at | dict(zip(TOOLTIP, shown, strict=True)))
    table = pd.DataFrame(found)
    each = table.drop_duplicates("name").set_index("name")["Year"]
    of_year = each.groupby(each)
    width = min(PLACE_WIDTH, YEAR_WIDTH / of_year.size().max())
    places = each + (of_year.cumcount() - (of_year.transform("size") - 1) / 2) * width
    return table.assign(place=(place := table["name"].map(places)), x=place + table["aside"] * width / 2)


def _year_axis(table: pd.DataFrame, type_size: alt.ExprRef) -> alt.X:
    """Return the years as x."""
    first, last = int(table["Year"].min()), int(table["Year"].max())
    years = list(range(first, last + 1))
    axis = alt.Axis(values=years, format="d", labelAngle=0, labelOverlap="greedy", labelFontSize=type_size, **BARE)
    scale = alt.Scale(domain=[first - 0.5, last + 0.5], nice=False, zero=False)
    return alt.X("x:Q", title=None, scale=scale, axis=axis)


def _cost_axis(table: pd.DataFrame, type_size: alt.ExprRef) -> alt.Y:
    """Return the cost as y, on a logarithmic scale, the reference language at 1."""
    low, high = min(1.0, table["cost"].min()) / 1.08, max(1.0, table["cost"].max()) * 1.08
    ticks: Any = [tick for tick in TICKS if low < tick < high]
    axis = alt.Axis(values=ticks, ticks=False, domain=False, labelPadding=8,
                    gridColor=SOFT_LINE, titleFontSize=type_size, titleFontWeight="normal",
                    labelExpr=tick_label_expression(), labelFontSize=type_size, labelLimit=0,
                    labelOverlap=False)  # fmt: skip
    scale = alt.Scale(type="log", base=2, domain=[low, high], nice=False)
    return alt.Y("cost:Q", title="lower is cheaper", scale=scale, axis=axis)


def _lines_to_names(table: pd.DataFrame, type_size: alt.ExprRef, *, gap: float, top: alt.Axis) -> alt.Chart:
    """Return lines from the last points to the names of languages at the right.

    gap: between two names at the right, as a share of the height of the chart. top: the axis on top.
    """
    gap *= log2(max(1.0, table["cost"].max()) / min(1.0, table["cost"].min()))
    ends = table[table["cheapest"]].drop_duplicates("code", keep="last").sort_values("cost")
    heights = [*accumulate(map(log2, ends["cost"]), lambda below, cost: max(cost, below + gap))]
    highest = log2(max(1.0, table["cost"].max()))
    for i in reversed(range(len(heights))):  # down again where they would be above the chart
        heights[i] = min(heights[i], highest - gap * (len(heights) - 1 - i))
    ends = ends.assign(height=pd.Series(heights, ends.index).rpow(2), end=table["Year"].max() + 0.5)
    inks = dict(zip(table["Language"].unique(), WORD_COLOURS, strict=False))
    of_each: Any = [
        {"test": f"datum.value == {height!r}", "value": inks[name]}
        for height, name in zip(ends["height"].tolist(), ends["Language"], strict=True)
    ]
    colour: Any = {"condition": of_each, "value": LINE}
    languages = _names_axis(ends, "height", "Language", type_size, orient="right", labelColor=colour)
    x, y = alt.X("x:Q", title=None, axis=top), alt.Y("cost:Q", title=None, axis=languages)
    lines = alt.Chart(ends).mark_rule(strokeDash=[1, 2])
    return lines.encode(x=x, x2="end:Q", y=y, y2="height:Q", color="Language:N")


def _names_axis(
    table: pd.DataFrame, place: str, name: str, type_size: alt.ExprRef, *, shown: str = "true", **look: Any
) -> alt.Axis:
    """Return an axis with names from one column of a table, at places from another; `shown` is an expression."""
    values: Any = list(table[place])
    names = f"{shown} ? {json.dumps(list(table[name]))}[indexof({json.dumps(values)}, datum.value)] : ''"
    look = {"labelOverlap": False, **BARE, **look}
    return alt.Axis(values=values, labelExpr=names, labelFontSize=type_size, **look)
