"""The page of bytes: the code points of a text, and what a split pattern does to it."""

from pages.ui.shared.options import add_options

add_options(
    look="Bytes",
    cut_pattern="cl100k",
    cut_off=[],
)
