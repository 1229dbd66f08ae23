"""What becomes of the tokens of a document where it is cut in two: asked at each place that a cut is dragged to."""

from collections.abc import Mapping
from typing import Any

from tokviz import Cuts, Tokenizer
from tokviz.core.pretokens import well_formed
from tokviz.live.document import Document, State, beginning
from tokviz.live.views.cuts_view import too_long
from tokviz.live.views.seams.seams_view import NAMED, SeamsView, counted, named
from tokviz.system.sandbox import SandboxError

CHARACTERS_MAX = 5_000
BESIDE = 3  # tokens shown on each side of those that change


class CutView(SeamsView):
    """One document, to be cut anywhere; special tokens are plain text."""

    section = "cut"

    def __init__(self, document: Document, tokenizer: Tokenizer) -> None:
        super().__init__(document)
        self.tokenizer = tokenizer
        self._text: str | None = None
        self._cuts: Cuts | None = None

    def follow(self) -> tuple[State]:
        """Take the text as it is now."""
        state = self.documents[0].state
        text = well_formed(beginning(state.units, CHARACTERS_MAX))
        if text != self._text or self.waits:
            self._text = text
            try:
                self._cuts, self._problem, self.waits = Cuts(self.tokenizer, text), None, False
            except ValueError as e:
                self._cuts, self._problem = None, str(e)
                self.waits = isinstance(e, SandboxError) and e.why == "busy"
        self._notice = self._problem or too_long(state.length, text, "can be cut here")
        return (state,)

    def shown(self, *, whole: bool) -> dict[str, Any]:
        """Return the text that can be cut."""
        return {"section": self.section, "text": self._cuts.text if self._cuts else "", "notice": self._notice}

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the ids around a cut, {"cut": characters before it, "revision": number}, and what it costs.

        Only the latest number if the text has changed since. Raises KeyError, TypeError or ValueError for anything but
        a question, and for a place outside the text.
        """
        cut, revision = int(question["cut"]), int(question["revision"])
        if not self.knows(revision) or self._cuts is None:
            return {"revision": self.revision}
        around = self._cuts.around(cut)
        parts = [*around.left, *around.right]
        front = _common(around.whole, parts, min(len(around.left), len(around.whole)))
        rest = min(len(around.whole), len(parts)) - front
        back = _common(around.whole[::-1], parts[::-1], min(rest, len(around.right)))
        start, stop = max(front - BESIDE, 0), len(parts) - max(back - BESIDE, 0)
        whole = around.whole[start : len(around.whole) - max(back - BESIDE, 0)]
        left, right = around.left[start:], around.right[: stop - len(around.left)]
        first = start + max(len(left) - NAMED, 0)  # of the tokens that are named
        extra = len(parts) - len(around.whole)
        return {
            "revision": revision,
            "cut": cut,
            "extra": extra,
            "whole": named(self.tokenizer, whole[:NAMED]),
            "left": named(self.tokenizer, left[-NAMED:]),
            "right": named(self.tokenizer, right[:NAMED]),
            "changed": [max(front - first, 0), len(parts) - back - first],
            "words": cut_words(extra, is_same=around.whole == parts, is_end=cut in (0, len(self._cuts.text))),
        }


def cut_words(extra: int, *, is_same: bool, is_end: bool) -> str:
    """Return in words what a cut costs.

    >>> cut_words(2, is_same=False, is_end=False)
    'Cut here, the two parts have 2 tokens more than the whole.'
    """
    if is_end:
        return "At an end of the text a cut changes nothing."
    if is_same:
        return "Cut here, the two parts have the ids of the whole: a token ends here, and no merge would cross it."
    if extra == 0:
        return "Cut here, the two parts have as many tokens as the whole, but others."
    more = "more" if extra > 0 else "fewer"
    return f"Cut here, the two parts have {counted(abs(extra), 'token')} {more} than the whole."


def _common(one: list[int], other: list[int], most: int) -> int:
    """Return how many ids are the same at the beginning, of at most so many."""
    return next((i for i in range(most) if one[i] != other[i]), most)
