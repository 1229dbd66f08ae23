"""Ids beside those that encoding their text gives, and why they differ where they do."""

from typing import Any

from tokviz import Canonical, Difference, Tokenizer, canonical
from tokviz.core.ids import ids_and_other_entries
from tokviz.live.document import Document, State, text_of
from tokviz.live.look import PLAIN, Look
from tokviz.live.views.ids_view import notice_if_ids_left_out
from tokviz.live.views.seams.seams_view import NAMED, SeamsView, tokens_data
from tokviz.seams.canonical import BYTES, MERGE, NORMALIZED, NOT_UTF8, PRETOKENS, SPECIAL
from tokviz.system.sandbox import is_busy_error
from tokviz.text.glyphs import visible_token
from tokviz.text.words import quantity

IDS_MAX = 20_000
BEFORE, SHOWN = 12, 120  # ids shown before the first difference, and in all
DIFFERENCES_MAX = 12
LISTED = 12  # ids of a difference that are written out
TEXT_BYTES = 80  # of their text


class CanonicalView(SeamsView):
    """The ids in one document."""

    section = "ids"

    def __init__(self, document: Document, tokenizer: Tokenizer, *, look: Look = PLAIN) -> None:
        super().__init__(document, look=look)
        self.tokenizer = tokenizer
        self._read = -1  # how often the document had changed when it was read
        self._found: Canonical | None = None

    def read_documents(self) -> tuple[State]:
        """Read the ids as they are now."""
        state = self.documents[0].state
        if state.changes != self._read or self.waits:
            ids, junk = ids_and_other_entries(text_of(state.units))
            known = [each for each in ids if each in self.tokenizer]
            words = notice_if_ids_left_out(self.tokenizer, ids, known, junk) or ""
            if len(known) > IDS_MAX:
                words = f"{words} There are {len(known):,} ids; this page is about the first {IDS_MAX:,}.".strip()
            try:
                self._found = canonical(self.tokenizer, known[:IDS_MAX], allowed_special=self.look.allowed_special)
                self.waits = False
            except ValueError as e:
                self._found, self.waits = None, is_busy_error(e)
                words = str(e)
            self._notice, self._read = words or None, state.changes
        return (state,)

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return both lists of ids around their first difference, and each difference in words."""
        found = self._found
        if found is None:
            return {"rows": [], "differences": [], "words": "", "notice": self._notice}
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
            "differences": [
                {
                    "given": tokens_data(self.tokenizer, found.ids[each.start : each.end][:NAMED]),
                    "again": tokens_data(
                        self.tokenizer, found.canonical[each.canonical_start : each.canonical_end][:NAMED]
                    ),
                    "words": difference_sentence(self.tokenizer, found, each),
                }
                for each in found.differences[:DIFFERENCES_MAX]
            ],
            "more": max(len(found.differences) - DIFFERENCES_MAX, 0),
            "words": canonicity_in_words(found),
            "notice": self._notice,
        }


def canonicity_in_words(found: Canonical) -> str:
    """Return in a sentence or two whether ids are canonical.

    >>> import tokviz
    >>> canonicity_in_words(tokviz.canonical(tokviz.load("gpt2"), [64]))
    'Canonical: the text of this id encodes as that id.'
    """
    if not found.ids:
        return ""
    if found.is_canonical:
        if len(found.ids) == 1:
            return "Canonical: the text of this id encodes as that id."
        return f"Canonical: the text of these {len(found.ids):,} ids encodes as the same ids."
    places = quantity(len(found.differences), "place")
    return (
        f"Not canonical: {quantity(len(found.ids), 'id')}, whose text encodes as {len(found.canonical):,}. They "
        f"differ in {places}."
    )


def difference_sentence(tokenizer: Tokenizer, found: Canonical, difference: Difference) -> str:
    """Return in a sentence what ids decode to, what that encodes as, and why.

    >>> import tokviz
    >>> cl100k = tokviz.load("cl100k_base")
    >>> found = tokviz.canonical(cl100k, [198, 198])
    >>> difference_sentence(cl100k, found, found.differences[0])
    '[198, 198] decodes to ↵↵, which encodes as [271]: encoding merges ↵ with ↵.'
    """
    ids = found.ids[difference.start : difference.end]
    again = _ids_text(found.canonical[difference.canonical_start : difference.canonical_end])
    if difference.reason == NOT_UTF8:
        return (
            f"{_ids_text(ids)} has bytes that are not valid UTF-8; they decode to U+FFFD (�), which encodes as {again}."
        )
    text = visible_token(b"".join(tokenizer.tokens_bytes(ids))[:TEXT_BYTES])
    return f"{_ids_text(ids)} decodes to {text}, which encodes as {again}: {_reason_text(difference)}."


def _reason_text(difference: Difference) -> str:
    if difference.reason == SPECIAL:
        return "in a text, the name of a special token is plain text unless special tokens are switched on"
    if difference.reason == MERGE and difference.merged:
        left, right = map(visible_token, difference.merged)
        return f"encoding merges {left} with {right}"
    if difference.reason == PRETOKENS:
        return "the split pattern cuts inside one of these tokens, and no merge crosses a cut"
    if difference.reason == BYTES:
        return "a character that is a token is not spelled by its bytes"
    if difference.reason == NORMALIZED:
        return "the text is changed before it is split"
    return "no merges lead to one of these tokens"


def _ids_text(ids: list[int]) -> str:
    return f"[{', '.join(map(str, ids[:LISTED]))}{', …' if len(ids) > LISTED else ''}]"
