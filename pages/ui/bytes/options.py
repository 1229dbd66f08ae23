"""The options of the page of bytes, with their defaults."""

from pages.ui.shared.options import add_options

add_options(
    look="Bytes",
    cut_pattern="cl100k",
    cut_off=[],
)
