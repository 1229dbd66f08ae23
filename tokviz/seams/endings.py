"""How a split pattern may cut the end of a text, once more of it follows.

A pretoken that starts where the pattern reads no further than the end of the text (`tokviz.core.lookahead`) is final;
`settled_pretoken_start` is the first place where one may not be.

From there on, what follows matters by the kinds of its characters alone, and only by the first few, since a run goes
on the same way however long it is. So the `CONTINUATIONS` meet every case; tests/seams/test_endings.py holds them
against all texts of up to three characters, followed by up to three, of every kind. What they show for named patterns
is therefore what any continuation does. For other patterns it is what these few do.
"""

from dataclasses import dataclass
from itertools import accumulate

from tokviz.core.cut_places import last_safe_cut
from tokviz.core.lookahead import end_of_certain_cuts
from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.core.patterns import compiled_pattern
from tokviz.core.pretokens import pretokens

# One of each kind, and the few that need more than one character: contractions, white space that leaves its last
# character to a word, capitals that small letters join to the letters without case before them (o200k), what keeps
# `> ` whole (sentencepiece), and a mark that joins no letter. Chinese, what is no letter among Japanese, and control
# characters are kinds of their own to kimi-k2 and deepseek-v3.
CONTINUATIONS = (
    "a", "A", "ก", "中", "・", "\u3040", "\0", "\u0301", "1", "!", "/", "'", " ", "\n", "\t", "s", "l", "e",
    "'s", "'ll", " a", "  a", "\ta", "\t\ta", " 1", " \n", "Aa", "!\n", "</", "\u0e31",
)  # fmt: skip
OWN_PATTERN_CHARS = 200  # of the end of a text, where nothing is known about the pattern


@dataclass(frozen=True)
class Ending:
    """One way to cut the end of a text: `cuts` are where pretokens end in it, in characters.

    If the last cut is not the end, the pretoken after it reaches into what follows. after: the continuations tried
    that have the text cut so.
    """

    cuts: tuple[int, ...]
    after: tuple[str, ...]


def pretoken_ends(text: str, split_pattern: str) -> list[int]:
    """Return where the pretokens of a text end, in characters.

    >>> pretoken_ends("two words", "gpt2"), pretoken_ends("two words", "none"), pretoken_ends("", "none")
    ([3, 9], [9], [])
    """
    if split_pattern == "none" or split_pattern not in SPLIT_PATTERNS:
        return list(accumulate(map(len, pretokens(text, split_pattern))))
    return list(accumulate(map(len, compiled_pattern(split_pattern).findall(text))))  # no character is left over


def settled_pretoken_start(text: str, split_pattern: str) -> int:
    """Return a place where a pretoken starts, in characters, before which no continuation changes any cut.

    It is near the end: a run of one kind of character is the most that lies between. For a pattern that is not a named
    one the last pretokens are taken, which proves nothing.

    >>> texts = {"cl100k": "one two, three", "o200k": "กABC", "none": "one two"}
    >>> [settled_pretoken_start(text, split_pattern) for split_pattern, text in texts.items()]
    [8, 0, 0]
    """
    if split_pattern not in SPLIT_PATTERNS:
        return max(
            (end for end in pretoken_ends(text, split_pattern) if end <= len(text) - OWN_PATTERN_CHARS), default=0
        )
    if split_pattern == "none":
        return 0
    begin = last_safe_cut(text, split_pattern)
    limit = end_of_certain_cuts(text, len(text), split_pattern) - begin
    return begin + max((end for end in pretoken_ends(text[begin:], split_pattern) if end <= limit), default=0)


def possible_endings(text: str, split_pattern: str) -> list[Ending]:
    """Return every way to cut the end of a text, when more of it follows, or nothing; its own first.

    >>> [(ending.cuts, ending.after[:2]) for ending in possible_endings("a  ", "gpt2")]
    [((1, 3), ('', ' a')), ((1, 2), ('a', 'A')), ((1,), (' ', '\\n'))]
    """
    found: dict[tuple[int, ...], list[str]] = {}
    for more in ("", *CONTINUATIONS):
        cuts = tuple(end for end in pretoken_ends(text + more, split_pattern) if end <= len(text))
        found.setdefault(cuts, []).append(more)
    return [Ending(cuts, tuple(after)) for cuts, after in found.items()]
