"""A section of the page of seams, drawn by the component in `assets/seams` from what its live view says."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.options import option_value, version_of
from pages.ui.shared.components import Component, message_of
from pages.ui.shared.live import await_view, data_of_view, live_session
from tokviz.live.views.seams.seams_view import SeamsView

SEAMS_VIEW = Component("seams", ("token_view", "seams"))
KEY = "seams"


def seams_view(make: Callable[..., SeamsView], *sources: Any, document: str = "text", **options: Any) -> None:
    """Show the view that `make` makes of these sources; `document` is the one whose state its replies name."""
    session, section = live_session(), option_value("seams_section")
    name = f"seams {section}"
    session.view(name, make, *sources, finds_hidden=option_value("finds_hidden"), **options)
    SEAMS_VIEW.show(
        key=KEY,
        data=data_of_view(
            name,
            document,
            at=_chosen(section),
            version=[version_of(key) for key in ("seams_cut", "seams_piece", "seams_way")],
        ),
        on_message_change=_receive,
    )
    await_view(name)


def _chosen(section: str) -> Any:
    """Return what has been chosen inside a section: a cut, or a piece and a way to cut it."""
    if section == "All the ways":
        return [option_value("seams_piece"), option_value("seams_way")]
    return option_value("seams_cut")


def _receive() -> None:
    """Keep what was chosen in the component, before the page runs."""
    message = message_of(KEY) or {}
    if isinstance(message.get("cut"), int):
        st.session_state.seams_cut = message["cut"]
    if isinstance(message.get("piece"), str) and isinstance(message.get("way"), str):
        st.session_state.seams_piece, st.session_state.seams_way = message["piece"], message["way"]
