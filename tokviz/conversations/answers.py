"""The answers of the assistant in a chat, and how a model has written them before a template writes them again."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from tokviz.chats.prompt import Message, Prompt
from tokviz.core.common_prefix import common_length
from tokviz.core.pretokens import well_formed_text


def answer_ranges(messages: Sequence[Message]) -> Iterator[tuple[int, int]]:
    """Yield the first message of each answer of the assistant, and the first one after it.

    >>> list(answer_ranges([Message("user", "1+1"), Message("assistant", "?", "analysis"), Message("assistant", "2")]))
    [(1, 3)]
    """
    for is_answer, group in groupby(range(len(messages)), lambda number: messages[number].role == "assistant"):
        start, *others = group
        if is_answer:
            yield start, start + 1 + len(others)


def answered_prompt(request: Prompt, answered: Prompt, messages: Sequence[Message], places: tuple[int, int]) -> Prompt:
    """Return a prompt with its answer as the model wrote it: as the template has it, but with all that messages say.

    answered: what the template makes of the messages with the answer. places: the answer's first message, and the
    first one after it.
    """
    start, stop = places
    common, first = _beginnings(request, answered, start)
    at, text, markers = common, request.text, [*(request.markers or ())]

    def keep(begin: int, end: int) -> str:
        """Return the text so far, with a stretch of what the template makes."""
        shift = len(text) - begin
        markers.extend((a + shift, b + shift) for a, b in answered.markers or () if begin <= a and b <= end)
        return text + answered.text[begin:end]

    for number in range(start, stop):
        said = [(a, b) for a, b, owner in answered.contents if owner == number and a >= at]
        content, begin, end = well_formed_text(messages[number].content), at, at
        if said and not messages[number].is_call:
            begin, end = said[0][0], said[-1][1]
            lead, part, tail = content.partition(answered.text[begin:end])
            if not part:
                continue  # not as the message has it
            lead = "" if answered.text.endswith(lead, common, begin) else lead
            tail = "" if answered.text.startswith(tail, end) else tail
            content = lead + part + tail
        elif said or not content.strip() or _is_call_in(messages[number], answered.text[at:]):
            continue
        text = keep(at, begin) + content
        at = end
    text = keep(at, len(answered.text))
    begins = (*request.begins, first, *[None] * (stop - start - 1))
    return Prompt(text, (), begins, None, answered.markers and tuple(markers))


def _is_call_in(message: Message, text: str) -> bool:
    """Return whether a message calls a function that a text names, whatever it has of the arguments."""
    return message.is_call and message.recipient.split(".")[-1] in text


def _beginnings(request: Prompt, answered: Prompt, start: int) -> tuple[int, int]:
    """Return where what follows a prompt begins in the prompt with the answer, and where the answer does in the first.

    start: the first message of the answer.
    """
    common = common_length(request.text, answered.text)
    said = [begin for begin, _, owner in answered.contents if owner >= start]
    first = min((begin for begin in answered.begins[start:] if begin is not None), default=min(said, default=common))
    if min(first, len(request.text)) <= common:
        return common, min(first, common)
    # With the answer there, the template writes something else before it, so what it repeats is the generation prompt.
    lead = answered.text[first : min(said, default=first)]
    n = next(n for n in range(len(lead), -1, -1) if request.text.endswith(lead[:n]))
    return first + n, len(request.text) - n
