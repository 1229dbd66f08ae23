"""The messages of a chat as templates take them: dicts whose texts know which message says them."""

import json
from collections.abc import Sequence
from typing import Any

from tokviz.chats.prompt import Message
from tokviz.chats.tracked import TrackedTurn, tracked, tracked_json


def jinja_messages(messages: Sequence[Message]) -> list[TrackedTurn]:
    """Return messages as templates take them; each text says whose it is.

    The assistant's reasoning goes with what it says next, as `reasoning_content`; calls of functions are `tool_calls`.

    >>> jinja_messages([Message("assistant", '{"x": 1}', "commentary", "functions.f")])[0]["tool_calls"][0]["function"]
    {'name': 'f', 'arguments': {'x': 1}}
    """
    found: list[TrackedTurn] = []
    reasoning: str | None = None
    n_calls, begins = 0, 0  # begins: with which message the turn does
    for number, message in enumerate(messages):
        content = tracked(message.content, number)
        if message.is_reasoning:
            reasoning, begins = content, number
            continue
        entry: dict[str, Any] = {"role": message.role, "content": content}
        name = message.recipient.removeprefix("functions.")
        if message.is_call:
            n_calls += 1
            function = {"name": name, "arguments": _arguments(content, number)}
            call = {"type": "function", "id": _call_id(n_calls), "function": function}
            entry |= {"content": "", "tool_calls": [call]}
        elif message.role == "tool":
            entry |= {"name": name or "tool", "tool_call_id": _call_id(n_calls)}
        if reasoning is not None and message.role == "assistant":
            entry["reasoning_content"] = reasoning
        else:
            begins = number
        reasoning = None
        found.append(TrackedTurn(entry, begins))
    if reasoning is not None:
        found.append(TrackedTurn({"role": "assistant", "content": "", "reasoning_content": reasoning}, begins))
    return found


def _call_id(number: int) -> str:
    return f"call{number:05}"  # of nine letters and digits, as Mistral's templates insist


def _arguments(content: str, number: int) -> Any:
    """Return the arguments of a call: JSON whose texts know whose they are, or the text itself."""
    try:
        return tracked_json(json.loads(content), number)
    except (ValueError, RecursionError):
        return content
