"""The options of the page of merges, with their defaults."""

from pages.ui.shared.options import add_options

add_options(
    # The component shows the step without a widget. At this one cl100k, the default tokenizer, has just made a merge
    # that the first text contains, and makes another one next.
    step=9,
    predicting=False,
)
