"""Questions about the file of a solution, to a process that runs it. This process takes plain data alone.

Whatever the file does to its process, a question is answered, or raises a `FailedError` that says why it is not.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tokviz.solutions import answers
from tokviz.solutions.plain import tagged_json_line, value_of_tagged_json_line
from tokviz.system.confined.process import UNREADABLE, ConfinedProcess, NoAnswerError
from tokviz.text.glyphs import escaped_text

SECONDS = 60.0  # by the clock, for each question
LONG_SECONDS = 180.0  # with 50,000 merges or more, and nothing to speed it up
START_SECONDS = 60.0  # for the process to begin, before it imports the file
WORDS_MAX = 300
EMPTY: Mapping[Any, Any] = {}


class FailedError(ValueError):
    """Why a question is not answered, in words; whether it took too long, or is not implemented."""

    def __init__(self, words: str, *, took_too_long: bool = False, is_not_implemented: bool = False) -> None:
        super().__init__(words)
        self.took_too_long, self.is_not_implemented = took_too_long, is_not_implemented


@contextmanager
def prefix_failures_with(what: str) -> Iterator[None]:
    """Put what was asked before the words of a failure."""
    try:
        yield
    except FailedError as e:
        e.args = (f"{what}: {e}",)
        raise


class Solution:
    """The file. A process that ends, or has no time left, is followed by another at the next question."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._process: ConfinedProcess | None = None

    def close(self) -> None:
        """End the process, and with it all that the file has started."""
        if self._process:
            self._process.end()
            self._process = None

    def ask(self, task: str, *arguments: Any, kind: type = object, seconds: float | None = None) -> Any:
        """Return the answer of a task of `answers`; FailedError if there is none, or none of this kind."""
        found = self.answer([task, *arguments], seconds or SECONDS)
        if isinstance(found, kind):
            return found
        raise FailedError(UNREADABLE)

    def answer(self, question: list[Any], seconds: float) -> Any:
        """Return whatever the process answers."""
        try:
            if not self._process:
                self._process = ConfinedProcess("tokviz.solutions.answers")
                self._process.ask(tagged_json_line(self.path), START_SECONDS)
            answer = value_of_tagged_json_line(self._process.ask(tagged_json_line(question), seconds))
        except NoAnswerError as e:  # which ends the process
            self._process = None
            raise FailedError(str(e), took_too_long=e.took_too_long) from e
        except ValueError:
            answer = None
        match answer:
            case [answers.RETURNED, value]:
                return value
            case [answers.FAILED, str(words), bool(is_not_implemented)]:
                raise FailedError(escaped_text(words[:WORDS_MAX]), is_not_implemented=is_not_implemented)
        self.close()
        raise FailedError(UNREADABLE)

    def answers_true(self, task: str, *arguments: Any) -> bool:
        """Return whether the answer is True."""
        try:
            return self.ask(task, *arguments) is True
        except FailedError:
            return False

    def call_and_check_first_argument_unchanged(
        self, name: str, arguments: Sequence[Any], options: Mapping[str, Any] = EMPTY, *, seconds: float | None = None
    ) -> tuple[Any, bool]:
        """Return what a function returns, and whether it left its first argument as it was."""
        match found := self.ask("call_and_check_first_argument_unchanged", name, arguments, options, seconds=seconds):
            case (_, bool()):
                return found
        raise FailedError(UNREADABLE)

    def make_object(
        self, name: str, *arguments: Any, values: Sequence[str] = (), more: Mapping[int, bytes] = EMPTY
    ) -> None:
        """Make an object of a class, of values that are kept and of arguments."""
        self.ask("make_object", name, values, more, arguments)

    def call_on_each(
        self, method: str, given: Sequence[Any], *, seconds: float | None = None, **options: Any
    ) -> list[Any]:
        """Return what a method of the object that was made last returns for each argument."""
        found = self.ask("call_on_each", method, given, options, kind=list, seconds=seconds)
        if len(found) == len(given):
            return found
        raise FailedError(UNREADABLE)
