"""The compare view: one document under several tokenizers, a column for each.

All columns of a reply show one state of the text. The browser finds the differences, since it also counts text that was
typed since.
"""

from collections.abc import Mapping
from typing import Any

from tokviz import AnyTokenizer, TokenSpans
from tokviz.formats.pretrained import full_name
from tokviz.live.document import Document, State
from tokviz.live.follower import catch_up_together
from tokviz.live.hidden_marks import answer_about_hidden_text, is_about_hidden_text
from tokviz.live.look import PLAIN, Look
from tokviz.live.tokens import TokenFollower
from tokviz.live.view import View
from tokviz.live.views.sent_tokens import SentTokens

# UTF-16 units. Six columns of this many are recoloured a quarter of a second after a key; more would feel broken.
COMPARED_MAX = 200_000


class CompareView(View):
    """One document under tokenizers, given as pairs of a name and a tokenizer."""

    kind = "columns"

    def __init__(
        self, document: Document, tokenizers: tuple[tuple[str, AnyTokenizer], ...], *, look: Look = PLAIN
    ) -> None:
        super().__init__(document)
        units_max = look.units_max or COMPARED_MAX
        self.followers = {name: TokenFollower(document, each, units_max=units_max) for name, each in tokenizers}
        self.hidden = look.new_marks()
        self.sent = {name: SentTokens() for name in self.followers}

    def is_reply_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most about 5 ms."""
        return all(follower.is_catch_up_quick(whole=whole) for follower in self.followers.values())

    def spans(self) -> dict[str, TokenSpans]:
        """Return the tokens of the text as it is now, by the names of the columns, for scripts; takes the lock.

        Tokenizers whose split pattern does not end are left out.
        """
        with self.locked_up_to_date():
            return {name: each.spans() for name, each in self.followers.items() if not each.problem}

    def read_documents(self) -> tuple[State]:
        """Bring all columns to one state of the document."""
        followers = [*self.followers.values()]
        state, change = catch_up_together(followers)
        self.hidden.update(state.units, change)
        self.waits = any(follower.waits for follower in followers)
        return (state,)

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return all tokens of each column, or what changed since the last reply."""
        followers = list(self.followers.values())
        columns = [
            {
                "name": name,
                "title": full_name(name),
                "problem": follower.problem,
                **self.sent[name].take_follower_reply(follower, whole=whole),
            }
            for name, follower in self.followers.items()
        ]
        longest = next((follower for follower in followers if not follower.problem), followers[0])
        return {
            "columns": columns,
            "notice": longest.notice_if_cut_short("the columns and numbers cover"),
            **self.hidden.take_reply_fields(self.followers, whole=whole),
        }

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return what `answer_about_hidden_text` says of hidden text; ValueError for any other question."""
        if is_about_hidden_text(question):
            (state,) = self.catch_up()
            return answer_about_hidden_text(question, state, self.followers)
        return super().answer(question)
