"""The pretokens that a split pattern cuts from a document, each with the alternative that cut it.

Replies are like those of the token view, with the number of the alternative in place of the id. An own pattern runs in
a guarded child process; if it dies or never ends, a sentence in the reply says so.

"""

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tokviz.analysis.alternatives import Cut, alternatives, cuts
from tokviz.core.patterns import ALTERNATIVES, pattern_name
from tokviz.core.pretokens import well_formed
from tokviz.live.columns import NO_TOKENS, TokenColumns
from tokviz.live.document import Document, beginning, units_of
from tokviz.live.edit import Change
from tokviz.live.views.token_view import change_of
from tokviz.system.sandbox import SandboxError

CHARACTERS_MAX = 20_000  # of the text; cutting so many anew takes about 20 ms
# What takes at most some 5 ms under a named pattern: an edit of so many units of a text of so many.
QUICK_EDIT = 1_000
QUICK_TEXT = 5_000


class CutsView:
    """The pretokens of one document under a split pattern; `off` are the numbers of the alternatives switched off.

    `lock` is to be held around `reply` and `answer`. Raises ValueError, in words, for a pattern that does not compile.
    """

    kind = "cuts"

    def __init__(self, document: Document, pattern: str, *, off: tuple[int, ...] = ()) -> None:
        self.lock = threading.Lock()
        self.document, self.pattern, self.off = document, pattern, off
        self.alternatives = alternatives_data(pattern, off)
        self._runs_here = pattern_name(pattern) in ALTERNATIVES and not off
        self._told = -1
        self._text: str | None = None  # what was cut last
        self._found: list[Cut] = []
        self._problem: str | None = None
        self._sent = NO_TOKENS

    @property
    def is_behind(self) -> bool:
        """Whether there may be something to tell."""
        return self.document.state.changes != self._told

    def is_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes no more than some 5 ms."""
        state, change = self.document.since(self._told)
        size = state.length if whole or change is None else change.new_stop - change.start
        return self._runs_here and size <= QUICK_EDIT and state.length <= QUICK_TEXT

    def reply(self, *, whole: bool) -> dict[str, Any]:
        """Return all pretokens of the text as it is now, or what changed since the last reply."""
        state, _ = self.document.since(0)
        text = well_formed(beginning(state.units, CHARACTERS_MAX))
        if text != self._text:
            self._cut(text)
        tokens, by_alternative = columns(self._found), Counter(cut.alternative for cut in self._found)
        sent, self._sent = NO_TOKENS if whole else self._sent, tokens
        shift = _end(tokens) - _end(sent)
        front, back = sent.common_ends(tokens, shift)
        self._told = -1 if self._text is None else state.changes
        reply = {
            "of": [state.version, state.sequence],
            **change_of(tokens, Change(front, len(sent) - back, len(tokens) - back)),
            "shift": shift,
            "end": _end(tokens),
            "counts": {
                "pretokens": len(self._found),
                "used": len(by_alternative) - (None in by_alternative),
                "left": by_alternative[None],
                "longest": max((len(cut.pretoken) for cut in self._found), default=0),
            },
            "cut": [by_alternative[i] for i in range(len(self.alternatives))],
            "notice": self._problem or too_long(state.length, text),
        }
        if whole:
            reply |= {"pattern": self.pattern, "alternatives": self.alternatives}
        return reply

    def _cut(self, text: str) -> None:
        """Cut a text; where the pattern cannot, nothing is cut and the problem said."""
        try:
            self._text, self._found, self._problem = text, cuts(text, self.pattern, off=self.off), None
        except ValueError as e:
            is_busy = isinstance(e, SandboxError) and e.why == "busy"
            self._text, self._found, self._problem = None if is_busy else text, [], str(e)  # None: to be tried again

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """There is nothing to ask: ValueError."""
        raise ValueError("the view of cuts has no answers")


def columns(found: Sequence[Cut]) -> TokenColumns:
    """Return pretokens as tokens are sent: in the place of the id the alternative counted from 1, 0 where none matched.

    >>> found = columns(cuts("it's", "gpt2"))
    >>> found.ids.tolist(), found.widths.tolist()
    ([2, 1], [2, 2])
    """
    numbers = np.array([0 if cut.alternative is None else cut.alternative + 1 for cut in found], np.int32)
    points = np.frombuffer("".join(cut.pretoken for cut in found).encode("utf-32-le"), np.uint32)
    ends = np.cumsum([len(cut.pretoken) for cut in found], dtype=np.int64)
    wide = points > 0xFFFF
    sizes, widths = (_sums(each, ends) for each in (1 + (points > 0x7F) + (points > 0x7FF) + wide, 1 + wide))
    return TokenColumns(numbers, sizes, np.cumsum(widths, dtype=np.int32) - widths, widths)


def _end(tokens: TokenColumns) -> int:
    """Return where the last token ends."""
    return int(tokens.starts[-1] + tokens.widths[-1]) if len(tokens) else 0


def _sums(values: np.ndarray, ends: np.ndarray) -> np.ndarray:
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
            "on": i not in off,
        }
        for i, alternative in enumerate(alternatives(pattern))
    ]


def too_long(n_units: int, shown: str) -> str | None:
    """Return in words how much of a long text is cut, None where all of it is."""
    if len(shown) < CHARACTERS_MAX or 2 * n_units == len(units_of(shown)):
        return None
    return f"The text is long; the first {CHARACTERS_MAX:,} characters are split here."
