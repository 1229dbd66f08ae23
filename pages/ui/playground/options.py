"""The options of the playground, with their defaults."""

from pages.ui.shared.options import add_options

add_options(
    input="Text",
    chat_format="",  # that of the tokenizer
    chat_reply=True,
    chat_effort="medium",
    chat_compared=False,
)
