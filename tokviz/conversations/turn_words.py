"""Sentences about a chat turn by turn."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from tokviz.chats.prompt import BEFORE, Message
from tokviz.text.words import quantity

if TYPE_CHECKING:
    from tokviz.conversations.turns import Turn, Turns


def verdict(found: "Turns") -> str:
    """Return in a sentence or two whether a cache can go on from turn to turn, and if not, where it cannot.

    >>> import tokviz
    >>> said = [("user", "Hi!"), ("assistant", "Hello! "), ("user", "Bye!")]
    >>> chat = [{"role": role, "content": content} for role, content in said]
    >>> verdict(tokviz.turns(tokviz.load("qwen3"), chat, chat_format="ChatML"))
    'ChatML keeps its prefix: each turn begins with all tokens of the turn before.'
    >>> in_blocks = tokviz.turns(tokviz.load("qwen3"), chat, chat_format="Tags", block=4)
    >>> verdict(in_blocks).split(": ")[1]
    '4 tokens are computed again, and 1 more because a cache keeps tokens in whole blocks of 4.'
    """
    name = found.chat_format.name if found.chat_format.name in ("ChatML", "harmony") else "This template"
    if len(found.turns) == 1:
        return "There is only one turn so far, so there is nothing to keep."
    broken = [turn for turn in found.turns if not turn.keeps_prefix]
    if not broken:
        return f"{name} keeps its prefix: each turn begins with all tokens of the turn before."
    first = broken[0]
    n_again = max(first.n_old - first.n_shared, 0)  # would be with any block
    words = f"{turn_name(first)} {_fault(found, first)}: {quantity(n_again, 'token')} {'is' if n_again == 1 else 'are'}"
    words += " computed again"
    if first.n_again > n_again:
        words += (
            f", and {first.n_again - n_again:,} more because a cache keeps tokens in whole blocks of {found.block:,}"
        )
    words += "."
    if len(broken) > 1:
        others = quantity(len(broken) - 1, "other turn")
        words += f" {others} {'breaks' if len(broken) == 2 else 'break'} the prefix too: {found.n_again:,} in all."
    return words


def turn_name(turn: "Turn") -> str:
    """Return what a turn is called where a sentence begins."""
    return f"Turn {turn.number}" if turn.is_request else "The complete chat"


def _fault(found: "Turns", turn: "Turn") -> str:
    if not turn.rewritten:
        return f"cuts the text of turn {turn.number - 1} into other tokens"
    characters = quantity(sum(max(len(each.old), len(each.new)) for each in turn.rewritten), "character")
    messages = sorted(each.message for each in turn.rewritten)
    first, last = (turn_of_message(found.messages, number) for number in (messages[0], messages[-1]))
    return f"rewrites {characters} " + (f"of {first}" if first == last else f"from {first} on")


def turn_of_message(messages: Sequence[Message], number: int) -> str:
    """Return what a part of a prompt is called: the turn in which a message was said."""
    if number == BEFORE:
        return "the text before all messages"
    n_answered = sum(one.role == "assistant" != other.role for one, other in pairwise(messages[: number + 1]))
    return f"turn {n_answered + 1}"


def message_name(messages: Sequence[Message], number: int) -> str:
    """Return what a message is called: its turn, and who says it.

    >>> message_name([Message("user", "1+1"), Message("assistant", "2")], 1)
    'turn 1, assistant'
    """
    if number == BEFORE:
        return turn_of_message(messages, number)
    message = messages[number]
    kind = "'s call" if message.is_call else "'s reasoning" if message.is_reasoning else ""
    return f"{turn_of_message(messages, number)}, {message.role}{kind}"


def turn_sentences(found: "Turns", turn: "Turn") -> Iterator[str]:
    """Yield what there is to say of a turn: what it keeps, what that costs, and whether its answer is canonical.

    What the verdict says of the first turn that breaks the prefix is not said again.
    """
    is_first_broken = not turn.keeps_prefix and all(each.keeps_prefix for each in found.turns[: turn.number - 1])
    blocks = (
        f", as it keeps whole blocks of {found.block:,}"
        if turn.n_cached < turn.n_shared and not is_first_broken
        else ""
    )
    if turn.number > 1:
        before = f"the {quantity(turn.n_before, 'token')} of turn {turn.number - 1} and its answer"
        if turn.keeps_prefix:
            yield f"It begins with {before}: a cache can use {turn.n_cached:,} of them{blocks}."
        else:
            can_use = f"the first {turn.n_cached:,}" if turn.n_cached else "none"
            if not is_first_broken:
                yield f"It {_fault(found, turn)}."
            if turn.n_old in (turn.n_before, 0):
                yield f"Of {before}, a cache can use {can_use}{blocks}."
            else:
                said = f"{before[0].upper()}{before[1:]} {'has' if turn.n_before == 1 else 'have'}"
                yield f"{said} become {turn.n_old:,}: a cache can use {can_use}{blocks}."
    if turn.is_produced and turn.answer is not None:
        same = "those" if turn.answer.is_canonical else "not those"
        yield f"The ids of its answer are {same} that encoding its text gives."


def report_sections(found: "Turns") -> dict[str, list[str]]:
    """Return what there is to say of all turns, as lines under headings: the verdict, then a heading for each turn."""
    sections = {verdict(found): [f"{found.chat_format.name}, {found.tokenizer.name}"]}
    for turn in found.turns:
        lines = [f"{quantity(turn.n_tokens, 'token')}, {turn.n_cached:,} cached, {turn.n_again:,} computed again"]
        lines += turn_sentences(found, turn)
        for each in turn.rewritten:
            lines.append(f"{message_name(found.messages, each.message)}: {each.old!r} → {each.new!r}")
        sections[turn_name(turn)] = lines
    return sections
