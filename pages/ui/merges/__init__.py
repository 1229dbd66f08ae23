"""The page of merges."""

from pages.ui.merges import options  # noqa: F401
