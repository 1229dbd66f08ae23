"""The Jinja of chat templates: a sandbox with what transformers gives a template, where texts know whose they are.

A template cannot tell a tracked text from a plain one: whatever it does gives the same text, or the same error.
"""

import contextlib
import json
import re
import secrets
import traceback
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import lru_cache, partial
from typing import Any

import jinja2
import jinja2.ext
import jinja2.filters
import jinja2.nodes
import jinja2.parser
import jinja2.runtime
import jinja2.sandbox
import jinja2.visitor

from tokviz.chats.tracked_text import (
    END_GENERATION,
    GENERATION,
    TrackedDict,
    TrackedList,
    TrackedText,
    TrackedTurn,
    all_marks,
    covering_marks,
    joined_text,
    line_mark_owner,
    place_mark,
    plain_value,
    text_marked_safe,
    tracked_text,
)
from tokviz.core.pretokens import well_formed_text

_PLAIN = {"Text": "str", "Markup": "Markup", "Dict": "dict", "List": "list", "Turn": "dict"}  # as errors name types
_TRACKED = re.compile(rf"(?:tokviz\.chats\.tracked_text\.)?Tracked({'|'.join(_PLAIN)})\b")
WORDS_MAX = 500  # characters of what a template says when it refuses something


def rendered_text(source: str, variables: Mapping[str, Any], now: datetime, *, with_lines: bool = False) -> str:
    """Return what a template makes of its variables; ValueError, with the line, if it fails or refuses them.

    with_lines: whether the text knows which line of the template wrote each part of it.
    """
    environment, template = _environment_and_template(source, with_lines)
    environment.globals["strftime_now"] = now.strftime
    try:
        return template.render(variables)
    except _Refused as e:
        raise ValueError(f"the chat template refuses these messages: {_error_text(e)}") from e
    except MemoryError:
        raise
    except Exception as e:  # a template can fail in any way that Python can
        lines = [frame.lineno for frame in traceback.extract_tb(e.__traceback__) if frame.filename == "<template>"]
        where = f"line {lines[-1]}: " if lines else ""
        raise ValueError(f"the chat template fails: {where}{_error_text(e) or type(e).__name__}") from e


def _error_text(e: BaseException) -> str:
    """Return the words of an error, which may be a template's own, as far as a page can show them."""
    words = well_formed_text(_TRACKED.sub(lambda found: _PLAIN[found[1]], str(e)))
    return words if len(words) <= WORDS_MAX else words[:WORDS_MAX] + "…"


class _Refused(Exception):
    """The template called `raise_exception`."""


def _raise_refusal(words: object) -> None:
    raise _Refused(str(words))


class _Generation(jinja2.ext.Extension):
    """{% generation %}, which marks what the assistant says for training, and changes no text."""

    tags = {"generation"}  # noqa: RUF012 (declared by Jinja)

    def parse(self, parser: jinja2.parser.Parser) -> jinja2.nodes.Node:
        """Return what is between the tags, and a mark at both ends."""
        node = jinja2.nodes.Scope(lineno=next(parser.stream).lineno)
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        node.body = [_output(_mark(GENERATION, node), node), *body, _output(_mark(END_GENERATION, node), node)]
        return node


class _Environment(jinja2.sandbox.ImmutableSandboxedEnvironment):
    """An environment that joins texts without losing their marks."""

    concat = staticmethod(joined_text)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute; `join` and `replace` of a plain text keep the marks of what they put in."""
        if type(obj) is TrackedTurn and attribute in obj:
            return obj[attribute]  # as Jinja does in the end, for no message has a key that is the name of a method
        return super().getattr(_tracked_for_method(obj, attribute), attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return an item, or else an attribute, as `getattr` does."""
        return super().getitem(_tracked_for_method(obj, argument), argument)

    def unsafe_undefined(self, obj: Any, attribute: str) -> Any:
        """Return what replaces a forbidden attribute; a tracked value is looked up as its plain value."""
        untracked = plain_value(obj)
        return super().unsafe_undefined(obj, attribute) if untracked is obj else self.getattr(untracked, attribute)


def _tracked_for_method(obj: Any, attribute: Any) -> Any:
    """Return where to look an attribute up: a plain text becomes a tracked one if its method is to keep marks."""
    return TrackedText(obj) if type(obj) is str and attribute in ("join", "replace") else obj


_CONCATENATED, _TURN, _MARK = "~", "~turn", "~mark"  # names of filters that no template can write


class _TrackingTransformer(jinja2.visitor.NodeTransformer):
    """Joins `a ~ b` by a filter, for Jinja would join them as plain texts, and marks the turns in loops of messages.

    with_lines: whether it also marks where what each line of the template writes begins.
    """

    def __init__(self, with_lines: bool) -> None:
        self.with_lines = with_lines

    def visit_Output(self, node: jinja2.nodes.Output) -> jinja2.nodes.Node:
        """Return the same output, each part after the mark of its line."""
        self.generic_visit(node)
        if self.with_lines:
            marked = ((_mark(line_mark_owner(each.lineno), each), each) for each in node.nodes)
            node.nodes = [one for pair in marked for one in pair]
        return node

    def visit_Concat(self, node: jinja2.nodes.Concat) -> jinja2.nodes.Node:
        """Return the same texts, joined by a filter; constants as they are, which Jinja joins in advance."""
        with contextlib.suppress(Exception):  # of whatever they are made of
            node.as_const()
            return node
        self.generic_visit(node)
        return _filter_node(jinja2.nodes.List(node.nodes, lineno=node.lineno), _CONCATENATED, node)

    def visit_For(self, node: jinja2.nodes.For) -> jinja2.nodes.Node:
        """Return the same loop, which begins each round with the mark of its message."""
        self.generic_visit(node)
        if isinstance(node.target, jinja2.nodes.Name):
            message = jinja2.nodes.Name(node.target.name, "load", lineno=node.lineno)
            node.body.insert(0, _output(_filter_node(message, _TURN, node), node))
        return node


def _mark(owner: int, node: jinja2.nodes.Node) -> jinja2.nodes.Filter:
    """Return an empty text that marks a place, in the place of a node."""
    return _filter_node(jinja2.nodes.Const(owner, lineno=node.lineno), _MARK, node)


def _output(value: jinja2.nodes.Expr, node: jinja2.nodes.Node) -> jinja2.nodes.Output:
    """Return the output of a value, in the place of a node."""
    return jinja2.nodes.Output([value], lineno=node.lineno)


def _filter_node(value: jinja2.nodes.Expr, name: str, node: jinja2.nodes.Node) -> jinja2.nodes.Filter:
    """Return what a filter makes of a value, in the place of a node."""
    return jinja2.nodes.Filter(value, name, [], [], None, None, lineno=node.lineno)


def _json_with_marks(
    value: Any, ensure_ascii: bool = False, indent: int | None = None, separators: Any = None, sort_keys: bool = False
) -> str:
    """Return JSON as transformers writes it: characters as they are, and nothing escaped for HTML."""
    written = partial(json.dumps, ensure_ascii=ensure_ascii, separators=separators, sort_keys=sort_keys)
    name = secrets.token_hex(8)  # that no text can know
    held: list[str] = []

    def hold(value: Any) -> Any:
        """Return the value with a name in place of each part that a message says."""
        if isinstance(value, TrackedDict | TrackedList) and indent is None:
            held.append(tracked_text(written(value), value._owner))
        elif isinstance(value, str) and covering_marks(value):
            held.append(_quoted_with_marks(value, written))
        elif isinstance(value, dict):
            return {key: hold(each) for key, each in value.items()}
        elif isinstance(value, list | tuple):
            return [hold(each) for each in value]
        else:
            return value
        return f"{name} {len(held) - 1}"

    pieces = re.split(f'"{name} ([0-9]+)"', written(hold(value), indent=indent))
    return _plain_if_unmarked(joined_text(held[int(piece)] if n % 2 else piece for n, piece in enumerate(pieces)))


def _quoted_with_marks(text: str, written: Callable[[str], str]) -> str:
    """Return a text as JSON, with its marks where they are there."""
    at, found = 0, []
    for start, end, owner in covering_marks(text):
        found += [written(text[at:start])[1:-1], tracked_text(written(text[start:end])[1:-1], owner)]
        at = end
    return joined_text(['"', *found, written(text[at:])[1:-1], '"'])


def _plain_if_unmarked(text: str) -> str:
    """Return a text without marks as a plain one: Jinja works out constants in advance only where they are plain."""
    return text if all_marks(text) else plain_value(text)


def _tracked_unless_markup(context: jinja2.nodes.EvalContext, value: Any) -> Any:
    """Return a value as a text that keeps the marks of what it joins or takes in, unless that is to be escaped."""
    return value if context.autoescape and hasattr(value, "__html__") else joined_text([str(value)])


@jinja2.pass_eval_context
def _join(context: jinja2.nodes.EvalContext, values: Any, d: Any = "", attribute: str | int | None = None) -> str:
    """As Jinja's filter `join`, which has the separator join the rest."""
    return _plain_if_unmarked(
        jinja2.filters.FILTERS["join"](context, values, _tracked_unless_markup(context, d), attribute)
    )


@jinja2.pass_eval_context
def _replace(context: jinja2.nodes.EvalContext, s: Any, old: str, new: str, count: int | None = None) -> str:
    """As Jinja's filter `replace`."""
    return _plain_if_unmarked(
        jinja2.filters.FILTERS["replace"](context, _tracked_unless_markup(context, s), old, new, count)
    )


@jinja2.pass_eval_context
def _concatenate(context: jinja2.nodes.EvalContext, texts: list[Any]) -> str:
    """As Jinja's operator `~`."""
    return jinja2.runtime.markup_join(texts) if context.autoescape else _plain_if_unmarked(joined_text(map(str, texts)))


def _turn_mark(value: Any) -> str:
    """Return the mark of a message's turn, an empty text."""
    return place_mark(value._owner) if isinstance(value, TrackedTurn) else ""


@jinja2.pass_context  # so that Jinja does not work it out in advance, and lose it
def _place_mark(context: jinja2.runtime.Context, owner: int) -> str:
    """Return the mark of a place, an empty text."""
    return place_mark(owner)


@lru_cache(maxsize=8)
def _environment_and_template(source: str, with_lines: bool) -> tuple[_Environment, jinja2.Template]:
    environment = _Environment(trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, jinja2.ext.loopcontrols])
    environment.filters |= {"tojson": _json_with_marks, "join": _join, "replace": _replace, "safe": text_marked_safe}
    environment.filters |= {_CONCATENATED: _concatenate, _TURN: _turn_mark, _MARK: _place_mark}
    environment.globals["raise_exception"] = _raise_refusal
    try:
        tree = _TrackingTransformer(with_lines).visit(environment.parse(source))
        return environment, environment.from_string(tree.set_environment(environment))
    except jinja2.TemplateSyntaxError as e:
        raise ValueError(f"the chat template is not valid Jinja, line {e.lineno}: {e.message}") from e
    except RecursionError as e:
        raise ValueError("the chat template is nested too deeply") from e
