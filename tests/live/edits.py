"""Texts and edits on which followers stumble, for Hypothesis."""

from collections.abc import Iterable

from hypothesis import strategies as st

from tokviz.live.document import Document
from tokviz.live.edit import Edit

PIECES = [
    *["a", " ", "  ", "   \n", "\n\n", "\r\n", "\r", "\t", "\u3000", "\x85", "\x1c", "\u00a0", " the", "strawberry "],
    *[
        "'s",
        "'ll",
        "'",
        "LL",
        "ſ",
        "A",
        "AB",
        "123",
        "4",
        "!",
        "...",
        "/",
        "(x",
        "> </",
        "e\u0301",
        "\u0301",
        "▁",
        "ก",
        "ั",
        "น้ำ",
        "你",
    ],
    *["😀", "\u200d", "👩‍👩‍👧", "\ud83d", "\ude00"],
    *["<|endoftext|>", "<|endof", "text|>", "<s>", "<s>x", "<", "|>", "<|im_start|>", "<|im_end|>"],
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)
# Where in the text, from 0 to 1; how many units are removed; what is put in.
EDITS = st.tuples(
    st.floats(0, 1), st.sampled_from([0, 0, 1, 1, 2, 7, 40]), st.lists(st.sampled_from(PIECES), max_size=4).map("".join)
)


def edit(document: Document, edits: Iterable[tuple[float, int, str]]) -> None:
    """Make edits, one after the other."""
    for place, removed, inserted in edits:
        length = document.state.length
        start = round(place * length)
        document.edit(Edit(start, min(removed, length - start), inserted))
