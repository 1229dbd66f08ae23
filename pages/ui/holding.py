"""Something that a session holds and that a link or the tab gives back to another session."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.ui.pages import Page


class Holding(ABC):
    """A value of the session: its key names it in links, in the tab's memory, and in `keys_set_by_link`."""

    key: str

    @abstractmethod
    def link_value_or_none(self, page: Page) -> Any:
        """Return the JSON that a link to this page holds of it, None for nothing."""

    def tab_value_or_none(self) -> Any:
        """Return the JSON that the tab keeps of it, None for nothing: the browser itself keeps texts there."""
        return None

    @abstractmethod
    def restore_if_valid(self, value: object) -> None:
        """Take what a link or a tab gives; leave out whatever it cannot be."""

    @property
    def is_linkable(self) -> bool:
        """Whether any link may set it."""
        return True


def restore_values(values: Mapping[str, object], holdings: Mapping[str, Holding]) -> None:
    """Take the values of these holdings from a browser or a link; ignore all others."""
    for key, holding in holdings.items():
        if key in values:
            holding.restore_if_valid(values[key])


def keys_set_by_link() -> set[str]:
    """Return the keys of what a link or a page has set in this session, which the tab's memory must not replace."""
    return st.session_state.setdefault("keys_set_by_link", set())
