"""All the ways to cut a piece of a document into tokens: how many there are, and any of them on request."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tokviz import Segmentations, token_spans
from tokviz.core.pretokens import pretokens, well_formed_text
from tokviz.live.document import text_of, units_of
from tokviz.live.views.cuts_view import pretokens_as_token_columns
from tokviz.live.views.reading import ReadingView
from tokviz.live.views.seams.seams_view import SeamsView, columns_data, spans_data
from tokviz.text.alternatives import Cut

CHARACTERS_MAX = 2_000
BYTES_MAX = 1_000  # of a piece
DRAW = "draw"


class WaysView(ReadingView[list[str]], SeamsView):
    """One document, whose pieces are cut in every way; special tokens are plain text."""

    section = "ways"
    characters_max = CHARACTERS_MAX
    becomes = "are shown here"

    _piece: tuple[str, Segmentations] | None = None  # what was asked about last

    def reading_of(self, text: str) -> list[str]:
        """Return the pretokens of a text; ValueError, in words, where the split pattern cannot cut it."""
        return pretokens(text, self.tokenizer.split_pattern)

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return the text with its pretokens, numbered, in the place of tokens."""
        pieces = self.found or []
        columns = pretokens_as_token_columns([Cut(piece, 0, None) for piece in pieces])
        stretch = columns_data(columns, "".join(pieces), 0) | {"ids": list(range(len(pieces)))}
        return {
            "stretch": self.stretch_with_marks(stretch),
            "longest": _range_of_longest_fitting_pretoken(pieces),
            "notice": self.notice,
        }

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the ways to cut a piece, {"piece": [start, stop] in UTF-16 units}, and the one asked for as "way".

        That is a number, written out since it may be large, "draw" for any one, or else BPE's own. Only the latest
        number if the text has changed since. Raises KeyError, TypeError or ValueError for anything but a question.
        """
        start, stop = map(int, question["piece"])
        revision, way = int(question["revision"]), question.get("way")
        if not self.is_current_revision(revision):
            return {"revision": self.revision}
        units = units_of(self.text or "")
        piece = well_formed_text(text_of(units[2 * max(start, 0) : 2 * stop]))
        n_bytes = len(piece.encode())
        if not 0 < n_bytes <= BYTES_MAX:
            return {"revision": revision, "piece": [start, stop], "words": notice_why_piece_not_cut(n_bytes)}
        ways = self._segmentations(piece)
        own = [each for one in self.tokenizer.pretokens(piece) for each in self.tokenizer.encode_pretoken(one)]
        known = {"own": own, "shortest": ways.shortest(), "greedy": ways.greedy(), "bytes": ways.nth(0)}
        numbers = {name: ways.number(ids) for name, ids in known.items()}
        if way == DRAW:
            ids = ways.draw()
        elif isinstance(way, str) and way.isdecimal():
            is_beyond = len(way) > len(str(ways.count))  # seen without reading a number of any length
            ids = ways.nth(ways.count - 1 if is_beyond else min(int(way), ways.count - 1))
        else:
            ids = own
        return {
            "revision": revision,
            "piece": [start, stop],
            "count": str(ways.count),
            "known": [[name, str(numbers[name]), len(ids)] for name, ids in known.items()],
            "number": str(ways.number(ids)),
            "stretch": self.stretch_with_marks(spans_data(token_spans(self.tokenizer, np.array(ids, np.int32)))),
        }

    def _segmentations(self, piece: str) -> Segmentations:
        if self._piece is None or self._piece[0] != piece:
            self._piece = piece, Segmentations(self.tokenizer, piece)
        return self._piece[1]


def _range_of_longest_fitting_pretoken(pieces: list[str]) -> list[int]:
    """Return where the longest pretoken that is not too long starts and stops, in UTF-16 units."""
    fitting = [i for i, piece in enumerate(pieces) if len(piece.encode()) <= BYTES_MAX]
    if not fitting:
        return [0, 0]
    longest = max(fitting, key=lambda i: len(pieces[i]))
    start = len(units_of("".join(pieces[:longest]))) // 2
    return [start, start + len(units_of(pieces[longest])) // 2]


def notice_why_piece_not_cut(n_bytes: int) -> str:
    """Return in words why a piece of this many bytes is not cut.

    >>> notice_why_piece_not_cut(1_200)
    'This piece has 1,200 bytes. At most 1,000 are cut in every way: choose a shorter one.'
    """
    if not n_bytes:
        return ""
    return f"This piece has {n_bytes:,} bytes. At most {BYTES_MAX:,} are cut in every way: choose a shorter one."
