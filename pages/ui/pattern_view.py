"""Split patterns at work: pretokens in the colour of what cut them, and each alternative with a switch.

In: a text, and the pattern chosen in this session. What is switched off is kept by the regular expressions of
the alternatives, so that it stays off where another pattern has the same. The drawing is done by the component
in `assets/cuts`. Call it in an `st.fragment`.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.ui.components import Component, message_of
from pages.ui.kept import OWN_PATTERN, kept, kept_value
from pages.ui.words import errors_in_words
from tokviz import SPLIT_PATTERNS
from tokviz.alternatives import Cut, alternatives, cuts, parts, without
from tokviz.live.columns import packed
from tokviz.pretokens import pretokens, well_formed
from tokviz.regex_words import piece_words

CUTS = Component("cuts", ("token_view", "cuts"))
NAMED = [name for name in SPLIT_PATTERNS if name != "none"]
CHARACTERS_MAX = 20_000  # of the text; finding what cut each pretoken of so many takes about 30 ms


def pattern_section(text: str, *, key: str) -> None:
    """Show the picker of a split pattern, the text cut by it, and the pattern that is left to copy."""
    pattern = pattern_picker()
    with errors_in_words():
        shown = well_formed(text[:CHARACTERS_MAX])
        off = switched_off(pattern)
        pattern_view(shown, pattern, off, key=key, is_shortened=len(text) > CHARACTERS_MAX)
        if off:
            st.caption("The pattern that is left, with what is switched off taken out:")
            st.code(without(pattern, off), language=None, wrap_lines=True)
        with st.expander("How many pretokens does each pattern make of this text?"):
            st.dataframe(pretoken_table(shown), hide_index=True)


def pattern_picker() -> str:
    """Show the picker of a pattern, and for one's own a field; return the name or the regular expression."""
    picker, own = st.columns(2, vertical_alignment="bottom")
    with picker:
        chosen = kept(
            "cut_pattern", st.segmented_control, "Split pattern", options=[*NAMED, OWN_PATTERN], required=True
        )
    if chosen != OWN_PATTERN:
        return chosen
    with own:
        return kept("own_pattern", st.text_input, "Regular expression", help="Of Python's regex module.")


def switched_off(pattern: str) -> list[int]:
    """Return the numbers of the alternatives of a pattern that are switched off in this session."""
    off = set(kept_value("cut_off"))
    return [i for i, alternative in enumerate(alternatives(pattern)) if alternative.regex in off]


def pattern_view(text: str, pattern: str, off: Sequence[int], *, key: str, is_shortened: bool = False) -> None:
    """Show the pretokens of a text, and the alternatives of the pattern with their switches.

    Raises ValueError, in words, for a pattern that does not compile or does not end in time.
    """
    data = pattern_data(cuts(text, pattern, off=off), pattern, off)
    data |= {"text": text, "pattern": pattern}
    if is_shortened:
        data["notice"] = f"The text is long; the first {CHARACTERS_MAX:,} characters are cut here."
    made = repr((text, pattern, list(off), is_shortened)).encode("utf-8", "surrogatepass")
    data["made"] = hashlib.sha1(made).hexdigest()
    CUTS.show(key=key, data=data, on_message_change=partial(_receive, key, pattern))


def pattern_data(found: Sequence[Cut], pattern: str, off: Sequence[int]) -> dict[str, Any]:
    """Return cuts and alternatives for the browser; widths are in UTF-16 units, alternatives counted from 1.

    >>> data = pattern_data(cuts("it's", "gpt2"), "gpt2", [])
    >>> data["counts"], data["numbers"], data["widths"], data["alternatives"][0]["count"]
    ({'pretokens': 2, 'used': 2, 'left': 0, 'longest': 2}, [1, 'AgE='], [1, 'AgI='], 1)
    """
    by_alternative = Counter(cut.alternative for cut in found)
    numbers = [0 if cut.alternative is None else cut.alternative + 1 for cut in found]
    widths = [len(cut.pretoken.encode("utf-16-le")) // 2 for cut in found]
    offered = alternatives(pattern)
    explained = parts(pattern).pieces if offered else ()  # an empty pattern has no alternative, but an empty part
    return {
        "numbers": packed(np.array(numbers, np.int64)),
        "widths": packed(np.array(widths, np.int64)),
        "counts": {
            "pretokens": len(found),
            "used": len(by_alternative) - (None in by_alternative),
            "left": by_alternative[None],
            "longest": max((len(cut.pretoken) for cut in found), default=0),
        },
        "alternatives": [
            {
                "name": alternative.name,
                "regex": alternative.regex,
                "explanation": alternative.explanation,
                "pieces": piece_words(pieces),
                "count": by_alternative[i],
                "on": i not in off,
            }
            for i, (alternative, pieces) in enumerate(zip(offered, explained, strict=True))
        ],
    }


def pretoken_table(text: str) -> pd.DataFrame:
    """Return how many pretokens each named pattern makes of a text."""
    found = {name: pretokens(text, name) for name in NAMED}
    return pd.DataFrame(
        {
            "split pattern": NAMED,
            "pretokens": [len(each) for each in found.values()],
            "distinct": [len(set(each)) for each in found.values()],
            "characters in the longest": [max(map(len, each), default=0) for each in found.values()],
        }
    )


def _receive(key: str, pattern: str) -> None:
    """Take the switches as the browser has them, before the page runs."""
    message = message_of(key)
    if not message or message.get("pattern") != pattern:
        return
    offered = [alternative.regex for alternative in alternatives(pattern)]
    others = [regex for regex in kept_value("cut_off") if regex not in offered]
    st.session_state.cut_off = others + [regex for i, regex in enumerate(offered) if i in message["off"]]
