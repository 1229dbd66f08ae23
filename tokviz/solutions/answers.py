"""Answers to questions about the file of a solution, in the process that runs it; `questions` is the other end.

It knows nothing of what is right. A question is a task and its arguments, the answer what the task returns, or why it
gave nothing.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from itertools import islice
from types import ModuleType
from typing import Any

from tokviz.solutions.plain import tagged_json_line, value_of_tagged_json_line
from tokviz.solutions.solution import (
    checkable_names_by_kind,
    failure_words_and_is_not_implemented,
    import_file,
    needed_flags_by_argument,
)

RETURNED, FAILED = "returned", "failed"


class Answers:
    """The tasks, for one file. What a class of it makes is kept for further questions, as are large values."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._loaded: ModuleType | None = None
        self._object: Any = None
        self._values: dict[str, Any] = {}

    @property
    def _module(self) -> ModuleType:
        self._loaded = self._loaded or import_file(self._path)
        return self._loaded

    def checkable_names_by_kind(self) -> dict[str, list[str]]:
        """Return what is in the file that can be checked."""
        return checkable_names_by_kind(self._module)

    def constant(self, name: str) -> Any:
        """Return a constant."""
        return getattr(self._module, name)

    def argument_names(self, name: str) -> list[str]:
        """Return the names of the arguments of a function."""
        return [*needed_flags_by_argument(getattr(self._module, name))]

    def call_and_check_first_argument_unchanged(
        self, name: str, arguments: Sequence[Any], options: Mapping[str, Any]
    ) -> tuple[Any, bool]:
        """Return what a function returns, and whether it left its first argument as it was."""
        before = copy(arguments[0])
        result = getattr(self._module, name)(*arguments, **options)
        return result, arguments[0] == before

    def keep_value(self, name: str, value: Any) -> None:
        """Keep a value."""
        self._values[name] = value

    def make_object(
        self, name: str, values: Sequence[str], more: Mapping[int, bytes], arguments: Sequence[Any]
    ) -> None:
        """Make an object of a class, of copies of values that are kept, the first a dict with more in it."""
        copies = [copy(self._values[value]) for value in values]
        for value in copies[:1]:
            value.update(more)
        self._object = getattr(self._module, name)(*copies, *arguments)

    def take_file_as_object(self) -> None:
        """Let the functions of the file be those of the object."""
        self._object = self._module

    def has_attributes(self, *names: str) -> bool:
        """Return whether the object has all these methods or attributes."""
        return all(hasattr(self._object, name) for name in names)

    def accepts_argument(self, method: str, argument: str) -> bool:
        """Return whether a method of the object has an argument of this name."""
        return argument in needed_flags_by_argument(getattr(self._object, method))

    def attribute_or_pattern(self, name: str) -> Any:
        """Return an attribute of the object, a compiled pattern as its text; None if there is none."""
        value = getattr(self._object, name, None)
        return value if isinstance(value, str) else getattr(value, "pattern", value)

    def call_on_each(self, method: str, given: Sequence[Any], options: Mapping[str, Any]) -> list[Any]:
        """Return what a method of the object returns for each argument."""
        return [getattr(self._object, method)(each, **options) for each in given]

    def call_method_and_keep_encoder(self, method: str, *arguments: Any) -> None:
        """Call a method of the object; what it returns takes its place if that encodes too."""
        result = getattr(self._object, method)(*arguments)
        if hasattr(result, "encode") and not isinstance(result, str):
            self._object = result

    def stream_ids_and_n_taken(self, texts: Sequence[str]) -> tuple[list[Any], int]:
        """Return the ids that `encode_iterable` yields, and how many texts it has taken at the first of them."""
        taken: list[str] = []

        def recorded_texts() -> Iterator[str]:
            for text in texts:
                taken.append(text)
                yield text

        ids = iter(self._object.encode_iterable(recorded_texts()))
        first = [*islice(ids, 1)]
        n_taken = len(taken)
        return [*first, *ids], n_taken


def _answer_line(task: Callable[..., Any], arguments: Sequence[Any], path: str) -> bytes:
    try:
        return tagged_json_line([RETURNED, task(*arguments)])
    except BaseException as e:  # also SystemExit
        return tagged_json_line([FAILED, *failure_words_and_is_not_implemented(e, path)])


def main() -> None:
    """Answer questions from standard input, the first of which is the path of the file, until it ends."""
    questions, answers = (os.fdopen(os.dup(i), mode) for i, mode in ((0, "rb"), (1, "wb")))
    for i in (0, 1):
        os.dup2(os.open(os.devnull, os.O_RDWR), i)  # so that the file can neither read questions nor print answers
    sys.dont_write_bytecode = True
    this, path = os.getpid(), value_of_tagged_json_line(questions.readline())
    tasks, answer = Answers(path), tagged_json_line(None)
    while os.getpid() == this:  # and not a fork that the file has made
        answers.write(answer)
        answers.flush()
        task, *arguments = value_of_tagged_json_line(questions.readline())
        answer = _answer_line(getattr(tasks, task), arguments, path)
