"""How far a named split pattern reads ahead of the place where it cuts.

The named patterns read from left to right and never look back. From the place where a pretoken starts, they read one
character of any kind, a run of one kind (letters and marks, symbols, digits, white space), line ends or slashes after
symbols, and at most three characters more (a contraction such as 'll).
"""

import regex

from tokviz.core.named_patterns import SPLIT_PATTERNS

_SAME_KIND = (r"\s", r"\p{N}", r"^\s\p{L}\p{N}")
# Where the case of letters counts, also before the marks between them.
_WORDS = dict.fromkeys(("o200k", "tekken", "kimi-k2"), r"\p{L}\p{M}")


def _backwards_pattern(kind: str) -> regex.Pattern[str]:
    return regex.compile(rf"(?r)[{kind}]*+")


_RUNS = {
    name: [*map(_backwards_pattern, (_WORDS.get(name, r"\p{L}"), *_SAME_KIND))]
    for name in SPLIT_PATTERNS
    if name not in ("none", "sentencepiece")
} | {"sentencepiece": [_backwards_pattern(r"\n")]}
_AFTER_SYMBOLS = _backwards_pattern(r"\r\n/")
_READ_AHEAD = 3  # characters: a contraction, or what shows that there is none


def end_of_certain_cuts(text: str, stop: int, split_pattern: str) -> int:
    """Return a place, in characters, such that what follows `stop` changes no cut at that place or before it.

    It is 0 if nothing is known about the pattern.

    >>> end_of_certain_cuts("one two three", 13, "gpt2"), end_of_certain_cuts("one two", 7, "none")
    (7, 0)
    """
    if split_pattern not in _RUNS:
        return 0
    end = max(stop - _READ_AHEAD, 0)
    places = (end, _run_start(_AFTER_SYMBOLS, text, end))
    starts = (_run_start(run, text, place) for place in places for run in _RUNS[split_pattern])
    return max(min(starts, default=end) - 1, 0)


def _run_start(run: regex.Pattern[str], text: str, end: int) -> int:
    """Return where a run begins that ends at a character."""
    match = run.match(text, 0, end)
    return match.start() if match else end
