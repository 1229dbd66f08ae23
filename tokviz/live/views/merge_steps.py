"""What the time machine shows of a step and a pretoken, as plain data made from a trace.

Ranks count from 0, as everywhere; what a person reads counts merges from 1.
"""

from typing import Any

import numpy as np

from tokviz import MergeTrace, Tokenizer
from tokviz.core.bpe import NEVER, Pair
from tokviz.core.encoder_steps import EncodingStep, encoding_steps
from tokviz.core.pair_history import PairCount, PairTable
from tokviz.live.views.counted_pairs import CountedPairs
from tokviz.live.views.token_facts import reason_not_merged, tree_data
from tokviz.records.training import FromTraining

N_PAIRS = 9  # rows of the table, the chosen pair among them
PRETOKEN_BYTES_MAX = 160  # of a pretoken; nobody reads the rows of a longer one
CORPUS_POINTS = 500
# The pretoken that the page zooms in on at first: the longest of at most this many bytes near the beginning.
FIRST_PRETOKEN_BYTES = 16
FIRST_BYTES = 400


def special_token_starts_and_ids(trace: MergeTrace) -> list[tuple[int, int]]:
    """Return the first byte and the id of each special token of a text."""
    starts = dict(zip(trace.pretoken_ends.tolist(), [0, *trace.pretoken_ends.tolist()], strict=False))
    found = ((starts[end], end) for end in sorted(trace.special_ends))
    return [(start, trace.tokenizer.special_tokens[trace.data[start:end].decode()]) for start, end in found]


def training_tokens_per_byte_curve(training: FromTraining) -> list[tuple[int, float]]:
    """Return (merges, tokens per byte) of a training text, for a curve.

    It begins where training did: with the bytes, or the last merge of the tokenizer that training continued from.
    """
    n_old = training.plan.n_start_merges
    begin = 1.0 if training.n_before is None else training.n_before / max(training.n_bytes, 1)
    if not training.steps or not training.n_bytes:
        return [(n_old, round(begin, 4))]
    chosen = np.unique(np.linspace(0, len(training.steps) - 1, CORPUS_POINTS, dtype=int)).tolist()
    rest = [(n_old + i + 1, round(training.steps[i].n_tokens / training.n_bytes, 4)) for i in chosen]
    return [(n_old, round(begin, 4)), *rest]


def step_answer(
    tokenizer: Tokenizer, k: int, counted: CountedPairs, *, upcoming: int | None = None, guess: Pair | None = None
) -> dict[str, Any]:
    """Return what a history does not tell of the step after k merges: the merges around it, and the frequent pairs.

    upcoming: the rank of the merge to name as the next one, if not k. guess: a pair to count as well.
    """
    upcoming = k if upcoming is None else upcoming
    chosen = ids_of_next_pair(tokenizer, upcoming)
    table = counted.pairs.top_pair_table(upcoming, n_rows=N_PAIRS, chosen=chosen)
    answer = {
        "k": k,
        "just": data_of_merge(tokenizer, k - 1) if k else None,
        "next": data_of_merge(tokenizer, upcoming) if upcoming < len(tokenizer.merge_tokens) else None,
        "table": pair_table_data(tokenizer, table, chosen, counted),
    }
    if guess:
        found = counted.pairs.top_pair_table(upcoming, n_rows=0, chosen=guess).chosen or PairCount(guess, 0, -1)
        answer["guess"] = _row_data(tokenizer, found, chosen, tied=False)
    return answer


def upcoming_rank(trace: MergeTrace, k: int, *, source: str) -> int:
    """Return the rank of the merge that a learner is to guess after k merges; the number of merges if there is none.

    Where counts decide it is the very next one. Elsewhere it is the next that changes this text, since nothing here
    tells of any other. A token that is taken whole is no merge to guess.

    >>> import tokviz
    >>> trace = tokviz.trace(tokviz.load("gpt2"), "the")
    >>> upcoming_rank(trace, 0, source="elsewhere"), upcoming_rank(trace, 0, source="corpus")
    (2, 0)
    """
    if source == "corpus":
        return k
    gaps, tokenizer = trace.gaps.copy(), trace.tokenizer
    for one in trace.unusual():
        if one.middle is None:
            inner = gaps[one.byte_start : one.byte_end - 1]
            inner[inner == tokenizer.merge_rank(one.token_id)] = NEVER
    later = gaps[gaps >= k]
    return int(later.min()) if len(later) else len(tokenizer.merge_tokens)


def data_of_merge(tokenizer: Tokenizer, rank: int) -> dict[str, Any]:
    """Return the merge of a rank: its parts and what it makes, each as (bytes in hex, id).

    A token that no merge makes has no parts.
    """
    ids, pair = tokenizer.mergeable_ranks, tokenizer.merge_pair(rank)
    tokens = {"made": tokenizer.merge_tokens[rank]} | (dict(zip(("left", "right"), pair, strict=True)) if pair else {})
    return {"rank": rank} | {name: (token.hex(" "), ids[token]) for name, token in tokens.items()}


def ids_of_next_pair(tokenizer: Tokenizer, k: int) -> tuple[int, int] | None:
    """Return the ids of the pair that is merged after k merges, None after the last and for a token taken whole."""
    pair = tokenizer.merge_pair(k) if k < len(tokenizer.merge_tokens) else None
    return (tokenizer.mergeable_ranks[pair[0]], tokenizer.mergeable_ranks[pair[1]]) if pair else None


def pair_table_data(
    tokenizer: Tokenizer, table: PairTable, chosen: Pair | None, counted: CountedPairs
) -> dict[str, Any]:
    """Return the rows for the browser, the chosen pair on top.

    Ties, and pairs of which too few are left after all merges, are marked where counts decide, which is over the
    training text: the source "corpus".
    """
    highest = table.rows[0].count if table.rows else 0
    rest = [row for row in table.rows if row.pair != chosen]
    first = [table.chosen or PairCount(chosen, 0, -1)] if chosen and table.rows else []
    rows = first + rest
    decides = counted.source == "corpus"
    tied = table.n_tied > 1 and decides
    used_up = counted.pairs.pairs_used_up([row.pair for row in rows]) if decides else ()
    return {
        "source": counted.source,
        "part": counted.part,
        "n_pairs": table.n_pairs,
        "n_tied": table.n_tied,
        "highest": highest,
        "rows": [
            _row_data(tokenizer, row, chosen, tied=tied and row.count == highest) | {"usedUp": row.pair in used_up}
            for row in rows[:N_PAIRS]
        ],
    }


def _row_data(tokenizer: Tokenizer, row: PairCount, chosen: tuple[int, int] | None, *, tied: bool) -> dict[str, Any]:
    left, right = tokenizer.tokens_bytes(row.pair)
    return {
        "left": (left.hex(" "), row.pair[0]),
        "right": (right.hex(" "), row.pair[1]),
        "count": row.count,
        "rank": tokenizer.pair_rank(left, right),
        "chosen": row.pair == chosen,
        "tied": tied,
    }


def start_of_pretoken_to_show_first(trace: MergeTrace) -> int:
    """Return the first byte of the pretoken to begin with: a long one near the beginning, of plain letters if any.

    >>> import tokviz
    >>> start_of_pretoken_to_show_first(tokviz.trace(tokviz.load("gpt2"), "สวัสดี, my darling"))
    22
    """
    best, chosen, start = (False, 0), 0, 0
    for end in trace.pretoken_ends.tolist():
        if start >= FIRST_BYTES:
            break
        text = trace.data[start:end].decode()
        rank = (text.isascii() and text.strip().isalpha(), len(text))
        if rank > best and end - start <= FIRST_PRETOKEN_BYTES and end not in trace.special_ends:
            best, chosen = rank, start
        start = end
    return chosen


def answer_about_lasting_boundary(trace: MergeTrace, byte: int) -> dict[str, Any]:
    """Return why the boundary before a byte never closes; ValueError if a merge closes it, or none is there.

    >>> import tokviz
    >>> answer_about_lasting_boundary(tokviz.trace(tokviz.load("gpt2"), "low er"), 3)["why"]
    'another pretoken: merges never cross the boundary between two'
    """
    token = int(np.searchsorted(trace.ends, byte))
    if not 0 < byte < len(trace.data) or trace.ends[token] != byte:
        raise ValueError(f"no token ends before byte {byte}")
    return {"byte": byte, "why": reason_not_merged(trace.why_not(token))}


def pretoken_encoding_data(trace: MergeTrace, start: int) -> dict[str, Any]:
    """Return the encoder's rows of the pretoken that begins at a byte, its trees, and why tokens stayed apart."""
    place = int(np.searchsorted(trace.pretoken_ends, start, side="right"))
    end = int(trace.pretoken_ends[place])
    pretoken = trace.data[start:end]
    if end in trace.special_ends:
        return {"start": start, "error": "A special token is whole from the start; no merge makes it or takes it up."}
    if len(pretoken) > PRETOKEN_BYTES_MAX:
        return {
            "start": start,
            "error": f"This pretoken has {len(pretoken):,} bytes; up to {PRETOKEN_BYTES_MAX} are worked through here. "
            "A shorter one in the list above will do, or a split pattern that cuts the text into shorter ones.",
        }
    tokenizer = trace.tokenizer
    is_whole = any(one.middle is None and one.byte_start == start for one in trace.unusual())
    steps = [EncodingStep((pretoken,), (), None)] if is_whole else encoding_steps(pretoken, tokenizer)
    rows = [
        {
            "ends": np.cumsum([len(token) for token in step.tokens]).tolist(),
            "ids": [tokenizer.mergeable_ranks[token] for token in step.tokens],
            "ranks": step.ranks,
            "winner": step.winner,
        }
        for step in steps
    ]
    first = int(np.searchsorted(trace.ends, start, side="right"))
    last = int(np.searchsorted(trace.ends, end))
    return {
        "start": start,
        "bytes": pretoken.hex(" "),
        **({"whole": True} if is_whole else {}),
        "rows": rows,
        "trees": [tree_data(trace.merge_tree(i)) for i in range(first, last + 1)],
        "apart": [reason_not_merged(trace.why_not(i)) for i in range(first, last)],
    }
