"""What the inspector says of a token beyond its bytes: rank, pretoken, merge tree, neighbours.

In: a tokenizer, and the token spans that are shown. Out: plain dicts for the token view.
"""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from tokviz import AnyTokenizer, MergeTrace, Tokenizer, TokenSpans, token_spans, trace
from tokviz.analysis.alternatives import alternative_at
from tokviz.core.trace import MergeNode, WhyNot, parts_trace
from tokviz.live.views.glyphs import visible

TREE_BYTES_MAX = 200  # of a token whose merge tree is drawn; that of "aaa…" has a leaf for every byte
LEVELS_SHOWN = 40  # of a merge tree; the deepest of cl100k has 12 or so
LONGEST_PRETOKEN = 200  # characters; a longer one is shown by its beginning


def token_facts(
    tokenizer: AnyTokenizer,
    spans: TokenSpans,
    token: int,
    *,
    allowed_special: str | Collection[str] = (),
) -> dict[str, Any]:
    """Return what the inspector adds for one token.

    Of tokens that are not the tokenizer's own encoding of their text, pasted as ids perhaps, only the rank
    is known; of tokenizers that are not byte-level BPE, how the vocabulary writes the token. Raises
    ValueError where the split pattern does not end.
    """
    if not isinstance(tokenizer, Tokenizer):
        written = visible(tokenizer.token_bytes(int(spans.ids[token])))
        return {"written": written, "error": f"{tokenizer.kind}: its merges and pretokens are not known here"}
    if tokenizer.encode(spans.text, allowed_special=allowed_special) != spans.ids.tolist():
        return {"rank": tokenizer.merge_rank(int(spans.ids[token]))}
    return _facts(trace(tokenizer, spans.text, allowed_special=allowed_special), spans, token)


def facts_amid(tokenizer: Tokenizer, parts: Sequence[tuple[str, bool]], ids: np.ndarray, token: int) -> dict[str, Any]:
    """Return the same for a token amid a few pretokens and special tokens of a text, each with whether it is one.

    `ids` are theirs; the first pretoken is that before the token's own, unless the text begins with this. Behind the
    token's own there are two, as far as there are so many.
    """
    history = parts_trace(tokenizer, ((part.encode(), is_special) for part, is_special in parts))
    return _facts(history, token_spans(tokenizer, ids), token)


def _facts(history: MergeTrace, spans: TokenSpans, token: int) -> dict[str, Any]:
    tokenizer = history.tokenizer
    place = int(np.searchsorted(history.pretoken_ends, spans.byte_ends[token]))
    begin = int(history.pretoken_ends[place - 1]) if place else 0
    pretoken = history.data[begin : int(history.pretoken_ends[place])].decode()
    start = int(np.searchsorted(spans.character_starts, begin))
    is_special = int(spans.byte_ends[token]) in history.special_ends
    end = start + len(pretoken)
    cut_by = None if is_special else alternative_at(spans.text, start, end, tokenizer.split_pattern)
    return {
        "rank": tokenizer.merge_rank(int(spans.ids[token])),
        "pretoken": pretoken[:LONGEST_PRETOKEN],
        "alternative": cut_by and {"name": cut_by.name, "explanation": cut_by.explanation},
        **(no_tree() if is_special else _tree_of(history, token, spans)),
        "left": _sentence(history, token - 1) if token else "the text begins here",
        "right": _sentence(history, token) if token < len(spans) - 1 else "the text ends here",
    }


def _tree_of(history: MergeTrace, token: int, spans: TokenSpans) -> dict[str, Any]:
    """Return the merge tree of a token, or in words that it is too large."""
    n_bytes = int(spans.byte_ends[token] - spans.byte_starts[token])
    return no_tree(n_bytes) if n_bytes > TREE_BYTES_MAX else {"tree": token_tree(history.merge_tree(token))}


def no_tree(n_bytes: int = 0) -> dict[str, Any]:
    """Return what is sent in place of a merge tree: nothing, or that one of so many bytes is too large.

    >>> no_tree(70_000)
    {'tree': None, 'no_tree': 'not drawn: the tree would have 70,000 leaves, one for each byte'}
    """
    words = f"not drawn: the tree would have {n_bytes:,} leaves, one for each byte"
    return {"tree": None, **({"no_tree": words} if n_bytes else {})}


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
