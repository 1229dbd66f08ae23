"""What is public in tokviz, written as the reference writes it: a line for each function, class, method and field."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import cached_property
from typing import Any, get_type_hints

import tokviz

MODULES = re.compile(r"\b(?:\w+\.)+(?=\w)")
LONG = 100  # characters of a default that is not written out


def public_lines() -> Iterator[str]:
    """Yield the lines of everything public, in the order of names."""
    for name in tokviz.__all__:
        value = getattr(tokviz, name)
        if inspect.isclass(value):
            yield from _class_lines(name, value)
        elif callable(value):
            yield f"tokviz.{name}{written(inspect.signature(value))}"
        else:
            yield f"tokviz.{name}: {type(value).__name__}"


def written(signature: inspect.Signature, owner: str = "") -> str:
    """Return a signature without the types of its arguments, and without self.

    >>> def encode(self, text: str, *, allowed_special: str = "") -> list[int]: ...
    >>> written(inspect.signature(encode))
    "(text, *, allowed_special='') -> list[int]"
    """
    bare = [
        parameter.replace(annotation=parameter.empty, default=_short(parameter.default))
        for parameter in signature.parameters.values()
        if parameter.name not in ("self", "cls")
    ]
    arguments = str(inspect.Signature(bare)).replace("mappingproxy({})", "{}")
    if signature.return_annotation in (signature.empty, None):
        return arguments
    return f"{arguments} -> {shortly(signature.return_annotation, owner)}"


class _Long:
    def __repr__(self) -> str:
        return "..."


def _short(default: object) -> object:
    return _Long() if len(repr(default)) > LONG else default


def shortly(annotation: Any, owner: str = "") -> str:
    """Return a type without the modules it is from.

    >>> shortly(list[inspect.Signature]), shortly(int | None)
    ('list[Signature]', 'int | None')
    """
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = re.sub(r"Union\[(.*), (Iterator\[.*?\])\]", r"\1 | \2", MODULES.sub("", re.sub("['~]", "", text)))
    return re.sub(r"\bSelf\b", owner, text)


def _class_lines(name: str, value: type) -> Iterator[str]:
    if issubclass(value, Exception) or getattr(value, "_is_protocol", False):
        yield f"tokviz.{name}"
    else:
        yield f"tokviz.{name}{written(inspect.signature(value))}".removesuffix(" -> None")
    named = get_type_hints(value) if is_dataclass(value) or issubclass(value, tuple) else {}
    yield from (f"{name}.{each}: {shortly(kind)}" for each, kind in named.items())
    inherited = (
        {*dir(tuple)} if issubclass(value, tuple) else {*dir(ValueError)} if issubclass(value, ValueError) else {}
    )
    for member in sorted({*dir(value)} - {*named, *inherited}):
        if not member.startswith("_"):
            yield from _member_lines(f"{name}.{member}", inspect.getattr_static(value, member), name)


def _member_lines(full: str, found: object, owner: str) -> Iterator[str]:
    if isinstance(found, property | cached_property):
        getter = found.fget if isinstance(found, property) else found.func
        yield f"{full}: {shortly(inspect.signature(getter).return_annotation, owner)}"
    elif isinstance(found, classmethod | staticmethod):
        yield f"{full}{written(inspect.signature(found.__func__), owner)}"
    elif inspect.isfunction(found):
        yield f"{full}{written(inspect.signature(found), owner)}"
    else:
        yield f"{full}: {type(found).__name__}"
