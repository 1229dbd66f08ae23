"""Values as they pass between the check and the process that runs a solution: plain data, a line of JSON each.

What JSON lacks is marked: a string begins with `s` or, for bytes, `b`, a list with its kind.
"""

import json
from collections.abc import Iterable, Mapping, Set
from itertools import chain
from operator import index
from typing import Any, Never

DEPTH_MAX = 20
REPR_CHARACTERS = 100


def tagged_json_line(value: Any) -> bytes:
    """Return a value as a line: None, booleans, numbers, strings, bytes, lists, tuples, dicts, and text for all else.

    What counts as an integer becomes one, and what can be gone through, such as an array or a generator, a list.

    >>> tagged_json_line({b"a": (1, "x")})
    b'["d", "ba", ["t", 1, "sx"]]\\n'
    """
    return json.dumps(_pack(value)).encode() + b"\n"


def _pack(value: Any) -> Any:
    if value is None or type(value) in (int, bool):
        return value
    if isinstance(value, str):
        return f"s{value}"
    if isinstance(value, bytes):
        return f"b{value.decode('latin-1')}"
    if isinstance(value, list | tuple):
        return ["l" if isinstance(value, list) else "t", *map(_pack, value)]
    if isinstance(value, Mapping):
        return ["d", *map(_pack, chain.from_iterable(value.items()))]
    if hasattr(value, "__index__") and not getattr(value, "shape", ()):
        return index(value)
    if isinstance(value, Iterable) and not isinstance(value, Set | type):
        return ["l", *map(_pack, value)]
    return f"s{value!r:.{REPR_CHARACTERS}}"


def value_of_tagged_json_line(line: bytes) -> Any:
    """Return the value in a line; ValueError if it is not one that `tagged_json_line` writes.

    >>> value_of_tagged_json_line(tagged_json_line([{(1, 2): b"a"}, "x"]))
    [{(1, 2): b'a'}, 'x']
    """
    try:
        return _unpack(json.loads(line, parse_float=_refuse_number, parse_constant=_refuse_number), DEPTH_MAX)
    except (ValueError, TypeError, LookupError, RecursionError) as e:
        raise ValueError(f"not an answer: {line[:REPR_CHARACTERS]!r}") from e


def _unpack(packed: Any, depth: int) -> Any:
    if packed is None or isinstance(packed, int):
        return packed
    if not depth or not packed or isinstance(packed, dict):
        raise ValueError(packed)
    kind, rest = packed[0], packed[1:]
    if isinstance(packed, str):
        return {"s": rest}[kind] if kind != "b" else rest.encode("latin-1")
    values = [_unpack(each, depth - 1) for each in rest]
    if kind == "d":
        return dict(zip(values[::2], values[1::2], strict=True))
    return {"l": values}[kind] if kind != "t" else tuple(values)


def _refuse_number(number: str) -> Never:
    raise ValueError(number)
