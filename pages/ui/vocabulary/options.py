"""The options of the page of a vocabulary, with their defaults."""

from pages.ui.shared.options import add_options

add_options(
    vocabulary_look="Longest tokens",
    overlap_with="gpt2",
)
