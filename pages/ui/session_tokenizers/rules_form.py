"""What the file of a tokenizer does not say: its split pattern, and the special tokens of a file of ranks."""

import streamlit as st

from pages.ui.options import OWN_PATTERN
from pages.ui.shared.buttons import pressed
from pages.ui.shared.messages import show_errors
from tokviz import SPLIT_PATTERNS
from tokviz.core.patterns import pattern_name
from tokviz.formats.tiktoken_rules import RankRules

PATTERN, OWN, SPECIAL = "_open_pattern", "_open_own_pattern", "_open_special"  # the keys of the widgets


def words_of(rules: RankRules | None, file_name: str) -> str:
    """Return the question about a file of ranks, whose rules may be known."""
    if rules is None:
        return f"{file_name} holds only ranks. Which rules go with it?"
    return f"{file_name} holds only ranks, but they are known: {rules.maker}. Their rules are filled in."


def fill_rules(rules: RankRules | None) -> None:
    """Fill the form in before it is shown; None for no special tokens, and the pattern that is most in use."""
    pattern = pattern_name(rules.split_pattern) if rules else "cl100k"
    is_named = pattern in SPLIT_PATTERNS
    st.session_state[PATTERN] = pattern if is_named else OWN_PATTERN
    st.session_state[OWN] = "" if is_named else pattern
    special = rules.special_tokens if rules else {}
    st.session_state[SPECIAL] = "\n".join(f"{token} {token_id}" for token, token_id in special.items())


def rules_form(question: str, *, with_special: bool) -> dict[str, object] | None:
    """Ask for a split pattern and, if wanted, special tokens; return them when the button is pressed."""
    st.text(question)
    pattern = st.selectbox("Split pattern", options=[*SPLIT_PATTERNS, OWN_PATTERN], key=PATTERN)
    if pattern == OWN_PATTERN:
        pattern = st.text_input("Regular expression", key=OWN)
    rules: dict[str, object] = {"split_pattern": pattern}
    lines = ""
    if with_special:
        lines = st.text_area(
            "Special tokens, one a line, each with its id",
            placeholder="<|endoftext|> 100257",
            key=SPECIAL,
            height=80,
        )
    if pressed("Open it", type="primary"):
        with show_errors():
            return rules | ({"special_tokens": special_lines(lines)} if with_special else {})
    return None


def special_lines(lines: str) -> dict[str, int]:
    """Return special tokens with their ids, read from lines; ValueError that names a line without an id.

    >>> special_lines("<s> 1\\n\\n</s> 2")
    {'<s>': 1, '</s>': 2}
    """
    special: dict[str, int] = {}
    for line in filter(str.strip, lines.splitlines()):
        token, _, token_id = line.strip().rpartition(" ")
        if not token or not (token_id.isascii() and token_id.isdigit()):
            raise ValueError(f"expected a special token and its id, such as <|endoftext|> 100257, not {line!r}")
        special[token.strip()] = int(token_id)
    return special
