"""Links: a menu that opens another page with what a lesson shows."""

from typing import get_args

import streamlit as st

from pages.ui.merges.replays import show_merges, train_and_add
from pages.ui.options import OWN_PATTERN, THE_TEXT, set_option
from pages.ui.pages import BYTES, PAGES
from pages.ui.playground.chat_rows import set_rows
from pages.ui.session_tokenizers.tokenizer_list import choose_and_compare_tokenizer, tokenizer_named
from pages.ui.shared.text import set_shared_text
from pages.ui.vocabulary.vocabulary_view import request_search
from tokviz import SPLIT_PATTERNS, Tokenizer
from tokviz.exercises import Link, Training
from tokviz.exercises.lesson import Target
from tokviz.training.plan import smallest_vocab_size

PAGE_OF = {target: PAGES.get(target, BYTES) for target in get_args(Target)}


def show_link_menu(links: tuple[Link, ...], *, key: str) -> None:
    """Show the menu of the links; one that is pressed opens its page."""
    with st.popover("Open in …", type="tertiary", key=f"links {key}"):
        for n, link in enumerate(links):
            page = PAGE_OF[link.target]
            st.button(link.label or page.title, icon=page.icon, type="tertiary", key=f"_link_{key}_{n}",
                      on_click=st.session_state.update, kwargs={"lesson_link": link})  # fmt: skip


def open_page_of_pressed_link_if_any() -> None:
    """Open the page of the link that was pressed, if any; if this run is cut short, the next one does it."""
    if link := st.session_state.get("lesson_link"):
        apply_link(link)
        del st.session_state["lesson_link"]
        st.switch_page(PAGE_OF[link.target].script)


def apply_link(link: Link) -> None:
    """Set everything that the page of a link shows: text, tokenizer, step and so on."""
    set_shared_text(link.text)
    if link.target == "Train":
        set_option("train_on", THE_TEXT)
    if link.target == "Train" and link.training:
        _fill_in_training_form(link.training)
    else:
        _train_if_asked_and_choose_tokenizer_of_link(link)
    if link.compared:
        set_option("compared", list(link.compared))
    if link.target == "Languages":
        set_option("languages_view", "Dots")  # which has all of them
    set_option("allow_special", link.allow_special)
    if PAGE_OF[link.target] is BYTES:
        set_option("look", link.target)
    if link.pattern:
        _set_pattern("cut_pattern", link.pattern)
        set_option("cut_off", [])
    if link.target == "Vocabulary":
        request_search(dict(link.search))
    set_option("input", "Chat" if link.messages else "Text")
    if link.messages:
        set_rows([list(message) for message in link.messages])
        set_option("chat_format", link.chat_format)
        set_option("turns_source", "Messages")
        set_option("turns_section", link.section)


def _train_if_asked_and_choose_tokenizer_of_link(link: Link) -> None:
    """Choose the tokenizer of a link, training it first if the link says how; for the merges, there alone."""
    trainings = (*link.beside, link.training) if link.training else ()
    for training in trainings:
        train_and_add(training)
    names = [training.name for training in trainings] or [link.tokenizer]
    if link.target != "Merges":
        for name in names:  # the last is the chosen one
            choose_and_compare_tokenizer(name)
        return
    name = names[-1]
    tokenizer = tokenizer_named(name)
    # With all merges made, the page shows the tokens of the lesson.
    n_merges = len(tokenizer.merge_tokens) if isinstance(tokenizer, Tokenizer) else 0
    plays = bool(link.training) and link.step is not None and not link.predicting
    show_merges(name, n_merges if link.step is None else link.step, predicting=link.predicting, plays=plays)


def _set_pattern(key: str, pattern: str) -> None:
    """Set an option to a split pattern, by its name or as a regular expression of your own."""
    named = pattern in SPLIT_PATTERNS
    set_option(key, pattern if named else OWN_PATTERN)
    if not named:
        set_option("own_pattern", pattern)


def _fill_in_training_form(training: Training) -> None:
    """Fill in the form of the train page."""
    _set_pattern("pattern", training.split_pattern)
    values = {
        "train_name": training.name,
        "vocab_size": training.vocab_size,
        "min_count": training.min_count,
        "special": "",
        "train_start": "",
        "hold_out": False,  # an answer is about the whole text
        "superwords": training.superwords_from is not None,
    }
    if training.superwords_from is not None:
        n_bytes = smallest_vocab_size(None)
        values["superwords_share"] = 100 * (training.superwords_from - n_bytes) // (training.vocab_size - n_bytes)
    for key, value in values.items():
        set_option(key, value)
