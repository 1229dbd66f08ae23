"""The prompt view: the messages of a chat, one document each, as the tokens a model is given.

Its replies are those of the token view plus the text, since no editor holds that, and what each message has of it. An
edit makes the whole prompt anew, for a format may have any message change all of it; comparing finds what changed.
"""

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from tokviz import AnyTokenizer, Tokenizer, TokenSpans, text_spans
from tokviz.chats.formats import ChatFormat, checked_prompt
from tokviz.chats.prompt import (
    BEFORE,
    REPLY,
    Message,
    Prompt,
    counted_shares,
    prompt_pieces,
    prompt_spans,
    token_owners,
)
from tokviz.live.document import Document, units_of
from tokviz.live.recut import cuts_locally
from tokviz.live.views.token_facts import token_facts, written_facts
from tokviz.live.views.told_tokens import ToldTokens
from tokviz.system.sandbox import SandboxError
from tokviz.system.turns import LONG_WORK, locked

QUICK_UNITS = 5_000
NO_PROMPT = Prompt("", (), (), None, ())
Row = tuple[str, Document, str, str]


class PromptView:
    """Rows (role, document, channel, recipient) in a format, under one tokenizer. Hold `lock` around `reply`, `answer`.

    The tokenizer has the markers of the format. The prompt ends with the beginning of an answer, for a model to
    continue, unless `answers` is off.
    """

    kind = "tokens"
    document = None

    def __init__(
        self, rows: tuple[Row, ...], tokenizer: AnyTokenizer, chat_format: ChatFormat, *, answers: bool = True
    ) -> None:
        self.lock = threading.Lock()
        self.rows, self.tokenizer, self.format, self.answers = rows, tokenizer, chat_format, answers
        self.made = 0
        self._keys = [str(id(row[1])) for row in rows]  # by which a message is the same though others go
        self._read_at: list[int] | None = None  # changes of the documents when they were read, and when it was told
        self._told: list[int] | None = None
        self._sent = ToldTokens()
        self.problem: str | None = None

    @property
    def _changes(self) -> list[int]:
        return [row[1].state.changes for row in self.rows]

    @property
    def is_behind(self) -> bool:
        """Whether there may be news for the browser."""
        return self._changes != self._told

    def is_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most some 5 ms."""
        if self.format.takes_long or not cuts_locally(self.tokenizer):
            return False
        return sum(row[1].state.length for row in self.rows) <= QUICK_UNITS

    @property
    def messages(self) -> list[Message]:
        """The messages as they are now."""
        return [Message(role, document.text, channel, to) for role, document, channel, to in self.rows]

    def prompt(self) -> tuple[Prompt, TokenSpans]:
        """Return the prompt as it is now, and its tokens, for scripts; ValueError if there is none. Takes the lock."""
        with LONG_WORK.turn(id(self)), locked(self.lock):
            self._read()
            if self.problem:
                raise ValueError(self.problem)
            return self._prompt, self._spans

    def _read(self) -> None:
        """Make the prompt of the messages as they are now."""
        changes = self._changes
        if changes == self._read_at:
            return
        try:
            self._prompt = checked_prompt(self.format, self.messages, reply=self.answers)
            self._spans = prompt_spans(self.tokenizer, self._prompt)
            self.problem = None
        except ValueError as e:
            self._prompt, self._spans = NO_PROMPT, text_spans(self.tokenizer, "")
            self.problem = str(e)
            if isinstance(e, SandboxError) and e.why == "busy":
                changes = None  # to be tried again
        self._cuts: np.ndarray | None = None
        self._read_at = changes

    def reply(self, *, whole: bool) -> dict[str, Any]:
        """Return all tokens of the prompt as it is now, or what changed since the last reply."""
        self._read()
        self._told = self._read_at
        self.made += 1
        return {
            "made": self.made,
            **self._sent.reply(self.tokenizer, self._spans, whole=whole),
            "notice": self.problem,
            "parts": self._parts(),
        }

    def _parts(self) -> dict[str, Any]:
        """Return runs of tokens that belong together, and what there is to say of each message."""
        prompt, spans = self._prompt, self._spans
        owners, is_content = token_owners(prompt, spans)
        kinds = np.where(is_content, owners, -3 - owners)  # of one sign each, and never equal
        ends = np.flatnonzero(np.diff(kinds, append=np.iinfo(np.int32).max)) + 1
        runs = [[int(end), int(owners[end - 1]), bool(is_content[end - 1])] for end in ends if len(kinds)]
        before, each, reply = counted_shares(prompt, owners, is_content)
        names = [self._name(number) for number in range(len(self.rows))]
        shown = zip(names, range(len(names)), each, strict=False)
        told = [
            [name, number, share and [share.n_tokens, share.n_scaffolding], self._keys[number]]
            for name, number, share in shown
        ]
        if before.n_tokens:
            told.insert(0, ["before all messages", BEFORE, [before.n_tokens, before.n_scaffolding], "before"])
        if reply.n_tokens:
            told.append(["beginning of the answer", REPLY, [reply.n_tokens, reply.n_scaffolding], "reply"])
        return {"runs": runs, "messages": told}

    def _name(self, number: int) -> str:
        role, _, channel, to = self.rows[number]
        detail = f" → {to}" if role == "assistant" and to else f", {channel}" if channel != "final" else ""
        return f"{number + 1} {role}{detail}"

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the inspector shows of a token, as `TokenView.answer` does."""
        index, made = int(question["token"]), int(question["made"])
        if made != self.made or self.is_behind or not 0 <= index < len(self._spans):
            return {"made": self.made}
        try:
            facts = self._facts(index)
        except ValueError as e:
            facts = {"error": str(e)}
        return {"made": made, "index": index, "id": int(self._spans.ids[index]), **facts}

    def _facts(self, index: int) -> dict[str, Any]:
        if not isinstance(self.tokenizer, Tokenizer):
            return written_facts(self.tokenizer, int(self._spans.ids[index]))
        if self._cuts is None:
            lengths = [len(units_of(piece)) // 2 for piece, _ in prompt_pieces(self.tokenizer, self._prompt)]
            self._cuts = np.cumsum([0, *lengths], dtype=np.int32)
        return token_facts(self.tokenizer, self._sent.tokens, self._cuts, self._sent.units, index)
