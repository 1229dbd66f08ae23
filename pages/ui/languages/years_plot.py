"""The chart of the years: a line for each language through the cheapest vocabulary of each year, and all points."""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log2
from typing import Any

import altair as alt
import pandas as pd

from pages.ui.languages.figures import Figures, familiar_name, is_comparable, precise_parity_text
from pages.ui.languages.parallel import language_name
from pages.ui.languages.range_plot import LARGE_TYPE, LINE, SOFT_LINE, tick_label_expression
from pages.ui.shared.charts import COLOURS, SHAPES
from tokviz.formats.pretrained import INCLUDED
from tokviz.languages.parity import ParityRow

TYPE, GAP, LARGE_GAP = 12, 0.05, 0.075  # pixels; between names, as shares of the height
YEAR_WIDTH, PLACE_WIDTH = 0.8, 0.3  # what points of a year take of it, and those of one tokenizer at most
NAMES_FROM = 480  # pixels of width that the names of tokenizers need
FINE_TICKS = (0.4, 0.5, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)  # where powers of two are too few
BARE: dict[str, Any] = {"grid": False, "ticks": False, "domain": False, "labelPadding": 6}  # an axis of words alone
TOOLTIP = {
    "language": "Language",
    "tokenizer": "Tokenizer",
    "maker": "Maker",
    "year": "Year",
    "cost_text": "Cost (95% interval)",
}


@dataclass(frozen=True)
class Point:
    """What a language pays under an included tokenizer, by its name, whose vocabulary is of a year."""

    name: str
    year: int
    parity: float
    row: ParityRow


def points_of_language(figures: Figures, code: str) -> list[Point]:
    """Return what a language pays under each tokenizer, without those to which too much of the text is unknown."""
    rows = ((name, of_each[code]) for name, of_each in figures.items())
    return [Point(name, INCLUDED[name].year, row.parity or 0.0, row) for name, row in rows if is_comparable(row)]


def cheapest_by_year(points: Sequence[Point]) -> list[Point]:
    """Return the point of each year at which a language pays least."""
    by_cost = sorted(points, key=lambda point: point.parity, reverse=True)
    cheapest = {point.year: point for point in by_cost}  # the last of a year stays
    return [cheapest[year] for year in sorted(cheapest)]


def years_plot(
    points: Mapping[str, Sequence[Point]], *, chosen: Collection[str], picked: str, large: bool = False
) -> alt.LayerChart:
    """Return the chart of the points of languages, by their codes.

    chosen: tokenizers whose points are filled. picked: the language with a thicker line. large: for a room.
    """
    table = _point_table(points, chosen)
    makers, names = sorted(set(table["maker"])), [language_name(code) for code in points]
    type_size, scale = alt.ExprRef(LARGE_TYPE if large else str(TYPE)), 2 if large else 1
    ends = _line_ends(table, gap=LARGE_GAP if large else GAP)
    x, y = _year_axis(table, type_size), _cost_axis(table, type_size)
    base = alt.Chart(table).encode(
        x=alt.X("x:Q", axis=None),
        y=alt.Y("cost:Q", axis=None),
        color=alt.Color("language:N", scale=alt.Scale(domain=names, range=COLOURS[: len(names)]), legend=None),
    )
    legend = alt.Legend(title=None, orient="bottom", columns=5, labelFontSize=type_size, symbolOpacity=1,
                        symbolFillColor=LINE, symbolStrokeColor=LINE, symbolSize=90 * scale)  # fmt: skip
    shape = alt.Shape("maker:N", scale=alt.Scale(domain=makers, range=SHAPES), legend=legend)
    mark, look = base.encode(shape=shape), {"size": 70 * scale, "opacity": 1, "aria": False}
    width = alt.condition(alt.datum.code == picked, alt.value(4 * scale), alt.value(1.8 * scale))
    return (
        alt.LayerChart(
            layer=[
                alt.Chart(pd.DataFrame({"x": [table["x"].min()], "cost": [1.0]}))
                .mark_rule(color=LINE, strokeWidth=1.5)
                .encode(y=y),
                alt.Chart(ends).mark_rule(strokeDash=[1, 2]).encode(
                    x=_tokenizer_axis(table, type_size), x2="end:Q", y=_language_axis(ends, type_size), y2="height:Q",
                    color="language:N",
                ),
                base.transform_filter("datum.cheapest").mark_line().encode(x=x, strokeWidth=width),
                mark.transform_filter("!datum.chosen").mark_point(strokeWidth=1.6 * scale, **look),
                mark.transform_filter("datum.chosen").mark_point(filled=True, **look),
                base.mark_point(size=260 * scale, opacity=0)
                .encode(tooltip=[alt.Tooltip(f"{field}:N", title=title) for field, title in TOOLTIP.items()])
                .add_params(alt.selection_point("clicked", fields=["code", "name"])),
            ]
        )
        .resolve_axis(x="independent", y="independent")
        .properties(height="container")
    )  # fmt: skip


def _point_table(points: Mapping[str, Sequence[Point]], chosen: Collection[str]) -> pd.DataFrame:
    """Return a row for each point. Each tokenizer has a place within its year, and each language one within that."""
    places = _places_in_years(list(dict.fromkeys(point.name for of_one in points.values() for point in of_one)))
    width = _place_width(places)
    found = []
    for i, (code, of_one) in enumerate(points.items()):
        aside = ((i + 0.5) / len(points) - 0.5) * width * 0.5
        cheapest = cheapest_by_year(of_one)
        found += [
            {
                "code": code,
                "name": point.name,
                "language": language_name(code),
                "tokenizer": familiar_name(point.name),
                "maker": INCLUDED[point.name].maker,
                "year": point.year,
                "x": places[point.name] + aside,
                "place": places[point.name],
                "cost": point.parity,
                "cost_text": precise_parity_text(point.row),
                "chosen": point.name in chosen,
                "cheapest": point in cheapest,
            }
            for point in of_one
        ]
    return pd.DataFrame(found)


def _place_width(names: Sequence[str]) -> float:
    """Return what a tokenizer takes of a year, so that those of the fullest year have room."""
    return min(PLACE_WIDTH, YEAR_WIDTH / max(Counter(INCLUDED[name].year for name in names).values(), default=1))


def _places_in_years(names: Sequence[str]) -> dict[str, float]:
    """Return where the points of each tokenizer are, beside each other within a year.

    >>> _places_in_years(["gpt2", "qwen3", "mistral-v3"])
    {'gpt2': 2019.0, 'qwen3': 2022.85, 'mistral-v3': 2023.15}
    """
    places, width = {}, _place_width(names)
    for year, n in Counter(INCLUDED[name].year for name in names).items():
        of_year = [name for name in names if INCLUDED[name].year == year]
        places |= {name: round(year + (i - (n - 1) / 2) * width, 4) for i, name in enumerate(of_year)}
    return places


def _year_axis(table: pd.DataFrame, type_size: alt.ExprRef) -> alt.X:
    """Return the years as x."""
    first, last = int(table["year"].min()), int(table["year"].max())
    axis = alt.Axis(values=list(range(first, last + 1)), format="d", labelAngle=0, labelOverlap="greedy",
                    labelFontSize=type_size, **BARE)  # fmt: skip
    scale = alt.Scale(domain=[first - 0.5, last + 0.5], nice=False, zero=False)
    return alt.X("x:Q", title=None, scale=scale, axis=axis)


def _cost_axis(table: pd.DataFrame, type_size: alt.ExprRef) -> alt.Y:
    """Return the cost as y, on a logarithmic scale, the reference language at 1."""
    low, high = min(1.0, table["cost"].min()) / 1.08, max(1.0, table["cost"].max()) * 1.08
    ticks = [2.0**power for power in range(ceil(log2(low)), floor(log2(high)) + 1)]
    axis = alt.Axis(values=ticks if len(ticks) > 2 else [tick for tick in FINE_TICKS if low < tick < high], ticks=False,
                    domain=False, gridColor=SOFT_LINE, labelExpr=tick_label_expression(), labelFontSize=type_size,
                    labelPadding=8, labelOverlap=False)  # fmt: skip
    return alt.Y("cost:Q", title=None, scale=alt.Scale(type="log", base=2, domain=[low, high], nice=False), axis=axis)


def _line_ends(table: pd.DataFrame, *, gap: float) -> pd.DataFrame:
    """Return where the line of each language ends, and the height of its name at the right, none over another.

    gap: between two names, as a share of the height of the chart.
    """
    gap *= log2(max(1.0, table["cost"].max()) / min(1.0, table["cost"].min())) or 1.0
    ends = table[table["cheapest"]].drop_duplicates("code", keep="last").sort_values("cost")
    heights: list[float] = []
    for cost in ends["cost"]:
        heights.append(max(log2(cost), heights[-1] + gap if heights else log2(cost)))
    return ends.assign(height=[2**height for height in heights], end=table["year"].max() + 0.5)


def _language_axis(ends: pd.DataFrame, type_size: alt.ExprRef) -> alt.Y:
    """Return the names of languages as an axis at the right."""
    axis = alt.Axis(orient="right", values=list(ends["height"]), labelExpr=_name_expression(ends, "height", "language"),
                    labelFontSize=type_size, labelLimit=0, labelOverlap=False, **BARE)  # fmt: skip
    return alt.Y("cost:Q", title=None, axis=axis)


def _tokenizer_axis(table: pd.DataFrame, type_size: alt.ExprRef) -> alt.X:
    """Return the names of tokenizers as an axis on top, where the chart is wide enough for them."""
    each = table.drop_duplicates("name")
    names = f"width < {NAMES_FROM} ? '' : {_name_expression(each, 'place', 'tokenizer')}"
    axis = alt.Axis(orient="top", values=list(each["place"]), labelExpr=names, labelAngle=-60, labelAlign="left",
                    labelBaseline="middle", labelFontSize=type_size, labelLimit=0, labelOverlap=False,
                    **BARE)  # fmt: skip
    return alt.X("x:Q", title=None, axis=axis)


def _name_expression(table: pd.DataFrame, place: str, name: str) -> str:
    """Return Vega's expression for the name at a value of an axis."""
    return f"{json.dumps(list(table[name]))}[indexof({json.dumps(list(table[place]))}, datum.value)]"
