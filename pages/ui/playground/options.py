"""The options of the playground, with their defaults."""

from pages.ui.shared.options import add_options

add_options(
    input="Text",
)
