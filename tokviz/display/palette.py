"""The colours of tokens and of what surrounds them, in both themes, for pages, notebooks and documents alike."""

import re

COLOURS = 24
# For each theme 24 tints, two of each twelfth of the hues, at least 4 apart (CIEDE2000) for normal sight and simulated
# protanopia, deuteranopia and tritanopia, each at least 7:1 against the text colour. Where one token ends and the next
# begins is shown by a rim, at least 15 apart from every tint. A test computes all three.
PALETTE = {
    "light": (
        "#f7afb5", "#ebc7cd", "#dfb59d", "#fddfcd", "#fdd379", "#f1af67", "#d9c785", "#fdf197",
        "#cdd9b5", "#d9f7b5", "#91fdd3", "#91c7af", "#bbf7eb", "#25e5cd", "#d3f7fd", "#bbdfe5",
        "#a9d3fd", "#7fc7fd", "#cdcdeb", "#e5dffd", "#c7b5d3", "#e5a9e5", "#d9b5c1", "#fdc1d9",
    ),
    "dark": (
        "#6d1f37", "#5b011f", "#61493d", "#5b1f19", "#553d2b", "#372501", "#3d3701", "#4f4f2b",
        "#3d5513", "#374919", "#253d37", "#1f3125", "#194343", "#314f4f", "#07313d", "#015561",
        "#25496d", "#01375b", "#313773", "#134f8b", "#431349", "#3d374f", "#491331", "#73374f",
    ),
}  # fmt: skip
# The colours of Streamlit's theme that our style sheets use, by their names in .streamlit/config.toml; a test compares.
THEMES = {
    "light": {
        "primaryColor": "#0b6e6e",
        "backgroundColor": "#ffffff",
        "secondaryBackgroundColor": "#f4f6f6",
        "textColor": "#16211f",
        "borderColor": "#d5dcda",
    },
    "dark": {
        "primaryColor": "#4cc2b4",
        "backgroundColor": "#111716",
        "secondaryBackgroundColor": "#1a2221",
        "textColor": "#e8eeec",
        "borderColor": "#33403d",
    },
}


def colour_index(token: bytes) -> int:
    """Return which colour of the palette a token's bytes have; `assets/shared/colours.js` says how it was chosen.

    >>> [colour_index(token) for token in (b"", b"a", b" the", b"\\xe0")]
    [13, 19, 4, 20]
    """
    hash_ = 0x811C9DC5
    for byte in token:
        hash_ = (hash_ ^ byte) * 0x01000193 % 2**32
    hash_ = (hash_ ^ hash_ >> 15) * 0x26228ED7 % 2**32
    return (hash_ ^ hash_ >> 13) % COLOURS


def palette_css() -> str:
    """Return the style rules that give every colour class its tint, in the colour scheme around it.

    >>> palette_css().splitlines()[0]
    '.c0 { background-color: light-dark(#f7afb5, #6d1f37); }'
    """
    pairs = enumerate(zip(PALETTE["light"], PALETTE["dark"], strict=True))
    return "".join(f".c{i} {{ background-color: light-dark({light}, {dark}); }}\n" for i, (light, dark) in pairs)


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


def mixed_colour(colour: str, ground: str, share: float) -> str:
    """Return what a colour gives, laid over a ground with a share from 0 to 1 of its own.

    >>> mixed_colour("#000000", "#ffffff", 0.5)
    '#808080'
    """
    channels = ((int(colour[i : i + 2], 16), int(ground[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(share * over + (1 - share) * under):02x}" for over, under in channels)
