"""The scales of the style sheets: each size of type, corner and height of a control is one of them."""

import re
from collections.abc import Iterator

import pytest

from tokviz.system.installation import ASSETS

SHEETS = {path.relative_to(ASSETS).as_posix(): path for path in ASSETS.rglob("*.css")}
# Slides and print have units of their own, and pictures are in pixels, whatever the size of type around them.
OWN_TYPE = r"\.sheet|\.st-key-slide|^html$|st-key-sheet-"
CONTROL = r"(?:^|[\s(,>:])(?:button|select|input)\b[^\s]*$"
SIZE = re.compile(r"\b\d*\.?\d+(?:rem|px|pt)\b")


def declarations(sheet: str) -> Iterator[tuple[str, str, str]]:
    """The selector, the property and the value of each declaration of a style sheet."""
    text = re.sub(r"/\*.*?\*/", "", SHEETS[sheet].read_text(), flags=re.DOTALL)
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
        for name, value in re.findall(r"([\w-]+)\s*:\s*([^;]+)", body):
            yield " ".join(selector.split()), name, value.strip()


@pytest.mark.parametrize("sheet", SHEETS)
def test_type_corners_and_controls_are_on_the_scales(sheet: str):
    for selector, name, value in declarations(sheet):
        if name in {"font-size", "font"} and not re.search(OWN_TYPE, selector):
            assert not SIZE.search(value), f"{selector}: {name}: {value}"
        if "radius" in name:
            assert re.fullmatch(r"(?:(?:var\(--(?:round|nick|circle)\)|0)\s*)+", value), f"{selector}: {name}: {value}"
        if name in {"height", "min-height"} and re.search(CONTROL, selector):
            assert value == "1px" or not SIZE.search(value), f"{selector}: {name}: {value}"
