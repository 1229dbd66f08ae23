"""The time machine: the shared text at any step of a tokenizer's merges, drawn by `assets/time_machine`.

The history of the text, and what the browser asks about it, go over the live socket. All runs share the step at which
the browser stays, under the key "step".
"""

import streamlit as st

from pages.ui.frame.link import COPY_BUTTON, address_and_omitted_names
from pages.ui.merges.opening import KEY, keep_browser_step_unless_set_since
from pages.ui.options import option_value, session_id, widget_version
from pages.ui.shared.buttons import show_save_button
from pages.ui.shared.components import Component
from pages.ui.shared.live import chosen_look, document, live_session
from pages.ui.shared.messages import show_errors
from pages.ui.shared.text import document_text_if_example, shared_text
from tokviz import Tokenizer
from tokviz.display.components import HISTORY
from tokviz.display.saved_page import history_page
from tokviz.live.views.history_view import HistoryView
from tokviz.records.training import FromTraining

TIME_MACHINE = Component(HISTORY.name, HISTORY.styles)


def show_time_machine(tokenizer: Tokenizer, *, training: FromTraining | None = None) -> None:
    """Show the shared text at the step of this session, or ask there which pair is merged next.

    training: what the tokenizer came from, if it was trained in this session, with the counts of its text.
    """
    keep_browser_step_unless_set_since()
    data = {
        "session": session_id(),
        "shows": [tokenizer.name, document("text").state.version],
        "step": option_value("step"),
        "step_version": widget_version("step"),
        "plays": st.session_state.get("plays") == widget_version("step"),
        "predicting": option_value("predicting"),
        "presenting": option_value("presenting"),
        "example": document_text_if_example("text"),
    }
    TIME_MACHINE.show_view(
        KEY, HistoryView, "text", tokenizer, training=training, look=chosen_look(),
        data=data, takes={"streak": _keep_streak},
    )  # fmt: skip
    _show_kept_streak_if_any(tokenizer.name)


def show_save_history_button(tokenizer: Tokenizer, *, training: FromTraining | None = None) -> None:
    """Show the button that saves the history of the shared text as a page, opened at the current step."""
    session, step, look = live_session(), option_value("step"), chosen_look()

    def current_page_html() -> str:
        """Return the page with the history of the text, opened at the current step."""
        view, text = session.views.get(KEY), session.get_or_add_document("text").text
        stays = view.stays if isinstance(view, HistoryView) else None
        return history_page(
            tokenizer, text, step=step if stays is None else stays[1], training=training,
            allow_special=bool(look.allowed_special), finds_hidden=look.finds_hidden,
        )  # fmt: skip

    show_save_button(current_page_html, "merges.html")


def _keep_streak(streak: object) -> None:
    """Keep how many merges in a row were guessed right, which the browser wants to share, until the card is shown."""
    st.session_state.streak = streak


def _show_kept_streak_if_any(name: str) -> None:
    """Show the card of a streak if it was asked for, with the shared text under the tokenizer of this name."""
    streak = st.session_state.pop("streak", None)
    if isinstance(streak, int) and streak > 0:
        st.dialog(f"{streak:,} in a row")(_show_streak_card)(streak, name)


def _show_streak_card(streak: int, name: str) -> None:
    """Show what to copy: the streak, and a link to the same text and tokenizer at merge 0, where guessing begins."""
    with show_errors():
        address, left_out = address_and_omitted_names(
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
        st.caption("Copy it and send it to others. They get the same puzzle, from the first merge.")
        words = f"I guessed {streak:,} merges in a row. Can you do better?"
        COPY_BUTTON.show(key="copy_streak", data={"label": "Copy", "text": f"{words}\n{address}"})
        st.code(f"{words}\n{address}", language=None, wrap_lines=True, height=200)
