"""The frame around every page."""

from pages.ui.frame import options  # noqa: F401
