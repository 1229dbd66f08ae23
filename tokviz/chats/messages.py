"""Messages from the form of OpenAI's API and of chat templates: dicts with a role, what is said, and calls."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tokviz.chats.prompt import Message
from tokviz.core.patterns import shortened


def messages_of(given: Iterable[Message | Mapping[str, Any]]) -> list[Message]:
    """Return messages, given as dicts or as they are; each function that one calls becomes a message of its own.

    A dict has "role" and "content", a text; "tool_calls" of the assistant, and "name" of a tool, are taken too. Raises
    ValueError, with the number of the message, for anything else.

    >>> messages_of([{"role": "user", "content": "Hi!"}])
    [Message(role='user', content='Hi!', channel='final', recipient='')]
    """
    messages: list[Message] = []
    for number, each in enumerate(given, 1):
        try:
            messages += [each] if isinstance(each, Message) else _of_message(each)
        except ValueError as e:
            raise ValueError(f"message {number}: {e}") from e
    return messages


def _of_message(given: Mapping[str, Any]) -> Iterator[Message]:
    """Yield what a message says, and each function that it calls as a message of its own."""
    if not isinstance(given, Mapping):
        raise ValueError(f"expected a role and a content, not {shortened(given)}")
    role, content, calls = given.get("role"), given.get("content"), given.get("tool_calls") or []
    if not isinstance(role, str) or not role:
        raise ValueError(f"'role' is not a name such as 'user': {shortened(role)}")
    if content is not None or not calls:
        name = given.get("name")
        recipient = f"functions.{name}" if role == "tool" and isinstance(name, str) else ""
        if content or not calls:
            yield Message(role, _text(content, "content"), recipient=recipient)
    yield from _calls(role, calls)


def _calls(role: str, calls: object) -> Iterator[Message]:
    for call in calls if isinstance(calls, Sequence) and not isinstance(calls, str) else [calls]:
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise ValueError(f"'tool_calls' is not a list of calls of functions with names: {shortened(call)}")
        arguments = _text(function.get("arguments", ""), "arguments")
        yield Message(role, arguments, "commentary", f"functions.{function['name']}")


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{what!r} is not a text: {shortened(value)}")
    return value
