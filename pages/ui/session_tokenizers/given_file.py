"""A tokenizer's file, however it was given: what is asked about it, and why it cannot be opened."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pages.ui.session_tokenizers.rules_form import fill_rules, rules_form, words_of
from pages.ui.session_tokenizers.tokenizer_list import add_next, tokenizer_names
from pages.ui.shared.messages import show_error
from tokviz.formats.detect import file_format, lacks_split_pattern
from tokviz.formats.tiktoken_rules import RankRules, known_rules_in
from tokviz.records.opened import file_record
from tokviz.system.sandbox import SandboxError

TITLE = "This file could not be opened"


@dataclass(frozen=True)
class GivenFile:
    """The bytes of a file that holds a tokenizer, its name, and the files given with it, by their names.

    question: why rules must be given before it can be read; empty as long as that is not known.
    """

    data: bytes = field(repr=False)
    name: str
    beside: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    question: str = ""


def give_file(given: GivenFile | None) -> None:
    """Have a file opened in the next run, or none, whatever was said of the last one."""
    st.session_state.update(given_file=given, refused=None)


def refuse_given(words: str) -> None:
    """Have the page say why a file is not taken, until another is given."""
    st.session_state.update(given_file=None, refused=words)


def was_refused(data: bytes) -> bool:
    """Return whether a file of these bytes was tried in this session, and could not be opened."""
    return hash(data) in _refused_files()


def _refused_files() -> set[int]:
    """Return the hashes of the files that could not be opened."""
    return st.session_state.setdefault("refused_files", set())


def given_file() -> GivenFile | None:
    """Return the file that was given last and is not open yet, None if there is none."""
    return st.session_state.get("given_file")


def open_given() -> None:
    """Open the file that was given last, once all is known that it does not say; the page then runs again."""
    given = given_file()
    has_ranks = given is not None and file_format(given.data) == "tiktoken"
    if given and has_ranks and not given.question:
        with st.spinner("Looking at the ranks…"):
            rules = known_rules_in(given.data, given.name)
        given = _ask(given, words_of(rules, given.name), rules)
    answer: dict[str, Any] | None = {}
    if given and given.question:
        answer = rules_form(given.question, with_special=has_ranks)
    if not answer and (words := st.session_state.get("refused")):
        show_error(words, title=TITLE)
    elif given and answer is not None:
        _open(given, answer)


def _ask(given: GivenFile, question: str, rules: RankRules | None = None) -> GivenFile:
    """Have rules asked for, of which these are the likely ones."""
    fill_rules(rules)
    st.session_state.given_file = asking = replace(given, question=question)
    return asking


def _open(given: GivenFile, rules: Mapping[str, Any]) -> None:
    try:
        with st.spinner("Reading the tokenizer…", show_time=True):
            record = file_record(given.data, given.name, beside=given.beside, taken=tokenizer_names(), **rules)
        add_next(record)
    except ValueError as e:
        if isinstance(e, SandboxError) and e.why == "busy":
            show_error(str(e), title=TITLE)
            return
        if not rules and lacks_split_pattern(given.data, given.name):
            _ask(given, f"{str(e).partition(';')[0]}. Which split pattern goes with it?")
        else:
            st.session_state.refused = str(e)  # do not read it again in every run
            _refused_files().add(hash(given.data))
    st.rerun()
