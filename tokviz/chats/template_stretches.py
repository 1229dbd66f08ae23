"""Which message each part of a template's prompt belongs to, found by comparing the prompts of different messages.

A template writes the turn of a message in a round of its loop over the messages, if it has one. Where it writes several
in one, or the first, or without a loop, what it makes of the messages before shows where they end, and what it makes of
a later message shows what it puts before it.
"""

import re
from collections.abc import Callable, Sequence

from tokviz.chats.prompt import Message
from tokviz.chats.tracked_text import covering_marks, turn_starts_and_owners
from tokviz.core.common_prefix import common_length

Render = Callable[[Sequence[Message]], str]  # raises ValueError for messages that the template refuses

_EARLIER = (Message("user", "?"), Message("assistant", "!"))
_OPENED = re.compile(r"[<\[][^<>\[\]\s]*\Z")  # a marker that has begun


def message_start_offsets(text: str, messages: Sequence[Message], render: Render) -> tuple[int | None, ...]:
    """Return where each message begins in the text that a template makes of them, in ascending order.

    None for reasoning that the template leaves out. render: what the template makes of other messages.
    """
    first_said = {owner: start for start, _, owner in reversed(covering_marks(text))}
    last_said = {owner: end for _, end, owner in covering_marks(text)}
    turns: dict[int, list[int]] = {}
    for start, owner in turn_starts_and_owners(text):
        turns.setdefault(owner, []).append(start)
    begins: list[int | None] = []
    at = 0
    for number, message in enumerate(messages):
        before, said = last_said.get(number - 1, 0), first_said.get(number)
        stop = len(text) if said is None else said
        opened = [start for start in turns.get(number, ()) if max(at, before) <= start <= stop] if number else []
        begin = (
            opened[-1]
            if opened
            else _last_message_start_by_comparison(text, messages[: number + 1], begins, at, render)
        )
        known = [each for each in (begin, said) if each is not None]
        at = max(at, min(known, default=at))
        if at < before and (said is None or before <= said):
            # What the message before says is in this one's turn, as the system's often is in the user's.
            end = min((start for owner, start in first_said.items() if owner >= number), default=len(text))
            opening = _opening_start(text[before:end], message, render)
            at = before + opening if opening is not None else before if said is None else said
        begins.append(None if message.is_reasoning and said is None else at)
    return tuple(begins)


def _last_message_start_by_comparison(
    text: str, messages: Sequence[Message], begins: Sequence[int | None], at: int, render: Render
) -> int | None:
    """Return where the last of these messages begins, as other prompts tell; begins: of those before, at: the last."""
    if len(messages) == 1:
        return _first_message_start(text, messages, render)
    if begins[-1] is None:
        return at
    if messages[-2].is_reasoning:
        return _reasoning_end(text, messages[:-1], render)
    return end_of_messages(text, messages[:-1], render)


def end_of_messages(text: str, messages: Sequence[Message], render: Render) -> int | None:
    """Return where in a text the messages with which its chat begins end; None if the template refuses them alone."""
    alone = _rendered_or_none(messages, render)
    return None if alone is None else _end_of_common_text(text, alone)


def _opening_start(between: str, message: Message, render: Render) -> int | None:
    """Return where a message's own turn opens in the text before what it says; None if it has no turn of its own."""
    lead = (_lead_of_first_message((message,), render) or "").lstrip()
    at = between.rfind(lead) if lead else -1
    return None if at < 0 or (message.content and at + len(lead) < len(between)) else at


def _reasoning_end(text: str, messages: Sequence[Message], render: Render) -> int | None:
    """Return where the reasoning ends with which these messages do, and what the assistant says next begins."""
    answered = _rendered_or_none((*messages, _EARLIER[1]), render)
    if answered is None:
        return None
    answer = next((start for start, _, owner in covering_marks(answered) if owner == len(messages)), len(answered))
    return _end_of_common_text(text, answered[:answer])


def _first_message_start(text: str, messages: Sequence[Message], render: Render) -> int | None:
    """Return where the first message begins: with what the template puts before it where it comes later."""
    marks = covering_marks(text)
    said = marks[0][0] if marks else len(text)
    lead = _lead_of_first_message(messages, render)
    for opening in (lead, lead and lead.lstrip()):  # line ends between turns are not written before the first
        if opening is not None and (at := text.rfind(opening, 0, said)) >= 0:
            return at
    if messages[0].role == "system":  # many templates refuse it later, and some put it into what the user says
        others = messages[1:] or _EARLIER
        shorter = _rendered_or_none(others, render)
        if shorter is not None and (begin := _first_message_start(shorter, others, render)) is not None:
            return min(begin, common_length_without_open_marker(text, shorter))
    return end_of_messages(text, (), render)


def _lead_of_first_message(messages: Sequence[Message], render: Render) -> str | None:
    """Return what the template puts before the first message if others precede it."""
    later, earlier = _rendered_or_none((*_EARLIER, *messages), render), _rendered_or_none(_EARLIER, render)
    if later is None or earlier is None:
        return None
    begin = _end_of_common_text(later, earlier)
    said = next((start for start, _, owner in covering_marks(later) if owner >= len(_EARLIER)), len(later))
    return later[begin:said] if begin <= said else None


def _rendered_or_none(messages: Sequence[Message], render: Render) -> str | None:
    try:
        return render(messages)
    except ValueError:
        return None


def _end_of_common_text(text: str, alone: str) -> int:
    """Return where in a text ends what a template makes of its first messages alone: what they say, and their marker.

    A template may write the last message of a chat in its own way, so only what follows the last text is compared.
    """
    ends = {owner: end for _, end, owner in covering_marks(text)}
    said = ((ends[owner], end) for _, end, owner in reversed(covering_marks(alone)) if owner in ends)
    start, alone_start = next(said, (0, 0))
    return start + common_length_without_open_marker(text[start:], alone[alone_start:])


def common_length_without_open_marker(text: str, other: str) -> int:
    """Return how far two texts are the same, without a marker with which they part."""
    if text.startswith(other):
        return len(other)
    n = common_length(text, other)
    opened = _OPENED.search(text[:n])
    return opened.start() if opened else n
