"""The pretokens that a split pattern cuts from a document, each with the alternative that cut it.

Replies are like those of the token view, with the number of the alternative in place of the id. An own pattern runs in
a guarded child process; if it dies or never ends, a sentence in the reply says so.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from tokviz.core.named_patterns import ALTERNATIVES
from tokviz.core.patterns import pattern_name_or_regex
from tokviz.live.columns import TokenColumns
from tokviz.live.document import Document
from tokviz.live.views.reading import ReadingView
from tokviz.live.views.sent_tokens import SentTokens
from tokviz.text.alternatives import Cut, alternatives, cuts

CHARACTERS_MAX = 20_000  # of the text; cutting this many again takes about 20 ms
# An edit of this many units in a text of QUICK_TEXT takes at most about 5 ms under a named pattern.
QUICK_EDIT = 1_000
QUICK_TEXT = 5_000


class CutsView(ReadingView[list[Cut]]):
    """The pretokens of one document under a split pattern; `off` are the numbers of the alternatives switched off.

    Raises ValueError, in words, for a pattern that does not compile.
    """

    kind = "cuts"
    characters_max = CHARACTERS_MAX

    def __init__(self, document: Document, pattern: str, *, off: tuple[int, ...] = ()) -> None:
        super().__init__(document)
        self.pattern, self.off = pattern, off
        self.alternatives = alternatives_data(pattern, off)
        self._runs_here = pattern_name_or_regex(pattern) in ALTERNATIVES and not off
        self._sent_cuts = SentTokens()

    def is_reply_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most about 5 ms."""
        size, length = self.n_edited_and_all_units(whole=whole)
        return self._runs_here and size <= QUICK_EDIT and length <= QUICK_TEXT

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return all pretokens of the text, or what changed since the last reply."""
        found = self.found or []
        tokens, by_alternative = pretokens_as_token_columns(found), Counter(cut.alternative for cut in found)
        end = int(tokens.starts[-1] + tokens.widths[-1]) if len(tokens) else 0
        shown = {
            **self._sent_cuts.take_columns_reply(tokens, end, whole=whole),
            "counts": {
                "pretokens": len(found),
                "used": len(by_alternative) - (None in by_alternative),
                "left": by_alternative[None],
                "longest": max((len(cut.pretoken) for cut in found), default=0),
            },
            "cut": [by_alternative[i] for i in range(len(self.alternatives))],
            "notice": self.notice,
        }
        if whole:
            shown |= {"pattern": self.pattern, "alternatives": self.alternatives}
        return shown

    def reading_of(self, text: str) -> list[Cut]:
        """Return the pretokens of a text; ValueError, in words, where the pattern dies or never ends."""
        return cuts(text, self.pattern, off=self.off)


def pretokens_as_token_columns(found: Sequence[Cut]) -> TokenColumns:
    """Return pretokens as tokens are sent: in the place of the id the alternative counted from 1, 0 where none matched.

    >>> found = pretokens_as_token_columns(cuts("it's", "gpt2"))
    >>> found.ids.tolist(), found.widths.tolist()
    ([2, 1], [2, 2])
    """
    numbers = np.array([0 if cut.alternative is None else cut.alternative + 1 for cut in found], np.int32)
    points = np.frombuffer("".join(cut.pretoken for cut in found).encode("utf-32-le"), np.uint32)
    ends = np.cumsum([len(cut.pretoken) for cut in found], dtype=np.int64)
    wide = points > 0xFFFF
    sizes, widths = (_stretch_sums(each, ends) for each in (1 + (points > 0x7F) + (points > 0x7FF) + wide, 1 + wide))
    return TokenColumns(np.stack([numbers, sizes, np.cumsum(widths, dtype=np.int32) - widths, widths]))


def _stretch_sums(values: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return the sums of stretches of values that end there, each beginning where the last one ends."""
    return np.diff(np.append(0, np.cumsum(values))[ends], prepend=0).astype(np.int32)


def alternatives_data(pattern: str, off: Sequence[int]) -> list[dict[str, Any]]:
    """Return what a browser shows of the alternatives of a pattern; ValueError, in words, where it does not compile.

    >>> [(each["name"], each["on"]) for each in alternatives_data("gpt2", [0])][:2]
    [('contraction', False), ('letters', True)]
    """
    return [
        {
            "name": alternative.name,
            "regex": alternative.regex,
            "explanation": alternative.explanation,
            "part": alternative.part,
            "on": i not in off,
        }
        for i, alternative in enumerate(alternatives(pattern))
    ]
