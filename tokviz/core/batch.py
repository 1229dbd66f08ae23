"""Batch: many texts into ids, or many ids into bytes, by a thread on each core.

Texts go to the threads in groups that take some milliseconds each: a long text in parts, short ones together.
"""

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from math import inf
from typing import TypeVar

import numpy as np

from tokviz.core.cut_places import PART, is_divisible, safely_cut_parts
from tokviz.core.engine import Engine
from tokviz.core.normalizer import PLAIN, Normalizer
from tokviz.core.pretokens import special_token_splitter, well_formed_text
from tokviz.system.thread_turns import yield_turn
from tokviz.system.threads import n_cores, results_in_order

T = TypeVar("T")
Piece = str | int | None  # of a text: plain text, the id of a special token, and None at its end
PIECE_COST = 32  # characters that take as long as the handling of a piece


def results_by_text(
    engine: Engine,
    texts: Iterable[str],
    special_tokens: Mapping[str, int],
    of_ids: Callable[[np.ndarray], T],
    *,
    normalizer: Normalizer = PLAIN,
    always_special: Collection[str] = (),
) -> Iterator[list[T]]:
    """Yield, for each text, what a function makes of the ids of its pieces, in order.

    `special_tokens` are recognised, and the text between two is normalized; always_special: as in `Tokenizer`.

    >>> engine = Engine("gpt2", {bytes([i]): i for i in range(256)})
    >>> list(results_by_text(engine, ["ab<s>", ""], {"<s>": 300}, np.ndarray.tolist))
    [[[97, 98], [300]], []]
    """

    def group_results_and_nones(group: Sequence[Piece]) -> list[T | None]:
        plain = iter(engine.ids_of_each([piece for piece in group if isinstance(piece, str)]))
        made: list[T | None] = []
        for piece in group:
            if piece is None:
                made.append(None)
            else:
                made.append(of_ids(next(plain) if isinstance(piece, str) else np.array([piece], np.uint32)))
        return made

    def pieces_then_none(text: str) -> Iterator[Piece]:
        found = stretches(well_formed_text(text))
        for stretch, is_special, is_first in normalizer.stretches(found, always_special):
            if is_special:
                yield special_tokens[stretch]
            else:
                yield from safely_cut_parts(normalizer.normalized(stretch, is_first=is_first), engine.split_pattern)
        yield None

    stretches = special_token_splitter(special_tokens)
    pieces = chain.from_iterable(map(pieces_then_none, texts))
    groups = groups_reaching_cost(pieces, PART, cost_in_characters)
    n_threads = n_cores() if is_divisible(engine.split_pattern) else 1  # others run while tiktoken cuts, not Python
    found: list[T] = []
    for made_of_group in results_in_order(group_results_and_nones, groups, n_threads):
        for of_piece in made_of_group:
            if of_piece is None:
                yield found
                found = []
            else:
                found.append(of_piece)
        yield_turn()


def groups_reaching_cost(
    items: Iterable[T], size: float, cost: Callable[[T], float], *, n_max: float = inf
) -> Iterator[list[T]]:
    """Yield items in lists that reach a size by the cost of each, or have `n_max` items; the last may be smaller.

    >>> list(groups_reaching_cost(["ab", "c", "d", "ef"], 3, len))
    [['ab', 'c'], ['d', 'ef']]
    """
    group: list[T] = []
    reached = 0.0
    for item in items:
        group.append(item)
        reached += cost(item)
        if reached >= size or len(group) >= n_max:
            yield group
            group, reached = [], 0.0
    if group:
        yield group


def cost_in_characters(piece: Piece) -> int:
    """Return how many characters of text take about as long as a piece does."""
    return PIECE_COST + (len(piece) if isinstance(piece, str) else 0)


def decoded_bytes(
    engine: Engine, ids: Sequence[int] | np.ndarray, otherwise: Callable[[Sequence[int]], bytes]
) -> bytes:
    """Return the bytes of tokens joined. `otherwise` decodes what the engine does not know, such as special tokens."""
    are_integers = isinstance(ids, np.ndarray) and ids.dtype.kind in "iu"

    def run_bytes(run: Sequence[int] | np.ndarray) -> bytes:
        integers = run.tolist() if isinstance(run, np.ndarray) else run
        if are_integers or are_uint32_and_not_bool(integers):  # the engine takes True for 1
            with suppress(KeyError, OverflowError, TypeError):
                return engine.decode_bytes(integers)
        return otherwise(integers)

    runs = (ids[begin : begin + PART] for begin in range(0, len(ids), PART))
    return b"".join(results_in_order(run_bytes, runs, n_cores()))


def are_uint32_and_not_bool(ids: Sequence[int]) -> bool:
    """Return whether these are integers of 32 bits, and none of them True or False.

    Only what equals 0 or 1 is looked at: to ask each for its type takes three times as long.

    >>> are_uint32_and_not_bool([0, 1, 2]), are_uint32_and_not_bool([0, True, 2]), are_uint32_and_not_bool([-1])
    (True, False, False)
    """
    try:
        numbers = np.array(array("I", ids), copy=False)
    except (OverflowError, TypeError):
        return False
    return not any(isinstance(ids[i], bool) for i in np.flatnonzero(numbers < 2).tolist())
