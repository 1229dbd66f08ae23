"""Chat templates: Jinja that turns messages into a prompt, as `apply_chat_template` of transformers does.

A template comes with a file from anywhere, so it is rendered in jinja2's ImmutableSandboxedEnvironment, in a child
process with limits on time, memory and output. It gets what transformers gives it: messages, tools,
add_generation_prompt, the special tokens by name, `raise_exception`, `strftime_now`, `tojson` and loop controls.
Messages are `TrackedText`, so the prompt knows which of its characters they say.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Any

from tokviz.chats.harmony_tools import parsed_tools
from tokviz.chats.prompt import CHARACTERS_MAX, Message, Prompt
from tokviz.chats.template_environment import rendered_text
from tokviz.chats.template_stretches import end_of_messages, message_start_offsets
from tokviz.chats.tracked_text import (
    TrackedText,
    TrackedTurn,
    all_marks,
    covering_marks,
    generated_stretches,
    line_starts,
    plain_value,
    tracked_json,
    tracked_text,
    turn_starts_and_owners,
)
from tokviz.core.common_prefix import common_length
from tokviz.core.pretokens import well_formed_text
from tokviz.core.protocol import AnyTokenizer, as_tokenizer
from tokviz.system import sandbox

SECONDS = 5.0  # of processor time for one chat; a template in use takes some milliseconds
TURNS_SECONDS = 20.0  # for several prompts; those of 200 turns take two, and some times that on a busy machine
TURNS_CHARACTERS_MAX = 2_000_000  # of each prompt of several
SOURCE_MAX = 200_000  # characters; the longest in use have some 10,000
_SURROGATES = re.compile(r"[\ud800-\udfff]")  # replaced one for one, so that marks stay where they are
# What families of models have as special tokens. Anything else that a template writes may be meant as ordinary text.
_SPECIAL_TOKEN = re.compile(r"<[|｜][\w▁]+[|｜]>|</?s>|<bos>|<(?:start|end)_of_turn>|\[/?INST\]")
_DEFAULT = re.compile(r"default\([^()]*\)")


@dataclass(frozen=True)
class Template:
    """A chat template.

    tokens: the special tokens it is given, as pairs. tools: JSON, as `parsed_tools` takes it. now: what `strftime_now`
    returns.
    """

    name: str
    source: str
    tokens: tuple[tuple[str, str], ...] = ()
    tools: str = ""
    now: datetime | None = None
    takes_long = True

    def tokenizer(self, base: AnyTokenizer) -> AnyTokenizer:
        """Return the tokenizer as it is: a template goes with the special tokens there are."""
        return as_tokenizer(base, "a chat")

    def prompt(self, messages: Sequence[Message], *, reply: bool = True) -> Prompt:
        r"""Return the prompt of messages.

        reply: whether an answer begins at the end, as far as the template can begin one. Raises ValueError, with the
        line, for a template that fails or refuses these messages.

        >>> template = Template("T", "{% for m in messages %}[{{ m.role }}] {{ m.content | trim }}\n{% endfor %}")
        >>> prompt = template.prompt([Message("user", " Hi! ")])
        >>> prompt.text, prompt.contents
        ('[user] Hi!\n', ((7, 10, 0),))
        """
        return Prompt(*self._made_in_child(_prompt_data, messages, reply))

    def prompts(self, messages: Sequence[Message], cuts: Sequence[tuple[int, bool]]) -> list[Prompt]:
        """Return the prompts of the first n messages, for each n and whether an answer begins that `cuts` has.

        No n may part what a template takes as one message. Where a message begins is known only if the template writes
        it in a round of a loop, and where the answer begins is not; otherwise as `prompt`.

        >>> chat = [Message("user", "Hi!"), Message("assistant", "Ho!")]
        >>> template = Template("T", "{% for m in messages %}<{{ m.content }}>{% endfor %}")
        >>> [(prompt.text, prompt.begins) for prompt in template.prompts(chat, [(1, True), (2, False)])]
        [('<Hi!>', (0,)), ('<Hi!><Ho!>', (0, 5))]
        """
        prompts, text = [], ""
        for n_common, rest, *others in self._made_in_child(_prompts_data, messages, cuts, seconds=TURNS_SECONDS):
            text = text[:n_common] + rest
            prompts.append(Prompt(text, *others))
        return prompts

    def line_starts(self, messages: Sequence[Message], *, reply: bool = True) -> tuple[tuple[int, int], ...]:
        r"""Return where each stretch of a prompt begins, and the line of the template, from 1, that writes it.

        >>> template = Template("T", "{% for m in messages %}\n{{ m.content }}!{% endfor %}")
        >>> template.line_starts([Message("user", "Hi")])
        ((0, 2), (2, 2))
        """
        found: tuple[tuple[int, int], ...] = self._made_in_child(_line_data, messages, reply)
        return found

    def special_tokens(self) -> list[str]:
        """Return the special tokens that its source writes, in the order of their first places.

        >>> Template("T", "<|im_start|>{{ messages[0].content }}<|im_end|><|im_start|>").special_tokens()
        ['<|im_start|>', '<|im_end|>']
        """
        source = _DEFAULT.sub("", self.source) if self.tokens else self.source
        return [*dict.fromkeys(_SPECIAL_TOKEN.findall(source))]

    def _made_in_child(
        self, function: Callable[..., Any], messages: Sequence[Message], *more: Any, seconds: float | None = None
    ) -> Any:
        """Return what a function makes of the template, messages and its other variables, in a child process."""
        if len(self.source) > SOURCE_MAX:
            raise ValueError(f"the template has {len(self.source):,} characters; at most {SOURCE_MAX:,} are allowed")
        well = [replace(each, content=well_formed_text(each.content)) for each in messages]
        variables = {**dict(self.tokens), "tools": parsed_tools(self.tools) or None, "documents": None}
        return sandbox.call(
            function,
            self.source,
            well,
            variables,
            self.now or datetime.now(),
            *more,
            seconds=seconds or SECONDS,
            what="the chat template",
            key=self.source,
        )


def _prompt_data(source: str, messages: list[Message], variables: dict, now: datetime, reply: bool) -> tuple[Any, ...]:
    """Return the fields of a prompt; runs in a child process."""

    def render(shown: Sequence[Message], reply: bool = False) -> str:
        return _marked_text(source, jinja_messages(shown), variables, now, reply)

    text = render(messages, reply)
    if len(text) > CHARACTERS_MAX:
        raise ValueError(f"the chat template makes a prompt of over {CHARACTERS_MAX:,} characters")
    begins = message_start_offsets(text, messages, render)
    said = max((end for _, end, _ in covering_marks(text)), default=0)
    end = end_of_messages(text, messages, render) if reply else None
    reply_at = None if end is None or max(end, said) >= len(text) else max(end, said)
    return plain_value(text), covering_marks(text), begins, reply_at, None, generated_stretches(text)


def _prompts_data(
    source: str, messages: list[Message], variables: dict, now: datetime, cuts: Sequence[tuple[int, bool]]
) -> list[tuple[Any, ...]]:
    """Return the fields of prompts, of each text how much the one before has too, and the rest; in a child process."""
    entries, found, before = jinja_messages(messages), [], ""
    firsts = [entry._owner for entry in entries]
    for n_messages, reply in cuts:
        marked = _marked_text(source, entries[: bisect_left(firsts, n_messages)], variables, now, reply)
        text = plain_value(marked)
        if len(text) > TURNS_CHARACTERS_MAX:
            raise ValueError(f"the chat template makes a prompt of over {TURNS_CHARACTERS_MAX:,} characters")
        n_common = common_length(before, text)
        contents = covering_marks(marked)
        said = {owner: start for start, _, owner in reversed(contents)}
        # A template may go through the messages before it writes them, so the last round counts.
        starts = turn_starts_and_owners(marked)
        begins = {owner: start for start, owner in starts if start <= said.get(owner, start)}
        fields = contents, tuple(map(begins.get, range(n_messages))), None, None
        found.append((n_common, text[n_common:], *fields, generated_stretches(marked)))
        before = text
    return found


def _line_data(
    source: str, messages: list[Message], variables: dict, now: datetime, reply: bool
) -> tuple[tuple[int, int], ...]:
    """Return where what each line of a template writes begins; runs in a child process."""
    return line_starts(_marked_text(source, jinja_messages(messages), variables, now, reply, with_lines=True))


def _marked_text(
    source: str, entries: list[TrackedTurn], variables: dict, now: datetime, reply: bool, *, with_lines: bool = False
) -> str:
    """Return what a template makes of messages as it takes them, with its marks."""
    chat = {"messages": entries, "add_generation_prompt": reply}
    text = rendered_text(source, {**variables, **chat}, now, with_lines=with_lines)
    try:
        text.encode()
    except UnicodeEncodeError:
        return TrackedText(_SURROGATES.sub("\ufffd", text), all_marks(text))
    return text


def jinja_messages(messages: Sequence[Message]) -> list[TrackedTurn]:
    """Return messages as templates take them; each text says whose it is.

    What the assistant thinks goes with what it says next, as `reasoning_content`, and so do the functions that it
    calls then, as `tool_calls`. Content with images is a list of parts.

    >>> jinja_messages([Message("assistant", '{"x": 1}', "commentary", "functions.f")])[0]["tool_calls"][0]["function"]
    {'name': 'f', 'arguments': {'x': 1}}
    """
    found: list[TrackedTurn] = []
    called: list[str] = []  # ids of calls whose results have not come
    n_calls, before = 0, None
    for number, message in enumerate(messages):
        name = message.recipient.removeprefix("functions.")
        content = _content(message, number)
        follows = before is not None and before.role == message.role == "assistant"
        continues = follows and (message.is_call or (before is not None and before.is_reasoning))
        if not continues or message.is_reasoning:
            found.append(TrackedTurn({"role": message.role, "content": ""}, number))
        entry = found[-1]
        if message.is_reasoning:
            entry["reasoning_content"] = entry["thinking"] = content  # the second is what gpt-oss reads
        elif message.is_call:
            n_calls += 1
            called.append(message.call_id or f"call{n_calls:05}")  # nine letters and digits, as Mistral's insist
            function = {"name": name, "arguments": _parsed_arguments_or_text(content, number)}
            call = {"type": "function", "id": called[-1], "function": function}
            entry["tool_calls"] = [*entry.get("tool_calls", ()), call]
        else:
            entry["content"] = content
        if message.role == "tool":
            answered = called.pop(0) if called else f"call{n_calls:05}"
            entry |= {"name": name or "tool", "tool_call_id": message.call_id or answered}
        before = message
    return found


def _content(message: Message, number: int) -> Any:
    """Return what a message says as templates take it: a text, or parts where there are images."""
    if not message.images:
        return tracked_text(message.content, number)
    parts: list[dict[str, Any]] = []
    for start, stop in pairwise([0, *message.images, len(message.content)]):
        if start < stop:
            parts.append({"type": "text", "text": tracked_text(message.content[start:stop], number)})
        parts.append({"type": "image"})
    return parts[:-1]


def _parsed_arguments_or_text(content: str, number: int) -> Any:
    """Return the arguments of a call: JSON whose texts know whose they are, or the text itself."""
    try:
        return tracked_json(json.loads(content), number)
    except (ValueError, RecursionError):
        return content
