"""What an answer shows: lines of coloured pieces, tables and words, drawn by the component in `assets/reveal`.

Only our own words are markdown; whatever may quote the text goes through the component.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

import streamlit as st

from pages.ui.shared.components import Component
from tokviz.lessons.lines import Line
from tokviz.lessons.parts import Lines, Part, Plain, Say, Table
from tokviz.live.columns import TokenColumns
from tokviz.live.views.ids_view import raw_bytes

REVEAL = Component("reveal", ("token_view", "reveal"))


def show_parts(parts: Iterable[Part], *, key: str) -> None:
    """Show parts in order; consecutive parts drawn by the component share one."""
    for n, (is_ours, group) in enumerate(groupby(parts, lambda part: isinstance(part, Say))):
        if is_ours:
            st.markdown("\n\n".join(part.markdown for part in group))
        else:
            REVEAL.show(key=f"{key} {n}", data={"parts": [part_data(part) for part in group]})


def part_data(part: Lines | Table | Plain) -> dict[str, Any]:
    """Return a part for the browser.

    >>> part_data(Table(("a", "b"), ((1, "x"),)))
    {'columns': ['a', 'b'], 'rows': [[1, 'x']], 'code': []}
    """
    if isinstance(part, Plain):
        return {"words": part.words}
    if isinstance(part, Table):
        code = [part.columns.index(column) for column in part.code]
        return {"columns": list(part.columns), "rows": [list(row) for row in part.rows], "code": code}
    return {"lines": [line_data(line) for line in part.lines]}


def line_data(line: Line) -> dict[str, Any]:
    """Return a line for the browser.

    >>> from tokviz.lessons.lines import piece_line
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
    }
