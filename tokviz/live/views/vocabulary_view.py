"""The vocabulary view: what the vocabulary browser is told of the tokens, and of their use in a document.

In: a document and a tokenizer. Out: which vocabulary this is and of which text a token's use would be told, with every
edit; the tokens and the report of one token when they are asked for. The text is tokenized only then.
"""

import threading
from collections.abc import Mapping
from typing import Any

from tokviz import AnyTokenizer
from tokviz.core.vocabulary import ALL
from tokviz.live.document import Document
from tokviz.live.tokens import TokenFollower
from tokviz.live.views.token_view import too_long
from tokviz.live.views.vocabulary_data import CHARACTERS_MAX, token_report, vocabulary_columns


class VocabularyView:
    """The vocabulary of a tokenizer beside one document. `lock` is to be held around `reply` and `answer`."""

    kind = "vocabulary"

    def __init__(self, document: Document, tokenizer: AnyTokenizer, *, allow_special: bool = False) -> None:
        self.lock = threading.Lock()
        self.document, self.tokenizer = document, tokenizer
        allowed_special = ALL if allow_special else ()
        self._follower = TokenFollower(document, tokenizer, allowed_special=allowed_special, units_max=CHARACTERS_MAX)
        self._told = -1

    @property
    def is_behind(self) -> bool:
        """Whether there may be something to tell."""
        return self.document.state.changes != self._told

    def is_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes no more than some 5 ms."""
        return not whole

    def reply(self, *, whole: bool) -> dict[str, Any]:
        """Return which text this is; and which vocabulary, where the browser may not know."""
        state, _ = self.document.since(0)
        self._told = state.changes
        reply: dict[str, Any] = {"of": [state.version, state.sequence]}
        if whole:
            reply["fingerprint"] = vocabulary_columns(self.tokenizer)["fingerprint"]
            reply["special"] = sorted(self.tokenizer.special_tokens.values())
        return reply

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the tokens, to the question `{"want": fingerprint}`, or the report of a token, to `{"token": id}`.

        `notice` has words where the uses told are not those in the whole text; `n_uses` is None where they are not
        known. Raises KeyError, TypeError or ValueError for a question that is neither.
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
