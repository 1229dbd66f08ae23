"""The ratio view: texts that say the same, one document each, and how many tokens several tokenizers make of each."""

from typing import Any

from tokviz import AnyTokenizer
from tokviz.live.document import Document, State
from tokviz.live.follower import catch_up_together
from tokviz.live.tokens import TokenFollower
from tokviz.live.view import View

UNITS_MAX = 20_000  # UTF-16 units of a text


class RatioView(View):
    """Documents under tokenizers, given as pairs of a name and a tokenizer; the others compare with the first."""

    kind = "ratios"

    def __init__(self, documents: tuple[Document, ...], tokenizers: tuple[tuple[str, AnyTokenizer], ...]) -> None:
        super().__init__(*documents)
        self.document = None
        self.followers = [
            [TokenFollower(document, each, units_max=UNITS_MAX) for _, each in tokenizers] for document in documents
        ]
        self._names = [name for name, _ in tokenizers]

    def is_reply_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most about 5 ms."""
        n_quick = sum(follower.is_catch_up_quick(whole=whole) for row in self.followers for follower in row)
        return n_quick == sum(map(len, self.followers)) <= 60

    def read_documents(self) -> tuple[State, ...]:
        """Take all texts as they are now."""
        states = tuple(catch_up_together(row)[0] for row in self.followers)
        self.waits = any(follower.waits for row in self.followers for follower in row)
        return states

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return for each text its tokens under each tokenizer, `null` for one that cannot tokenize it."""
        followers = [each for row in self.followers for each in zip(self._names, row, strict=True)]
        problems = {f"{name}: {each.problem}." for name, each in followers if each.problem}
        cut_short = next(filter(None, (each.notice_if_cut_short("the counts cover") for _, each in followers)), None)
        return {
            "counts": [[None if each.problem else len(each.tokens) for each in row] for row in self.followers],
            "notice": " ".join([*sorted(problems), *filter(None, [cut_short])]) or None,
        }
