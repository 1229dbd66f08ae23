"""The options of every page's frame, with their defaults."""

from pages.ui.shared.options import add_options

add_options(
    landing=True,  # whether the first page greets
    text_size="Normal",
    presenting=False,
)
