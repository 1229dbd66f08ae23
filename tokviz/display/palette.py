"""The colours of tokens and of what surrounds them, in both themes, for pages, notebooks and documents alike."""

import re
import tomllib
from collections.abc import Mapping, Sequence

from tokviz.system.installation import FOLDER

TINTS = 24
# For each theme 24 tints in the order of their hues, at least 4 apart (CIEDE2000) for normal sight and simulated
# protanopia, deuteranopia and tritanopia, each at least 7:1 against the text colour and away from the page's. The edge
# around a token is grey, slate or brown, the least colourful three that are at least 15 apart, 3:1 against every
# tint and 1.6:1 against the text: louder ones look as if they meant something. A test computes all of it.
PALETTE = {
    "light": (
        "#fca1a1", "#c4bdbd", "#e0af8c", "#d2d2a1", "#cbbd77", "#e7d28c", "#cbd9b6", "#f5e7a1",
        "#cbeeb6", "#9ac4a1", "#c4f5cb", "#9ad2b6", "#85e7cb", "#5bcbb6", "#7ec4d2", "#c4c4cb",
        "#a8b6fc", "#afb6e7", "#cbc4fc", "#d9c4e7", "#fcd2fc", "#e7cbe0", "#e7a8d2", "#fccbcb",
    ),
    "dark": (
        "#882f3c", "#74252b", "#632e03", "#5c4c26", "#344713", "#3c4432", "#2a4323", "#1e5937",
        "#2d5240", "#494d4b", "#3b505a", "#285069", "#24415c", "#144f8f", "#014280", "#424b7b",
        "#423b4a", "#502e6d", "#622657", "#7d2e6b", "#713c59", "#6c2249", "#7e3749", "#4a393b",
    ),
}  # fmt: skip
EDGES = {"light": ("#606060", "#384868", "#504028"), "dark": ("#98a0a0", "#98c0e0", "#c8b898")}
COLOURS = TINTS * 3  # a tint and an edge
# The colours of Streamlit's theme that our style sheets use.
_THEME = tomllib.loads((FOLDER / ".streamlit/config.toml").read_text("utf-8"))["theme"]
_NAMES = ("primaryColor", "backgroundColor", "secondaryBackgroundColor", "textColor", "borderColor")
THEMES = {theme: {name: _THEME[theme][name] for name in _NAMES} for theme in ("light", "dark")}


def colour_index(token: bytes) -> int:
    """Return the colour of a token's bytes, 0 to COLOURS - 1; `assets/shared/colours.js` says how it was chosen.

    >>> [colour_index(token) for token in (b"", b"a", b" the", b"\\xe0")]
    [70, 26, 42, 70]
    """
    hash_ = 0x811C9DC5
    for byte in token:
        hash_ = (hash_ ^ byte) * 0x01000193 % 2**32
    hash_ = (hash_ ^ hash_ >> 15) * 0xF0EE1239 % 2**32
    return (hash_ ^ hash_ >> 13) % COLOURS


def tint_and_edge(colour: int, theme: str) -> tuple[str, str]:
    """Return the background of a colour and its edge, in the theme "light" or "dark".

    >>> tint_and_edge(25, "light")
    ('#c4bdbd', '#384868')
    """
    return PALETTE[theme][colour % TINTS], EDGES[theme][colour // TINTS]


def palette_css() -> str:
    """Return the style rules that give every colour class its tint and its edge, in the colour scheme around it.

    >>> palette_css().splitlines()[1]
    '.c1, .c25, .c49 { background-color: light-dark(#c4bdbd, #74252b); }'
    """
    tints = [_light_dark_rule(range(i, COLOURS, TINTS), "background-color", PALETTE, i) for i in range(TINTS)]
    edges = [_light_dark_rule(range(i * TINTS, (i + 1) * TINTS), "--edge", EDGES, i) for i in range(COLOURS // TINTS)]
    return "".join([*tints, *edges])


def _light_dark_rule(colours: range, name: str, values: Mapping[str, Sequence[str]], i: int) -> str:
    """Return the rule that gives some colour classes a value of each theme."""
    selectors = ", ".join(f".c{colour}" for colour in colours)
    return f"{selectors} {{ {name}: light-dark({values['light'][i]}, {values['dark'][i]}); }}\n"


def theme_css(selector: str) -> str:
    """Return the style rule that gives what has a colour scheme of its own the colours of that theme.

    They have the names that Streamlit gives to the colours of the theme.

    >>> theme_css(":root")[:63]
    ':root { --st-primary-color: light-dark(#0b6e6e, #4cc2b4); --st-'
    """
    pairs = ((name, THEMES["light"][name], THEMES["dark"][name]) for name in THEMES["light"])
    values = " ".join(f"{css_variable_name(name)}: light-dark({light}, {dark});" for name, light, dark in pairs)
    return f"{selector} {{ {values} }}\n"


def css_variable_name(name: str) -> str:
    """Return the variable of CSS in which Streamlit's pages have a colour of the theme.

    >>> css_variable_name("secondaryBackgroundColor")
    '--st-secondary-background-color'
    """
    return "--st-" + re.sub("[A-Z]", lambda capital: f"-{capital[0].lower()}", name)
