"""Chat templates: Jinja that turns messages into a prompt, as `apply_chat_template` of transformers does.

A template comes with a file from anywhere, so it is rendered in jinja2's ImmutableSandboxedEnvironment, in a child
process with limits on time, memory and output. It gets what transformers gives it: messages, tools,
add_generation_prompt, the special tokens by name, `raise_exception`, `strftime_now`, `tojson` and loop controls.
Messages are `TrackedText`, so the prompt knows which of its characters they say.
"""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from tokviz.chats.prompt import CHARACTERS_MAX, Message, Prompt
from tokviz.chats.template_environment import rendered_text
from tokviz.chats.template_stretches import end_of_messages, message_start_offsets
from tokviz.chats.tracked_text import (
    TrackedText,
    TrackedTurn,
    all_marks,
    covering_marks,
    plain_value,
    tracked_json,
    tracked_text,
)
from tokviz.core.chat_settings import ChatSettings
from tokviz.core.pretokens import well_formed_text
from tokviz.system import sandbox

SECONDS = 5.0  # of processor time for one chat; a template in use takes some milliseconds
SOURCE_MAX = 200_000  # characters; the longest in use have some 10,000
_SURROGATES = re.compile(r"[\ud800-\udfff]")  # replaced one for one, so that marks stay where they are


def template_prompt(
    source: str,
    messages: Sequence[Message],
    *,
    settings: ChatSettings | None = None,
    tools: Sequence[Mapping[str, Any]] = (),
    reply: bool = True,
    now: datetime | None = None,
) -> Prompt:
    """Return the prompt that a template makes of messages.

    settings: its `tokens` are given to the template. tools: functions as JSON, in the form of OpenAI's API. reply:
    whether an answer begins at the end, as far as the template can begin one. now: what `strftime_now` returns.
    Raises ValueError, with the line, for a template that fails or refuses these messages.

    >>> source = "{% for m in messages %}[{{ m.role }}] {{ m.content | trim }}\\n{% endfor %}"
    >>> prompt = template_prompt(source, [Message("user", " Hi! ")])
    >>> prompt.text, prompt.contents
    ('[user] Hi!\\n', ((7, 10, 0),))
    """
    if len(source) > SOURCE_MAX:
        raise ValueError(f"the template has {len(source):,} characters; at most {SOURCE_MAX:,} are allowed")
    given = dict(settings.tokens) if settings else {}
    well = [(each.role, well_formed_text(each.content), each.channel, each.recipient) for each in messages]
    when = (now or datetime.now()).isoformat()
    text, contents, begins, reply_at = sandbox.call(
        _prompt_data,
        source,
        well,
        given,
        list(tools),
        reply,
        when,
        seconds=SECONDS,
        what="the chat template",
        key=source,
    )
    return Prompt(text, contents, begins, reply_at)


def _prompt_data(
    source: str, well: list[tuple[str, ...]], given: dict[str, str], tools: list[Any], reply: bool, when: str
) -> tuple[str, tuple[tuple[int, int, int], ...], tuple[int | None, ...], int | None]:
    """Return text, contents, begins and reply of a prompt; runs in a child process."""
    messages, now = [Message(*parts) for parts in well], datetime.fromisoformat(when)
    variables = {**given, "tools": tools or None, "documents": None}

    def render(shown: Sequence[Message], reply: bool = False) -> str:
        chat = {"messages": jinja_messages(shown), "add_generation_prompt": reply}
        text = rendered_text(source, {**variables, **chat}, now)
        return TrackedText(_SURROGATES.sub("\ufffd", text), all_marks(text))

    text = render(messages, reply)
    if len(text) > CHARACTERS_MAX:
        raise ValueError(f"the chat template makes a prompt of over {CHARACTERS_MAX:,} characters")
    begins = message_start_offsets(text, messages, render)
    said = max((end for _, end, _ in covering_marks(text)), default=0)
    end = end_of_messages(text, messages, render) if reply else None
    reply_at = None if end is None or max(end, said) >= len(text) else max(end, said)
    return plain_value(text), covering_marks(text), begins, reply_at


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
        content = tracked_text(message.content, number)
        if message.is_reasoning:
            reasoning, begins = content, number
            continue
        entry: dict[str, Any] = {"role": message.role, "content": content}
        name = message.recipient.removeprefix("functions.")
        if message.is_call:
            n_calls += 1
            function = {"name": name, "arguments": _parsed_arguments_or_text(content, number)}
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


def _parsed_arguments_or_text(content: str, number: int) -> Any:
    """Return the arguments of a call: JSON whose texts know whose they are, or the text itself."""
    try:
        return tracked_json(json.loads(content), number)
    except (ValueError, RecursionError):
        return content
