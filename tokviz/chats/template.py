"""Chat templates: Jinja that turns messages into a prompt, as `apply_chat_template` of transformers does.

A template comes with a file from anywhere, so it is rendered in jinja2's ImmutableSandboxedEnvironment, in a child
process with limits on time, memory and output. It gets what transformers gives it: messages, tools,
add_generation_prompt, the special tokens by name, `raise_exception`, `strftime_now`, `tojson` and loop controls.
Messages are `TrackedText`, so the prompt knows which of its characters they say.
"""

import json
import re
import traceback
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache, partial
from itertools import takewhile
from typing import Any, ClassVar

import jinja2
import jinja2.ext
import jinja2.nodes
import jinja2.parser
import jinja2.sandbox
import jinja2.visitor

from tokviz.chats.prompt import CHARACTERS_MAX, Message, Prompt
from tokviz.chats.tracked import TrackedText, joined, joined_by, marks_of, tracked
from tokviz.core.chat_settings import ChatSettings
from tokviz.core.pretokens import well_formed
from tokviz.system import sandbox

SECONDS = 5.0  # of processor time for one chat; a template in use takes some milliseconds
SOURCE_MAX = 200_000  # characters; the longest in use have some 10,000
WORDS_MAX = 500  # characters of what a template says when it refuses something
_HELD = re.compile(r'"\\u0000([0-9]+)\\u0000"')


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
    whether an answer begins at the end, as far as the template can begin one. now: what `strftime_now` tells.
    Raises ValueError, with the line, for a template that fails or refuses these messages.

    >>> source = "{% for m in messages %}[{{ m.role }}] {{ m.content | trim }}\\n{% endfor %}"
    >>> prompt = template_prompt(source, [Message("user", " Hi! ")])
    >>> prompt.text, prompt.contents
    ('[user] Hi!\\n', ((7, 10, 0),))
    """
    if len(source) > SOURCE_MAX:
        raise ValueError(f"the template has {len(source):,} characters; at most {SOURCE_MAX:,} are allowed")
    given = dict(settings.tokens) if settings else {}
    plain = [(each.role, well_formed(each.content), each.channel, each.recipient) for each in messages]
    when = (now or datetime.now()).isoformat()
    text, contents, begins, reply_at = sandbox.call(
        _rendered, source, plain, given, list(tools), reply, when, seconds=SECONDS, what="the chat template", key=source
    )
    return Prompt(text, contents, begins, reply_at)


def jinja_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return messages as templates take them; each text says whose it is.

    The assistant's reasoning goes with what it says next, as `reasoning_content`; calls of functions are `tool_calls`.

    >>> jinja_messages([Message("assistant", '{"x": 1}', "commentary", "functions.f")])[0]["tool_calls"][0]["function"]
    {'name': 'f', 'arguments': {'x': 1}}
    """
    found: list[dict[str, Any]] = []
    reasoning: str | None = None
    n_calls = 0
    for number, message in enumerate(messages):
        content = tracked(message.content, number)
        if message.role == "assistant" and message.channel == "analysis" and not message.is_call:
            reasoning = content
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
        reasoning = None
        found.append(entry | {"_number": number})
    if reasoning is not None:
        found.append({"role": "assistant", "content": "", "reasoning_content": reasoning, "_number": len(messages) - 1})
    return found


def _call_id(number: int) -> str:
    return f"call{number:05}"  # of nine letters and digits, as Mistral's templates insist


class _OwnedDict(dict):
    """An object of JSON that a message holds, and its number."""

    owner: int


class _OwnedList(list):
    """A list of JSON that a message holds, and its number."""

    owner: int


def _arguments(content: str, number: int) -> Any:
    """Return the arguments of a call: JSON whose texts know whose they are, or the text itself."""
    try:
        return _tracked(json.loads(content), number)
    except (ValueError, RecursionError):
        return content


def _tracked(value: Any, owner: int) -> Any:
    if isinstance(value, str):
        return tracked(value, owner)
    if not isinstance(value, dict | list):
        return value
    if isinstance(value, dict):
        made: Any = _OwnedDict({key: _tracked(each, owner) for key, each in value.items()})
    else:
        made = _OwnedList(_tracked(each, owner) for each in value)
    made.owner = owner
    return made


# -- inside the child process --------------------------------------------------------------------------------------


def _rendered(
    source: str, plain: list[tuple[str, ...]], given: dict[str, str], tools: list[Any], reply: bool, when: str
) -> tuple[str, tuple[tuple[int, int, int], ...], tuple[int | None, ...], int | None]:
    """Return text, contents, begins and reply of a prompt; runs in a child process."""
    entries = jinja_messages([Message(*parts) for parts in plain])
    now = datetime.fromisoformat(when)

    def render(n: int, reply: bool) -> str:
        shown = [{k: v for k, v in entry.items() if k != "_number"} for entry in entries[:n]]
        return _render(source, shown, given, tools, reply, now)

    text = render(len(entries), reply)
    if len(text) > CHARACTERS_MAX:
        raise ValueError(f"the chat template makes a prompt of over {CHARACTERS_MAX:,} characters")
    text = TrackedText(well_formed(text), [mark for mark in marks_of(text) if mark[2] in range(len(plain))])
    ends = [_common(text, _or_none(render, n)) for n in range(len(entries))]
    begins: list[int | None] = [None] * len(plain)
    first_said = {owner: start for start, _, owner in reversed(marks_of(text))}
    at = 0
    for entry, end in zip(entries, ends, strict=True):
        owner = entry["_number"]
        at = max(at, first_said.get(owner, at) if end is None else min(end, first_said.get(owner, end)))
        begins[owner] = at
    for owner, start in first_said.items():  # reasoning that stands with what was said after it
        if begins[owner] is None:
            begins[owner] = start
    whole = _common(text, _or_none(render, len(entries))) if reply else None
    said = max((end for _, end, _ in marks_of(text)), default=0)
    reply_at = None if whole is None or max(whole, said) >= len(text) else max(whole, said)
    return str.__str__(text)[:], marks_of(text), tuple(begins), reply_at


def _or_none(render: Any, n: int) -> str | None:
    """Return the first messages rendered alone; None if the template refuses them."""
    try:
        return render(n, False)
    except ValueError:
        return None


def _common(text: str, beginning: str | None) -> int | None:
    """Return how far a text begins like another."""
    if beginning is None:
        return None
    if text.startswith(beginning):
        return len(beginning)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(str(text), str(beginning), strict=False)))


def _render(
    source: str, messages: list[Any], given: dict[str, str], tools: list[Any], reply: bool, now: datetime
) -> str:
    environment, template = _compiled(source)
    environment.globals["strftime_now"] = now.strftime
    try:
        return template.render(
            **{**given, "messages": messages, "tools": tools or None, "documents": None, "add_generation_prompt": reply}
        )
    except _Refused as e:
        raise ValueError(f"the chat template refuses these messages: {_words(e)}") from e
    except MemoryError:
        raise
    except Exception as e:  # a template can fail in any way that Python can
        lines = [frame.lineno for frame in traceback.extract_tb(e.__traceback__) if frame.filename == "<template>"]
        where = f"line {lines[-1]}: " if lines else ""
        raise ValueError(f"the chat template fails: {where}{_words(e) or type(e).__name__}") from e


def _words(e: BaseException) -> str:
    """Return the words of an error, which may be a template's own, as far as a page can show them."""
    words = well_formed(str(e))
    return words if len(words) <= WORDS_MAX else words[:WORDS_MAX] + "…"


class _Refused(Exception):
    """The template called `raise_exception`."""


def _refuse(words: object) -> None:
    raise _Refused(str(words))


class _Generation(jinja2.ext.Extension):
    """{% generation %}, which marks what the assistant says for training, and changes no text."""

    tags: ClassVar[set[str]] = {"generation"}

    def parse(self, parser: jinja2.parser.Parser) -> list[jinja2.nodes.Node]:
        """Return what stands between the tags."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class _Environment(jinja2.sandbox.ImmutableSandboxedEnvironment):
    """An environment that joins texts without losing their marks."""

    concat = staticmethod(joined)


class _Joining(jinja2.visitor.NodeTransformer):
    """Have `a ~ b` done by a filter, for Jinja would join them as plain texts."""

    def visit_Concat(self, node: jinja2.nodes.Concat) -> jinja2.nodes.Node:
        """Return the same texts, joined by a filter."""
        self.generic_visit(node)
        texts = jinja2.nodes.List(node.nodes, lineno=node.lineno)
        joined_here = jinja2.nodes.Filter(texts, "concatenated", [], [], None, None, lineno=node.lineno)
        joined_here.set_environment(node.environment)
        texts.set_environment(node.environment)
        return joined_here


def _to_json(
    value: Any, ensure_ascii: bool = False, indent: int | None = None, separators: Any = None, sort_keys: bool = False
) -> str:
    """Return JSON as transformers writes it: characters as they are, and nothing escaped for HTML."""
    written = partial(json.dumps, ensure_ascii=ensure_ascii, separators=separators, sort_keys=sort_keys)
    held: list[str] = []

    def hold(value: Any) -> Any:
        """Return the value with a name in place of each part that a message says."""
        if isinstance(value, _OwnedDict | _OwnedList) and indent is None:
            held.append(tracked(written(value), value.owner))
        elif isinstance(value, str) and (marks := marks_of(value)):
            quoted = written(value)
            held.append(joined(['"', tracked(quoted[1:-1], marks[0][2]), '"']))
        elif isinstance(value, dict):
            return {key: hold(each) for key, each in value.items()}
        elif isinstance(value, list | tuple):
            return [hold(each) for each in value]
        else:
            return value
        return f"\0{len(held) - 1}\0"

    pieces = _HELD.split(written(hold(value), indent=indent))
    return joined(held[int(piece)] if n % 2 else piece for n, piece in enumerate(pieces))


def _join(values: Any, d: str = "", attribute: str | None = None) -> str:
    """As Jinja's filter `join`."""
    found = (value[attribute] if attribute else value for value in values)
    return joined_by(d, map(str, found))


@lru_cache(maxsize=8)
def _compiled(source: str) -> tuple[_Environment, jinja2.Template]:
    environment = _Environment(trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, jinja2.ext.loopcontrols])
    environment.filters |= {
        "tojson": _to_json, "join": _join, "concatenated": lambda texts: joined(map(str, texts))
    }  # fmt: skip
    environment.globals["raise_exception"] = _refuse
    try:
        return environment, environment.from_string(_Joining().visit(environment.parse(source)))
    except jinja2.TemplateSyntaxError as e:
        raise ValueError(f"the chat template is not valid Jinja, line {e.lineno}: {e.message}") from e
    except RecursionError as e:
        raise ValueError("the chat template is nested too deeply") from e
