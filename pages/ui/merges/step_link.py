"""Share a step: a link that opens the merges page with the same text, tokenizer and number of merges."""

from pages.ui.merges.time_machine import take_step
from pages.ui.session_tokenizers.share_link import show_link
from pages.ui.session_tokenizers.tokenizer_list import merges_name
from pages.ui.shared.options import option_value
from pages.ui.shared.text import shared_text


def share_step() -> None:
    """Show a link to the current step."""
    take_step()
    options = {key: option_value(key) for key in ("step", "allow_special", "predicting")}
    show_link("the text and the step", options={"merges_tokenizer": merges_name(), **options}, text=shared_text())
