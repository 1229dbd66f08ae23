"""The time machine: the shared text at any step of a tokenizer's merges, drawn by `assets/time_machine`.

The history of the text, and what the browser asks about it, go over the live socket. All runs share the step at which
the browser stays, under the key "step".
"""

from pages.ui.merges.opening import KEY, take_step
from pages.ui.merges.streak import note_streak, show_streak
from pages.ui.options import option_value, session_id, version_of
from pages.ui.shared.components import Component
from pages.ui.shared.live import data_of_view, live_session
from pages.ui.shared.saved_page import save_as_page
from pages.ui.shared.text import example_in
from tokviz import Tokenizer
from tokviz.display.page import history_page
from tokviz.live.views.history_view import HistoryView
from tokviz.records.training import FromTraining

TIME_MACHINE = Component("time_machine", ("token_view", "time_machine", "picture"))


def time_machine(tokenizer: Tokenizer, *, training: FromTraining | None = None, allow_special: bool = False) -> None:
    """Show the shared text at the step of this session, or ask there which pair is merged next.

    training: what the tokenizer came from, if it was trained in this session, with the counts of its text.
    Special tokens in the text are plain text unless allowed.
    """
    take_step()
    session = live_session()
    text = session.document("text")
    session.view(KEY, HistoryView, text, tokenizer, training=training, allow_special=allow_special,
                 finds_hidden=option_value("finds_hidden"))  # fmt: skip
    TIME_MACHINE.show(
        key=KEY,
        data=data_of_view(
            KEY,
            "text",
            session=session_id(),
            shows=[tokenizer.name, text.state.version],
            step=option_value("step"),
            step_version=version_of("step"),
            predicting=option_value("predicting"),
            presenting=option_value("presenting"),
            example=example_in("text"),
        ),
        on_streak_change=note_streak,
    )
    show_streak(tokenizer.name)


def save_history(tokenizer: Tokenizer, *, training: FromTraining | None = None, allow_special: bool = False) -> None:
    """Show the button that saves the history of the shared text as a page, opened at the step where one is then."""
    session, step, finds_hidden = live_session(), option_value("step"), option_value("finds_hidden")

    def page() -> str:
        view, text = session.views.get(KEY), session.document("text").text
        stays = view.stays if isinstance(view, HistoryView) else None
        here = step if stays is None else stays[1]
        return history_page(
            tokenizer, text, step=here, training=training, allow_special=allow_special, finds_hidden=finds_hidden
        )

    save_as_page(page, "merges.html")
