"""What the time machine is sent: the history of a text once, and answers about single steps.

In: a trace, or the step and the pretoken that a browser asks about. Out: plain data. Nothing here draws
or knows Streamlit. Ranks count from 0, as everywhere; what a person reads counts merges from 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import tokviz
from pages.ui.records import Trained
from pages.ui.token_columns import packed
from pages.ui.token_facts import token_tree, why_not_words
from tokviz import MergeTrace, Tokenizer
from tokviz.encoding_steps import encoding_steps
from tokviz.pair_history import PairCount, PairHistory, PairTable
from tokviz.vocabulary import ALL

N_PAIRS = 9  # rows of the table, the chosen pair among them
GLASS_BYTES_MAX = 160  # of a pretoken; the rows of a longer one nobody reads
CORPUS_POINTS = 500
# The pretoken that is under the glass at first: the longest of at most so many bytes near the beginning.
FIRST_WORD_BYTES = 16
FIRST_BYTES = 400


@dataclass(frozen=True)
class Source:
    """What a history is made of; `trained` is the record of a tokenizer trained in this session."""

    tokenizer: Tokenizer
    text: str
    trained: Trained | None = None
    allow_special: bool = False

    def is_same(self, other: "Source | None") -> bool:
        """Whether both are the same; a tokenizer is compared by identity, since its ranks are many."""
        return other is not None and self.tokenizer is other.tokenizer and self == other


@dataclass
class MachineState:
    """The server's side of one time machine, kept for a session.

    `made` counts the histories. Of the browser's last message are kept who sent it, its number, which
    history it holds, and the step and the first byte of the pretoken it shows.
    """

    source: Source | None = None
    trace: MergeTrace | None = None
    pairs: PairHistory | None = None
    made: int = 0
    client: str | None = None
    acknowledged: int = 0
    have: int | None = None
    asked_step: int | None = None
    word: int | None = None
    glasses: dict[int, dict[str, Any]] = field(default_factory=dict)

    def take(self, source: Source) -> None:
        """Make the history of another source, unless it is the same; what was asked about the old one is forgotten.

        Raises ValueError where the split pattern does not end.
        """
        if source.is_same(self.source):
            return
        allowed = ALL if source.allow_special else ()
        self.trace = tokviz.trace(source.tokenizer, source.text, allowed_special=allowed)
        self.source, self.made = source, self.made + 1
        self.pairs = source.trained and source.trained.corpus
        self.asked_step = self.word = None
        self.glasses = {}

    def receive(self, message: Mapping[str, Any]) -> None:
        """Take a message of the browser."""
        self.client, self.acknowledged, self.have = message["client"], message["n"], message["made"]
        if message["made"] == self.made:
            self.asked_step, self.word = message["k"], message["word"]

    def answer(self, step: int) -> dict[str, Any]:
        """Return what the browser cannot know of the step it asked about, else of `step`."""
        assert self.trace is not None and self.source is not None
        n_merges = len(self.trace.tokenizer.merge_tokens)
        k = min(max(step if self.asked_step is None else self.asked_step, 0), n_merges)
        word = first_word(self.trace) if self.word is None else self.word
        if word not in self.glasses:
            self.glasses[word] = glass(self.trace, word)
        return {
            "made": self.made,
            "k": k,
            "just": merge_named(self.trace.tokenizer, k - 1) if k else None,
            "next": merge_named(self.trace.tokenizer, k) if k < n_merges else None,
            "table": self._table(k),
            "glass": self.glasses[word],
        }

    def _table(self, k: int) -> dict[str, Any]:
        assert self.trace is not None and self.source is not None
        trained = self.source.trained
        source = "corpus" if trained and trained.corpus else "text"
        if self.pairs is None:
            self.pairs = PairHistory.of_trace(self.trace)
        tokenizer = self.trace.tokenizer
        chosen = next_pair(tokenizer, k)
        table = self.pairs.table(k, n_rows=N_PAIRS, asked=chosen)
        return {"source": source, "trained": bool(trained), **table_data(tokenizer, table, chosen)}


def history(trace: MergeTrace, trained: Trained | None) -> dict[str, Any]:
    """Return the history of a text as the browser takes it: for every gap the rank that closes it, plus two."""
    tokenizer = trace.tokenizer
    occurring = np.unique(trace.gaps[trace.gaps >= 0])
    byte_ids = [tokenizer.mergeable_ranks[bytes([i])] for i in range(256)]
    return {
        "text": trace.data.decode(),
        "gaps": packed(trace.gaps + 2),
        "pretokens": packed(np.diff(trace.pretoken_ends, prepend=0)),
        "ids": packed(tokenizer.merge_ids[occurring]),
        "byte_ids": packed(np.array(byte_ids)),
        "special": special_tokens(trace),
        "tokenizer": tokenizer.name,
        "n_merges": len(tokenizer.merge_tokens),
        "corpus": corpus_curve(trained) if trained else None,
    }


def special_tokens(trace: MergeTrace) -> list[tuple[int, int]]:
    """Return the first byte and the id of each special token of a text."""
    starts = dict(zip(trace.pretoken_ends.tolist(), [0, *trace.pretoken_ends.tolist()], strict=False))
    found = ((starts[end], end) for end in sorted(trace.special_ends))
    return [(start, trace.tokenizer.special_tokens[trace.data[start:end].decode()]) for start, end in found]


def corpus_curve(trained: Trained) -> list[tuple[int, float]]:
    """Return (merges, tokens per byte) of a training text, for a curve."""
    if not trained.steps or not trained.n_bytes:
        return [(0, 1.0)]
    chosen = np.unique(np.linspace(0, len(trained.steps) - 1, CORPUS_POINTS, dtype=int)).tolist()
    rest = [(i + 1, round(trained.steps[i].n_tokens / trained.n_bytes, 4)) for i in chosen]
    return [(0, 1.0), *rest]


def merge_named(tokenizer: Tokenizer, rank: int) -> dict[str, Any]:
    """Return the merge of a rank: its parts and what it makes, each as (bytes in hex, id)."""
    left, right = tokenizer.merge_pair(rank)
    ids = tokenizer.mergeable_ranks
    tokens = {"left": left, "right": right, "made": left + right}
    return {"rank": rank} | {name: (token.hex(" "), ids[token]) for name, token in tokens.items()}


def next_pair(tokenizer: Tokenizer, k: int) -> tuple[int, int] | None:
    """Return the ids of the pair that is merged after k merges, None after the last."""
    if k >= len(tokenizer.merge_tokens):
        return None
    left, right = tokenizer.merge_pair(k)
    return tokenizer.mergeable_ranks[left], tokenizer.mergeable_ranks[right]


def table_data(tokenizer: Tokenizer, table: PairTable, chosen: tuple[int, int] | None) -> dict[str, Any]:
    """Return the rows for the browser, the chosen pair on top."""
    highest = table.rows[0].count if table.rows else 0
    rest = [row for row in table.rows if row.pair != chosen]
    first = [table.asked or PairCount(chosen, 0, -1)] if chosen and table.rows else []
    rows = first + rest
    return {
        "n_pairs": table.n_pairs,
        "n_tied": table.n_tied,
        "highest": highest,
        "rows": [
            _row(tokenizer, row, chosen, tied=row.count == highest and table.n_tied > 1) for row in rows[:N_PAIRS]
        ],
    }


def _row(tokenizer: Tokenizer, row: PairCount, chosen: tuple[int, int] | None, *, tied: bool) -> dict[str, Any]:
    left, right = tokenizer.tokens_bytes(row.pair)
    joined = tokenizer.mergeable_ranks.get(left + right)
    return {
        "left": (left.hex(" "), row.pair[0]),
        "right": (right.hex(" "), row.pair[1]),
        "count": row.count,
        "rank": None if joined is None else tokenizer.merge_rank(joined),
        "chosen": row.pair == chosen,
        "tied": tied,
    }


def first_word(trace: MergeTrace) -> int:
    """Return the first byte of the pretoken to begin with: a long one near the beginning."""
    starts = np.concatenate([[0], trace.pretoken_ends[:-1]])
    sizes = trace.pretoken_ends - starts
    near = (starts < FIRST_BYTES) & (sizes <= FIRST_WORD_BYTES)
    near &= ~np.isin(trace.pretoken_ends, list(trace.special_ends))
    return int(starts[np.where(near, sizes, 0).argmax()])


def glass(trace: MergeTrace, start: int) -> dict[str, Any]:
    """Return the encoder's rows of the pretoken that begins at a byte, its trees, and why tokens stayed apart."""
    place = int(np.searchsorted(trace.pretoken_ends, start, side="right"))
    end = int(trace.pretoken_ends[place])
    pretoken = trace.data[start:end]
    if end in trace.special_ends:
        return {"start": start, "error": "A special token is whole from the start; no merge makes it or takes it up."}
    if len(pretoken) > GLASS_BYTES_MAX:
        return {
            "start": start,
            "error": f"This pretoken has {len(pretoken):,} bytes; up to {GLASS_BYTES_MAX} are worked through here. "
            "Pick another, or a tokenizer whose split pattern cuts the text into shorter ones.",
        }
    tokenizer = trace.tokenizer
    rows = [
        {
            "ends": np.cumsum([len(part) for part in step.parts]).tolist(),
            "ids": [tokenizer.mergeable_ranks[part] for part in step.parts],
            "ranks": step.ranks,
            "winner": step.winner,
        }
        for step in encoding_steps(pretoken, tokenizer)
    ]
    first = int(np.searchsorted(trace.ends, start, side="right"))
    last = int(np.searchsorted(trace.ends, end))
    return {
        "start": start,
        "bytes": pretoken.hex(" "),
        "rows": rows,
        "trees": [token_tree(trace.merge_tree(i), first=1) for i in range(first, last + 1)],
        "apart": [why_not_words(trace.why_not(i), first=1) for i in range(first, last)],
    }
