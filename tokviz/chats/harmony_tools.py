"""Functions that a model can call: read from JSON, and as harmony describes them, JSON Schema as types of TypeScript.

Layout and comments are those of the library that OpenAI publishes, openai-harmony 0.0.8, down to its line ends.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tokviz.chats.prompt import CHARACTERS_MAX

FUNCTIONS = "functions"
NESTED = "    "
DEPTH_MAX = 50
_PLAIN = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean"}
Schema = Mapping[str, Any]


def parsed_tools(text: str) -> list[dict[str, Any]]:
    """Return functions from JSON in the form of OpenAI's API: a list of them, or a single one.

    >>> parsed_tools('{"name": "now"}'), parsed_tools(" ")
    ([{'type': 'function', 'function': {'name': 'now'}}], [])
    """
    if not text.strip():
        return []
    if len(text) > CHARACTERS_MAX:
        raise ValueError(f"the functions have {len(text):,} characters; at most {CHARACTERS_MAX:,} are allowed")
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as e:
        raise ValueError(f"the functions are not JSON: {e}") from e
    tools = []
    for each in given if isinstance(given, list) else [given]:
        function = each.get("function", each) if isinstance(each, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise ValueError(
                'the functions must be a JSON list of objects with a name, such as [{"name": "now", "parameters": {}}]'
            )
        tools.append({"type": "function", "function": {k: v for k, v in function.items() if k != "type"}})
    return tools


def tools_text(tools: Sequence[Schema]) -> str:
    """Return functions as the developer's message describes them.

    tools: as `parsed_tools` returns them. Raises ValueError for parameters that are not a JSON Schema.

    >>> print(tools_text([{"type": "function", "function": {"name": "now", "description": "Tells the time."}}]))
    # Tools
    <BLANKLINE>
    ## functions
    <BLANKLINE>
    namespace functions {
    <BLANKLINE>
    // Tells the time.
    type now = () => any;
    <BLANKLINE>
    } // namespace functions
    """
    lines = ["# Tools", "", f"## {FUNCTIONS}", "", f"namespace {FUNCTIONS} {{", ""]
    for tool in tools:
        function = tool["function"]
        if about := function.get("description"):
            lines += [f"// {line}" for line in str(about).split("\n")]
        parameters = function.get("parameters")
        try:
            taken = "" if parameters is None else f"_: {_type_text(parameters, '')}"
        except (AttributeError, TypeError, RecursionError) as e:
            raise ValueError(f"the parameters of {function['name']} are not a JSON Schema ({e})") from e
        lines += [f"type {function['name']} = ({taken}) => any;", ""]
    return "\n".join([*lines, f"}} // namespace {FUNCTIONS}"])


def _type_text(schema: Schema, indent: str) -> str:
    """Return a schema as a type; whatever takes several lines is indented."""
    kind = schema.get("type")
    if schema.get("oneOf"):
        return "\n" + "\n".join(_alternative_lines(schema, indent, _json_text))
    if isinstance(kind, list):
        return " | ".join("number" if each == "integer" else str(each) for each in kind)
    if kind == "object":
        return _object_type_text(schema, indent)
    if kind == "array":
        return f"{_type_text(schema['items'], indent)}[]" if "items" in schema else "Array<any>"
    if kind == "string" and schema.get("enum"):
        return " | ".join(_quoted_or_json(value) for value in schema["enum"])
    return _PLAIN.get(str(kind), "any")


def _type_text_with_null_if_nullable(schema: Schema, indent: str) -> str:
    """Return a schema as a type that may be null; the library looks for that word anywhere in the type."""
    found = _type_text(schema, indent)
    return f"{found} | null" if schema.get("nullable") and "null" not in found else found


def _object_type_text(schema: Schema, indent: str) -> str:
    if len(indent) > DEPTH_MAX * len(NESTED):
        raise RecursionError(f"nested more than {DEPTH_MAX} times")
    lines = [f"{indent}// {schema['description']}", "{"] if schema.get("description") else ["{"]
    required = schema.get("required") or []
    for name, value in (schema.get("properties") or {}).items():
        lines += [f"{indent}{line}" for line in _comment_lines(value)]
        field = f"{indent}{name}{'' if name in required else '?'}:"
        if value.get("oneOf"):
            lines += [f"{indent}// default: {_quoted_or_json(value['default'])}"] if "default" in value else []
            lines += [field, *_alternative_lines(value, indent, str), f"{indent},"]
        else:
            default = f" // default: {_default_text(value, str)}" if "default" in value else ""
            lines.append(f"{field} {_type_text_with_null_if_nullable(value, indent + NESTED)},{default}")
    return "\n".join([*lines, f"{indent}}}"])


def _comment_lines(schema: Schema) -> Iterator[str]:
    """Yield the comments above a field: its title, description and examples. A text of several lines stays as it is."""
    if title := schema.get("title"):
        yield from (f"// {title}", "//")
    about = [f"// {schema['description']}"] if schema.get("description") else []
    if examples := [each for each in schema.get("examples") or () if isinstance(each, str)]:
        examples = ["// Examples:", *(f"// - {_quoted_or_json(each)}" for each in examples)]
    if not schema.get("oneOf"):
        yield from [*about, *examples]
    else:
        yield from [*examples, *about]


def _alternative_lines(schema: Schema, indent: str, written: Callable[[Any], str]) -> Iterator[str]:
    for number, one in enumerate(schema["oneOf"]):
        # Beside a description of the field, the first alternative's is left out.
        is_told = one.get("description") and (number or not schema.get("description"))
        notes = [str(one["description"])] if is_told else []
        notes += [f"default: {_default_text(one, written)}"] if "default" in one else []
        yield f"{indent} | {_type_text_with_null_if_nullable(one, indent + '   ')}" + (
            f" // {' '.join(notes)}" if notes else ""
        )


def _default_text(schema: Schema, written: Callable[[Any], str]) -> str:
    """Return the default; one of several texts is `written` in its own way."""
    value = schema["default"]
    return written(value) if isinstance(value, str) and schema.get("enum") else _quoted_or_json(value)


def _quoted_or_json(value: Any) -> str:
    """Return a value as JSON, but for the quotes inside a text, which stay as they are."""
    if isinstance(value, str):
        return f'"{value}"'
    return _json_text(value)


def _json_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
