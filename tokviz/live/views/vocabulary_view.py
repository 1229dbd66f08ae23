"""The vocabulary view: the tokens of a vocabulary, and how a document uses one of them.

Every edit says which text counts now; the tokens and a report on one of them come when the browser asks. The text is
tokenized only then.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tokviz import AnyTokenizer
from tokviz.live.document import Document
from tokviz.live.look import PLAIN, Look
from tokviz.live.tokens import TokenFollower
from tokviz.live.view import View
from tokviz.live.views.vocabulary_data import CHARACTERS_MAX, packed_vocabulary_columns, token_report
from tokviz.vocabulary.findings import Findings

CUT_MAX, CUT_SHOWN = 1_000, 24  # characters that are cut; tokens of them that are shown


class VocabularyView(View):
    """The vocabulary of a tokenizer beside one document. found: what an audit found, if that is known."""

    kind = "vocabulary"

    def __init__(
        self, document: Document, tokenizer: AnyTokenizer, *, look: Look = PLAIN, found: Findings | None = None
    ) -> None:
        super().__init__(document)
        self.found = found
        self.tokenizer = tokenizer
        self._follower = TokenFollower(
            document, tokenizer, allowed_special=look.allowed_special, units_max=CHARACTERS_MAX
        )

    def is_reply_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most about 5 ms."""
        return not whole

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return which vocabulary this is if the browser may not know."""
        if not whole:
            return {}
        fingerprint = packed_vocabulary_columns(self.tokenizer, self.found)["fingerprint"]
        return {"fingerprint": fingerprint, "special": sorted(self.tokenizer.special_tokens.values())}

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the tokens for `{"want": fingerprint}`, the report on a token for `{"token": id}`, or, for
        `{"cut": text}`, the ids of its first tokens, and their number.

        `notice` says so if uses are not counted in the whole text; `n_uses` is None if they are not known. Raises
        KeyError, TypeError or ValueError for any other question.
        """
        if "want" in question:
            columns = packed_vocabulary_columns(self.tokenizer, self.found)
            return {"columns": columns if question["want"] == columns["fingerprint"] else None}
        if "cut" in question:
            text = str(question["cut"])[:CUT_MAX]
            ids = self.tokenizer.encode(text)
            return {"cut": [text, [int(each) for each in ids[:CUT_SHOWN]], len(ids)]}
        token = int(question["token"])
        if token not in self.tokenizer:
            raise ValueError(f"{self.tokenizer.name} has no token {token}")
        follower = self._follower
        state = follower.catch_up()
        report = token_report(self.tokenizer, token, follower.spans())
        if follower.problem:
            report["n_uses"] = None
        if self.found is not None:
            with suppress(ValueError):  # the rest of the report holds all the same
                if how := self.found.reach_if_not_alone(self.tokenizer, token):
                    report["reach"] = [how.reach, how.context, how.why]
        notice = follower.problem or follower.notice_if_cut_short("uses are counted in")
        return {"state": [state.version, state.sequence], "notice": notice, **report}
