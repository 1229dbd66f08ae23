"""Beside: the tokens of a document under a second tokenizer, and what it saves against the first, in words."""

from typing import Any

from tokviz import AnyTokenizer
from tokviz.live.follower import QUICK_EDIT
from tokviz.live.look import Look
from tokviz.live.tokens import TokenFollower
from tokviz.live.views.compare_view import COMPARED_MAX
from tokviz.live.views.sent_tokens import SentTokens
from tokviz.text.savings import saving_sentence
from tokviz.text.words import unbroken


class Beside:
    """The second of two tokenizers, which follow one document.

    names: of both, as a reader knows them. has_news: whether the sentence has come since it was sent.
    """

    def __init__(self, own: TokenFollower, names: tuple[str, str], tokenizer: AnyTokenizer, look: Look) -> None:
        units_max = min(own.units_max, COMPARED_MAX)
        self.own, self.names = own, names
        self.follower = TokenFollower(
            own.document, tokenizer, allowed_special=look.allowed_special, units_max=units_max
        )
        self.sent = SentTokens()
        self.sentence: str | None = None
        self.has_news = False
        self._changes = -1  # of the document, when the sentence was made

    @property
    def lacks_sentence(self) -> bool:
        """Whether there is something to say that has not been found yet."""
        return self._changes != self.own.followed_changes and self._is_comparable

    @property
    def _is_comparable(self) -> bool:
        followers = self.own, self.follower
        return not any(each.problem or each.is_cut_short for each in followers)

    def make_sentence(self) -> None:
        """Find what the tokenizer saves in the text as it was followed last."""
        both = self.own, self.follower
        spans = [each.spans() for each in both]
        self.sentence = saving_sentence([*map(unbroken, self.names)], [each.tokenizer for each in both], spans)
        self._changes = self.own.followed_changes
        self.has_news = True

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return the tokens, or what changed of them, and the sentence, `None` until it is found."""
        follower = self.follower
        if self._changes != self.own.followed_changes:
            self.sentence = None
            if self._is_comparable and follower.covered <= QUICK_EDIT:
                self.make_sentence()
        self.has_news = False
        notice = self.own.problem or follower.problem or follower.notice_if_cut_short("the tokens below cover")
        return {
            "name": self.names[1],
            "said": notice or self.sentence,
            **self.sent.take_follower_reply(follower, whole=whole),
        }
