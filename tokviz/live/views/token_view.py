"""The token view: the tokens of a document, and the details of a token that the browser asks about.

Replies are as small as the edit that caused them; see docs/design.md.
"""

from collections.abc import Collection, Mapping
from typing import Any

from tokviz import AnyTokenizer, Tokenizer, TokenSpans
from tokviz.chats.written_chat import BEGINNING, chat_format_in
from tokviz.live.document import Document, State, beginning
from tokviz.live.hidden_marks import answer_about, is_about_hidden
from tokviz.live.memory import FOLLOWED_MAX
from tokviz.live.tokens import TokenFollower
from tokviz.live.views.inspected_view import InspectedView
from tokviz.live.views.seams.seam_facts import SeamFacts
from tokviz.live.views.token_facts import token_facts

# Characters. Counting the tokens of so many under two more tokenizers takes some 0.1 s.
COUNTED_MAX = 50_000


class TokenView(InspectedView):
    """One document under one tokenizer.

    counted: pairs of a name and a tokenizer whose number of tokens is told beside the tokens; for one that is not
    that of the document, as long as the text has at most COUNTED_MAX characters. finds_chat: whether it is told in
    which format the text is a chat.
    """

    def __init__(
        self,
        document: Document,
        tokenizer: AnyTokenizer,
        *,
        allowed_special: str | Collection[str] = (),
        units_max: int = FOLLOWED_MAX,
        counted: tuple[tuple[str, AnyTokenizer], ...] = (),
        finds_chat: bool = False,
        finds_hidden: bool = False,
    ) -> None:
        super().__init__(tokenizer, document, finds_hidden=finds_hidden)
        self.follower = TokenFollower(document, tokenizer, allowed_special=allowed_special, units_max=units_max)
        self._seams = SeamFacts(allowed_special)
        self.finds_chat = finds_chat
        self.counted = {name: TokenFollower(document, each, units_max=2 * COUNTED_MAX) for name, each in counted}

    def is_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most some 5 ms."""
        return self.follower.is_quick(whole=whole)

    def spans(self) -> TokenSpans:
        """Return the tokens of the text as it is now, as far as it is followed; none if it cannot be tokenized.

        For scripts: it takes the lock, and the browser is still told of any changes.
        """
        with self.up_to_date():
            return self.follower.spans()

    @property
    def problem(self) -> str | None:
        """Why the text could not be tokenized when it was last followed, None if it could."""
        return self.follower.problem

    def follow(self) -> tuple[State]:
        """Take the text as it is now."""
        looked = self.follower.look()
        state = self.follower.follow(looked)
        if self.hidden is not None:
            self.hidden.follow(state.units, looked[1])
        return (state,)

    def shown(self, *, whole: bool) -> dict[str, Any]:
        """Return all tokens of the text, or what changed since the last reply."""
        follower = self.follower
        return {
            **self.told.follow(follower, whole=whole),
            "notice": follower.problem or follower.cut_short("the tokens and numbers cover"),
            **self._counts(),
            **({"chat": chat_format_in(beginning(follower.units, BEGINNING))} if self.finds_chat else {}),
            **(self.hidden.reply({"": follower}, whole=whole) if self.hidden is not None else {}),
        }

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the inspector shows of a token, or what `answer_about` says of hidden text."""
        if is_about_hidden(question):
            (state,) = self._follow()
            return answer_about(question, state, {"": self.follower})
        return super().answer(question)

    def _counts(self) -> dict[str, Any]:
        """Return the number of tokens under each other tokenizer, and in words why there is none under some."""
        own = self.follower
        is_long = max(len(own.units) // 4, own.n_characters) > COUNTED_MAX
        self.waits = own.waits
        counts, without, problems = [], [], []
        for name, follower in self.counted.items():
            if follower.tokenizer is own.tokenizer and not own.special:
                follower = own  # which has these tokens already
            elif not is_long:
                follower.follow()
                self.waits |= follower.waits
            if follower.is_cut_short or (is_long and follower is not own):
                without.append(name)
            elif follower.problem:
                problems.append(f"{name}: {follower.problem}.")
            else:
                counts.append([name, len(follower.tokens)])
        if without:
            problems.append(f"{', '.join(without)}: only for texts of up to {COUNTED_MAX:,} characters.")
        return {"counted": counts, "uncounted": " ".join(problems) or None}

    def facts(self, tokenizer: Tokenizer, index: int) -> dict[str, Any]:
        """Return what there is to say about a token."""
        follower = self.follower
        facts = token_facts(tokenizer, follower.tokens, follower.cuts, follower.units, index)
        return facts | self._seams.of(tokenizer, follower, index)
