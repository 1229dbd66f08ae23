"""What the inspector says of a token, from the history of the whole text."""

from collections.abc import Collection
from typing import Any

import numpy as np

from tokviz import Tokenizer, TokenSpans, trace
from tokviz.live.views.token_facts import LONGEST_PRETOKEN, reason_not_merged, tree_data
from tokviz.text.alternatives import alternative_at


def naive_facts(
    tokenizer: Tokenizer, spans: TokenSpans, token: int, allowed_special: str | Collection[str]
) -> dict[str, Any]:
    """Return the facts of a token, which has few enough bytes for a tree."""
    history = trace(tokenizer, spans.text, allowed_special=allowed_special)
    place = int(np.searchsorted(history.pretoken_ends, spans.byte_ends[token]))
    begin, end = (int(history.pretoken_ends[i]) if i >= 0 else 0 for i in (place - 1, place))
    pretoken = history.data[begin:end].decode()
    start = len(history.data[:begin].decode())
    is_special = end in history.special_ends
    cut_by = None if is_special else alternative_at(spans.text, start, start + len(pretoken), tokenizer.split_pattern)
    return {
        "rank": tokenizer.merge_rank(int(spans.ids[token])),
        "pretoken": pretoken[:LONGEST_PRETOKEN],
        "alternative": cut_by and {"name": cut_by.name, "explanation": cut_by.explanation},
        "tree": None if is_special else tree_data(history.merge_tree(token)),
        "left": reason_not_merged(history.why_not(token - 1)) if token else "the text begins here",
        "right": reason_not_merged(history.why_not(token)) if token < len(spans) - 1 else "the text ends here",
    }
