"""What an answer shows: lines of coloured pieces, tables and words, drawn by the component in `assets/reveal`.

Only our own words are markdown; whatever may quote the text goes through the component.
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

import streamlit as st

from pages.ui.options import option_value
from pages.ui.shared.components import Component
from tokviz.exercises import Block, Line, Lines, Plain, Say, Table
from tokviz.live.columns import TokenColumns
from tokviz.live.document import units_of
from tokviz.live.hidden_marks import HiddenMarks
from tokviz.live.views.ids_view import hex_of_replacement_character_tokens

REVEAL = Component("reveal", ("token_view", "reveal", "picture"))


def show_blocks(blocks: Iterable[Block], *, key: str) -> None:
    """Show blocks in order; consecutive ones drawn by the component share one."""
    for n, (is_ours, group) in enumerate(groupby(blocks, lambda block: isinstance(block, Say))):
        if is_ours:
            st.markdown("\n\n".join(block.words for block in group if isinstance(block, Say)))
        else:
            finds_hidden = option_value("finds_hidden")
            parts = [block_data(block, finds_hidden=finds_hidden) for block in group if not isinstance(block, Say)]
            REVEAL.show(key=f"{key} {n}", data={"parts": parts})


def block_data(block: Block, *, finds_hidden: bool = False) -> dict[str, Any]:
    """Return a block other than our own words for the browser, with finds_hidden also what hides in its lines.

    >>> block_data(Table(("a", "b"), ((1, "x"), (2, "y")), asked=2))
    {'columns': ('a', 'b'), 'rows': ((1, 'x'), (2, 'y')), 'code': [], 'asked': 1}
    """
    match block:
        case Plain(words):
            return {"words": words}
        case Table(columns, rows, code, asked=asked):
            places = [columns.index(column) for column in code]
            marked = next((n for n, row in enumerate(rows) if row[0] == asked), None)
            return {"columns": columns, "rows": rows, "code": places, "asked": marked}
        case Lines(lines=lines, has_labels_beside=beside, are_abreast=abreast):
            look = "abreast" if abreast else "beside" if beside else ""
            return {"lines": [line_data(line, finds_hidden=finds_hidden) for line in lines], "look": look}
    raise TypeError(f"expected a block of an exercise that is not our own words, not {type(block).__name__}")


def line_data(line: Line, *, finds_hidden: bool = False) -> dict[str, Any]:
    """Return a line for the browser, with finds_hidden also what hides in it.

    >>> from tokviz.exercises import piece_line
    >>> line_data(piece_line("words", ["to", "be"], "words"))["count"]
    '2 words'
    """
    tokens = TokenColumns.of_spans(line.spans).message_data()
    if line.tokenizer is not None and "\ufffd" in line.spans.text:
        tokens["raw"] = hex_of_replacement_character_tokens(line.tokenizer, line.spans)
    marks = HiddenMarks()
    if finds_hidden:
        marks.update(units_of(line.spans.text))
    return {
        "label": line.label,
        "count": line.count_in_words,
        "text": line.spans.text,
        "tokens": tokens,
        "hidden": marks.take_update_to_send(whole=True),
        "special": sorted(line.tokenizer.special_tokens.values()) if line.tokenizer else [],
        "apart": line.apart,
        "ids": line.show_ids,
        "are_tokens": line.tokenizer is not None,
        "tokenizer": line.tokenizer.name if line.tokenizer else None,
    }
