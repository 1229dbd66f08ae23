"""Conversations from a file or a text: a list of messages in JSON, or an object or a list in each line (JSONL).

The ids that a model produced may be with them: "token_ids" of a message of the assistant, or "completion_ids" or
"response_ids" of the conversation, a list for each answer.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokviz.chats.messages import FIELDS, messages_of, raw_messages_in_record
from tokviz.chats.prompt import Message
from tokviz.conversations.answers import answer_ranges
from tokviz.core.patterns import short_repr
from tokviz.text.words import quantity

MESSAGE_IDS = "token_ids"
ANSWER_IDS = ("completion_ids", "response_ids", MESSAGE_IDS)


@dataclass(frozen=True)
class Rollout:
    """A conversation.

    name: where it is, such as "line 3". ids: those of each answer that the model produced, None where they are not
    given. tools: functions, as JSON. notices: what is not used of it, in words.
    """

    name: str
    messages: tuple[Message, ...]
    ids: tuple[tuple[int, ...] | None, ...] = ()
    tools: str = ""
    notices: tuple[str, ...] = ()


def rollouts(text: str) -> Iterator[Rollout]:
    """Yield the conversations in a text; ValueError, with the line, the message and the field, for what is none.

    >>> found = next(rollouts('{"messages": [{"role": "user", "content": "Hi!", "mood": "good"}]}'))
    >>> found.messages[0].content, found.notices
    ('Hi!', ("line 1: message 1: the field 'mood' is not used",))
    """
    for name, given in _records(text):
        try:
            yield _rollout(name, given)
        except ValueError as e:
            raise ValueError(f"{name}: {e}") from e


def _records(text: str) -> Iterator[tuple[str, Any]]:
    """Yield each conversation as JSON, with where it is."""
    try:
        whole = json.loads(text)
    except RecursionError as e:
        raise ValueError("the conversations are not JSON: they are nested too deeply") from e
    except ValueError:
        for number, line in enumerate(text.split("\n"), 1):  # JSON may have other line ends in its strings
            if line.strip():
                yield f"line {number}", _parsed(line, number)
        return
    many = isinstance(whole, list) and whole and all(isinstance(each, list) or _holds_messages(each) for each in whole)
    for number, each in enumerate(whole if many else [whole], 1):
        yield f"conversation {number}" if many else "line 1", each


def _parsed(line: str, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as e:
        raise ValueError(f"line {number} is not JSON: {e}") from e


def _holds_messages(record: object) -> bool:
    return isinstance(record, Mapping) and raw_messages_in_record(record) is not None


def _rollout(name: str, given: Any) -> Rollout:
    record = given if isinstance(given, Mapping) else {}
    raw = raw_messages_in_record(record) if record else given
    if not isinstance(raw, list):
        raise ValueError(
            f"expected a list of messages, or an object that has one under 'messages': {short_repr(given)}"
        )
    messages: list[Message] = []
    ids_of_messages: dict[int, tuple[int, ...] | None] = {}
    notices = []
    for number, each in enumerate(raw, 1):
        try:
            made = messages_of([each], images=True)
        except ValueError as e:
            raise ValueError(f"message {number}: {str(e).removeprefix('message 1: ')}") from e
        has_ids = any(message.role == "assistant" for message in made)
        unknown = each.keys() - FIELDS - {"from", "value"} - ({MESSAGE_IDS} if has_ids else set())
        notices += [f"{name}: message {number}: the field {field!r} is not used" for field in sorted(unknown)]
        ids_of_messages[len(messages)] = _ids_or_none(each.get(MESSAGE_IDS), f"message {number}: '{MESSAGE_IDS}'")
        messages += made
    ids = _ids_of_answers(record, messages, ids_of_messages)
    tools = record.get("tools")
    return Rollout(name, tuple(messages), ids, json.dumps(tools) if tools else "", tuple(notices))


def _ids_of_answers(
    record: Mapping[str, Any], messages: Sequence[Message], of_messages: Mapping[int, tuple[int, ...] | None]
) -> tuple[tuple[int, ...] | None, ...]:
    answers = list(answer_ranges(messages))
    key = next((key for key in ANSWER_IDS if record.get(key) is not None), None)
    if key is None:
        parts = [[of_messages[i] for i in range(*answer) if i in of_messages] for answer in answers]
        return tuple(None if None in found else tuple(i for part in found for i in part or ()) for found in parts)
    given = record[key]
    if isinstance(given, list) and given and not any(isinstance(each, list) or each is None for each in given):
        given = [given]
    if not isinstance(given, list) or len(given) != len(answers):
        n_given = len(given) if isinstance(given, list) else 0
        counts = f"{quantity(n_given, 'list')}, {quantity(len(answers), 'answer')}"
        raise ValueError(f"{key!r} must have a list of ids for each answer, not {counts}")
    return tuple(_ids_or_none(each, repr(key)) for each in given)


def _ids_or_none(given: Any, field: str) -> tuple[int, ...] | None:
    if given is None:
        return None
    if not isinstance(given, list) or not all(type(each) is int for each in given):
        raise ValueError(f"{field} is not a list of token ids: {short_repr(given)}")
    return tuple(given)
