"""Messages from the forms that data sets and APIs give them: OpenAI's, its lists of parts, ShareGPT's."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tokviz.chats.prompt import Message
from tokviz.core.patterns import short_repr

LISTS = ("messages", "conversations")  # keys of a chat; ShareGPT has the second
HALVES = ("prompt", "completion")  # keys of a chat in two lists
REASONING = ("reasoning_content", "reasoning", "thinking")  # keys of what the assistant thinks before it answers
FIELDS = {"role", "content", "name", "tool_calls", "tool_call_id", *REASONING}  # of a message, that are read here
_TEXTS = ("text", "input_text", "output_text")  # types of the parts of a content that are texts
_IMAGES = ("image", "image_url", "input_image")
_SPEAKERS = {"human": "user", "gpt": "assistant", "chatgpt": "assistant", "bing": "assistant", "bard": "assistant"}
_SPEAKERS |= {"model": "assistant", "observation": "tool", "function_response": "tool", "function_call": "assistant"}


def raw_messages_in_record(record: Mapping[str, Any]) -> Any:
    """Return what an object gives as its messages, None if it gives none.

    That is the value of "messages" or "conversations", or else "prompt" and "completion" if both are lists; a text
    under "system" beside "conversations" comes first.

    >>> raw_messages_in_record({"prompt": [{"role": "user", "content": "2+2"}], "completion": []})
    [{'role': 'user', 'content': '2+2'}]
    """
    for key in LISTS:
        if (given := record.get(key)) is not None:
            rules = record.get("system") if key == "conversations" else None
            is_led = isinstance(rules, str) and rules and isinstance(given, list)
            return [{"role": "system", "content": rules}, *given] if is_led else given
    prompt, completion = map(record.get, HALVES)
    return [*prompt, *completion] if isinstance(prompt, list) and isinstance(completion, list) else None


def messages_of(
    given: Iterable[Message | Mapping[str, Any]] | Mapping[str, Any], *, images: bool = False
) -> list[Message]:
    """Return messages, given as dicts or as they are; reasoning, and each call of a function, is a message of its own.

    A dict has "role" and "content", a text or a list of parts that are texts, which are joined; "reasoning_content"
    and "tool_calls" of the assistant, and "name" of a tool, are taken too. One of ShareGPT's has "from" and "value".
    given: also an object that `raw_messages_in_record` finds them in. images: whether parts may be images, which
    have no text. Raises ValueError, with the number of the message, for anything else.

    >>> messages_of([{"from": "human", "value": "Hi!"}])
    [Message(role='user', content='Hi!', channel='final', recipient='')]
    """
    if isinstance(given, Mapping):
        found = raw_messages_in_record(given)
        if not isinstance(found, list):
            raise ValueError(f"expected 'messages', 'conversations', or 'prompt' and 'completion': {short_repr(given)}")
        given = found
    messages: list[Message] = []
    for number, each in enumerate(given, 1):
        try:
            messages += [each] if isinstance(each, Message) else _messages_of_one(each, images)
        except ValueError as e:
            raise ValueError(f"message {number}: {e}") from e
    return messages


def _message_with_role_if_sharegpt(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a message of ShareGPT's as one with "role" and "content", or calls; any other as it is."""
    speaker, value = given.get("from"), given.get("value")
    if "role" in given or not isinstance(speaker, str):
        return given
    role = _SPEAKERS.get(speaker, speaker)
    if speaker == "function_call" and isinstance(value, str):
        try:
            called = json.loads(value)
        except (ValueError, RecursionError):
            called = None
        if isinstance(called, dict):
            return {"role": role, "content": None, "tool_calls": [{"function": called}]}
    return {"role": role, "content": value}


def _text_and_image_places(content: object, *, images: bool) -> tuple[str, tuple[int, ...]]:
    """Return what a content says, the texts of its parts joined as templates join them, and where its images are.

    >>> _text_and_image_places([{"type": "text", "text": "Hi"}, {"type": "image"}], images=True)
    ('Hi', (2,))
    """
    if isinstance(content, str):
        return content, ()
    if not isinstance(content, list):
        raise ValueError(f"'content' is not a text: {short_repr(content)}")
    text, places = "", []
    for part in content:
        if images and isinstance(part, dict) and part.get("type") in _IMAGES:
            places.append(len(text))
        else:
            text += _part_text(part)
    return text, tuple(places)


def _arguments_text(arguments: object) -> str:
    """Return the arguments of a call, a text or an object of JSON, as a text."""
    if isinstance(arguments, dict):
        return json.dumps(arguments, ensure_ascii=False)
    if not isinstance(arguments, str):
        raise ValueError(f"'arguments' is not a text: {short_repr(arguments)}")
    return arguments


def _part_text(part: object) -> str:
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(part, dict) or not isinstance(kind, str):
        raise ValueError(f"'content' is not a text, nor all parts like {{'type': 'text', …}}: {short_repr(part)}")
    if kind not in _TEXTS:
        raise ValueError(f"'content' has a part of the type {short_repr(kind)}; only texts become tokens here")
    if not isinstance(part.get("text"), str):
        raise ValueError(f"'text' of a part is not a text: {short_repr(part.get('text'))}")
    return str(part["text"])


def _messages_of_one(given: Mapping[str, Any], images: bool) -> Iterator[Message]:
    """Yield what a message says; before it what it thinks, and after it each function that it calls."""
    if not isinstance(given, Mapping):
        raise ValueError(f"expected a role and a content, not {short_repr(given)}")
    given = _message_with_role_if_sharegpt(given)
    role, content, calls = given.get("role"), given.get("content"), given.get("tool_calls") or []
    if not isinstance(role, str) or not role:
        raise ValueError(f"'role' is not a name such as 'user': {short_repr(role)}")
    thought = next(filter(None, map(given.get, REASONING)), "") if role == "assistant" else ""
    if thought:
        yield Message(role, _text_and_image_places(thought, images=False)[0], "analysis")
    if content is not None or not (calls or thought):
        name, call_id = given.get("name"), given.get("tool_call_id")
        recipient = f"functions.{name}" if role == "tool" and isinstance(name, str) else ""
        text, places = _text_and_image_places(content, images=images)
        if text or places or not (calls or thought):
            call_id = call_id if isinstance(call_id, str) else ""
            yield Message(role, text, recipient=recipient, call_id=call_id, images=places)
    yield from _call_messages(role, calls)


def _call_messages(role: str, calls: object) -> Iterator[Message]:
    for call in calls if isinstance(calls, Sequence) and not isinstance(calls, str) else [calls]:
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(call, dict) or not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise ValueError(f"'tool_calls' is not a list of calls of functions with names: {short_repr(call)}")
        arguments, call_id = _arguments_text(function.get("arguments", "")), call.get("id")
        call_id = call_id if isinstance(call_id, str) else ""
        yield Message(role, arguments, "commentary", f"functions.{function['name']}", call_id)
