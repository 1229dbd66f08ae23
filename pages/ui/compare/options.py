"""The options of the page that compares, with their defaults."""

from pages.ui.shared.options import add_options

add_options(
    compare_view="Side by side",
    reference="",  # the component shows the first tokenizer if the reference is gone
    width=768,
    tied=True,
    log_axis=True,
    price=0.0,
    corpus_measure="bytes per token",
)
