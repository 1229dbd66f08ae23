"""`tokviz.chat`: messages as the tokens that a model is given, and which of them each message has."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tokviz.chats.formats import ChatFormat, given_or_default_format
from tokviz.chats.messages import messages_of
from tokviz.chats.prompt import Message, Prompt, Share, prompt_spans, shares
from tokviz.core.protocol import AnyTokenizer, as_tokenizer
from tokviz.core.spans import TokenSpans


@dataclass(frozen=True, eq=False)
class ChatTokens:
    """A chat as tokens.

    tokenizer: the one given, with the markers of the format. messages: a call of a function is one of its own. prompt:
    the text, and which characters of it a message says. spans: the tokens with their offsets in that text.
    """

    tokenizer: AnyTokenizer
    messages: tuple[Message, ...]
    prompt: Prompt
    spans: TokenSpans

    @property
    def text(self) -> str:
        """The prompt as a text."""
        return self.prompt.text

    @property
    def ids(self) -> list[int]:
        """The token ids."""
        ids: list[int] = self.spans.ids.tolist()
        return ids

    @cached_property
    def shares(self) -> tuple[Share, list[Share | None], Share]:
        """How many tokens precede all messages, belong to each (None: left out), and begin the answer.

        Each has `n_tokens` and `n_scaffolding`, the tokens that contain nothing of what the message says.
        """
        return shares(self.prompt, self.spans)


def chat(
    tokenizer: Any,
    messages: Iterable[Message | Mapping[str, Any]] | Mapping[str, Any],
    *,
    chat_format: ChatFormat | str | None = None,
    reply: bool = True,
) -> ChatTokens:
    """Return a chat as the tokens that a model is given.

    messages: dicts with "role" and "content", as OpenAI's API and chat templates take them, ShareGPT's with "from" and
    "value", or `Message`s; or an object with the list of them under "messages" or "conversations".
    chat_format: "ChatML", "harmony", the name of a template for teaching, or a ChatML, Harmony or Template; by default
    harmony if the tokenizer has its markers, else ChatML, or Transcript for what is not byte-level BPE. reply: whether
    the beginning of the assistant's answer follows, for a model to continue. Raises ValueError for messages that the
    format does not take, and for a tokenizer that cannot be given its markers.

    >>> import tokviz
    >>> made = chat(tokviz.load("cl100k_base"), [{"role": "user", "content": "Hi!"}], reply=False)
    >>> made.text, made.ids
    ('<|im_start|>user\\nHi!<|im_end|>\\n', [100264, 882, 198, 13347, 0, 100265, 198])
    >>> made.shares[1]
    [Share(n_tokens=7, n_scaffolding=5)]
    """
    tokenizer, given = as_tokenizer(tokenizer, "a chat"), messages_of(messages)
    found = given_or_default_format(chat_format, tokenizer)
    marked = found.tokenizer(tokenizer)
    prompt = found.prompt(given, reply=reply)
    return ChatTokens(marked, tuple(given), prompt, prompt_spans(marked, prompt))
