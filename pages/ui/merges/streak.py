"""The card of a streak: how many merges were guessed right in a row, and a link to the same puzzle."""

import streamlit as st

from pages.ui.frame.link import COPY_BUTTON, link
from pages.ui.merges.opening import KEY
from pages.ui.options import option_value
from pages.ui.shared.messages import show_errors
from pages.ui.shared.text import shared_text


def note_streak() -> None:
    """Keep, until the card is shown, the streak that the browser wants to share."""
    st.session_state.streak = (st.session_state.get(KEY) or {}).get("streak")


def show_streak(name: str) -> None:
    """Show the card if it was asked for, with the puzzle: the shared text under the tokenizer of this name."""
    streak = st.session_state.pop("streak", None)
    if isinstance(streak, int) and streak > 0:
        st.dialog(f"{streak:,} in a row")(streak_card)(streak, name)


def streak_card(streak: int, name: str) -> None:
    """Show what to copy: the streak, and a link to the same text and tokenizer at merge 0, where one guesses."""
    with show_errors():
        address, left_out = link(
            {
                "text": shared_text(),
                "merges_tokenizer": name,
                "allow_special": option_value("allow_special"),
                "step": 0,
                "predicting": True,
            }
        )
        if left_out:
            st.text("The tokenizer is too large for a link, which shows GPT-4 instead.")
        st.caption("Copy it and send it on. Whoever opens it gets the same puzzle, from the first merge.")
        words = f"I guessed {streak:,} merges in a row. Can you do better?"
        COPY_BUTTON.show(key="copy_streak", data={"label": "Copy", "text": f"{words}\n{address}"})
        st.code(f"{words}\n{address}", language=None, wrap_lines=True, height=200)
