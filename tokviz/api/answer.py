"""Answers as JSON, written piece by piece: turns are yielded between pieces, and the whole has a size limit."""

import json
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from tokviz.api.refusal import Refusal
from tokviz.core.batch import groups_reaching_cost
from tokviz.core.pretokens import well_formed_text
from tokviz.system.thread_turns import yield_turn

BYTES_MAX = 50_000_000  # of an answer
PIECE = 2**16  # characters, about, that are sent together
NUMBERS = 10_000  # that are written together
json_of = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class JsonText(str):
    """JSON that is written already."""


def json_chunks(answer: Any) -> deque[bytes]:
    """Return an answer as JSON in chunks; 413 if it is too long.

    >>> json_chunks({"n": 1, "ids": np.array([1, 2]), "results": iter([{"ids": np.array([], int)}, JsonText("{}")])})
    deque([b'{"n":1,"ids":[1,2],"results":[{"ids":[]},{}]}'])
    """
    made: deque[bytes] = deque()
    total = 0
    for pieces in groups_reaching_cost(_json_pieces(answer), PIECE, len):
        made.append(_utf8_with_surrogates_replaced("".join(pieces)))
        total += len(made[-1])
        if total > BYTES_MAX:
            raise Refusal(413, f"the answer has more than {BYTES_MAX:,} bytes: ask for less at a time")
        yield_turn()
    return made


def _utf8_with_surrogates_replaced(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return well_formed_text(text).encode()


def _json_pieces(value: Any) -> Iterator[str]:
    """Yield JSON of a value piece by piece: of an object, an array of numbers, an iterator of whatever."""
    if isinstance(value, JsonText):
        yield value
    elif isinstance(value, dict):
        sign = "{"
        for name, each in value.items():
            yield f'{sign}"{name}":'
            yield from _json_pieces(each)
            sign = ","
        yield "}"
    elif isinstance(value, np.ndarray) and len(value) > NUMBERS:
        runs = (value[first : first + NUMBERS].tolist() for first in range(0, len(value), NUMBERS))
        yield from _json_pieces(JsonText(json_of(run)[1:-1]) for run in runs)
    elif isinstance(value, Iterator):
        sign = "["
        for each in value:
            yield sign
            yield from (each,) if isinstance(each, JsonText) else _json_pieces(each)
            sign = ","
        yield "[]" if sign == "[" else "]"
    else:
        yield json_of(value.tolist() if isinstance(value, np.ndarray) else value)
