"""What becomes of the tokens of a document where it is cut in two: asked at each place that a cut is dragged to."""

from collections.abc import Mapping
from typing import Any

from tokviz import Cuts
from tokviz.live.views.reading import ReadingView
from tokviz.live.views.seams.seams_view import NAMED, SeamsView, tokens_data
from tokviz.text.words import quantity

CHARACTERS_MAX = 5_000
BESIDE = 3  # tokens shown on each side of those that change


class CutView(ReadingView[Cuts], SeamsView):
    """One document, to be cut anywhere; special tokens are plain text."""

    section = "cut"
    characters_max = CHARACTERS_MAX
    becomes = "can be cut here"

    def reading_of(self, text: str) -> Cuts:
        """Return the cuts of a text; ValueError as in `Cuts`."""
        return Cuts(self.tokenizer, text)

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return the text that can be cut."""
        cuts = self.found
        return {"text": cuts.text if cuts else "", "notice": self.notice}

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the ids around a cut, {"cut": characters before it, "revision": number}, and what it costs.

        Only the latest number if the text has changed since. Raises KeyError, TypeError or ValueError for anything but
        a question, and for a place outside the text.
        """
        cut, revision = int(question["cut"]), int(question["revision"])
        cuts = self.found
        if not self.is_current_revision(revision) or cuts is None:
            return {"revision": self.revision}
        around = cuts.around(cut)
        parts = [*around.left, *around.right]
        front = _n_common_at_start(around.whole, parts, min(len(around.left), len(around.whole)))
        rest = min(len(around.whole), len(parts)) - front
        back = _n_common_at_start(around.whole[::-1], parts[::-1], min(rest, len(around.right)))
        start, stop = max(front - BESIDE, 0), len(parts) - max(back - BESIDE, 0)
        whole = around.whole[start : len(around.whole) - max(back - BESIDE, 0)][:NAMED]
        left, right = around.left[start:][-NAMED:], around.right[: stop - len(around.left)][:NAMED]
        first = len(around.left) - len(left)  # of the tokens that are named
        before, behind = cuts.n_tokens_outside(around)
        extra = len(parts) - len(around.whole)
        return {
            "revision": revision,
            "cut": cut,
            "extra": extra,
            "whole": tokens_data(self.tokenizer, whole),
            "left": tokens_data(self.tokenizer, left),
            "right": tokens_data(self.tokenizer, right),
            "left_out": [  # before and after the tokens that are named: of the whole, and of the parts
                [before + start, behind + len(around.whole) - start - len(whole)],
                [before + first, behind + len(around.right) - len(right)],
            ],
            "changed": [max(front - first, 0), len(parts) - back - first],
            "words": cut_cost_sentence(extra, is_same=around.whole == parts, is_end=cut in (0, len(cuts.text))),
        }


def cut_cost_sentence(extra: int, *, is_same: bool, is_end: bool) -> str:
    """Return in words what a cut costs.

    >>> cut_cost_sentence(2, is_same=False, is_end=False)
    'Cut here, the two parts have 2 tokens more than the whole.'
    """
    if is_end:
        return "At an end of the text a cut changes nothing."
    if is_same:
        return "Cut here, the two parts have the ids of the whole: a token ends here, and no merge would cross it."
    if extra == 0:
        return "Cut here, the two parts have as many tokens as the whole, but others."
    more = "more" if extra > 0 else "fewer"
    return f"Cut here, the two parts have {quantity(abs(extra), 'token')} {more} than the whole."


def _n_common_at_start(one: list[int], other: list[int], most: int) -> int:
    """Return how many ids are the same at the beginning, of the first `most`."""
    return next((i for i in range(most) if one[i] != other[i]), most)
