"""A chat written out as text: raw ChatML, harmony, Llama 3, Mistral or Gemma, or messages as JSON, taken apart again.

A text is told by how it begins, which is quick however long it is.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from tokviz.chats.messages import messages_of
from tokviz.chats.prompt import CHARACTERS_MAX, Message

JSON = "JSON"
BEGINNING = 1_000  # characters, by which a text is recognised
ROLES = {"developer": "system", "model": "assistant", "human": "user", "ipython": "tool", "function": "tool"}
_BEFORE = r"\s*(?:<s>|<bos>|<\|begin_of_text\|>)?\s*"
# How a text in each format begins, by the names of the formats here.
_BEGINS = {
    name: re.compile(_BEFORE + begins)
    for name, begins in {
        "ChatML": r"<\|im_start\|>\w",
        "harmony": r"<\|start\|>\w",
        "As Llama 3": r"<\|start_header_id\|>\w",
        "As Mistral": r"\[INST\]",
        "As Gemma": r"<start_of_turn>\w",
        JSON: r'(?:\[\s*|\{[^\[]*"(?:messages|conversations|prompt)"\s*:\s*\[\s*)'
        r'\{\s*"(?:role|content|from|value)"\s*:',
    }.items()
}
# A message of each: its role, and what it says.
_TURNS = {
    name: re.compile(turn, re.DOTALL)
    for name, turn in {
        "ChatML": r"<\|im_start\|>(\w+)\n(.*?)(?:<\|im_end\|>|(?=<\|im_start\|>)|\Z)",
        "As Llama 3": r"<\|start_header_id\|>(\w+)<\|end_header_id\|>\s{0,2}(.*?)(?:<\|eo[tm]_id\|>|\Z)",
        "As Gemma": r"<start_of_turn>(\w+)\n(.*?)(?:<end_of_turn>|\Z)",
    }.items()
}
_INSTRUCTION = re.compile(r"\[INST\]((?:(?!\[INST\]).)*?)\[/INST\](.*?)(?=<s>|</s>|\[INST\]|\Z)", re.DOTALL)
_SYSTEM = re.compile(r"\s*<<SYS>>\n?(.*?)\n?<</SYS>>\s*", re.DOTALL)
_HARMONY = re.compile(
    r"<\|start\|>([\w.]+)(?: to=([\w.]+))?(?:<\|channel\|>(\w+))?(?: to=([\w.]+))?[^<]*(?:<\|constrain\|>\w+)?"
    r"<\|message\|>(.*?)(?:<\|(?:end|call|return)\|>|\Z)",
    re.DOTALL,
)


def chat_format_name_in(text: str) -> str | None:
    """Return in which format a text is a chat, by its beginning; None for any other text.

    >>> [chat_format_name_in(text) for text in ("<|im_start|>user\\nHi!<|im_end|>", '[{"role": "user"', "[1]")]
    ['ChatML', 'JSON', None]
    """
    beginning = text[:BEGINNING]
    return next((name for name, begins in _BEGINS.items() if begins.match(beginning)), None)


def messages_in(text: str) -> list[Message]:
    """Return the messages of a chat that is written out, without an answer that only begins; ValueError for no chat.

    >>> messages_in("<start_of_turn>user\\nHi!<end_of_turn>\\n<start_of_turn>model\\n")
    [Message(role='user', content='Hi!', channel='final', recipient='')]
    """
    name = chat_format_name_in(text)
    if name is None:
        raise ValueError("this text does not begin as a chat")
    if len(text) > CHARACTERS_MAX:
        raise ValueError(f"the chat has {len(text):,} characters; at most {CHARACTERS_MAX:,} are allowed")
    if name == JSON:
        found = list(_json_messages(text))
    elif name == "harmony":
        found = list(_harmony_messages_but_system(text))
    elif name == "As Mistral":
        found = list(_mistral_messages(text))
    else:
        found = [Message(_role_or_user(role), content) for role, content in _TURNS[name].findall(text)]
    if found and found[-1].role == "assistant" and not found[-1].content:
        found.pop()
    if not found:
        raise ValueError(f"this text begins as a chat ({name}), but no message in it is complete")
    return found


def _role_or_user(role: str) -> str:
    """Return a role as the pages have it; any that is unknown is the user's."""
    role = ROLES.get(role, role)
    return role if role in ("system", "user", "assistant", "tool") else "user"


def _mistral_messages(text: str) -> Iterator[Message]:
    for said, answer in _INSTRUCTION.findall(text):
        if system := _SYSTEM.match(said):
            yield Message("system", system[1])
            said = said[system.end() :]
        yield Message("user", said.strip())
        if answer.strip():
            yield Message("assistant", answer.strip())


def _harmony_messages_but_system(text: str) -> Iterator[Message]:
    """Yield the messages but the system's, which the format writes by itself."""
    for who, to, channel, also_to, content in _HARMONY.findall(text):
        recipient = to or also_to
        if who == "developer":
            yield Message("system", content.removeprefix("# Instructions\n\n"))
        elif "." in who:
            yield Message("tool", content, recipient=who)
        elif who == "assistant":
            yield Message(who, content, channel or "final", recipient)
        elif who != "system":
            yield Message(_role_or_user(who), content)


def _lacks_content(given: dict[str, object]) -> bool:
    return "role" in given and given.get("content") is None


def _json_messages(text: str) -> Iterator[Message]:
    try:
        # The answer that comes next, a refusal and the call of an older API have no content.
        given = json.loads(text, object_hook=lambda one: one | {"content": ""} if _lacks_content(one) else one)
    except (ValueError, RecursionError) as e:
        raise ValueError(f"these messages are not JSON: {e}") from e
    for message in messages_of(given):
        yield replace(message, role=_role_or_user(message.role))
