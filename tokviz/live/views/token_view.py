"""The token view: the tokens of a document, and the details of a token that the browser asks about.

Replies are as small as the edit that caused them; see docs/design.md.
"""

from collections.abc import Mapping
from typing import Any

from tokviz import AnyTokenizer, Tokenizer, TokenSpans
from tokviz.chats.written_chat import BEGINNING, chat_format_name_in
from tokviz.live.counts import OtherCounts
from tokviz.live.document import Document, State, first_characters
from tokviz.live.follower import QUICK_EDIT, catch_up_together
from tokviz.live.hidden_marks import answer_about_hidden_text, is_about_hidden_text
from tokviz.live.look import PLAIN, Look
from tokviz.live.memory import FOLLOWED_MAX
from tokviz.live.tokens import TokenFollower
from tokviz.live.views.compare_view import COMPARED_MAX
from tokviz.live.views.inspected_view import InspectedView
from tokviz.live.views.sent_tokens import SentTokens
from tokviz.live.views.token_facts import seam_facts, token_facts
from tokviz.text.savings import saving_sentence
from tokviz.text.words import unbroken


class TokenView(InspectedView):
    """One document under one tokenizer.

    counted: pairs of a name and a tokenizer whose number of tokens is added; of a long text it comes
    with a later reply. beside: the names of this tokenizer and of another, and that other one, whose tokens are
    shown as well. finds_chat: whether a reply names the format of a text that is a chat.
    """

    def __init__(
        self,
        document: Document,
        tokenizer: AnyTokenizer,
        *,
        look: Look = PLAIN,
        counted: tuple[tuple[str, AnyTokenizer], ...] = (),
        beside: tuple[str, str, AnyTokenizer] | None = None,
        finds_chat: bool = False,
    ) -> None:
        super().__init__(tokenizer, document, look=look)
        self.follower = TokenFollower(
            document, tokenizer, allowed_special=look.allowed_special, units_max=look.units_max or FOLLOWED_MAX
        )
        self.finds_chat = finds_chat
        self.others = OtherCounts(self.follower, counted)
        self.beside = Beside(self.follower, beside[:2], beside[2], look) if beside else None

    @property
    def _followers(self) -> list[TokenFollower]:
        return [self.follower, *([self.beside.follower] if self.beside else [])]

    def is_reply_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most about 5 ms."""
        is_quick = all(each.is_catch_up_quick(whole=whole) for each in self._followers)
        return is_quick and self.others.is_update_quick()

    def spans(self) -> TokenSpans:
        """Return the tokens of the text as it is now, as far as it is followed; none if it cannot be tokenized.

        For scripts: it takes the lock, and the browser still gets any changes.
        """
        with self.locked_up_to_date():
            return self.follower.spans()

    @property
    def problem(self) -> str | None:
        """Why the text could not be tokenized when it was last followed, None if it could."""
        return self.follower.problem

    def read_documents(self) -> tuple[State]:
        """Take the text as it is now."""
        state, change = catch_up_together(self._followers)
        self.hidden.update(state.units, change)
        return (state,)

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return all tokens of the text, or what changed since the last reply."""
        follower, others = self.follower, self.others.updated_counts_data()
        beside = self.beside
        self.waits = follower.waits or self.others.waits or bool(beside and beside.follower.waits)
        cut_short = follower.notice_if_cut_short("the tokens and numbers cover")
        return {
            **self.sent.take_follower_reply(follower, whole=whole),
            "notice": follower.problem or cut_short or follower.notice_if_characters_left_out(),
            **others,
            **({"beside": beside.reply_data(whole=whole)} if beside else {}),
            **({"chat": chat_format_name_in(first_characters(follower.units, BEGINNING))} if self.finds_chat else {}),
            **self.hidden.take_reply_fields({"": follower}, whole=whole),
        }

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the inspector shows of a token, or what `answer_about_hidden_text` says of hidden text."""
        if is_about_hidden_text(question):
            (state,) = self.catch_up()
            return answer_about_hidden_text(question, state, {"": self.follower})
        return super().answer(question)

    @property
    def is_behind(self) -> bool:
        """Whether there may be news for the browser."""
        return super().is_behind or self.others.has_news or bool(self.beside and self.beside.has_news)

    @property
    def has_more(self) -> bool:
        """Whether tokens are yet to be counted, or compared, under other tokenizers."""
        return self.others.first_behind is not None or bool(self.beside and self.beside.lacks_sentence)

    def prepare_more(self) -> None:
        """Count a piece of the text under another tokenizer; then say what the one beside saves."""
        if self.others.first_behind:
            self.others.count_more_of_first_behind()
        elif self.beside:
            self.beside.make_sentence()

    def facts_of_token(self, tokenizer: Tokenizer, index: int) -> dict[str, Any]:
        """Return what there is to say about a token."""
        facts = token_facts(tokenizer, *self.follower.normalized_tokens_cuts_and_units(), index)
        return facts | seam_facts(tokenizer, self.follower, index)


class Beside:
    """The tokens of a document under a second tokenizer, and what it saves against the first, in words.

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
