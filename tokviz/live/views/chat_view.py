"""The chat view: the messages of a chat, one document each, as the tokens a chat model is given.

Its replies are those of the token view plus the text, since no editor holds that. An edit touches one message only.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokviz import Tokenizer, TokenSpans, token_spans
from tokviz.core.chat import END, START
from tokviz.live.columns import TokenColumns
from tokviz.live.document import Document, text_of, units_of
from tokviz.live.edit import Change
from tokviz.live.follower import FOLLOWED_MAX
from tokviz.live.recut import well_formed_text
from tokviz.live.tokens import TokenFollower
from tokviz.live.views.token_facts import token_facts
from tokviz.live.views.token_view import change_of, tokenizer_data


@dataclass(frozen=True)
class _Stretch:
    """A stretch of the chat: its tokens, its text in UTF-16 units, and where the pretokens begin in it."""

    tokens: TokenColumns
    units: bytes
    cuts: np.ndarray


class ChatView:
    """Messages, pairs of a role and a document, under one tokenizer. Hold `lock` around `reply` and `answer`.

    The chat ends with the beginning of an answer, for a model to continue.
    """

    kind = "tokens"
    document = None

    def __init__(
        self, messages: tuple[tuple[str, Document], ...], tokenizer: Tokenizer, *, units_max: int = FOLLOWED_MAX
    ) -> None:
        self.lock = threading.Lock()
        self.tokenizer, self.units_max = tokenizer, units_max
        self.followers = [TokenFollower(document, tokenizer, prefix=f"{role}\n") for role, document in messages]
        self.made = 0
        self._before = self._stretch(START, is_special=True)
        self._behind = _join([self._stretch(END, is_special=True), self._stretch("\n")])
        self._opening = _join([self._before, self._stretch("assistant\n")])
        self._was_shown = True

    def _stretch(self, text: str, *, is_special: bool = False) -> _Stretch:
        follower = TokenFollower(Document(text), self.tokenizer, allowed_special={text} if is_special else ())
        follower.follow()
        return _Stretch(follower.tokens, follower.units, follower.cuts[:-1])

    @property
    def is_behind(self) -> bool:
        """Whether there may be news for the browser."""
        return any(follower.is_behind or follower.has_news for follower in self.followers)

    def is_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most some 5 ms."""
        return all(follower.is_quick(whole=whole) for follower in self.followers)

    def spans(self) -> TokenSpans | None:
        """Return the tokens of the chat as it is now, for scripts; None if it is too long. Takes the lock."""
        with self.lock:
            self._follow()
            return token_spans(self.tokenizer, self._chat.tokens.ids) if self._is_shown else None

    def _follow(self) -> None:
        for follower in self.followers:
            follower.follow()
        stretches = []
        for follower in self.followers:
            units = units_of(well_formed_text(follower.units, 0, follower.covered))
            stretches += [self._before, _Stretch(follower.tokens, units, follower.cuts[:-1]), self._behind]
        self._chat = _join([*stretches, self._opening])

    @property
    def _is_shown(self) -> bool:
        return len(self._chat.units) <= 2 * self.units_max

    def reply(self, *, whole: bool) -> dict[str, Any]:
        """Return all tokens of the chat as it is now, or what changed since the last reply."""
        self._follow()
        tokens, text = self._news()
        whole = whole or self._is_shown != self._was_shown or not self._is_shown
        self._was_shown = self._is_shown
        chat = self._chat if self._is_shown else _join([])
        n_units = len(chat.units) // 2
        shift = text.shift
        if whole:
            tokens, text = Change(0, 0, len(chat.tokens)), Change(0, 0, n_units)
        self.made += 1
        problems = [follower.problem for follower in self.followers if follower.problem]
        too_long = f"The messages have more than {self.units_max:,} characters, too many to show as tokens."
        reply = {
            "made": self.made,
            **change_of(chat.tokens, tokens),
            "shift": shift,
            "end": n_units,
            "text": [text.start, text.old_stop - text.start, text_of(chat.units[2 * text.start : 2 * text.new_stop])],
            "counts": {
                "tokens": len(chat.tokens),
                "characters": len(text_of(chat.units)),
                "bytes": int(chat.tokens.sizes.sum()),
                "distinct": len(np.unique(chat.tokens.ids)),
            },
            "notice": problems[0] if problems else None if self._is_shown else too_long,
        }
        return reply | ({"tokenizer": tokenizer_data(self.tokenizer)} if whole else {})

    def _news(self) -> tuple[Change, Change]:
        """Return which tokens of the chat, and what of its text, have changed since the last call."""
        changes = [Change(0, 0, 0), Change(0, 0, 0)]
        n_tokens = n_units = 0
        for follower in self.followers:
            n_tokens, n_units = n_tokens + len(self._before.tokens), n_units + len(self._before.units) // 2
            tokens, text = follower.news(), follower.text_news()
            if text.old_stop != text.new_stop or text.start < text.old_stop:
                # Half a surrogate pair beside it may have become a whole one; there is text on both sides.
                text = Change(text.start - 1, text.old_stop + 1, text.new_stop + 1)
            for i, (news, before) in enumerate([(tokens, n_tokens), (text, n_units)]):
                if max(news.old_stop, news.new_stop) > news.start:
                    moved = Change(*(place + before for place in news))
                    changes[i] = moved if changes[i] == Change(0, 0, 0) else changes[i].then(moved)
            n_tokens += len(follower.tokens) + len(self._behind.tokens)
            n_units += follower.covered + len(self._behind.units) // 2
        return changes[0], changes[1]

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the inspector shows of a token, as `TokenView.answer` does."""
        index, made = int(question["token"]), int(question["made"])
        if made != self.made or self.is_behind or not self._is_shown or not 0 <= index < len(self._chat.tokens):
            return {"made": self.made}
        chat = self._chat
        try:
            cuts = np.append(chat.cuts, len(chat.units) // 2)
            facts = token_facts(self.tokenizer, chat.tokens, cuts, chat.units, index)
        except ValueError as e:
            facts = {"error": str(e)}
        return {"made": made, "index": index, "id": int(chat.tokens.ids[index]), **facts}


def _join(stretches: list[_Stretch]) -> _Stretch:
    """Return stretches of the chat joined to one."""
    before = np.cumsum([0, *(len(stretch.units) // 2 for stretch in stretches)])[:-1].tolist()
    none = np.zeros(0, np.int32)
    columns = {
        name: np.concatenate([none, *(getattr(stretch.tokens, name) for stretch in stretches)])
        for name in ("ids", "sizes", "widths")
    }
    starts = [stretch.tokens.starts + np.int32(n) for stretch, n in zip(stretches, before, strict=True)]
    cuts = [stretch.cuts + np.int32(n) for stretch, n in zip(stretches, before, strict=True)]
    return _Stretch(
        TokenColumns(starts=np.concatenate([none, *starts]), **columns),
        b"".join(stretch.units for stretch in stretches),
        np.concatenate([none, *cuts]),
    )
