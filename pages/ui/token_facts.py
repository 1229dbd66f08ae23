"""What the inspector says of a token beyond its bytes: rank, pretoken, merge tree, neighbours.

In: a tokenizer, and the token spans that are shown. Out: plain dicts for the token view.
"""

from collections.abc import Collection
from typing import Any

import numpy as np

from pages.ui.words import visible
from tokviz import MergeTrace, Tokenizer, TokenSpans, trace
from tokviz.alternatives import alternative_at
from tokviz.trace import MergeNode, WhyNot

LEVELS_SHOWN = 40  # of a merge tree; the deepest of cl100k has 12 or so
LONGEST_PRETOKEN = 200  # characters; a longer one is shown by its beginning


def token_facts(
    tokenizer: Tokenizer,
    spans: TokenSpans,
    token: int,
    *,
    allowed_special: str | Collection[str] = (),
) -> dict[str, Any]:
    """Return what the inspector adds for one token.

    Of tokens that are not the tokenizer's own encoding of their text, pasted as ids perhaps, only the rank
    is known. Raises ValueError where the split pattern does not end.
    """
    rank = tokenizer.merge_rank(int(spans.ids[token]))
    if tokenizer.encode(spans.text, allowed_special=allowed_special) != spans.ids.tolist():
        return {"rank": rank}
    history = trace(tokenizer, spans.text, allowed_special=allowed_special)
    place = int(np.searchsorted(history.pretoken_ends, spans.byte_ends[token]))
    begin = int(history.pretoken_ends[place - 1]) if place else 0
    pretoken = history.data[begin : int(history.pretoken_ends[place])].decode()
    start = int(np.searchsorted(spans.character_starts, begin))
    is_special = int(spans.byte_ends[token]) in history.special_ends
    end = start + len(pretoken)
    cut_by = None if is_special else alternative_at(spans.text, start, end, tokenizer.split_pattern)
    return {
        "rank": rank,
        "pretoken": pretoken[:LONGEST_PRETOKEN],
        "alternative": cut_by and {"name": cut_by.name, "explanation": cut_by.explanation},
        "tree": None if is_special else _tree_of(history, token),
        "left": _sentence(history, token - 1) if token else "the text begins here",
        "right": _sentence(history, token) if token < len(spans) - 1 else "the text ends here",
    }


def _tree_of(history: MergeTrace, token: int) -> dict[str, Any] | None:
    """Return the merge tree of a token, None for one that no screen could show."""
    try:
        return token_tree(history.merge_tree(token))
    except RecursionError:
        return None


def token_tree(node: MergeNode, *, first: int = 0, levels: int = LEVELS_SHOWN) -> dict[str, Any]:
    """Return a merge tree for the browser, of a very deep one the upper levels.

    The first merge of all has the number `first`.
    """
    left, right = (
        part and token_tree(part, first=first, levels=levels - 1)
        for part in ((node.left, node.right) if levels else (None, None))
    )
    return {
        "bytes": node.token_bytes.hex(" "),
        "text": visible(node.token_bytes),
        "id": node.token_id,
        "rank": None if node.rank is None else node.rank + first,
        "left": left,
        "right": right,
    }


def _sentence(history: MergeTrace, token: int) -> str:
    """Return in words why a token did not merge with the one after it."""
    return why_not_words(history.why_not(token))


def why_not_words(why: WhyNot, *, first: int = 0) -> str:
    """Return in words why two neighbouring tokens did not merge; the first merge of all has the number `first`."""
    if why.reason == "special token":
        return "a special token never merges"
    if why.reason == "pretoken boundary":
        return "another pretoken: merges never cross the boundary between two"
    lost = why.lost
    if lost is None or lost.taken is None:
        left, right = why.meetings[-1].left, why.meetings[-1].right
        return f"the vocabulary has no merge for {visible(left)} + {visible(right)}"
    return (
        f"{visible(lost.left)} + {visible(lost.right)} is merge {lost.rank + first:,}, but merge "
        f"{lost.taken_rank + first:,} came first and took its {lost.taken} side into {visible(lost.taken_bytes)}; "
        "what stands here then has no merge"
    )
