"""The page that trains a tokenizer."""

from pages.ui.train import options  # noqa: F401
