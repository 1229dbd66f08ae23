"""Conversations that find trouble in a chat template: what it refuses, rewrites from turn to turn, or leaves out."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tokviz.chats.formats import ChatFormat, ChatML, given_or_default_format, with_tools
from tokviz.chats.messages import messages_of
from tokviz.chats.prompt import Message, Prompt
from tokviz.conversations.answers import answer_ranges
from tokviz.conversations.turns import turns
from tokviz.core.protocol import as_tokenizer
from tokviz.system.sandbox import SandboxError
from tokviz.text.words import quantity

REFUSED, REWRITES, DROPS, FINE = "refused", "rewrites", "drops", "fine"
_FUNCTION = "get_weather"
TOOLS = """\
[{"name": "get_weather",
  "description": "Tells the weather of a city.",
  "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}]"""


def _user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def _assistant(content: str = "", reasoning: str = "", cities: Sequence[str] = ()) -> dict[str, Any]:
    calls = [{"function": {"name": _FUNCTION, "arguments": {"city": city}}} for city in cities]
    return {"role": "assistant", "content": content, "reasoning_content": reasoning, "tool_calls": calls}


def _result(content: str) -> dict[str, Any]:
    return {"role": "tool", "name": _FUNCTION, "content": content}


_SYSTEM = {"role": "system", "content": "Answer in one sentence."}
_WEATHER, _AGAIN = _user("How is the weather in Chiang Mai?"), _user("And tomorrow?")
CONVERSATIONS: dict[str, list[dict[str, Any]]] = {
    "A question": [_user("Is 17 a prime number?")],
    "Three turns": [_user("Hello!"), _assistant("Hi."), _user("Is 17 prime?"), _assistant("Yes."), _user("And 18?")],
    "A system message": [_SYSTEM, _user("Is 17 prime?"), _assistant("Yes."), _user("And 18?")],
    "A system message later": [_user("Hello!"), _assistant("Hi."), _SYSTEM, _user("Is 17 prime?")],
    "Two questions in a row": [_user("Is 17 prime?"), _user("And 18?"), _assistant("17 is, 18 is not."), _user("19?")],
    "The assistant begins": [_assistant("How can I help?"), _user("Is 17 prime?"), _assistant("Yes."), _user("18?")],
    "A function call": [_WEATHER, _assistant(cities=["Chiang Mai"]), _result("31 °C"), _assistant("Hot."), _AGAIN],
    "Two calls at once": [
        _user("Is it warmer in Chiang Mai or in Hanoi?"),
        _assistant("Let me see.", cities=["Chiang Mai", "Hanoi"]),
        _result("31 °C"),
        _result("27 °C"),
        _assistant("In Chiang Mai."),
        _AGAIN,
    ],
    "Reasoning": [_user("Is 17 prime?"), _assistant("Yes.", "2 and 3 do not divide 17."), _user("And 18?")],
    "Reasoning before a call": [
        _WEATHER,
        _assistant("", "I should look it up.", ["Chiang Mai"]),
        _result("31 °C"),
        _assistant("Hot.", "31 °C is hot."),
        _AGAIN,
    ],
    "White space at both ends": [_user(" Is 17 prime?\n"), _assistant("\n\nYes. \n"), _user("And 18?")],
    "Empty messages": [_SYSTEM | {"content": ""}, _user(""), _assistant(""), _user("And 18?")],
    "An image": [_user([{"type": "image"}, {"type": "text", "text": "What is this?"}]), _assistant("A cat."), _AGAIN],
    "An answer to be continued": [_user("Count to five."), _assistant("One, two, ")],
}


@dataclass(frozen=True)
class Trial:
    """What a format makes of a conversation: "refused", "rewrites", "drops" or "fine", and that in words."""

    name: str
    messages: tuple[Message, ...]
    outcome: str
    words: str


def trials(tokenizer: Any, chat_format: ChatFormat | str | None = None) -> Iterator[Trial]:
    """Yield what a format makes of each of the conversations that find trouble.

    tokenizer, chat_format: as `tokviz.chat` takes them. Raises ValueError for a template that takes too long.

    >>> import tokviz
    >>> [each.name for each in trials(tokviz.load("qwen3"), "Strict turns") if each.outcome == "refused"][:2]
    ['A system message later', 'Two questions in a row']
    """
    tokenizer = as_tokenizer(tokenizer, "a chat")
    chat_format = given_or_default_format(chat_format, tokenizer)
    for name, given in CONVERSATIONS.items():
        messages = tuple(messages_of(given, images=True))
        has_calls = any(message.is_call for message in messages)
        shown = with_tools(chat_format, TOOLS if has_calls else "")
        try:
            outcome, words = _outcome_and_words(tokenizer, messages, shown, has_calls=has_calls)
        except SandboxError:
            raise  # the template takes too long, and so it would with the others
        except ValueError as e:
            outcome, words = REFUSED, str(e)
        yield Trial(name, messages, outcome, words)


def trials_in_words(tried: Sequence[Trial]) -> str:
    """Return in a sentence in how many trials nothing is wrong."""
    n_fine = sum(trial.outcome == FINE for trial in tried)
    return f"{n_fine} of {len(tried)} conversations are written in full, and keep their tokens from turn to turn."


def _outcome_and_words(
    tokenizer: Any, messages: Sequence[Message], chat_format: ChatFormat, *, has_calls: bool
) -> tuple[str, str]:
    stops = [(stop, False) for _, stop in answer_ranges(messages)]
    *answered, whole, request = chat_format.prompts(messages, [*stops, (len(messages), False), (len(messages), True)])
    dropped = list(_dropped(messages, [*answered, whole], chat_format))
    if has_calls and not isinstance(chat_format, ChatML) and "Tells the weather" not in whole.text:
        dropped.append("the descriptions of the functions")
    found = turns(tokenizer, messages, chat_format=chat_format)
    if dropped:
        return DROPS, f"The prompt does not contain {', '.join(dropped)}."
    if not found.keeps_prefix:
        return REWRITES, found.verdict
    if messages[-1].role == "user" and request.text == whole.text:
        return FINE, "There is no generation prompt: the answer begins after the message."
    return FINE, ""


def _dropped(messages: Sequence[Message], prompts: Sequence[Prompt], chat_format: ChatFormat) -> Iterator[str]:
    """Yield what messages say that is in no prompt of a turn, nor in the last one, of all messages."""
    n_said = [0] * len(messages)
    for prompt in prompts:
        said = Counter[int]()
        for start, stop, owner in prompt.contents:
            said[owner] += stop - start
        n_said = [max(n, said[owner]) for owner, n in enumerate(n_said)]
    for number, message in enumerate(messages):
        kind = "call" if message.is_call else "reasoning" if message.is_reasoning else "content"
        what = f"the {kind} of message {number + 1}, of the {message.role}"
        n_missing = len(message.content.strip()) - n_said[number]
        if message.images:
            (bare,) = chat_format.prompts([replace(each, images=()) for each in messages], [(len(messages), False)])
            if bare.text == prompts[-1].text:
                yield f"the image of message {number + 1}"
        if message.is_call and n_said[number] == 0 and message.recipient.split(".")[-1] not in prompts[-1].text:
            yield what
        elif not message.is_call and n_missing > 0:
            part = f"{quantity(n_missing, 'character')} of " if n_said[number] else ""
            yield part + what
