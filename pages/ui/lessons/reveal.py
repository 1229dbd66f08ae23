"""What an answer shows: lines of coloured pieces, tables and words, drawn by the component in `assets/reveal`.

Only our own words are markdown; whatever may quote the text goes through the component.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

import streamlit as st

from pages.ui.shared.components import Component
from tokviz.exercises.lesson import Block, Lines, Plain, Say, Table
from tokviz.exercises.lines import Line
from tokviz.exercises.slides import labels_beside
from tokviz.live.columns import TokenColumns
from tokviz.live.views.ids_view import raw_bytes

REVEAL = Component("reveal", ("token_view", "reveal", "picture"))


def show_blocks(blocks: Iterable[Block], *, key: str) -> None:
    """Show blocks in order; consecutive ones drawn by the component share one."""
    for n, (is_ours, group) in enumerate(groupby(blocks, lambda block: isinstance(block, Say))):
        if is_ours:
            st.markdown("\n\n".join(block.markdown for block in group if isinstance(block, Say)))
        else:
            parts = [block_data(block) for block in group if not isinstance(block, Say)]
            REVEAL.show(key=f"{key} {n}", data={"parts": parts})


def block_data(block: Lines | Table | Plain) -> dict[str, Any]:
    """Return a block other than our own words for the browser.

    >>> block_data(Table(("a", "b"), ((1, "x"),)))
    {'columns': ['a', 'b'], 'rows': [[1, 'x']], 'code': []}
    """
    if isinstance(block, Plain):
        return {"words": block.words}
    if isinstance(block, Table):
        code = [block.columns.index(column) for column in block.code]
        return {"columns": list(block.columns), "rows": [list(row) for row in block.rows], "code": code}
    return {"lines": [line_data(line) for line in block.lines], "beside": labels_beside(block)}


def line_data(line: Line) -> dict[str, Any]:
    """Return a line for the browser.

    >>> from tokviz.exercises.lines import piece_line
    >>> line_data(piece_line("words", ["to", "be"], "words"))["count"]
    '2 words'
    """
    tokens = TokenColumns.of(line.spans).packed()
    if line.tokenizer is not None and "\ufffd" in line.spans.text:
        tokens["raw"] = raw_bytes(line.tokenizer, line.spans)
    return {
        "label": line.label,
        "count": line.count,
        "text": line.spans.text,
        "tokens": tokens,
        "special": sorted(line.tokenizer.special_tokens.values()) if line.tokenizer else [],
        "apart": line.apart,
        "ids": line.show_ids,
        "are_tokens": line.tokenizer is not None,
        "tokenizer": line.tokenizer.name if line.tokenizer else None,
    }
