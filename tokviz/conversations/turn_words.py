"""Sentences about a chat turn by turn."""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from tokviz.chats.prompt import BEFORE
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
    >>> verdict(tokviz.turns(tokviz.load("qwen3"), chat, chat_format="Tags"))
    'Turn 2 rewrites 1 character of turn 1: a cache computes 13 of 13 tokens again.'
    """

    name = found.chat_format.name if found.chat_format.name in ("ChatML", "harmony") else "This template"
    if len(found.turns) == 1:
        return "There is only one turn so far, so there is nothing to keep."
    broken = [turn for turn in found.turns if not (turn.keeps_text and turn.keeps_tokens)]
    if not broken:
        return f"{name} keeps its prefix: each turn begins with all tokens of the turn before."
    first = broken[0]
    words = f"{turn_name(first)} {_fault(found, first)}: a cache computes {first.n_again:,} of "
    words += f"{quantity(first.n_old, 'token')} again."
    if len(broken) > 1:
        others = quantity(len(broken) - 1, "other turn")
        words += f" {others} {'does' if len(broken) == 2 else 'do'} so too; in all, {found.n_again:,} tokens are."
    return words


def turn_name(turn: "Turn") -> str:
    """Return what a turn is called where a sentence begins."""
    return f"Turn {turn.number}" if turn.is_request else "The complete chat"


def _fault(found: "Turns", turn: "Turn") -> str:
    if not turn.rewritten:
        return f"has the text of turn {turn.number - 1}, but cuts it into other tokens"
    characters = quantity(sum(each.n_characters for each in turn.rewritten), "character")
    return f"rewrites {characters} of {part_name(found, turn.rewritten[0].message)}"


def part_name(found: "Turns", message: int) -> str:
    """Return what a part of a prompt is called: the turn in which a message was said."""
    if message == BEFORE:
        return "what precedes the messages"
    n_answered = sum(one.role == "assistant" != other.role for one, other in pairwise(found.messages[: message + 1]))
    return f"turn {n_answered + 1}"


def turn_sentences(found: "Turns", turn: "Turn") -> Iterator[str]:
    """Yield what there is to say of a turn: what it keeps, what that costs, and whether its answer is canonical."""
    blocks = f" in blocks of {found.block:,}" if found.block > 1 else ""
    if turn.number > 1:
        kept = f"{turn.n_cached:,} of {quantity(turn.n_before, 'token')}{blocks}"
        if turn.keeps_text and turn.keeps_tokens:
            yield f"It begins with all of turn {turn.number - 1}: a cache keeps {kept}."
        else:
            yield f"It {_fault(found, turn)}. A cache keeps {kept} and computes {turn.n_again:,} again."
    if turn.is_produced and turn.answer is not None:
        same = "the ids that encoding its text gives" if turn.answer.is_canonical else "not those of its text"
        yield f"The ids of its answer are {same}."


def report_sections(found: "Turns") -> dict[str, list[str]]:
    """Return what there is to say of all turns, as lines under headings: the verdict, then a heading for each turn."""
    sections = {verdict(found): [f"{found.chat_format.name}, {found.tokenizer.name}"]}
    for turn in found.turns:
        lines = [f"{quantity(turn.n_tokens, 'token')}, {turn.n_cached:,} cached, {turn.n_again:,} computed again"]
        lines += turn_sentences(found, turn)
        lines += [f"Message {each.message + 1}: {each.old!r} → {each.new!r}" for each in turn.rewritten]
        sections[turn_name(turn)] = lines
    return sections
