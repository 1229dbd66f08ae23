"""Where pretokens start under the split pattern cl100k, found in many texts at once.

A regular expression takes its time for each match. These are the rules of the pattern as conditions on the kinds of
neighbouring characters, which numpy checks for all of them together.
"""

import numpy as np

from tokviz.corpus.cutting.joined_texts import END, LETTER, LINE_END, NUMBER, OTHER, SPACE, JoinedTexts

_LONG_S = 0x17F  # the capital of which is S, too
_CONTRACTED = np.array([*map(ord, "sdmtSDMT"), _LONG_S])


def cl100k_pretoken_starts(joined: JoinedTexts) -> np.ndarray:
    """Return where pretokens start, in characters, ascending; each END counts as one.

    >>> from itertools import pairwise
    >>> joined = JoinedTexts(["two  words", "it's"])
    >>> [joined.text[i:j] for i, j in pairwise(cl100k_pretoken_starts(joined).tolist()) if joined.kinds[i] != END]
    ['two', ' ', ' words', 'it', "'s"]
    """
    kinds = joined.kinds
    is_start = np.empty(len(kinds), bool)
    is_start[0] = is_start[-1] = True
    before, here, after = kinds[:-2], kinds[1:-1], kinds[2:]
    begins = here != before
    # A run of symbols takes one space before it; a letter takes one blank, or a single symbol.
    symbol = begins & (here == OTHER) & (before != SPACE)
    letter = begins & (here == LETTER) & (before < SPACE)
    letter[1:] &= ~symbol[:-1]
    last_blank = (here >= SPACE) & (after < LINE_END) & (after != END)
    # Line ends after a symbol belong to it.
    white = (here >= LINE_END) & (before < LINE_END) & ~((here == LINE_END) & (before == OTHER))
    is_start[1:-1] = symbol | letter | last_blank | white | (here == END)
    is_start[_starts_after_line_ends(kinds)] = True
    is_start[_number_pretoken_starts(kinds)] = True
    is_start[_starts_after_contractions(joined, is_start)] = True
    return np.flatnonzero(is_start)


def _starts_after_line_ends(kinds: np.ndarray) -> np.ndarray:
    """Return where white space starts after the last line end of a run, or after the line ends that follow a symbol."""
    ends = np.flatnonzero((kinds == LINE_END) | (kinds == END))  # the last of them is an END
    solid = (kinds - 1) < OTHER  # letters, numbers and symbols; END, 0, becomes 255
    is_last = np.maximum.reduceat(solid.view(np.uint8), ends)[:-1] > 0  # something solid comes before the next end
    is_line_end, follows = kinds[ends[:-1]] == LINE_END, np.diff(ends) == 1
    begins = np.ones(len(ends) - 1, bool)
    begins[1:] = ~(follows[:-1] & is_line_end[:-1])
    first = ends[_run_start_of_each(begins)]
    is_taken = kinds[first - 1] == OTHER
    after = ends[:-1] + 1
    return after[is_line_end & (kinds[after] >= SPACE) & (is_last | is_taken)]


def _run_start_of_each(begins: np.ndarray) -> np.ndarray:
    """Return for each element the index of the run it is in, given where runs begin; the first begins one.

    >>> _run_start_of_each(np.array([True, False, True, True, False])).tolist()
    [0, 0, 2, 3, 3]
    """
    return np.flatnonzero(begins)[begins.cumsum() - 1]


def _number_pretoken_starts(kinds: np.ndarray) -> np.ndarray:
    """Return every third place of each run of numbers."""
    numbers = np.flatnonzero(kinds == NUMBER)
    if not len(numbers):
        return numbers
    begins = np.diff(numbers, prepend=-1) != 1  # there is an END at 0
    return numbers[(np.arange(len(numbers)) - _run_start_of_each(begins)) % 3 == 0]


def _starts_after_contractions(joined: JoinedTexts, is_start: np.ndarray) -> np.ndarray:
    """Return where letters go on after 's, 'd, 'm, 't, 'll, 've and 're."""
    codes, kinds = joined.codes, joined.kinds
    marks = np.flatnonzero(codes == ord("'"))
    marks = marks[is_start[marks] & (kinds[marks + 1] == LETTER)]
    first, second = codes[marks + 1], codes[marks + 2]
    l_or_v_or_r, l_or_e = first | 0x20, second | 0x20  # in small letters
    is_two = (l_or_v_or_r == ord("l")) & (l_or_e == ord("l"))
    is_two |= ((l_or_v_or_r == ord("v")) | (l_or_v_or_r == ord("r"))) & (l_or_e == ord("e"))
    is_one = (first[:, None] == _CONTRACTED).any(1)  # np.isin would first import numpy.ma, which takes 12 ms
    after = np.concatenate([marks[is_one] + 2, marks[is_two] + 3])
    return after[kinds[after] == LETTER]
