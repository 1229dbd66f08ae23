"""What a prompt has in place of what was there before, or of what another format writes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise

import regex

from tokviz.chats.formats import ChatFormat
from tokviz.chats.prompt import BEFORE, Message, Prompt
from tokviz.chats.template_stretches import common_length_without_open_marker
from tokviz.core.common_prefix import common_length
from tokviz.text.words import quantity


@dataclass(frozen=True)
class Rewriting:
    """A stretch that a prompt has in place of what was there before, in what is written of one message.

    message: its index, BEFORE (-1) in what precedes all messages. start: in the prompt, in characters. old, new: the
    text that was there and the one that is there now; either may be empty.
    """

    message: int
    start: int
    old: str
    new: str


_CLOSED = re.compile(r"[^<>\[\]\s]*[>\]]")  # the end of a marker that has begun before


def rewritings(before: Prompt, prompt: Prompt) -> Iterator[Rewriting]:
    """Yield what a prompt has in place of what was there before, message by message.

    >>> old, new = (Prompt(f"<u>Hi!{text}", (), (0, 6), None) for text in ("<a>Hm. Ho!", "<a>Ho!</a>"))
    >>> list(rewritings(old, new))
    [Rewriting(message=1, start=10, old='m. Ho!', new='o!</a>')]
    """
    old, new, at = _stretches(before), _stretches(prompt), 0
    for number, (start, stop) in old.items():
        begin, end = new.get(number, (at, at))
        was, now, at = before.text[start:stop], prompt.text[begin:end], end
        if stop == len(before.text):
            if now.startswith(was):
                continue
            if was == was.rstrip():
                now = now.rstrip()  # what a template adds after an answer replaces nothing
        was, now, n_common = differing_stretches(was, now)
        lead, kept, tail = was.partition(now) if now else ("", "", "")
        if kept:  # it is only trimmed
            changes = [(begin + n_common, lead, ""), (begin + n_common + len(now), tail, "")]
        else:
            changes = [(begin + n_common, was, now)]
        yield from (Rewriting(number, *change) for change in changes if change[1] or change[2])
    for number, (start, stop) in new.items():
        if number not in old and number < len(before.begins) and start < stop:
            yield Rewriting(number, start, "", prompt.text[start:stop])


def differing_stretches(one: str, other: str) -> tuple[str, str, int]:
    """Return what is left of two texts without what they share at both ends, and how much they share at the beginning.

    What is left does not begin or end inside a special token.

    >>> differing_stretches("a <b> c", "a <bb> c")
    ('<b>', '<bb>', 2)
    """
    begin = common_length_without_open_marker(one, other)
    one, other = one[begin:], other[begin:]
    n_last = common_length(one[::-1], other[::-1])
    if closed := _CLOSED.match(one, len(one) - n_last):
        n_last -= closed.end() - closed.start()
    return one[: len(one) - n_last], other[: len(other) - n_last], begin


_PIECES = regex.compile(r"<[^<>\s]+>|\[[^\[\]\s]+\]|[\p{L}\p{M}\p{N}]+|.", regex.DOTALL)


def changed_runs(old: str, new: str) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Return two texts in runs of whole words, signs and special tokens, with whether only this text has each.

    Where one of them is empty, nothing of the other counts as changed.

    >>> changed_runs("[INST] Hi you", "[INST] Hi <b>you")
    ([('[INST] Hi ', False), ('you', False)], [('[INST] Hi ', False), ('<b>', True), ('you', False)])
    """
    pieces = [_PIECES.findall(text) for text in (old, new)]
    runs: tuple[list[tuple[str, bool]], list[tuple[str, bool]]] = ([], [])
    # The longer one comes second, of which frequent pieces begin no match once it is long: without that, hundreds of
    # dashes take seconds.
    first, second = (0, 1) if len(pieces[0]) <= len(pieces[1]) else (1, 0)
    for kind, *ends in SequenceMatcher(None, pieces[first], pieces[second]).get_opcodes():
        for side, (start, stop) in ((first, ends[:2]), (second, ends[2:])):
            if stop > start:
                runs[side].append(("".join(pieces[side][start:stop]), kind != "equal" and "" not in (old, new)))
    return runs


def _stretches(prompt: Prompt) -> dict[int, tuple[int, int]]:
    """Return the stretch that is written of each message whose beginning is known, and of what precedes them."""
    known = sorted((begin, number) for number, begin in enumerate(prompt.begins) if begin is not None)
    bounds = [(0, BEFORE), *known, (len(prompt.text), BEFORE)]
    return {number: (start, stop) for (start, number), (stop, _) in pairwise(bounds)}


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
