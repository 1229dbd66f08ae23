"""Many values in one test, where a test for each would cost more than what it asserts."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

SLOW = pytest.mark.slow


def each(names: str, values: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with one value after another, as `pytest.mark.parametrize` does in tests of their own.

    names: of the parameters, with commas between them; a value for several is a tuple. A failure says which.
    """
    parameters = [name.strip() for name in names.split(",")]

    def in_one(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)

        @wraps(test)
        def run(**fixtures: Any) -> None:
            for value in values:
                given = dict(zip(parameters, value if len(parameters) > 1 else (value,), strict=True))
                try:
                    test(**fixtures, **given)
                except Exception as e:
                    e.add_note(f"with {given!r:.1000}")
                    raise

        others = [one for name, one in signature.parameters.items() if name not in parameters]
        run.__signature__ = signature.replace(parameters=others)
        return run

    return in_one


def quick(values: Iterable[Any], *names: Any) -> list[Any]:
    """Return values for `pytest.mark.parametrize`, of which `make test` runs those named and `make test-all` every one.

    names: values as they are, or the first of a tuple in place of all of it.
    """
    values = list(values)
    firsts = [value[0] if isinstance(value, tuple) else value for value in values]
    assert all(name in firsts or name in values for name in names), "a name of no value"
    return [
        value
        if first in names or value in names
        else pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=SLOW)
        for value, first in zip(values, firsts, strict=True)
    ]
