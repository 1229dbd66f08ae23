"""Questions about somebody's file, to a process that runs it. This process never does: it takes plain data alone.

Whatever the file does to its process, a question is answered, or ends as a `Failed` that says why it is not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

from tokviz.checks import answers
from tokviz.checks.plain import line_of, value_of
from tokviz.system.confined.process import UNREADABLE, ConfinedProcess, NoAnswerError

SECONDS = 60.0  # by the clock, for each question
LONG_SECONDS = 180.0  # with 50,000 merges or more, and nothing to speed it up
START_SECONDS = 60.0  # for the process to begin, before it imports the file
WORDS_MAX = 300
EMPTY: Mapping[Any, Any] = {}


@dataclass(frozen=True)
class Failed:
    """Why a question is not answered, in words; whether it took too long, or is not implemented."""

    words: str
    took_too_long: bool = False
    is_not_implemented: bool = False

    def of(self, what: str) -> "Failed":
        """Return it with what failed before its words."""
        return replace(self, words=f"{what}: {self.words}")


def escaped(text: str) -> str:
    r"""Return a text without what a terminal would obey or hide: control characters and the like, by their numbers.

    >>> escaped("a\x1b[2Jé\u202e\n")
    'a\\x1b[2Jé\\u202e\\n'
    """
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


class Solution:
    """Somebody's file. A process that ends, or has no time left, is followed by another at the next question."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._process: ConfinedProcess | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.end()

    def end(self) -> None:
        """End the process, and with it all that the file has started."""
        if self._process:
            self._process.end()
            self._process = None

    def ask(self, task: str, *arguments: Any, seconds: float | None = None) -> Any:
        """Return the answer of a task of `answers`, or a Failed."""
        try:
            if not self._process:
                self._process = ConfinedProcess("tokviz.checks.answers")
                self._process.answer(line_of(self.path), START_SECONDS)
            answer = value_of(self._process.answer(line_of([task, *arguments]), seconds or SECONDS))
        except NoAnswerError as e:  # which ends the process
            self._process = None
            return Failed(str(e), e.took_too_long)
        except ValueError:
            self.end()
            return Failed(UNREADABLE)
        match answer:
            case [answers.RETURNED, value]:
                return value
            case [answers.FAILED, str(words), bool(is_not_implemented)]:
                return Failed(escaped(words[:WORDS_MAX]), False, is_not_implemented)
        self.end()
        return Failed(UNREADABLE)

    def call(
        self, name: str, arguments: Sequence[Any], options: Mapping[str, Any] = EMPTY, *, seconds: float | None = None
    ) -> tuple[Any, bool] | Failed:
        """Return what a function returns, and whether it left its first argument as it was; or a Failed."""
        match found := self.ask("call", name, arguments, options, seconds=seconds):
            case (_, bool()) | Failed():
                return found
        return Failed(UNREADABLE)

    def tell(self, task: str, *arguments: Any) -> Failed | None:
        """Have a task done that gives nothing; return a Failed if it is not."""
        found = self.ask(task, *arguments)
        return found if isinstance(found, Failed) else None

    def make(
        self, name: str, *arguments: Any, values: Sequence[str] = (), more: Mapping[int, bytes] = EMPTY
    ) -> Failed | None:
        """Make an object of a class, of values that are kept and of arguments; return a Failed if there is none."""
        return self.tell("make", name, values, more, arguments)

    def each(
        self, method: str, given: Sequence[Any], *, seconds: float | None = None, **options: Any
    ) -> list[Any] | Failed:
        """Return what a method of the object that was made last returns for each argument, or a Failed."""
        found = self.ask("each", method, given, options, seconds=seconds)
        is_whole = isinstance(found, Failed) or (isinstance(found, list) and len(found) == len(given))
        return found if is_whole else Failed(UNREADABLE)
