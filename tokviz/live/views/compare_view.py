"""The compare view: one document under several tokenizers, a column for each.

All columns of a reply show one state of the text. The browser finds the differences, since it also counts text that was
typed since.
"""

import threading
from collections.abc import Mapping
from typing import Any

from tokviz import AnyTokenizer, TokenSpans
from tokviz.live.document import Document
from tokviz.live.tokens import TokenFollower
from tokviz.live.views.token_view import tokens_reply, too_long
from tokviz.system.turns import LONG_WORK, locked

# UTF-16 units. Six columns of this many are recoloured a quarter of a second after a key; more would feel broken.
COMPARED_MAX = 200_000


class CompareView:
    """One document under tokenizers, given as pairs of a name and a tokenizer. Hold `lock` around `reply`."""

    kind = "columns"

    def __init__(
        self, document: Document, tokenizers: tuple[tuple[str, AnyTokenizer], ...], *, units_max: int = COMPARED_MAX
    ) -> None:
        self.lock = threading.Lock()
        self.document = document
        self.followers = {name: TokenFollower(document, each, units_max=units_max) for name, each in tokenizers}
        self.made = 0

    @property
    def is_behind(self) -> bool:
        """Whether there may be news for the browser."""
        return any(follower.is_behind or follower.has_news for follower in self.followers.values())

    def is_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most some 5 ms."""
        return all(follower.is_quick(whole=whole) for follower in self.followers.values())

    def spans(self) -> dict[str, TokenSpans]:
        """Return the tokens of the text as it is now, by the names of the columns, for scripts; takes the lock.

        Tokenizers whose split pattern does not end are left out.
        """
        with LONG_WORK.turn(id(self)), locked(self.lock):
            self._follow()
            return {name: each.spans() for name, each in self.followers.items() if not each.problem}

    def reply(self, *, whole: bool) -> dict[str, Any]:
        """Return all tokens of each column, or what changed since the last reply."""
        self._follow()
        self.made += 1
        followers = list(self.followers.values())
        columns = [
            {"name": name, "problem": follower.problem, **tokens_reply(follower, whole=whole)}
            for name, follower in self.followers.items()
        ]
        longest = next((follower for follower in followers if not follower.problem), followers[0])
        return {
            "of": [followers[0].version, followers[0].sequence],
            "made": self.made,
            "columns": columns,
            "notice": too_long(longest, "the columns and numbers cover"),
        }

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Raise ValueError: this view takes no questions."""
        raise ValueError("a comparison answers no questions")

    def _follow(self) -> None:
        """Bring all columns to one state of the document."""
        with self.document.lock:
            looks = [follower.look() for follower in self.followers.values()]
        for follower, look in zip(self.followers.values(), looks, strict=True):
            follower.follow(look)
