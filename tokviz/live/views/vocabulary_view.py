"""The vocabulary view: the tokens of a vocabulary, and how a document uses one of them.

Every edit says which text counts now; the tokens and a report on one of them come when the browser asks. The text is
tokenized only then.
"""

import threading
from collections.abc import Mapping
from typing import Any

from tokviz import AnyTokenizer
from tokviz.core.special_tokens import ALL
from tokviz.live.document import Document
from tokviz.live.tokens import TokenFollower
from tokviz.live.views.token_view import too_long
from tokviz.live.views.vocabulary_data import CHARACTERS_MAX, token_report, vocabulary_columns


class VocabularyView:
    """The vocabulary of a tokenizer beside one document. Hold `lock` around `reply` and `answer`."""

    kind = "vocabulary"

    def __init__(self, document: Document, tokenizer: AnyTokenizer, *, allow_special: bool = False) -> None:
        self.lock = threading.Lock()
        self.document, self.tokenizer = document, tokenizer
        allowed_special = ALL if allow_special else ()
        self._follower = TokenFollower(document, tokenizer, allowed_special=allowed_special, units_max=CHARACTERS_MAX)
        self._told = -1

    @property
    def is_behind(self) -> bool:
        """Whether there may be news for the browser."""
        return self.document.state.changes != self._told

    def is_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most some 5 ms."""
        return not whole

    def reply(self, *, whole: bool) -> dict[str, Any]:
        """Return which text this is, and which vocabulary if the browser may not know."""
        state, _ = self.document.since(0)
        self._told = state.changes
        reply: dict[str, Any] = {"of": [state.version, state.sequence]}
        if whole:
            reply["fingerprint"] = vocabulary_columns(self.tokenizer)["fingerprint"]
            reply["special"] = sorted(self.tokenizer.special_tokens.values())
        return reply

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the tokens for the question `{"want": fingerprint}`, or the report on a token for `{"token": id}`.

        `notice` says so if uses are not counted in the whole text; `n_uses` is None if they are not known. Raises
        KeyError, TypeError or ValueError for any other question.
        """
        if "want" in question:
            columns = vocabulary_columns(self.tokenizer)
            return {"columns": columns if question["want"] == columns["fingerprint"] else None}
        token = int(question["token"])
        if token not in self.tokenizer:
            raise ValueError(f"{self.tokenizer.name} has no token {token}")
        follower = self._follower
        follower.follow()
        report = token_report(self.tokenizer, token, follower.spans())
        if follower.problem:
            report["n_uses"] = None
        notice = follower.problem or too_long(follower, "uses are counted in")
        return {"of": [follower.version, follower.sequence], "notice": notice, **report}
