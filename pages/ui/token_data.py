"""What a comparison says of the tokens of a column: their numbers, and the names that the text does not tell."""

from typing import Any

import numpy as np

from tokviz import AnyTokenizer, Tokenizer, TokenSpans
from tokviz.live.views.token_view import labels


def counts(spans: TokenSpans) -> dict[str, int]:
    """Return the numbers above the view: tokens, characters, bytes, distinct tokens."""
    seen = np.zeros(int(spans.ids.max(initial=0)) + 1, bool)
    seen[spans.ids] = True
    return {
        "tokens": len(spans.ids),
        "characters": len(spans.text),
        "bytes": len(spans.data),
        "distinct": int(np.count_nonzero(seen)) if len(spans.ids) else 0,
    }


def names(tokenizer: AnyTokenizer, spans: TokenSpans) -> dict[str, Any]:
    """Return what the browser needs of a tokenizer that is not byte-level.

    placed: whether it is one. unknown: the id for text outside the vocabulary. labels: how the vocabulary
    writes the ids that their text does not tell: the unknown, the empty, those that share a character.
    """
    if isinstance(tokenizer, Tokenizer):
        return {"placed": False}
    return {"placed": True, "unknown": tokenizer.unknown_id, "labels": labels(tokenizer, spans)}
