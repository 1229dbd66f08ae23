"""What a page that is a single file knows: a text, what its views show of it, and answers to all their questions.

The views are those of the pages; they are asked once, when the page is written.
"""

import json
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from tokviz.core.bpe import NEVER
from tokviz.core.trace import MergeTrace
from tokviz.live.columns import packed_numbers
from tokviz.live.view import View
from tokviz.live.views.history_view import HistoryView
from tokviz.live.views.inspected_view import InspectedView
from tokviz.live.views.merge_steps import (
    answer_about_lasting_boundary,
    pretoken_encoding_data,
    start_of_pretoken_to_show_first,
)

TOKENS_MAX = 20_000  # of which there are facts; more take seconds to find
STEPS_MAX = 3_000  # whose pairs are kept
FLAGS = {"chosen": 1, "tied": 2, "usedUp": 4}  # of a pair, as `answers.js` reads them
FIELDS = ("bytes", "whole", "rows", "trees", "apart", "error")  # of a pretoken


def view_snapshot(view: View) -> dict[str, Any]:
    """Return what is kept of a view: the kind and the whole of its reply, and its answers."""
    reply = view.complete_reply()
    answers: dict[str, Any] | None = None
    if isinstance(view, InspectedView):
        answers = packed_token_facts_unless_many(view)
    elif isinstance(view, HistoryView):
        answers = packed_answers_of_history(view)
    return {"kind": view.kind, "reply": {**reply, "state": [1, 0]}, "answers": answers}


def packed_token_facts_unless_many(view: InspectedView) -> dict[str, Any] | None:
    """Return the facts of all tokens, by field: the different values, and which one each token has, packed.

    None if there are too many tokens.
    """
    n_tokens = len(view.sent.tokens)
    if n_tokens > TOKENS_MAX:
        return None
    facts = [view.answer({"token": i, "revision": view.revision}) for i in range(n_tokens)]
    fields = {name: None for each in facts for name in each if name not in ("revision", "index", "id")}
    return {name: _distinct_values_and_places([each.get(name) for each in facts]) for name in fields}


def _distinct_values_and_places(values: Sequence[Any]) -> tuple[list[Any], list[int | str]]:
    """Return different values, and for each value which one it is, packed.

    >>> _distinct_values_and_places(["a", None, "a"])
    (['a', None], [1, 'AAEA'])
    """
    places: dict[str, int] = {}
    which = [places.setdefault(json.dumps(value, ensure_ascii=False), len(places)) for value in values]
    return [json.loads(value) for value in places], packed_numbers(np.array(which, np.int32))


def packed_answers_of_history(view: HistoryView) -> dict[str, Any]:
    """Return what the page asks about steps, pretokens and boundaries of a history; `answers.js` puts it together.

    Where counts decide, every step has its own pairs; elsewhere only those before a merge that changes the text.
    """
    history = view.trace
    if history is None or not history.data:
        return {"steps": []}
    n_merges = len(history.tokenizer.merge_tokens)
    is_every = view.training is not None
    ranks = range(n_merges) if is_every else np.unique(history.gaps[history.gaps >= 0]).tolist()
    steps = [view.answer(_step_question(view, k)) for k in [*ranks, n_merges][:STEPS_MAX]]
    pretokens, same = _pretoken_encodings_and_places(history)
    return {
        "isEvery": is_every,
        "steps": [_packed_step(step) for step in steps],
        "tokens": {token[1]: token[0] for step in steps for token in _tokens_in_step(step)},
        "same": packed_numbers(np.array(same, np.int32)),
        "pretokens": {name: [each.get(name) for each in pretokens] for name in FIELDS},
        "first": start_of_pretoken_to_show_first(history),
        "apart": {end: answer_about_lasting_boundary(history, end)["why"] for end in _lasting_boundaries(history)},
    }


def _step_question(view: HistoryView, k: int) -> dict[str, Any]:
    return {"k": k, "revision": view.revision, "pretoken": 0, "stays": [-1, k]}


def _tokens_in_step(step: dict[str, Any]) -> Iterable[tuple[str, int]]:
    """Yield the tokens that a step names, each as its bytes in hex and its id."""
    for row in step["table"]["rows"]:
        yield from (row["left"], row["right"])
    if merge := step["next"]:
        yield from (merge[part] for part in ("left", "right", "made") if part in merge)


def _packed_step(step: dict[str, Any]) -> dict[str, Any]:
    """Return a step with tokens by their ids alone."""
    merge, table = step["next"], step["table"]
    rows = [
        [row["left"][1], row["right"][1], row["count"], row["rank"], sum(FLAGS[name] for name in FLAGS if row[name])]
        for row in table["rows"]
    ]
    # The chosen pair is a row already.
    parts = ("made",) if any(row["chosen"] for row in table["rows"]) else ("made", "left", "right")
    named = merge and [merge["rank"], *(merge[part][1] for part in parts if part in merge)]
    return {"next": named, "table": {**table, "rows": rows}}


def _pretoken_encodings_and_places(history: MergeTrace) -> tuple[list[dict[str, Any]], list[int]]:
    """Return how each different pretoken is encoded, and which of these each pretoken of the text is."""
    places: dict[tuple[bytes, bool], int] = {}
    rows: list[dict[str, Any]] = []
    same = []
    for start, end in pairwise([0, *history.pretoken_ends.tolist()]):
        pretoken = history.data[start:end], end in history.special_ends
        if pretoken not in places:
            places[pretoken] = len(rows)
            found = pretoken_encoding_data(history, start)
            rows.append({**found, "rows": _packed_rows(found["rows"])} if "rows" in found else found)
        same.append(places[pretoken])
    return rows, same


def _packed_rows(rows: Sequence[dict[str, Any]]) -> list[Any]:
    """Return the rows of an encoder: the first, then of each the id that a merge made and the ranks beside it."""
    packed_rows: list[Any] = [rows[0]]
    for before, row in pairwise(rows):
        at, ranks = before["winner"], row["ranks"]
        beside = [ranks[at - 1] if at else None, ranks[at] if at < len(ranks) else None]
        packed_rows.append([row["ids"][at], *beside, row["winner"]])
    return packed_rows


def _lasting_boundaries(history: MergeTrace) -> list[int]:
    """Return the boundaries that no merge closes, as bytes."""
    return [end for end in history.ends[:-1] if history.gaps[end - 1] == NEVER]
