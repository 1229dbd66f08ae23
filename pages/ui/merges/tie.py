"""The tie in the textbook's example, which the textbook and the usual code resolve in two ways."""

import pandas as pd
import streamlit as st

from pages.ui.merges.replays import CLASSICAL
from pages.ui.shared.messages import show_errors
from tokviz import Tokenizer
from tokviz.core import bpe

# After Z=aa two pairs have a count of 2. The textbook takes (a, b) next, the usual code the first in the text.
WAYS = {
    "textbook": ((97, 97), (97, 98), (256, 257)),
    "usual code": ((97, 97), (256, 97), (257, 98)),
}


def ways_through_the_tie() -> pd.DataFrame:
    """Return both ways through the classical example: a row for each merge, letters for new tokens.

    >>> ways_through_the_tie()["usual code"].tolist()
    ['aaabdaaabac', 'Z = aa:  ZabdZabac', 'Y = Za:  YbdYbac', 'X = Yb:  XdXac']
    """
    columns = {}
    for way, merges in WAYS.items():
        tokenizer = Tokenizer(way, "none", bpe.ranks_from_merges(merges))
        letters = {256 + i: letter for i, letter in enumerate("ZYX")}
        shown = [
            "".join(letters.get(token_id, chr(token_id)) for token_id in tokenizer.truncated(k).encode(CLASSICAL))
            for k in range(4)
        ]
        made = ["".join(letters.get(part, chr(part)) for part in pair) for pair in merges]
        columns[way] = shown[:1] + [
            f"{letter} = {parts}:  {text}" for letter, parts, text in zip("ZYX", made, shown[1:], strict=True)
        ]
    return pd.DataFrame(columns, index=["the text", "merge 1", "merge 2", "merge 3"])


def explain_the_tie() -> None:
    """Show both ways through the tie of the classical example, and why there are two."""
    with st.popover("About the tie", type="tertiary"), show_errors():
        st.markdown(
            "Does your textbook do it differently? Both are right. After `Z = aa` the text is `ZabdZabac`, and two "
            "pairs tie with a count of 2: `Z` + `a` and `a` + `b`. Byte pair encoding does not say which to take. The "
            "textbook takes `ab`; the usual code, like this page, takes the pair that comes first in the text, `Za`. "
            "Here both end in the same five tokens, `aaab`, `d`, `aaab`, `a`, `c`; on a longer text a tie can lead to "
            "different tokens."
        )
        st.table(ways_through_the_tie())
