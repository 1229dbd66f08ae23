"""The page of bytes: the code points of a text, and what a split pattern does to it."""

from pages.ui.bytes import options  # noqa: F401
