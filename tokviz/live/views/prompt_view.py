"""The prompt view: the messages of a chat, one document each, as the tokens a model is given.

Its replies are those of the token view plus the text, since no editor holds that, and what each message has of it. An
edit makes the whole prompt anew, for a format may have any message change all of it; comparing finds what changed.
"""

from typing import Any

import numpy as np

from tokviz import AnyTokenizer, Tokenizer, TokenSpans, text_spans
from tokviz.chats.formats import ChatFormat, checked_prompt
from tokviz.chats.prompt import (
    BEFORE,
    NO_PROMPT,
    REPLY,
    Message,
    Prompt,
    prompt_pretokens_and_markers,
    prompt_spans,
    shares_of_owners,
    token_owners_and_is_content,
)
from tokviz.live.document import Document, State, units_of
from tokviz.live.look import PLAIN, Look
from tokviz.live.recut import can_recut_locally
from tokviz.live.views.inspected_view import InspectedView
from tokviz.live.views.token_facts import token_facts
from tokviz.system.sandbox import is_busy_error

QUICK_UNITS = 5_000
Row = tuple[str, Document, str, str]


class PromptView(InspectedView):
    """Rows (role, document, channel, recipient) in a format, under one tokenizer that has the markers of the format.

    The prompt ends with the beginning of an answer, for a model to continue, unless `answers` is off. problem: why
    there is no prompt, in words.
    """

    def __init__(
        self,
        rows: tuple[Row, ...],
        tokenizer: AnyTokenizer,
        chat_format: ChatFormat,
        *,
        answers: bool = True,
        look: Look = PLAIN,
    ) -> None:
        super().__init__(tokenizer, *(row[1] for row in rows), look=look)
        self.document = None
        self.rows, self.format, self.answers = rows, chat_format, answers
        self._keys = [str(id(row[1])) for row in rows]  # by which a message is the same though others go
        self.problem: str | None = None

    def is_reply_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most about 5 ms."""
        if self.format.takes_long or not can_recut_locally(self.tokenizer):
            return False
        return sum(document.state.length for document in self.documents) <= QUICK_UNITS

    @property
    def messages(self) -> list[Message]:
        """The messages as they are now."""
        return [Message(role, document.text, channel, to) for role, document, channel, to in self.rows]

    def prompt_and_spans(self) -> tuple[Prompt, TokenSpans]:
        """Return the prompt as it is now, and its tokens, for scripts; ValueError if there is none. Takes the lock."""
        with self.locked_up_to_date():
            if self.problem:
                raise ValueError(self.problem)
            return self._prompt, self._spans

    def read_changed(self, states: tuple[State, ...]) -> None:
        """Make the prompt of the messages."""
        try:
            self._prompt = checked_prompt(self.format, self.messages, reply=self.answers)
            self._spans = prompt_spans(self.tokenizer, self._prompt)
            self.problem, self.waits = None, False
        except ValueError as e:
            self._prompt, self._spans = NO_PROMPT, text_spans(self.tokenizer, "")
            self.problem, self.waits = str(e), is_busy_error(e)
        self._cuts: np.ndarray | None = None

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return all tokens of the prompt, or what changed since the last reply."""
        tokens = self.sent.take_spans_reply(self.tokenizer, self._spans, whole=whole)
        hidden = self.updated_hidden_text_data(self.sent.units, whole=whole)
        return {**tokens, "notice": self.problem, "parts": self._runs_and_messages_data(), **hidden}

    def _runs_and_messages_data(self) -> dict[str, Any]:
        """Return runs of tokens that belong together, and what there is to say of each message."""
        prompt, spans = self._prompt, self._spans
        owners, is_content = token_owners_and_is_content(prompt, spans)
        kinds = np.where(is_content, owners, -3 - owners)  # of one sign each, and never equal
        ends = np.flatnonzero(np.diff(kinds, append=np.iinfo(np.int32).max)) + 1
        runs = [[int(end), int(owners[end - 1]), bool(is_content[end - 1])] for end in ends if len(kinds)]
        before, each, reply = shares_of_owners(prompt, owners, is_content)
        names = [self._message_name(number) for number in range(len(self.rows))]
        shown = zip(names, range(len(names)), each, strict=False)
        listed = [
            [name, number, share and [share.n_tokens, share.n_scaffolding], self._keys[number]]
            for name, number, share in shown
        ]
        if before.n_tokens:
            listed.insert(0, ["before all messages", BEFORE, [before.n_tokens, before.n_scaffolding], "before"])
        if reply.n_tokens:
            listed.append(["beginning of the answer", REPLY, [reply.n_tokens, reply.n_scaffolding], "reply"])
        return {"runs": runs, "messages": listed}

    def _message_name(self, number: int) -> str:
        role, _, channel, to = self.rows[number]
        detail = f" → {to}" if role == "assistant" and to else f", {channel}" if channel != "final" else ""
        return f"{number + 1} {role}{detail}"

    def facts_of_token(self, tokenizer: Tokenizer, index: int) -> dict[str, Any]:
        """Return what there is to say about a token."""
        if self._cuts is None:
            lengths = [len(units_of(piece)) // 2 for piece, _ in prompt_pretokens_and_markers(tokenizer, self._prompt)]
            self._cuts = np.cumsum([0, *lengths], dtype=np.int32)
        return token_facts(tokenizer, self.sent.tokens, self._cuts, self.sent.units, index)
