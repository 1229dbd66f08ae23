"""The formats of a chat, each with what it needs besides the messages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol

from tokviz.chats import harmony
from tokviz.chats.chatml import chat_tokenizer, chatml_prompt, chatml_prompts, with_markers
from tokviz.chats.harmony_tools import parsed_tools
from tokviz.chats.prompt import CHARACTERS_MAX, Message, Prompt, tokenizer_that_takes_markers
from tokviz.chats.teaching import TEMPLATES
from tokviz.chats.template import Template
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.tokenizer import Tokenizer


class ChatFormat(Protocol):
    """How messages become a prompt."""

    @property
    def name(self) -> str:
        """The name as people know it."""

    @property
    def takes_long(self) -> bool:
        """Whether a prompt of few messages may take more than about 5 ms."""

    def tokenizer(self, base: AnyTokenizer) -> AnyTokenizer:
        """Return a tokenizer with the markers of this format; ValueError if there can be none."""

    def prompt(self, messages: Sequence[Message], *, reply: bool = True) -> Prompt:
        """Return the prompt of messages; ValueError for messages that the format does not take."""

    def prompts(self, messages: Sequence[Message], cuts: Sequence[tuple[int, bool]]) -> list[Prompt]:
        """Return the prompts of the first n messages, for each n and whether an answer begins that `cuts` has."""


@dataclass(frozen=True)
class ChatML:
    """ChatML, whose markers any byte-level tokenizer can be given."""

    name = "ChatML"
    takes_long = False

    def tokenizer(self, base: AnyTokenizer) -> Tokenizer:
        """Return the tokenizer with the markers of ChatML."""
        return chat_tokenizer(tokenizer_that_takes_markers(base, self.name))

    def prompt(self, messages: Sequence[Message], *, reply: bool = True) -> Prompt:
        """Return the prompt of messages."""
        _refuse_images(messages, self.name)
        return chatml_prompt(messages, reply=reply)

    def prompts(self, messages: Sequence[Message], cuts: Sequence[tuple[int, bool]]) -> list[Prompt]:
        """Return the prompts of the first messages of a chat."""
        _refuse_images(messages[: max((n for n, _ in cuts), default=0)], self.name)
        return chatml_prompts(messages, cuts)


@dataclass(frozen=True)
class Harmony:
    """Harmony, the format of gpt-oss. tools: JSON, as `parsed_tools` takes it."""

    tools: str = ""
    effort: str = "medium"
    today: date | None = None
    name = "harmony"

    @property
    def takes_long(self) -> bool:
        """Whether functions are to be described, which may be many."""
        return bool(self.tools.strip())

    def tokenizer(self, base: AnyTokenizer) -> Tokenizer:
        """Return the tokenizer with the markers of harmony."""
        return with_markers(tokenizer_that_takes_markers(base, self.name), harmony.MARKERS, self.name)

    def prompt(self, messages: Sequence[Message], *, reply: bool = True) -> Prompt:
        """Return the prompt of messages."""
        _refuse_images(messages, self.name)
        tools = parsed_tools(self.tools)
        return harmony.harmony_prompt(messages, tools=tools, effort=self.effort, today=self.today, reply=reply)

    def prompts(self, messages: Sequence[Message], cuts: Sequence[tuple[int, bool]]) -> list[Prompt]:
        """Return the prompts of the first messages of a chat."""
        return [self.prompt(messages[:n], reply=reply) for n, reply in cuts]


def with_tools(chat_format: ChatFormat, tools: str) -> ChatFormat:
    """Return a format with functions, as JSON; without any, or if it has no place for them, as it is.

    >>> with_tools(Harmony(), '{"name": "now"}').tools, with_tools(ChatML(), '{"name": "now"}')
    ('{"name": "now"}', ChatML())
    """
    if tools and isinstance(chat_format, Harmony | Template):
        return replace(chat_format, tools=tools)
    return chat_format


def _refuse_images(messages: Sequence[Message], name: str) -> None:
    """Raise ValueError for images in messages."""
    for number, message in enumerate(messages, 1):
        if message.images:
            raise ValueError(f"message {number} has an image, and {name} has no place for images")


def marker_format_names(tokenizer: AnyTokenizer) -> list[str]:
    """Return the names of the formats whose markers a tokenizer has or can be given, its own first.

    >>> import tokviz
    >>> marker_format_names(tokviz.load("o200k_harmony")), marker_format_names(tokviz.load("gpt2"))
    (['harmony', 'ChatML'], ['ChatML', 'harmony'])
    """
    if not isinstance(tokenizer, Tokenizer):
        return []
    has_harmony = all(marker in tokenizer.special_tokens for marker in harmony.MARKERS)
    return [Harmony.name, ChatML.name] if has_harmony else [ChatML.name, Harmony.name]


def native_template_names(tokenizer: AnyTokenizer) -> list[str]:
    """Return the names of the templates for teaching that a tokenizer has all special tokens of.

    >>> import tokviz
    >>> [native_template_names(tokviz.load(name)) for name in ("qwen3", "cl100k_base")]
    [['As Qwen 3'], []]
    """
    written = {name: Template(name, source).special_tokens() for name, source in TEMPLATES.items()}
    return [name for name, tokens in written.items() if tokens and not {*tokens}.difference(tokenizer.special_tokens)]


FORMAT_NAMES = (ChatML.name, Harmony.name, *TEMPLATES)


def given_or_default_format(
    given: ChatFormat | str | None, tokenizer: AnyTokenizer, tokens: tuple[tuple[str, str], ...] = ()
) -> ChatFormat:
    """Return a format that is given as it is or by its name, as templates for teaching too; else that of the markers.

    tokens: special tokens for a template. Raises ValueError, with all names, for an unknown name.

    >>> import tokviz
    >>> given_or_default_format("chatml", tokviz.load("gpt2"))
    ChatML()
    >>> given_or_default_format(None, tokviz.load("o200k_harmony"))
    Harmony(tools='', effort='medium', today=None)
    """
    if given is not None and not isinstance(given, str):
        return given
    name = next(iter(marker_format_names(tokenizer)), next(iter(TEMPLATES))) if given is None else given
    for known in (ChatML(), Harmony()):
        if name.casefold() == known.name.casefold():
            return known
    if name not in TEMPLATES:
        raise ValueError(f"there is no chat format {name!r}: expected is one of {', '.join(FORMAT_NAMES)}")
    return Template(name, TEMPLATES[name], tokens)


def checked_prompt(chat_format: ChatFormat, messages: Sequence[Message], *, reply: bool = True) -> Prompt:
    """Return the prompt of messages; ValueError also for messages, or a prompt, too long to show."""
    if sum(len(message.content) for message in messages) > CHARACTERS_MAX:
        raise ValueError(
            f"The messages have more than {CHARACTERS_MAX:,} characters, too many to show as tokens: shorten them."
        )
    prompt = chat_format.prompt(messages, reply=reply)
    if len(prompt.text) > 2 * CHARACTERS_MAX:
        raise ValueError(
            f"The prompt has {len(prompt.text):,} characters, too many to show as tokens: shorten the messages."
        )
    return prompt
