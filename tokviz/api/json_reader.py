"""A reader of JSON, value by value: each is checked as it comes, and what nobody asked for is never made.

A library makes objects of a whole text in one call, during which no other thread runs: for most of a second with eight
megabytes of empty lists. Here a call takes a few milliseconds at most, and a turn is yielded between calls.
"""

import json
import re
from collections.abc import Iterator
from itertools import count
from typing import Any

from tokviz.api.refusal import Refusal
from tokviz.core.patterns import short_repr
from tokviz.system.thread_turns import yield_turn

VALUES_MAX = 50_000  # of any kind, in all
DEPTH_MAX = 20  # of lists and objects inside each other
SCALAR_MAX = 40  # characters of a number, and of what an error quotes
AT_ONCE = 2**16  # characters of a list of integers
SPACE = " \t\n\r"
_SPACE = re.compile(rf"[{SPACE}]*+")
_ID = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?![0-9.eE])")
_LISTS = re.compile(rf"\[[{SPACE}]*+\[")
_SCALAR = re.compile(r"[^\s\[\]{},:\"]*+")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"?')
_DECODER = json.JSONDecoder()
_KINDS = {"[": "a list", "{": "an object", "": "nothing"}


class JsonReader:
    """A JSON text, and how far it is read. Every error names the place, the value there and what was expected."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._n_values = text, 0, 0

    def peek(self) -> str:
        """Return the first character of the next value, "" at the end."""
        kind = self._text[self._at : self._at + 1]
        if kind and kind in SPACE:
            self._at = _SPACE.match(self._text, self._at).end()  # type: ignore[union-attr]  # it matches everywhere
            kind = self._text[self._at : self._at + 1]
        return kind

    def read_field_names(self, place: str = "the body") -> Iterator[str]:
        """Yield the names of an object; the caller reads the value of each before it takes the next."""
        if not self._skip_if_next("{"):
            raise self.mismatch_error(place, "an object in braces")
        if self._skip_if_next("}"):
            return
        seen: set[str] = set()
        while True:
            if self.peek() != '"':
                raise self._syntax_error("a name in double quotes")
            name = self.read_string(place)
            if name in seen:
                raise Refusal(422, f"{place}: {short_repr(name)} is given twice: give it once")
            seen.add(name)
            self._skip_expected(":")
            yield name
            if self._skip_if_next("}"):
                return
            self._skip_expected(",")

    def item_indexes(self, place: str, n_max: int) -> Iterator[int]:
        """Yield the numbers of the items of a list; the caller reads each. 413 for more than `n_max`."""
        if not self._skip_if_next("["):
            raise self.mismatch_error(place, "a list")
        if self._skip_if_next("]"):
            return
        for number in count():
            if number == n_max:
                raise Refusal(413, f"{place} has more than {n_max:,} items: send them in several requests")
            yield number
            if self._skip_if_next("]"):
                return
            self._skip_expected(",")
            if number % 256 == 0:
                yield_turn()

    def read_string(self, place: str, expected: str = "a text in double quotes") -> str:
        """Return a string."""
        if self.peek() != '"':
            raise self.mismatch_error(place, expected)
        try:
            value, self._at = _DECODER.raw_decode(self._text, self._at)
        except json.JSONDecodeError as e:
            what = e.msg.partition(" at")[0].removesuffix(" starting").rstrip(": ")
            raise Refusal(400, f"the body is not JSON: {place}: {what.lower()} at character {e.pos:,}") from None
        found: str = value
        return found

    def read_boolean(self, place: str) -> bool:
        """Return true or false."""
        scalar = self._peek_scalar()
        if scalar not in ("true", "false"):
            raise self.mismatch_error(place, "true or false")
        self._at += len(scalar)
        return scalar == "true"

    def skip_if_null(self) -> bool:
        """Return whether the next value is null, which is then read."""
        is_null = self._peek_scalar() == "null"
        self._at += 4 if is_null else 0
        return is_null

    def next_list_begins_with_list(self) -> bool:
        """Return whether the next value is a list that begins with a list."""
        self.peek()
        return bool(_LISTS.match(self._text, self._at))

    def read_integers(self, place: str, n_max: int, before: int = 0) -> list[int]:
        """Return a list of integers; 413 for more than `n_max`, including the `before` ones before them."""
        if not self._skip_if_next("["):
            raise self.mismatch_error(place, "a list of ids")
        found: list[int] = []
        if self._skip_if_next("]"):
            return found
        is_last = False
        while not is_last:
            run, is_last = self._read_integers_and_whether_last(place, len(found))
            if before + len(found) + len(run) > n_max:
                raise Refusal(413, f"{place}: there are more than {n_max:,} ids: send them in several requests")
            found += run
            yield_turn()
        return found

    def _read_integers_and_whether_last(self, place: str, number: int) -> tuple[list[int], bool]:
        """Return the next integers of a list, the first of which has this number, and whether the list ends there."""
        end = self._text.find("]", self._at, self._at + AT_ONCE)
        is_last = end >= 0
        if not is_last:
            end = max(self._text.rfind(",", self._at, self._at + AT_ONCE), self._at)
        try:
            run = json.loads(f"[{self._text[self._at : end]}]")
        except (ValueError, RecursionError):
            run = []
        if {*map(type, run)} != {int}:
            raise self._integer_error(place, number)
        self._at = end + 1
        return run, is_last

    def _integer_error(self, place: str, number: int) -> Refusal:
        """Return the error for the next item that is not an integer."""
        for each in count(number):
            self.peek()
            found = _ID.match(self._text, self._at)
            if not found:
                return self.mismatch_error(f"{place}.{each}", "an id, which is a whole number such as 15339")
            self._at = found.end()
            if not self._skip_if_next(","):
                break
        return self._syntax_error("a comma or ]")

    def read_value(self, place: str, depth: int = 0) -> Any:
        """Return any value; 413 for many values in all, 422 for lists and objects too deep inside each other."""
        self._n_values += 1
        if self._n_values > VALUES_MAX:
            raise Refusal(413, f"{place}: there are more than {VALUES_MAX:,} JSON values: send fewer")
        if self._n_values % 256 == 0:
            yield_turn()
        if depth > DEPTH_MAX:
            raise Refusal(422, f"{place}: more than {DEPTH_MAX} lists and objects are inside each other: send fewer")
        kind = self.peek()
        if kind == '"':
            return self.read_string(place)
        if kind == "[":
            return [self.read_value(place, depth + 1) for _ in self.item_indexes(place, VALUES_MAX)]
        if kind == "{":
            return {name: self.read_value(place, depth + 1) for name in self.read_field_names(place)}
        return self._read_scalar(place)

    def check_end(self) -> None:
        """Make sure that nothing follows."""
        if self.peek():
            raise self._syntax_error("nothing after the object")

    def mismatch_error(self, place: str, expected: str) -> Refusal:
        """Return the error for the next value, which is not what was expected."""
        return Refusal(422, f"{place}: expected {expected}, not {self._quoted_value()}")

    def _read_scalar(self, place: str) -> Any:
        scalar = self._peek_scalar()
        try:
            if len(scalar) > SCALAR_MAX or scalar in ("NaN", "Infinity", "-Infinity"):
                raise ValueError
            value = json.loads(scalar)
        except ValueError:
            raise self.mismatch_error(place, f"a JSON value, a number in at most {SCALAR_MAX} characters") from None
        self._at += len(scalar)
        return value

    def _peek_scalar(self) -> str:
        self.peek()
        return _SCALAR.match(self._text, self._at, self._at + SCALAR_MAX + 1)[0]  # type: ignore[index]

    def _skip_if_next(self, sign: str) -> bool:
        """Return whether a sign comes next, which is then read."""
        is_next = self.peek() == sign
        self._at += is_next
        return is_next

    def _skip_expected(self, sign: str) -> None:
        if not self._skip_if_next(sign):
            raise self._syntax_error(sign)

    def _syntax_error(self, expected: str) -> Refusal:
        return Refusal(
            400, f"the body is not JSON: expected {expected} at character {self._at:,}, not {self._quoted_value()}"
        )

    def _quoted_value(self) -> str:
        """Return the next value as an error quotes it."""
        kind = self.peek()
        if kind in _KINDS:
            return _KINDS[kind]
        found = _QUOTED.match(self._text, self._at, self._at + SCALAR_MAX)
        shown = found[0] if found else self._peek_scalar() or kind
        is_whole = len(shown) < SCALAR_MAX
        return shown if is_whole else f"{shown[: SCALAR_MAX - 1]}…"
