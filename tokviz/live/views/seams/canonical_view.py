"""Ids beside those that encoding their text gives, and why they differ where they do."""

from typing import Any

from tokviz import Canonical, Tokenizer, canonical
from tokviz.live.document import State
from tokviz.live.views.ids_view import known_ids_and_notice
from tokviz.live.views.seams.seams_view import NAMED, SeamsView, tokens_data
from tokviz.seams.canonical_words import canonicity_in_words, difference_sentence
from tokviz.system.sandbox import is_busy_error

IDS_MAX = 20_000
BEFORE, SHOWN = 12, 120  # ids shown before the first difference, and in all
DIFFERENCES_MAX = 12


class CanonicalView(SeamsView):
    """The ids in one document."""

    section = "ids"

    _found: Canonical | None = None

    def read_changed(self, states: tuple[State, ...]) -> None:
        """Read the ids."""
        limit = f"this page is about the first {IDS_MAX:,}"
        ids, self._notice = known_ids_and_notice(self.tokenizer, states[0], IDS_MAX, limit)
        try:
            self._found = canonical(self.tokenizer, ids, allowed_special=self.look.allowed_special)
            self.waits = False
        except ValueError as e:
            self._found, self.waits, self._notice = None, is_busy_error(e), str(e)

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return both lists of ids around their first difference, and each difference in words."""
        found = self._found
        if found is None:
            return {"rows": [], "differences": [], "more_places": 0, "words": "", "notice": self._notice}
        marks_of_ids = [(each.start, each.end) for each in found.differences]
        marks_of_canonical = [(each.canonical_start, each.canonical_end) for each in found.differences]
        rows = []
        for ids, marks in ((found.ids, marks_of_ids), (found.canonical, marks_of_canonical)):
            start = max(marks[0][0] - BEFORE, 0) if marks and len(ids) > SHOWN else 0
            shown = ids[start : start + SHOWN]
            rows.append(
                {
                    "first": start,
                    "tokens": tokens_data(self.tokenizer, shown),
                    "behind": len(ids) - start - len(shown),
                    "marks": [mark for mark in marks if mark[0] < start + SHOWN],
                }
            )
        return {
            "rows": rows,
            **differences_data(self.tokenizer, found),
            "words": canonicity_in_words(found),
            "notice": self._notice,
        }


def differences_data(tokenizer: Tokenizer, found: Canonical) -> dict[str, Any]:
    """Return each stretch where ids are not canonical, both its ids and why, and how many more there are."""
    differences = [
        {
            "given": tokens_data(tokenizer, found.ids[each.start : each.end][:NAMED]),
            "again": tokens_data(tokenizer, found.canonical[each.canonical_start : each.canonical_end][:NAMED]),
            "words": difference_sentence(tokenizer, found, each),
        }
        for each in found.differences[:DIFFERENCES_MAX]
    ]
    return {"differences": differences, "more_places": max(len(found.differences) - DIFFERENCES_MAX, 0)}
