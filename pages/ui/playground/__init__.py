"""The playground."""

from pages.ui.shared.options import add_options

add_options(
    input="Text",
)
