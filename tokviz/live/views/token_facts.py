"""What the inspector says about one token: its place, its merge tree, its neighbours, and what can still change it.

Only the pretokens around the token are traced, since merges never leave a pretoken.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from tokviz import AnyTokenizer, MergeTrace, Segmentations, Tokenizer, settled
from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.core.trace import MergeNode, pieces_trace
from tokviz.core.why_not import WhyNot
from tokviz.live.columns import TokenColumns
from tokviz.live.recut import decoded_units
from tokviz.live.tokens import TokenFollower
from tokviz.live.views.seams.seams_view import NAMED, tokens_data
from tokviz.seams.settled_tokens import changed_ids_before_and_after
from tokviz.system.recent import recent
from tokviz.text.alternatives import alternative_at
from tokviz.text.glyphs import visible_token

TREE_BYTES_MAX = 200  # of a token whose merge tree is drawn; the tree of "aaa…" has a leaf for every byte
LEVELS_SHOWN = 40  # of a merge tree; the deepest of cl100k has 12 or so
TRACED_MAX = 100_000  # bytes of the pretokens around a token; tracing them takes a third of a second
UNITS_MAX = 50_000  # UTF-16 units of a text whose end is looked at; it takes about 10 ms
BYTES_MAX = 1_000  # of a token that is cut in every way
LONGEST_PRETOKEN = 200  # characters; a longer one is shown by its beginning


def token_facts(
    tokenizer: Tokenizer, tokens: TokenColumns, cuts: np.ndarray, units: bytes, token: int
) -> dict[str, Any]:
    """Return what the inspector adds for one token of a text.

    tokens: those the tokenizer encodes the text to. cuts: where in the text, in UTF-16 units, each pretoken begins, and
    the last one ends. units: the units of the text.
    """
    own = int(np.searchsorted(cuts, tokens.starts[token], side="right")) - 1
    around = cuts[max(own - 1, 0) : own + 3].tolist()  # the pretoken before it, its own, and the one after
    begins = tokens.starts.searchsorted(around[:-1]).tolist()
    pretokens = [decoded_units(units, *ends) for ends in pairwise(around)]
    # What is typed may read as a special token that is not recognised; its tokens have other ids.
    are_special = [
        tokenizer.special_tokens.get(pretoken) == int(tokens.ids[begin])
        for pretoken, begin in zip(pretokens, begins, strict=True)
    ]
    encoded = [pretoken.encode() for pretoken in pretokens]
    place, nth = min(own, 1), token - begins[0]
    pretoken, is_special = pretokens[place], are_special[place]
    facts = {
        **rank_facts(tokenizer, int(tokens.ids[token])),
        "pretoken": pretoken[:LONGEST_PRETOKEN],
        "alternative": None if is_special else _cutting_alternative_data(tokenizer, cuts, units, own, pretoken),
    }
    n_bytes = sum(map(len, encoded))
    if n_bytes > TRACED_MAX:
        words = f"not traced: its pretoken and those beside it have {n_bytes:,} bytes, more than {TRACED_MAX:,}"
        return facts | {"tree": None, "no_tree": words}
    history = pieces_trace(tokenizer, zip(encoded, are_special, strict=True))
    return facts | {
        **(missing_tree_data() if is_special else _tree_or_missing_data(history, nth)),
        "left": reason_not_merged(history.why_not(nth - 1)) if nth else "the text begins here",
        "right": reason_not_merged(history.why_not(nth)) if nth < len(history.ends) - 1 else "the text ends here",
    }


def rank_facts(tokenizer: Tokenizer, token_id: int) -> dict[str, Any]:
    """Return the rank of a token, None for a byte and a special token, and in words how it comes about without a merge.

    >>> from tokviz.core.bpe import ranks_from_merges
    >>> rank_facts(Tokenizer("toy", "none", ranks_from_merges([]) | {b"abc": 256}), 256)
    {'rank': 0, 'unmerged': 'no merge: a pretoken that equals it is taken whole'}
    """
    rank = tokenizer.merge_rank(token_id)
    if rank is None or tokenizer.merge_pair(rank):
        return {"rank": rank}
    words = "a pretoken that equals it is taken whole" if tokenizer.takes_whole else "no text has it"
    return {"rank": rank, "unmerged": f"no merge: {words}"}


def vocabulary_entry_facts(tokenizer: AnyTokenizer, token_id: int) -> dict[str, Any]:
    """Return the same for a tokenizer that is not byte-level BPE: how its vocabulary writes the token."""
    written = visible_token(tokenizer.token_bytes(token_id))
    return {"written": written, "error": f"{tokenizer.kind}: its merges and pretokens are not known here"}


def _cutting_alternative_data(
    tokenizer: Tokenizer, cuts: np.ndarray, units: bytes, own: int, pretoken: str
) -> dict[str, str] | None:
    """Return the alternative of the split pattern that cut a pretoken; it may look at the whole text."""
    start = len(decoded_units(units, 0, int(cuts[own])))
    text = decoded_units(units, 0, int(cuts[-1]))
    cut_by = alternative_at(text, start, start + len(pretoken), tokenizer.split_pattern)
    return {"name": cut_by.name, "explanation": cut_by.explanation} if cut_by else None


def _tree_or_missing_data(history: MergeTrace, token: int) -> dict[str, Any]:
    """Return the merge tree of a token, or in words that it is too large."""
    n_bytes = history.ends[token] - (history.ends[token - 1] if token else 0)
    return missing_tree_data(n_bytes) if n_bytes > TREE_BYTES_MAX else {"tree": tree_data(history.merge_tree(token))}


def missing_tree_data(n_bytes: int = 0) -> dict[str, Any]:
    """Return what is sent in place of a merge tree: nothing, or that one of this many bytes is too large.

    >>> missing_tree_data(70_000)
    {'tree': None, 'no_tree': 'not drawn: the tree would have 70,000 leaves, one for each byte'}
    """
    words = f"not drawn: the tree would have {n_bytes:,} leaves, one for each byte"
    return {"tree": None, **({"no_tree": words} if n_bytes else {})}


def tree_data(node: MergeNode, *, levels: int = LEVELS_SHOWN) -> dict[str, Any]:
    """Return a merge tree for the browser, of a very deep one the upper levels."""
    left, right = (
        part and tree_data(part, levels=levels - 1) for part in ((node.left, node.right) if levels else (None, None))
    )
    return {
        "bytes": node.token_bytes.hex(" "),
        "id": node.token_id,
        "rank": node.rank,
        "left": left,
        "right": right,
    }


def reason_not_merged(why: WhyNot) -> str:
    """Return in words why two neighbouring tokens did not merge; merges count from 1, ranks from 0."""
    if why.reason == "special token":
        return "a special token never merges"
    if why.reason == "pretoken boundary":
        return "another pretoken: merges never cross the boundary between two"
    lost = why.lost
    if lost is None or lost.rank is None or lost.taken_rank is None or lost.taken_bytes is None:
        left, right = why.meetings[-1].left, why.meetings[-1].right
        return f"the vocabulary has no merge for {visible_token(left)} + {visible_token(right)}"
    return (
        f"{visible_token(lost.left)} + {visible_token(lost.right)} is merge {lost.rank + 1:,}, but merge "
        f"{lost.taken_rank + 1:,} came first and took its {lost.taken} side into {visible_token(lost.taken_bytes)}; "
        "what is here then has no merge"
    )


def seam_facts(tokenizer: Tokenizer, follower: TokenFollower, token: int) -> dict[str, Any]:
    """Return `open`, a continuation that changes a token and what that makes, and `ways`, how many cut its bytes.

    Each only where there is something to say: a token may be settled, or can be cut in one way alone. Nothing is said
    of what is open where that is not proved, or the text is long.
    """
    facts: dict[str, Any] = {}
    if not follower.is_cut_short and follower.covered <= UNITS_MAX and tokenizer.split_pattern in SPLIT_PATTERNS:
        text = decoded_units(follower.units, 0, follower.covered)
        found = _facts_of_open_tokens(tokenizer, text, follower.special)
        facts = {"open": found[token]} if token in found else {}
    data = tokenizer.token_bytes(int(follower.tokens.ids[token]))
    if (
        data in tokenizer.mergeable_ranks
        and 1 < len(data) <= BYTES_MAX
        and (n_ways := n_segmentations(tokenizer, data)) > 1
    ):
        facts["ways"] = str(n_ways)
    return facts


@recent(maxsize=64)
def _facts_of_open_tokens(tokenizer: Tokenizer, text: str, special: frozenset[str]) -> dict[int, dict[str, Any]]:
    """Return what is said of each token of a text that may change."""
    found: dict[int, dict[str, Any]] = {}
    then: dict[str, list[tuple[str, int]]] = {}
    for seam in settled(tokenizer, text, allowed_special=special).seams:
        more = seam.continuation
        if more is not None and more not in then:
            ids = changed_ids_before_and_after(tokenizer, text, more, allowed_special=special)[1]
            then[more] = tokens_data(tokenizer, ids[:NAMED])
        found[seam.token] = {"continuation": more, "then": [] if more is None else then[more]}
    return found


@recent(maxsize=1_000)
def n_segmentations(tokenizer: Tokenizer, data: bytes) -> int:
    """Return in how many ways bytes can be cut into tokens.

    >>> import tokviz
    >>> n_segmentations(tokviz.load("gpt2"), b"lower")
    15
    """
    return Segmentations(tokenizer, data).count
