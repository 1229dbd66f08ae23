"""Look: how a text is looked at, whatever tokenizer it is under."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from tokviz.live.edit import Change
from tokviz.live.hidden_marks import HiddenMarks
from tokviz.live.tokens import TokenFollower


class NoMarks(HiddenMarks):
    """Takes the place of marks where nobody looks for hidden text: it finds none, and a reply does not mention it."""

    def update(self, units: bytes, change: Change | None = None) -> None:
        """Leave the text alone."""

    def take_reply_fields(self, followers: Mapping[str, TokenFollower], *, whole: bool) -> dict[str, Any]:
        """Return nothing for a reply."""
        return {}


class Look(NamedTuple):
    """How a text is looked at.

    allowed_special: the special tokens that are recognised in it. finds_hidden: whether hidden text is marked in it.
    units_max: how many UTF-16 units of it are followed; None for as many as the view takes.

    >>> Look("all", finds_hidden=True).new_marks().n_hidden_things_by_kind()
    {}
    """

    allowed_special: str | Collection[str] = ()
    finds_hidden: bool = False
    units_max: int | None = None

    def new_marks(self) -> HiddenMarks:
        """Return what marks hidden text, for one document or stretch."""
        return HiddenMarks() if self.finds_hidden else NoMarks()


PLAIN = Look()
