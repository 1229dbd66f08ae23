"""The tokens that the browser was sent last, and messages of what differs from them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tokviz import AnyTokenizer, Tokenizer, TokenSpans
from tokviz.formats.pretrained import full_name, short_name
from tokviz.live.columns import NO_TOKENS, TokenColumns
from tokviz.live.document import text_of, units_of
from tokviz.live.edit import change_between
from tokviz.live.tokens import TokenFollower, tokens_differing_from_text


class SentTokens:
    """The tokens that the browser has.

    end: where their text ends, in UTF-16 units. units: that text, if the browser has it from here.
    """

    def __init__(self) -> None:
        self.tokens, self.end, self.units = NO_TOKENS, 0, b""

    def take_columns_reply(self, tokens: TokenColumns, end: int, *, whole: bool) -> dict[str, Any]:
        """Return all tokens, or those that differ from the ones sent last, as they go into a message."""
        old, shift = (NO_TOKENS, end) if whole else (self.tokens, end - self.end)
        front, back = old.n_common_at_start_and_end(tokens, shift)
        self.tokens, self.end = tokens, end
        new = tokens.token_slice(front, len(tokens) - back).message_data()
        return {"at": front, "removed": len(old) - back - front, **new, "shift": shift, "end": end}

    def take_follower_reply(self, follower: TokenFollower, *, whole: bool) -> dict[str, Any]:
        """Return the tokens of a follower, and their numbers, as `take_columns_reply` does."""
        reply = {
            **self.take_columns_reply(follower.tokens, follower.covered, whole=whole),
            "counts": {
                "tokens": len(follower.tokens),
                "characters": follower.n_characters,
                "bytes": follower.n_bytes,
                "distinct": len(follower.occurrences),
            },
        }
        return reply | tokenizer_and_spelling_data(
            follower.tokenizer, follower.spans, follower.tokens_differing_from_text, whole=whole
        )

    def take_spans_reply(self, tokenizer: AnyTokenizer, spans: TokenSpans, *, whole: bool) -> dict[str, Any]:
        """Return tokens whose text is in no editor, their numbers and their text, as `take_columns_reply` does."""
        units = units_of(spans.text)
        old = b"" if whole else self.units
        change = change_between(np.frombuffer(old, np.uint16), np.frombuffer(units, np.uint16))
        inserted = text_of(units[2 * change.start : 2 * change.new_stop])
        self.units = units
        reply = {
            **self.take_columns_reply(TokenColumns.of_spans(spans), len(units) // 2, whole=whole),
            "text": [change.start, change.old_stop - change.start, inserted],
            "counts": {
                "tokens": len(spans),
                "characters": len(spans.text),
                "bytes": len(spans.data),
                "distinct": len(set(spans.ids.tolist())),
            },
        }
        return reply | tokenizer_and_spelling_data(tokenizer, lambda: spans, whole=whole)


def tokenizer_and_spelling_data(
    tokenizer: AnyTokenizer,
    spans: Callable[[], TokenSpans],
    changed: Callable[[], dict[int, bytes]] | None = None,
    *,
    whole: bool,
) -> dict[str, Any]:
    """Return what a browser needs to know about a tokenizer, and how its vocabulary writes some of these tokens.

    changed: what returns the tokens that are not in the text as it was typed, if that can be known without the spans.
    """
    known = {
        "name": tokenizer.name,
        "title": full_name(tokenizer.name),
        "short": short_name(tokenizer.name),
        "special": sorted(tokenizer.special_tokens.values()),
    }
    return token_spelling_data(tokenizer, spans, changed) | ({"tokenizer": known} if whole else {})


def token_spelling_data(
    tokenizer: AnyTokenizer, spans: Callable[[], TokenSpans], changed: Callable[[], dict[int, bytes]] | None = None
) -> dict[str, Any]:
    """Return how the vocabulary writes tokens, and which is unknown, if bytes need not add up to the text."""
    if not isinstance(tokenizer, Tokenizer):
        return {"placed": True, "unknown": tokenizer.unknown_id, "labels": labels_of_unclear_tokens(tokenizer, spans())}
    if tokenizer.normalizer.is_plain:
        return {}
    tokens = changed() if changed else tokens_differing_from_text(tokenizer, spans())
    written = [(i, token.decode("utf-8", "replace")) for i, token in sorted(tokens.items())]
    return {"placed": True, "normalizes": True, "labels": written}


def labels_of_unclear_tokens(tokenizer: AnyTokenizer, spans: TokenSpans) -> list[tuple[int, str]]:
    """Return how the vocabulary writes tokens whose text does not say what they are.

    They are the unknown one, the empty ones, and those that share a character.
    """
    unclear = spans.byte_starts == spans.byte_ends
    if len(spans) > 1:
        overlaps = spans.byte_starts[1:] < spans.byte_ends[:-1]
        unclear |= np.append(overlaps, False) | np.append(False, overlaps)
    ids: set[int] = set(spans.ids[unclear].tolist())
    if tokenizer.unknown_id is not None and tokenizer.unknown_id in spans.ids:
        ids.add(tokenizer.unknown_id)
    return [(token_id, tokenizer.token_bytes(token_id).decode("utf-8", "replace")) for token_id in sorted(ids)]
