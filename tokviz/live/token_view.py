"""The token view: what a browser is told of the tokens of a document, and of a token that is asked about.

In: a document and a tokenizer. Out: replies as small as the edit that caused them; see docs/design.md.
"""

import threading
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from tokviz import AnyTokenizer, Tokenizer, TokenSpans
from tokviz.live.document import Document
from tokviz.live.edit import Change
from tokviz.live.follower import FOLLOWED_MAX, TokenFollower


class TokenView:
    """One document under one tokenizer. `lock` is to be held around all that is called."""

    kind = "tokens"

    def __init__(
        self,
        document: Document,
        tokenizer: AnyTokenizer,
        *,
        allowed_special: str | Collection[str] = (),
        units_max: int = FOLLOWED_MAX,
    ) -> None:
        self.lock = threading.Lock()
        self.document = document
        self.follower = TokenFollower(document, tokenizer, allowed_special=allowed_special, units_max=units_max)
        self.made = 0

    @property
    def is_behind(self) -> bool:
        """Whether there may be something to tell."""
        return self.follower.is_behind

    def is_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes no more than some 5 ms."""
        return self.follower.is_quick(whole=whole)

    def reply(self, *, whole: bool) -> dict[str, Any]:
        """Return all tokens of the text as it is now, or what changed since the last reply."""
        follower = self.follower
        follower.follow()
        self.made += 1
        return {
            "of": [follower.version, follower.sequence],
            "made": self.made,
            **tokens_reply(follower, whole=whole),
            "notice": follower.problem or _too_long(follower),
        }

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the inspector shows of a token; only the latest number where other tokens have been made since.

        Raises KeyError, TypeError or ValueError for a question that is none.
        """
        index, made = int(question["token"]), int(question["made"])
        follower = self.follower
        if made != self.made or follower.changed is not None or not 0 <= index < len(follower.tokens):
            return {"made": self.made}
        try:
            facts = follower.facts(index)
        except ValueError as e:
            facts = {"error": str(e)}
        return {"made": made, "index": index, "id": int(follower.tokens.ids[index]), **facts}


def tokens_reply(follower: TokenFollower, *, whole: bool) -> dict[str, Any]:
    """Return all tokens of a follower, or those that changed since the last reply, and their numbers."""
    tokens, tokenizer = follower.tokens, follower.tokenizer
    change, shift = follower.news()
    if whole:
        change = Change(0, 0, len(tokens))
    reply = {
        "at": change.start,
        "removed": change.old_stop - change.start,
        **tokens.cut(change.start, change.new_stop).packed(),
        "shift": shift,
        "end": follower.covered,
        "counts": {
            "tokens": len(tokens),
            "characters": follower.n_characters,
            "bytes": follower.n_bytes,
            "distinct": len(follower.occurrences),
        },
    }
    if whole:
        reply["tokenizer"] = {
            "name": tokenizer.name,
            "special": sorted(tokenizer.special_tokens.values()),
            "placed": not isinstance(tokenizer, Tokenizer),
            "unknown": tokenizer.unknown_id,
        }
    if follower.spans is not None and not isinstance(tokenizer, Tokenizer):
        reply["labels"] = labels(tokenizer, follower.spans)
    return reply


def labels(tokenizer: AnyTokenizer, spans: TokenSpans) -> list[tuple[int, str]]:
    """Return how the vocabulary writes the ids that their text does not tell.

    They are the unknown one, the empty ones, and those that share a character.
    """
    untold = spans.byte_starts == spans.byte_ends
    if len(spans) > 1:
        overlaps = spans.byte_starts[1:] < spans.byte_ends[:-1]
        untold |= np.append(overlaps, False) | np.append(False, overlaps)
    ids = set(spans.ids[untold].tolist()) | ({tokenizer.unknown_id} & set(spans.ids.tolist()))
    return [(token_id, tokenizer.token_bytes(token_id).decode("utf-8", "replace")) for token_id in sorted(ids)]


def _too_long(follower: TokenFollower) -> str | None:
    """Return what is to be said of a text that is followed in part."""
    if follower.covered == follower.document.state.length:
        return None
    return (
        f"The text has {len(follower.document.text):,} characters; the tokens and numbers are of the first "
        f"{follower.n_characters:,}."
    )
