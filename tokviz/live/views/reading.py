"""What a view reads of the beginning of its document, once for each text, and what it says where it cannot."""

from abc import abstractmethod
from typing import ClassVar, Generic, TypeVar

from tokviz.core.pretokens import well_formed_text
from tokviz.live.document import State, first_characters, units_of
from tokviz.live.view import View
from tokviz.system.sandbox import is_busy_error

Found = TypeVar("Found")


class ReadingView(View, Generic[Found]):
    """A view of the first characters_max characters of one document, which it reads once for each text.

    text: those characters. found: what they were read as, None where that raised an error. notice: why it did, or what
    is true of the beginning of a longer text. becomes: what the notice says of that beginning.
    """

    characters_max: ClassVar[int]
    becomes: ClassVar[str] = "are split here"
    text: str | None = None
    found: Found | None = None
    notice: str | None = None
    _problem: str | None = None

    @abstractmethod
    def reading_of(self, text: str) -> Found:
        """Return what is shown of a text; ValueError, in words, where it cannot be read."""

    def read_changed(self, states: tuple[State, ...]) -> None:
        """Read the text as it is now, unless that was read last."""
        text = well_formed_text(first_characters(states[0].units, self.characters_max))
        if text != self.text or self.waits:
            self.text = text
            try:
                self.found, self._problem, self.waits = self.reading_of(text), None, False
            except ValueError as e:
                self.found, self._problem, self.waits = None, str(e), is_busy_error(e)
        self.notice = self._problem or notice_if_too_long(states[0].length, text, self.becomes)


def notice_if_too_long(n_units: int, shown: str, what: str) -> str | None:
    """Return in words what is true of the beginning of a long text, None if that is all of it.

    >>> notice_if_too_long(4, "abcd", "are split here"), notice_if_too_long(5, "abcd", "are split here")
    (None, 'The text is long; its first 4 characters are split here.')
    """
    if 2 * n_units == len(units_of(shown)):
        return None
    return f"The text is long; its first {len(shown):,} characters {what}."
