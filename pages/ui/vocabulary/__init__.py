"""The page of a vocabulary."""

from pages.ui.vocabulary import options  # noqa: F401
