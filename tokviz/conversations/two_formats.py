"""Where two formats write a conversation differently."""

from collections.abc import Sequence
from dataclasses import replace

from tokviz.chats.formats import ChatFormat
from tokviz.chats.prompt import Message
from tokviz.conversations.rewritings import Rewriting, rewritings
from tokviz.text.words import quantity

_END = "\x03"  # no white space, which may be taken for what follows an answer


def format_differences(messages: Sequence[Message], one: ChatFormat, other: ChatFormat) -> list[Rewriting]:
    """Return what a complete chat has in one format (`old`), and in place of it in the other (`new`).

    Raises ValueError for messages that one of them does not take.

    >>> from tokviz import ChatML, Template
    >>> bare = Template("bare", "{% for m in messages %}<|im_start|>{{ m.role }}\\n{{ m.content }}{% endfor %}")
    >>> format_differences([Message("user", "Hi!")], ChatML(), bare)
    [Rewriting(message=0, start=20, old='<|im_end|>\\n', new='')]
    """
    (was,), (now,) = (each.prompts(messages, [(len(messages), False)]) for each in (one, other))
    if was.text == now.text:
        return []  # even if only one of them is known to begin each message
    # Both end here: where the other one goes on, that is a difference, and no next turn.
    return list(rewritings(*(replace(each, text=each.text + _END) for each in (was, now))))


def differences_in_words(one: ChatFormat, other: ChatFormat, found: Sequence[Rewriting]) -> str:
    """Return in a sentence how many parts of a prompt two formats write differently.

    >>> from tokviz import ChatML, Harmony
    >>> differences_in_words(ChatML(), Harmony(), [])
    'Both make the same prompt.'
    """
    if not found:
        return "Both make the same prompt."
    return f"{one.name} and {other.name} differ in {quantity(len({each.message for each in found}), 'place')}."
