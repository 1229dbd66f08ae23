"""Superwords on the Train page: the choice, when merges begin to reach across words, and what they save."""

import streamlit as st

from pages.ui.options import option_value, show_option_widget
from tokviz.core.steps import ACROSS
from tokviz.records.training import FromTraining

HELP = (
    "SuperBPE: merges first stay inside the pretokens of the split pattern, then reach across words, so that *by the "
    "way* can become one token."
)


def show_superwords_settings(n_merges: int) -> None:
    """Show the choice, and after how many of the merges it begins."""
    if not show_option_widget("superwords", st.toggle, "Allow tokens of several words", help=HELP):
        return
    show_option_widget(
        "superwords_share", st.slider, "Merges inside words first", min_value=0, max_value=100, step=5, format="%d%%"
    )
    after = n_merges_inside_words(n_merges)
    st.caption(f"{after:,} merges inside words, then {n_merges - after:,} across them.")


def n_merges_inside_words(n_merges: int) -> int:
    """Return how many of the merges stay inside words."""
    return n_merges * int(option_value("superwords_share")) // 100 if option_value("superwords") else n_merges


def show_superwords_saving_if_used(training: FromTraining) -> None:
    """Say how many tokens the superwords of a tokenizer save."""
    if ACROSS not in training.plan.patterns_by_part():
        return
    st.markdown("**Superwords**")
    for words in superwords_saving_sentences(training):
        st.text(words)


def superwords_saving_sentences(training: FromTraining) -> list[str]:
    """Return in words how many tokens superwords save, on the text and on the tenth left out."""
    n_across = len(training.steps) - training.n_inside_words()
    if n_across <= 0:
        return ["No merge reaches across words: training ended before that."]
    said = [f"{training.n_inside_words():,} merges stay inside words, {n_across:,} reach across them."]
    if training.baseline is None:
        return [*said, "The saving is only measured when training finishes."]
    said.append(f"Its text: {difference_text(training.steps[-1].n_tokens, training.baseline.n_tokens)}")
    if training.baseline.n_held_out and training.held_out and training.held_out.n_tokens:
        said.append(
            f"The tenth left out: {difference_text(training.held_out.n_tokens[-1], training.baseline.n_held_out)}"
        )
    return said


def difference_text(n_tokens: int, n_without: int) -> str:
    """Return in words how a number of tokens compares with that of merges inside words alone.

    >>> difference_text(90, 100)
    '90 tokens, 10.0% fewer than the 100 with merges inside words alone.'
    """
    if n_tokens == n_without:
        return f"{n_tokens:,} tokens, as with merges inside words alone."
    share = abs(1 - n_tokens / n_without) if n_without else 0.0
    fewer = "fewer" if n_tokens < n_without else "more"
    return f"{n_tokens:,} tokens, {share:.1%} {fewer} than the {n_without:,} with merges inside words alone."
