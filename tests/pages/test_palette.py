"""The colours of the tokens, for every eye and in both themes."""

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from tokviz.display.palette import COLOURS, PALETTE, THEMES

SHEET = (Path(__file__).parents[2] / "assets/token_view/component.css").read_text()
TEXT = {theme: colours["textColor"] for theme, colours in THEMES.items()}
CONFIG = tomllib.loads((Path(__file__).parents[2] / ".streamlit/config.toml").read_text())

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
COLOUR_BLINDNESS = {
    "none": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def channels(colour: str) -> np.ndarray:
    """Red, green and blue from 0 to 1."""
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255


def linear(channels: np.ndarray) -> np.ndarray:
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    matrix = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
    xyz = np.array(matrix) @ np.clip(rgb, 0, 1) / [0.95047, 1, 1.08883]
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def ciede2000(one: np.ndarray, two: np.ndarray) -> float:
    """The CIEDE2000 difference of two CIELAB colours (Sharma, Wu and Dalal, 2005)."""
    mean_chroma = (np.hypot(*one[1:]) + np.hypot(*two[1:])) / 2
    stretch = 1.5 - 0.5 * np.sqrt(mean_chroma**7 / (mean_chroma**7 + 25.0**7))
    c1, c2 = np.hypot(one[1] * stretch, one[2]), np.hypot(two[1] * stretch, two[2])
    h1 = np.degrees(np.arctan2(one[2], one[1] * stretch)) % 360
    h2 = np.degrees(np.arctan2(two[2], two[1] * stretch)) % 360
    d_hue = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0
    d_h = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(d_hue / 2))
    light, chroma = (one[0] + two[0]) / 2, (c1 + c2) / 2
    hue = (h1 + d_hue / 2) % 360 if c1 * c2 else h1 + h2
    cosine = lambda degrees: np.cos(np.radians(degrees))  # noqa: E731
    t = 1 - 0.17 * cosine(hue - 30) + 0.24 * cosine(2 * hue) + 0.32 * cosine(3 * hue + 6) - 0.2 * cosine(4 * hue - 63)
    s_l = 1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2)
    s_c, s_h = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    turn = np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    r_t = -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7)) * turn
    d_l, d_c = (two[0] - one[0]) / s_l, (c2 - c1) / s_c
    return float(np.sqrt(d_l**2 + d_c**2 + (d_h / s_h) ** 2 + r_t * d_c * d_h / s_h))


def seen(theme: str, sight: str) -> list[np.ndarray]:
    """The palette of a theme as an eye sees it."""
    return [lab(np.array(COLOUR_BLINDNESS[sight]) @ linear(channels(colour))) for colour in PALETTE[theme]]


@pytest.mark.parametrize("sight", COLOUR_BLINDNESS)
@pytest.mark.parametrize("theme", PALETTE)
def test_the_colours_are_told_apart_by_every_eye(theme: str, sight: str):
    colours = seen(theme, sight)
    assert len(colours) == COLOURS
    closest = min(ciede2000(a, b) for i, a in enumerate(colours) for b in colours[:i])
    assert closest >= 4


@pytest.mark.parametrize("sight", COLOUR_BLINDNESS)
@pytest.mark.parametrize("theme", TEXT)
def test_the_rim_of_a_token_stands_out_from_every_colour(theme: str, sight: str):
    (share,) = re.findall(r"--rim: color-mix\(in srgb, var\(--st-text-color\) (\d+)%, transparent\)", SHEET)
    for colour in PALETTE[theme]:
        rim = int(share) / 100 * channels(TEXT[theme]) + (1 - int(share) / 100) * channels(colour)
        seen = [lab(np.array(COLOUR_BLINDNESS[sight]) @ linear(each)) for each in (rim, channels(colour))]
        assert ciede2000(*seen) >= 15


@pytest.mark.parametrize("theme", TEXT)
def test_text_on_every_colour_is_legible(theme: str):
    weights = [0.2126, 0.7152, 0.0722]
    letters = linear(channels(TEXT[theme])) @ weights
    for colour in PALETTE[theme]:
        ground = linear(channels(colour)) @ weights
        assert (max(letters, ground) + 0.05) / (min(letters, ground) + 0.05) >= 7


@pytest.mark.parametrize("theme", THEMES)
def test_what_stands_outside_the_pages_has_their_colours(theme: str):
    told = CONFIG["theme"][theme]
    assert {name: told[name] for name in THEMES[theme]} == THEMES[theme]


def test_the_differences_are_those_published():
    # Two of the pairs Sharma, Wu and Dalal give with their paper.
    assert ciede2000(np.array([50, 2.6772, -79.7751]), np.array([50, 0, -82.7485])) == pytest.approx(2.0425, abs=1e-4)
    assert ciede2000(np.array([2.0776, 0.0795, -1.135]), np.array([0.9033, -0.0636, -0.5514])) == pytest.approx(
        0.9082, abs=1e-4
    )
