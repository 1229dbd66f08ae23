"""The ids view: the tokens and the text that a pasted list of ids stands for.

Its replies are those of the token view plus the text, since no editor holds that. All ids are read again after an edit,
and comparing finds what changed.
"""

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tokviz import AnyTokenizer, Tokenizer, TokenSpans, token_spans
from tokviz.core.ids import parsed_ids
from tokviz.core.special_tokens import ALL
from tokviz.live.document import Document, text_of
from tokviz.live.tokens import TokenFollower
from tokviz.live.views.token_facts import token_facts, written_facts
from tokviz.live.views.told_tokens import ToldTokens
from tokviz.system.turns import LONG_WORK, locked

IDS_MAX = 200_000
NAMED = 10  # how many entries that are not ids, or unknown ids, are named
QUICK_UNITS = 2_000


class IdsView:
    """The ids in one document under one tokenizer. Hold `lock` around `reply` and `answer`."""

    kind = "tokens"

    def __init__(self, document: Document, tokenizer: AnyTokenizer) -> None:
        self.lock = threading.Lock()
        self.document, self.tokenizer = document, tokenizer
        self.made = 0
        self._changes = self._told = -1  # changes of the document when it was read, and when it was told
        self._sent = ToldTokens()
        self._read()

    def _read(self) -> None:
        """Read the document as it is now."""
        state, _ = self.document.since(0)
        if state.changes == self._changes:
            return
        self._changes, self._of = state.changes, [state.version, state.sequence]
        ids, junk = parsed_ids(text_of(state.units))
        known = [token_id for token_id in ids if token_id in self.tokenizer]
        self._spans = token_spans(self.tokenizer, known[:IDS_MAX])
        self._notice = left_out(self.tokenizer, ids, known, junk)
        self._own: TokenFollower | None = None

    @property
    def is_behind(self) -> bool:
        """Whether there may be news for the browser."""
        return self.document.state.changes != self._told

    def is_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most some 5 ms."""
        return self.document.state.length <= QUICK_UNITS

    def spans(self) -> TokenSpans:
        """Return the tokens that the ids stand for now, for scripts; takes the lock."""
        with LONG_WORK.turn(id(self)), locked(self.lock):
            self._read()
            return self._spans

    def reply(self, *, whole: bool) -> dict[str, Any]:
        """Return all tokens of the ids as they are now, or what changed since the last reply."""
        self._read()
        spans, self._told = self._spans, self._changes
        self.made += 1
        return {
            "of": self._of,
            "made": self.made,
            **self._sent.reply(self.tokenizer, spans, whole=whole),
            "raw": raw_bytes(self.tokenizer, spans) if "\ufffd" in spans.text else [],
            "notice": self._notice,
        }

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the inspector shows of a token, as `TokenView.answer` does."""
        index, made = int(question["token"]), int(question["made"])
        spans = self._spans
        if made != self.made or self._changes != self._told or not 0 <= index < len(spans):
            return {"made": self.made}
        try:
            facts = self._facts(index)
        except ValueError as e:
            facts = {"error": str(e)}
        return {"made": made, "index": index, "id": int(spans.ids[index]), **facts}

    def _facts(self, index: int) -> dict[str, Any]:
        """Return what the inspector adds: only the rank if the text would be encoded to other ids, or is very long."""
        tokenizer, token_id = self.tokenizer, int(self._spans.ids[index])
        if not isinstance(tokenizer, Tokenizer):
            return written_facts(tokenizer, token_id)
        own = self._own or self._own_encoding()
        if own.problem:
            raise ValueError(own.problem)  # and tried again for the next question
        self._own = own
        if not np.array_equal(own.tokens.ids, self._spans.ids):
            return {"rank": tokenizer.merge_rank(token_id)}
        return token_facts(tokenizer, own.tokens, own.cuts, own.units, index)

    def _own_encoding(self) -> TokenFollower:
        """Return the tokens that the text of the ids is encoded to, or that of its beginning if it is very long."""
        own = TokenFollower(Document(self._spans.text), self.tokenizer, allowed_special=ALL)
        own.follow()
        return own


def raw_bytes(tokenizer: AnyTokenizer, spans: TokenSpans) -> list[tuple[int, str]]:
    """Return the bytes in hex of the tokens that hold bytes which are not valid UTF-8."""
    touched = (
        i
        for i, (start, end) in enumerate(zip(spans.char_starts, spans.char_ends, strict=True))
        if "\ufffd" in spans.text[start:end]
    )
    return [(i, tokenizer.token_bytes(int(spans.ids[i])).hex(" ")) for i in touched]


def left_out(tokenizer: AnyTokenizer, ids: list[int], known: list[int], junk: list[str]) -> str | None:
    """Return in words what part of a pasted list is not shown, None if everything is."""
    words = []
    if junk:
        words.append(f"Not token ids, left out: {_named(junk)}.")
    if len(known) < len(ids):
        unknown = [token_id for token_id in ids if token_id not in tokenizer]
        gaps = ", with gaps" if min(unknown) < tokenizer.n_vocab else ""
        words.append(
            f"Unknown to {tokenizer.name}, left out: {_named(unknown)}. Its ids run from 0 to "
            f"{tokenizer.n_vocab - 1}{gaps}."
        )
    if len(known) > IDS_MAX:
        words.append(f"There are {len(known):,} ids; the first {IDS_MAX:,} are shown.")
    return " ".join(words) or None


def _named(entries: Sequence[object]) -> str:
    more = len(entries) - NAMED
    names = ", ".join(str(entry)[:40] for entry in entries[:NAMED])
    return names + (f" and {more:,} more" if more > 0 else "")
