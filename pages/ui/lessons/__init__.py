"""The page of lessons."""

from pages.ui.shared.options import add_options

add_options(
    lesson="",  # the first
    presenting=False,
    slide=0,  # on the projector
)
