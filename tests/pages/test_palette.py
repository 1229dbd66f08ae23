"""The colours of the tokens, for every eye and in both themes."""

import re
from collections.abc import Iterable
from itertools import combinations, pairwise, product
from pathlib import Path

import numpy as np
import pytest

import tokviz
from pages.ui.shared.charts import WORD_COLOURS
from pages.ui.shared.text import START_TEXT
from tokviz.core.samples import sample
from tokviz.display.palette import COLOURS, EDGES, PALETTE, THEMES, TINTS, colour_index
from tokviz.lessons.glossary import GLOSSARY, tokenizer_of_term
from tokviz.lessons.tokens import SENTENCE

LARGE = ("cl100k_base", "o200k_base", "qwen3")

SHEET = (Path(__file__).parents[2] / "assets/token_view/component.css").read_text()
TEXT = {theme: colours["textColor"] for theme, colours in THEMES.items()}

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


def seen(colours: Iterable[str], sight: str) -> list[np.ndarray]:
    """Colours as an eye sees them."""
    return [lab(np.array(COLOUR_BLINDNESS[sight]) @ linear(channels(colour))) for colour in colours]


def contrast(one: str, other: str) -> float:
    """The contrast of two colours (WCAG 2.2)."""
    darker, lighter = sorted(float(linear(channels(colour)) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("sight", COLOUR_BLINDNESS)
@pytest.mark.parametrize("theme", PALETTE)
def test_the_colours_are_told_apart_by_every_eye(theme: str, sight: str):
    tints, edges = seen(PALETTE[theme], sight), seen(EDGES[theme], sight)
    assert len(tints) == TINTS and len(edges) * TINTS == COLOURS
    assert min(ciede2000(*pair) for pair in combinations(tints, 2)) >= 4
    assert min(ciede2000(*pair) for pair in combinations(edges, 2)) >= 15
    assert min(ciede2000(*pair) for pair in product(tints, edges)) >= 15
    assert min(ciede2000(*pair) for pair in product(tints, seen([THEMES[theme]["backgroundColor"]], sight))) >= 10


@pytest.mark.parametrize("theme", PALETTE)
def test_text_is_legible_on_every_colour_and_every_edge_is_seen(theme: str):
    text, edge_of_plain = TEXT[theme], re.findall(r"--plain-edge: light-dark\((#\w+), (#\w+)\)", SHEET)[0]
    assert EDGES[theme][0] == edge_of_plain[list(PALETTE).index(theme)]
    assert min(contrast(text, tint) for tint in PALETTE[theme]) >= 7
    assert min(contrast(*pair) for pair in product(PALETTE[theme], EDGES[theme])) >= 3
    assert min(contrast(text, edge) for edge in EDGES[theme]) >= 1.6  # a letter is seen where it crosses one
    assert theme == "light" or min(contrast(tint, THEMES[theme]["backgroundColor"]) for tint in PALETTE[theme]) >= 1.65


@pytest.mark.parametrize("tokenizer", ["gpt2", *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE)])
def test_few_neighbours_in_the_samples_look_the_same(tokenizer: str):
    for name in ("english", "thai", "chinese", "python"):
        encoding = tokviz.load(tokenizer)
        tokens = encoding.tokens_bytes(encoding.encode(sample(name)))
        colours = {token: colour_index(token) for token in tokens}
        looks_same = [colours[one] == colours[next_] for one, next_ in pairwise(tokens) if one != next_]
        assert sum(looks_same) < 0.02 * len(tokens)


def test_what_is_shown_first_has_no_two_neighbours_of_one_tint():
    learned = tokviz.train("aaabdaaabac", vocab_size=259, split_pattern="none")
    shown = [(learned.truncated(n), "aaabdaaabac") for n in range(4)]
    texts = (START_TEXT, "3221+2334=5555", "3221 + 2334 = 5555", "1234567890", "strawberry")
    shown += [(tokviz.load(name), text) for name in ("gpt2", "cl100k_base", "o200k_base") for text in texts]
    shown += [(tokenizer_of_term(term), term.text) for term in GLOSSARY]
    shown.append((tokviz.load("cl100k_base"), SENTENCE))
    for tokenizer, text in shown:
        tokens = tokenizer.tokens_bytes(tokenizer.encode(text))
        pairs = [(one, other) for one, other in pairwise(tokens) if one != other]
        assert [pair for pair in pairs if len({colour_index(each) % TINTS for each in pair}) == 1] == []


def test_the_differences_are_those_published():
    # Two of the pairs Sharma, Wu and Dalal give with their paper.
    assert ciede2000(np.array([50, 2.6772, -79.7751]), np.array([50, 0, -82.7485])) == pytest.approx(2.0425, abs=1e-4)
    assert ciede2000(np.array([2.0776, 0.0795, -1.135]), np.array([0.9033, -0.0636, -0.5514])) == pytest.approx(
        0.9082, abs=1e-4
    )


@pytest.mark.parametrize("theme", THEMES)
def test_words_in_the_colours_of_lines_have_the_contrast_of_large_letters(theme):
    assert all(contrast(colour, THEMES[theme]["backgroundColor"]) >= 3 for colour in WORD_COLOURS)
