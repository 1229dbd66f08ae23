"""The heat map in both themes, as Vega draws it: figures are legible, and cheap cells stay near the page."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache

import pandas as pd
import pytest
import vl_convert
from opening import ROOT

from pages.ui.shared.charts import heat_map

THEMES = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]
VALUES = [i / 20 for i in range(21)]


def luminance(colour: Sequence[float]) -> float:
    linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted(luminance(channels(colour)) for colour in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def channels(colour: str) -> list[int]:
    return (
        [*bytes.fromhex(colour[1:])] if colour.startswith("#") else [int(part) for part in re.findall(r"\d+", colour)]
    )


@cache
def drawn(theme: str) -> list[tuple[str, str]]:
    """Return each cell's tint with the colour of its figure, the cheapest first, and then those of unknown text."""
    columns = {"column": [str(each) for each in VALUES], "value": VALUES}
    rows = [pd.DataFrame({"row": row, **columns, "unknown": unknown}) for row, unknown in (("a", 0.0), ("b", 0.5))]
    cells = pd.concat(rows, ignore_index=True)
    chart = heat_map(cells, title="parity").configure_range(heatmap=THEMES[theme]["chartSequentialColors"])
    svg = vl_convert.vegalite_to_svg(chart.to_json())
    tints = re.findall(r'aria-roledescription="rect mark" [^>]*fill="([^"]+)"', svg)
    inks = re.findall(r'aria-roledescription="text mark" [^>]*fill="([^"]+)"', svg)
    return list(zip(tints, inks, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_value_is_legible_on_the_tint_of_its_cell(theme):
    found = drawn(theme)
    assert len(found) == 2 * len(VALUES)
    for tint, ink in found:
        assert contrast(tint, ink) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_cheap_cells_are_near_the_page_and_dear_ones_stand_out(theme):
    away = [contrast(tint, THEMES[theme]["backgroundColor"]) for tint, _ in drawn(theme)[: len(VALUES)]]
    assert away == sorted(away)
    assert away[0] < 1.8 and away[-1] > 7
    unknown, _ = drawn(theme)[len(VALUES)]
    assert contrast(unknown, THEMES[theme]["backgroundColor"]) < 1.8
