"""Harmony: the format of chats for gpt-oss models, as OpenAI publishes it (docs/format.md of openai/harmony).

A message is `<|start|>role<|channel|>channel<|message|>…<|end|>`. What others call the system message is the
developer's here, with the functions that can be called; the system's names the model, the dates, the effort and the
channels.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from tokviz.chats.harmony_tools import FUNCTIONS, tools_text
from tokviz.chats.prompt import CHANNELS, Message, Piece, Prompt, message_pieces

IDENTITY = "You are ChatGPT, a large language model trained by OpenAI."
KNOWLEDGE_CUTOFF = "2024-06"
EFFORTS = ("low", "medium", "high")
MARKERS = ("<|start|>", "<|end|>", "<|message|>", "<|channel|>", "<|constrain|>", "<|call|>")


def harmony_prompt(
    messages: Sequence[Message],
    *,
    tools: Sequence[Mapping[str, Any]] = (),
    effort: str = "medium",
    today: date | None = None,
    reply: bool = True,
) -> Prompt:
    """Return the prompt of messages in harmony, for a tokenizer with its markers, such as o200k_harmony.

    tools: functions as JSON, in the form of OpenAI's API. effort: of reasoning, one of EFFORTS. today: the date that
    the model is told, None for none. reply: whether the assistant's answer begins at the end. Once the assistant has
    answered, what it thought before its first answer is left out.

    >>> prompt = harmony_prompt([Message("user", "Hi!")], today=date(2025, 6, 28))
    >>> prompt.text[-73:]
    'every message.<|end|><|start|>user<|message|>Hi!<|end|><|start|>assistant'
    """
    rules = system_text(tools=tools, effort=effort, today=today)
    pieces = [*message_pieces(None, [("<|start|>", "system"), ("<|message|>", rules)], "", "<|end|>")]
    described = tools_text(tools) if tools else ""
    first = next((n for n, message in enumerate(messages) if message.role == "system"), None)
    if first is None and described:
        pieces += message_pieces(None, [("<|start|>", "developer"), ("<|message|>", described)], "", "<|end|>")
    left_out = _left_out_numbers(messages)
    for number, message in enumerate(messages):
        if number in left_out:
            continue
        after = f"\n\n{described}" if described and number == first else ""
        end = "<|call|>" if message.is_call else "<|end|>"
        pieces += message_pieces(number, _head(message), message.content, end, after=after)
    if reply:
        pieces += [Piece("<|start|>", None, is_marker=True), Piece("assistant", None)]
    return Prompt.of_pieces(pieces, len(messages))


def _left_out_numbers(messages: Sequence[Message]) -> set[int]:
    """Return which messages are left out: reasoning before the first answer, if the assistant's last is an answer."""
    said = [n for n, message in enumerate(messages) if message.role == "assistant"]
    answers = [n for n in said if _channel(messages[n]) == "final"]
    if not said or not answers or said[-1] != answers[-1]:
        return set()
    return {n for n in said if n < answers[0] and _channel(messages[n]) == "analysis"}


def _channel(message: Message) -> str:
    return "commentary" if message.is_call and message.channel == "final" else message.channel


def _head(message: Message) -> list[tuple[str, str]]:
    """Return the markers before what a message says, each with what follows it; the developer says the system's."""
    match message.role:
        case "system":
            return [("<|start|>", "developer"), ("<|message|>", "# Instructions\n\n")]
        case "tool":
            called = message.recipient or "functions.tool"
            return [("<|start|>", f"{called} to=assistant"), ("<|channel|>", "commentary"), ("<|message|>", "")]
        case "assistant" if message.is_call:
            called = f"assistant to={message.recipient}"
            head = [("<|start|>", called), ("<|channel|>", f"{_channel(message)} "), ("<|constrain|>", "json")]
            return [*head, ("<|message|>", "")]
        case "assistant":
            return [("<|start|>", "assistant"), ("<|channel|>", _channel(message)), ("<|message|>", "")]
    return [("<|start|>", message.role), ("<|message|>", "")]


def system_text(*, tools: Sequence[Mapping[str, Any]] = (), effort: str = "medium", today: date | None = None) -> str:
    """Return the text of the system's message.

    >>> print(system_text(effort="high", today=date(2025, 6, 28)))
    You are ChatGPT, a large language model trained by OpenAI.
    Knowledge cutoff: 2024-06
    Current date: 2025-06-28
    <BLANKLINE>
    Reasoning: high
    <BLANKLINE>
    # Valid channels: analysis, commentary, final. Channel must be included for every message.
    """
    if effort not in EFFORTS:
        raise ValueError(f"the effort must be one of {', '.join(EFFORTS)}, not {effort!r}")
    known = [IDENTITY, f"Knowledge cutoff: {KNOWLEDGE_CUTOFF}"] + ([f"Current date: {today}"] if today else [])
    channels = f"# Valid channels: {', '.join(sorted(CHANNELS))}. Channel must be included for every message."
    if tools:
        channels += f"\nCalls to these tools must go to the commentary channel: '{FUNCTIONS}'."
    return "\n\n".join(["\n".join(known), f"Reasoning: {effort}", channels])
