"""The page that compares tokenizers."""

from pages.ui.compare import options  # noqa: F401
