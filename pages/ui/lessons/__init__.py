"""The page of lessons."""

from pages.ui.lessons import options  # noqa: F401
