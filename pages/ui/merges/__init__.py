"""The page of merges."""

from pages.ui.shared.options import add_options

add_options(
    # The component shows it without a widget. At this step cl100k, the default tokenizer, has just made a merge that
    # the first text contains, and makes another one next.
    step=53,
)
