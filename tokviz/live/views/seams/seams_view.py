"""SeamsView: what the sections of the page of seams share, and how their messages give tokens.

A message gives either a stretch of a text with its tokens, as columns, or single tokens as [bytes in hex, id].
"""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from tokviz import AnyTokenizer, TokenSpans
from tokviz.live.columns import TokenColumns
from tokviz.live.document import Document, units_of
from tokviz.live.look import PLAIN, Look
from tokviz.live.recut import decoded_units
from tokviz.live.tokens import TokenFollower
from tokviz.live.view import View
from tokviz.live.views.sent_tokens import token_spelling_data

SHOWN = 300  # tokens of a stretch
NAMED = 24  # tokens of a list


class SeamsView(View):
    """One section of the page, mostly of one text; every reply has all of what it shows, since that is little."""

    kind = "seams"
    section: ClassVar[str]

    def __init__(self, text: Document | Sequence[Document], tokenizer: Any, *, look: Look = PLAIN) -> None:
        super().__init__(*([text] if isinstance(text, Document) else text))
        self.tokenizer, self.look = tokenizer, look

    def is_reply_quick(self, *, whole: bool) -> bool:
        """Return False: a search for what changes a token may take a tenth of a second."""
        return False

    def reply(self, *, whole: bool) -> dict[str, Any]:
        """Return what the section shows, and its name."""
        return {"section": self.section, **super().reply(whole=whole)}

    def stretch_with_marks(self, stretch: dict[str, Any]) -> dict[str, Any]:
        """Return a stretch of a text with the hidden text in it, where that is looked for."""
        marks = self.look.new_marks()
        marks.update(units_of(stretch["text"]))
        return stretch | marks.take_reply_fields({}, whole=True)


def tokens_data(tokenizer: AnyTokenizer, ids: Iterable[int]) -> list[tuple[str, int]]:
    """Return tokens as a message names them.

    >>> import tokviz
    >>> tokens_data(tokviz.load("gpt2"), [64, 198])
    [('61', 64), ('0a', 198)]
    """
    return [(tokenizer.token_bytes(each).hex(" "), each) for each in ids]


def data_of_token_stretch(follower: TokenFollower, first: int, stop: int) -> dict[str, Any]:
    """Return the tokens first..stop-1 of a text with their text; a few more where they share a character."""
    tokenizer, units = follower.tokenizer, follower.units[: 2 * follower.covered]
    shown = stretch_data(tokenizer, follower.tokens, units, first, stop)
    return shown | token_spelling_data(tokenizer, follower.spans, follower.tokens_differing_from_text)


def stretch_data(tokenizer: AnyTokenizer, tokens: TokenColumns, units: bytes, first: int, stop: int) -> dict[str, Any]:
    """Return the tokens first..stop-1 of all, which make up these units; a few more where they share a character."""
    ends = tokens.starts + tokens.widths
    while 0 < first < len(tokens) and tokens.starts[first] < ends[first - 1]:
        first -= 1
    while 0 < stop < len(tokens) and tokens.starts[stop] < ends[stop - 1]:
        stop += 1
    begin = int(tokens.starts[first]) if 0 < first < len(tokens) else 0
    end = int(tokens.starts[stop]) if stop < len(tokens) else len(units) // 2
    shown = columns_data(tokens.token_slice(first, stop), decoded_units(units, begin, end), begin)
    special = {*tokenizer.special_tokens.values()}.intersection(tokens.ids[first:stop].tolist())
    return shown | {"first": first, "behind": len(tokens) - stop, "special": sorted(special)}


def spans_data(spans: TokenSpans) -> dict[str, Any]:
    """Return all tokens of spans, of a text that they make up."""
    return columns_data(TokenColumns.of_spans(spans), spans.text, 0) | {"first": 0, "behind": 0, "special": []}


def columns_data(tokens: TokenColumns, text: str, begin: int) -> dict[str, Any]:
    """Return tokens with the text that they make up, which begins at the unit `begin`."""
    return {
        "text": text,
        "ids": tokens.ids.tolist(),
        "sizes": tokens.sizes.tolist(),
        "starts": [*(tokens.starts - begin).tolist(), len(text.encode("utf-16-le")) // 2],
        "widths": tokens.widths.tolist(),
    }
