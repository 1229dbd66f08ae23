"""A tokenizer's file, however it was given: what is asked about it, and why it cannot be opened.

A file may lack its split pattern, and a file of ranks lacks its special tokens: a form asks for these rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pages.ui.options import OWN_PATTERN, PARTS_HELP, pattern_label
from pages.ui.session_tokenizers.tokenizer_list import run_again_with_opened_tokenizer, tokenizer_names
from pages.ui.shared.buttons import show_button
from pages.ui.shared.messages import show_error, show_errors
from tokviz import SPLIT_PATTERNS
from tokviz.core.patterns import pattern_name_or_regex
from tokviz.formats.files import needs_split_pattern
from tokviz.formats.table import file_format_if_known
from tokviz.formats.tiktoken_rules import TIKTOKEN, RankRules, file_rules_if_known
from tokviz.records.session_tokenizer import kept_from_file
from tokviz.system.sandbox import is_busy_error

TITLE = "This file could not be opened"
PATTERN, OWN, SPECIAL = "_open_pattern", "_open_own_pattern", "_open_special"  # the keys of the widgets


@dataclass(frozen=True)
class GivenFile:
    """The bytes of a file that holds a tokenizer, its name, and the files given with it, by their names.

    question: why rules must be given before it can be read; empty as long as that is not known.
    """

    data: bytes = field(repr=False)
    name: str
    beside: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    question: str = ""


def keep_given_file(given: GivenFile | None) -> None:
    """Keep a file for the next run to open, or none, and forget what was said of the last one."""
    st.session_state.update(given_file=given, refused=None)


def refuse_given_file(words: str) -> None:
    """Keep why a file is not taken, for the page to say until another is given."""
    st.session_state.update(given_file=None, refused=words)


def refused_hashes() -> set[int]:
    """Return the hashes of the files that were tried in this session, and could not be opened."""
    return st.session_state.setdefault("refused_files", set())


def given_file() -> GivenFile | None:
    """Return the file that was given last and is not open yet, None if there is none."""
    return st.session_state.get("given_file")


def open_given_file_or_ask() -> None:
    """Open the file that was given last, once all is known that it does not say; the page then runs again."""
    given = given_file()
    has_ranks = given is not None and file_format_if_known(given.data) is TIKTOKEN
    if given and has_ranks and not given.question:
        with st.spinner("Looking at the ranks…"):
            rules = file_rules_if_known(given.data, given.name)
        given = _prepare_rules_question(given, rules_question(rules, given.name), rules)
    answer: dict[str, Any] | None = {}
    if given and given.question:
        answer = show_rules_form(given.question, with_special=has_ranks)
    if not answer and (words := st.session_state.get("refused")):
        show_error(words, title=TITLE)
    elif given and answer is not None:
        _open_or_refuse_or_ask_for_rules(given, answer)


def _prepare_rules_question(given: GivenFile, question: str, rules: RankRules | None = None) -> GivenFile:
    """Ask for the rules of a file, of which these are the likely ones."""
    fill_in_rules_form(rules)
    st.session_state.given_file = asking = replace(given, question=question)
    return asking


def _open_or_refuse_or_ask_for_rules(given: GivenFile, rules: Mapping[str, Any]) -> None:
    """Open a file with these rules, or ask for more of them; the page then runs again."""
    try:
        with st.spinner("Reading the tokenizer…", show_time=True):
            record = kept_from_file(given.data, given.name, beside=given.beside, taken=tokenizer_names(), **rules)
        run_again_with_opened_tokenizer(record)
    except ValueError as e:
        if is_busy_error(e):
            show_error(str(e), title=TITLE)
            return
        if not rules and needs_split_pattern(given.data, given.name):
            _prepare_rules_question(given, f"{str(e).partition(';')[0]}. Which split pattern goes with it?")
        else:
            st.session_state.refused = str(e)  # do not read it again in every run
            refused_hashes().add(hash(given.data))
    st.rerun()


def rules_question(rules: RankRules | None, file_name: str) -> str:
    """Return the question about a file of ranks, whose rules may be known."""
    if rules is None:
        return f"{file_name} holds only ranks. Which rules go with it?"
    return f"{file_name} holds only ranks, but tokviz knows them: {rules.maker}. The rules are filled in."


def fill_in_rules_form(rules: RankRules | None) -> None:
    """Fill the form in before it is shown; None for no special tokens, and the pattern that is most in use."""
    pattern = pattern_name_or_regex(rules.split_pattern) if rules else "cl100k"
    is_named = pattern in SPLIT_PATTERNS
    st.session_state[PATTERN] = pattern if is_named else OWN_PATTERN
    st.session_state[OWN] = "" if is_named else pattern
    special = rules.special_tokens if rules else {}
    st.session_state[SPECIAL] = "\n".join(f"{token} {token_id}" for token, token_id in special.items())


def show_rules_form(question: str, *, with_special: bool) -> dict[str, object] | None:
    """Ask for a split pattern and, if wanted, special tokens; return them when the button is pressed."""
    st.text(question)
    pattern = st.selectbox(
        "Split pattern", options=[*SPLIT_PATTERNS, OWN_PATTERN], key=PATTERN, format_func=pattern_label
    )
    if pattern == OWN_PATTERN:
        pattern = st.text_area("Regular expression", key=OWN, help=PARTS_HELP, height=80)
    rules: dict[str, object] = {"split_pattern": pattern}
    lines = ""
    if with_special:
        lines = st.text_area(
            "Special tokens, one per line, each with its id",
            placeholder="<|endoftext|> 100257",
            key=SPECIAL,
            height=80,
        )
    if show_button("Open it", type="primary"):
        with show_errors():
            return rules | ({"special_tokens": parsed_special_tokens(lines)} if with_special else {})
    return None


def parsed_special_tokens(lines: str) -> dict[str, int]:
    """Return special tokens with their ids, read from lines; ValueError that names a line without an id.

    >>> parsed_special_tokens("<s> 1\\n\\n</s> 2")
    {'<s>': 1, '</s>': 2}
    """
    special: dict[str, int] = {}
    for line in filter(str.strip, lines.splitlines()):
        token, _, token_id = line.strip().rpartition(" ")
        if not token or not (token_id.isascii() and token_id.isdigit()):
            raise ValueError(f"expected a special token and its id, such as <|endoftext|> 100257, not {line!r}")
        special[token.strip()] = int(token_id)
    return special
