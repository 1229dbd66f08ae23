"""A template cannot tell whether texts are tracked: random expressions give the same text, or fail in the same way."""

import re
from collections.abc import Callable
from itertools import groupby
from operator import itemgetter

import pytest
from examples import times
from hypothesis import given
from hypothesis import strategies as st
from plain_jinja import NOW, plain_environment

from tokviz.chats.template_environment import rendered_text
from tokviz.chats.tracked_text import covering_marks, tracked_json, tracked_text

NAMES = ["x", "y", "call", "chat", "nothing"]
LITERALS = [
    "'a'",
    "' '",
    "'-<b>'",
    "''",
    "'x\\ny'",
    "0",
    "1",
    "-2",
    "2.5",
    "true",
    "none",
    "[]",
    "['a', 1]",
    "{'a': 1}",
]
METHODS = {
    "capitalize": 0, "casefold": 0, "center": 1, "count": 1, "encode": 0, "endswith": 1, "expandtabs": 1, "find": 1,
    "format": 2, "format_map": 1, "get": 2, "index": 1, "isalnum": 0, "isalpha": 0, "isdigit": 0, "isspace": 0,
    "istitle": 0, "items": 0, "join": 1, "keys": 0, "ljust": 2, "lower": 0, "lstrip": 1, "partition": 1,
    "removeprefix": 1, "removesuffix": 1, "replace": 3, "rfind": 1, "rjust": 1, "rpartition": 1, "rsplit": 2,
    "rstrip": 1, "split": 2, "splitlines": 1, "startswith": 1, "strip": 1, "swapcase": 0, "title": 0, "translate": 1,
    "upper": 0, "values": 0, "zfill": 1, "append": 1, "_marked_stretch": 2,
}  # fmt: skip
# What gives a method or a generator is called or made a list: the text of one has an address.
ATTRIBUTES = ["content", "owner", "role", "_marks", "_owner", "__class__", "__dict__", "__html__", "__len__"]
FILTERS = {
    "abs": 0, "attr": 1, "capitalize": 0, "center": 1, "count": 0, "default": 1, "dictsort": 0, "escape": 0,
    "filesizeformat": 0, "first": 0, "float": 1, "forceescape": 0, "format": 2, "indent": 2, "int": 2,
    "join": 2, "last": 0, "list": 0, "lower": 0, "max": 0, "min": 0, "pprint": 0,
    "replace": 3, "round": 1, "safe": 0, "sort": 0, "string": 0,
    "striptags": 0, "sum": 0, "title": 0, "tojson": 0, "tojson(indent=2)": None, "tojson(ensure_ascii=true)": None,
    "tojson(sort_keys=true, separators=(',', ':'))": None, "trim": 1, "truncate": 3, "upper": 0,
    "urlencode": 0, "urlize": 0, "wordcount": 0, "wordwrap": 1, "xmlattr": 0, "map(attribute='content') | list": None,
    "join(attribute='content')": None, "join('/', attribute=0)": None, "map('upper') | list": None,
    "batch(2) | list": None, "slice(2) | list": None, "items | list": None, "reverse | list": None,
    "unique | list": None, "select | list": None, "selectattr('content') | list": None, "groupby('role') | list": None,
}  # fmt: skip
TESTS = [
    "boolean", "callable", "defined", "divisibleby 2", "escaped", "false", "filter", "float", "integer", "iterable",
    "lower", "mapping", "none", "number", "odd", "sequence", "string", "test", "true", "undefined", "upper",
]  # fmt: skip
OPERATORS = ["+", "-", "*", "/", "//", "%", "~", "==", "!=", "<", ">=", "in", "not in", "and", "or"]
STATEMENTS = [
    "{{{{ {0} }}}}",
    "{{% if {0} %}}a{{% else %}}b{{% endif %}}",
    "{{% for c in {0} %}}{{{{ loop.index }}}}{{{{ loop.last }}}}{{{{ c }}}}|{{{{ loop.nextitem }}}}{{% endfor %}}",
    "{{% for a, b in {0} %}}{{{{ a }}}}{{{{ b ~ {1} }}}}{{% endfor %}}",
    "{{% set n = namespace(v={0}) %}}{{% set n.v = n.v + {1} %}}{{{{ n.v }}}}",
    "{{% set v %}}<{{{{ {0} }}}}>{{% endset %}}{{{{ v ~ {1} }}}}{{{{ v | length }}}}",
    "{{% macro m(a, b='') %}}{{{{ a }}}}{{{{ b }}}}{{{{ caller() if caller }}}}{{% endmacro %}}"
    "{{{{ m({0}) | upper }}}}{{% call m({1}) %}}{{{{ {0} }}}}{{% endcall %}}",
    "{{% filter replace('a', {1}) %}}{{{{ {0} }}}}{{% endfilter %}}",
    "{{% autoescape true %}}{{{{ {0} }}}}{{{{ {0} ~ {1} }}}}{{% endautoescape %}}",
    "{{{{ {{{0}: {1}}} | tojson }}}}{{{{ [{0}, {1}] }}}}",
]


def called(names: dict[str, int | None], inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """A method or filter with up to as many arguments as it takes."""

    def arguments(name: str) -> st.SearchStrategy[str]:
        if names[name] is None:
            return st.just(name)
        few = st.lists(inner, min_size=min(1, names[name]), max_size=names[name])
        return few.map(lambda given: f"{name}({', '.join(given)})")

    return st.sampled_from(sorted(names)).flatmap(arguments)


def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    key = st.one_of(inner, st.sampled_from(["'text'", "'city'", "'_marks'", "1.5", "-1", "99"]))
    end = st.sampled_from(["", "0", "1", "-1", "3", "'a'", "none"])
    return st.one_of(
        st.tuples(inner, called(METHODS, inner)).map("({0[0]}).{0[1]}".format),
        st.tuples(inner, called(FILTERS, inner)).map("({0[0]} | {0[1]})".format),
        st.tuples(inner, st.sampled_from(ATTRIBUTES)).map("({0[0]}).{0[1]}".format),
        st.tuples(inner, st.sampled_from(["upper", "format"])).map("({0[0]})['{0[1]}']()".format),
        st.tuples(inner, key).map("({0[0]})[{0[1]}]".format),
        st.tuples(inner, end, end, st.sampled_from(["", "1", "2", "-1"])).map("({0[0]})[{0[1]}:{0[2]}:{0[3]}]".format),
        st.tuples(inner, st.sampled_from(OPERATORS), inner).map("({0[0]} {0[1]} {0[2]})".format),
        st.tuples(inner, st.sampled_from(TESTS)).map("({0[0]} is {0[1]})".format),
        inner.map("(not {0})".format),
        st.tuples(inner, inner).map("[{0[0]}, {0[1]}]".format),
    )


ATOMS = st.one_of(st.sampled_from(NAMES[:2]), st.sampled_from(NAMES), st.sampled_from(LITERALS))
EXPRESSIONS = st.recursive(ATOMS, larger, max_leaves=6)
TEXTS = st.sampled_from(["", "a", "Ab c", " ab\tab\n", "{0}-%s", "12", "-2.5", "straße", "<b>&", "_marks"])
CALL = {"city": "Ü <a>", "owner": "x", "n": 3, "list": ["a", {"b": None}], "_owner": "y"}


# Python has words of its own for what is written in C.
WORDED = re.compile(r"argument|expected|iterable|can only concatenate|operand type\(s\) for \+:|Markup")


def outcome(make: Callable[[], str]) -> tuple[str, str]:
    """Return what a template gives, or how it fails, mostly with the words of the error."""
    try:
        return "text", make()
    except Exception as e:
        words = re.sub("^the chat template fails: (line 1: )?", "", str(e))
        cause = e if words == str(e) else e.__cause__
        return type(cause).__name__, "" if WORDED.search(words) else words


def compared(source: str, x: str, y: str) -> None:
    def chat(a: str, b: str) -> list[dict]:
        return [{"role": "user", "content": a}, {"role": "assistant", "content": b, "tool_calls": None}]

    texts = tracked_text(x, 0), tracked_text(y, 1)
    known = {"x": texts[0], "y": texts[1], "call": tracked_json(CALL, 2), "chat": chat(*texts)}
    unknown = {"x": x, "y": y, "call": CALL, "chat": chat(x, y)}
    found = outcome(lambda: rendered_text(source, known, NOW))
    wanted = outcome(lambda: plain_environment().from_string(source).render(unknown))
    assert found == wanted, source


@st.composite
def templates(draw) -> str:
    return draw(st.sampled_from(STATEMENTS)).format(draw(EXPRESSIONS), draw(EXPRESSIONS))


def test_jinja_works_out_in_advance_what_is_constant():
    compared("{% if ('a' | list) ~ 'a'[:'a'] %}a{% endif %}", "", "")  # the slice would fail as the template runs


@pytest.mark.parametrize(
    "joins",
    [
        "', '.join([x, y])",
        "('' ~ ', ').join([x, y])",
        "', '['join']([x, y])",
        "[x, y] | join(', ')",
        "[x, y] | join(', ' | safe)",
        "'ab'.replace('a', x).replace('b', y)",
        "('a' ~ 'b').replace('a', x).replace('b', y)",
        "'ab' | replace('a', x) | replace('b', y)",
        "('ab' | safe) | replace('a', x) | replace('b', y)",
        "('a' ~ 'b') | replace('a', x) | replace('b', y)",
        "x + ', ' + y",
        "x ~ ', ' ~ y",
        "([x] | join) ~ ([', ', y] | join)",
        "(x | join) ~ (y | list | join)",
    ],
)
def test_a_plain_text_that_joins_or_takes_in_others_leaves_each_its_owner(joins):
    text = rendered_text(f"{{{{ {joins} }}}}", {"x": tracked_text("<user>", 0), "y": tracked_text("<bot>", 1)}, NOW)
    marked = [(text[start:end], owner) for start, end, owner in covering_marks(text)]
    owned = {owner: "".join(part for part, _ in parts) for owner, parts in groupby(marked, itemgetter(1))}
    assert owned == {0: "<user>", 1: "<bot>"}


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@times(6)
@given(source=templates(), x=TEXTS, y=TEXTS)
def test_random_templates_do_with_tracked_texts_what_they_do_with_plain_ones(source, x, y):
    compared(source, x, y)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@times(60)
@given(source=templates(), x=TEXTS, y=TEXTS)
def test_many_random_templates_do_with_tracked_texts_what_they_do_with_plain_ones(source, x, y):
    compared(source, x, y)
