"""What a view reads of the beginning of its document, once for each text, and what it says where it cannot."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from tokviz.core.pretokens import well_formed_text
from tokviz.live.document import Document, State, first_characters, units_of
from tokviz.live.view import View
from tokviz.system.sandbox import is_busy_error

Found = TypeVar("Found")


class Reading(Generic[Found]):
    """The first characters_max characters of a document, and what `read` made of them, which may raise ValueError.

    found: None where it did. notice: why, or what is true of the beginning of a longer text. waits: whether the machine
    was too busy to read them, so that the next `catch_up` tries again.
    """

    def __init__(
        self, document: Document, read: Callable[[str], Found], *, characters_max: int, what: str = "are split here"
    ) -> None:
        self.document, self._read = document, read
        self.characters_max, self._what = characters_max, what
        self.text: str | None = None
        self.found: Found | None = None
        self.notice: str | None = None
        self.waits = False
        self._problem: str | None = None

    def catch_up(self) -> State:
        """Read the text as it is now, unless that was read last."""
        state = self.document.state
        text = well_formed_text(first_characters(state.units, self.characters_max))
        if text != self.text or self.waits:
            self.text = text
            try:
                self.found, self._problem, self.waits = self._read(text), None, False
            except ValueError as e:
                self.found, self._problem, self.waits = None, str(e), is_busy_error(e)
        self.notice = self._problem or notice_if_too_long(state.length, text, self._what)
        return state


class ReadingView(View):
    """A view of the beginning of one document, which it reads once for each text."""

    _reading: Reading[Any]

    def read_documents(self) -> tuple[State]:
        """Read the text as it is now."""
        state = self._reading.catch_up()
        self.waits = self._reading.waits
        return (state,)


def notice_if_too_long(n_units: int, shown: str, what: str) -> str | None:
    """Return in words what is true of the beginning of a long text, None if that is all of it.

    >>> notice_if_too_long(4, "abcd", "are split here"), notice_if_too_long(5, "abcd", "are split here")
    (None, 'The text is long; its first 4 characters are split here.')
    """
    if 2 * n_units == len(units_of(shown)):
        return None
    return f"The text is long; its first {len(shown):,} characters {what}."
