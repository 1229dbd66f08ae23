"""The options of the page of lessons, with their defaults."""

from pages.ui.shared.options import add_options

add_options(
    lesson="",  # the first
    slide=0,  # on the projector
    lessons_done=[],  # by their slugs
)
