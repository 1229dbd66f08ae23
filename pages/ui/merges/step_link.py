"""Share a step: a link that opens the merges page with the same text, tokenizer and number of merges."""

from pages.ui.merges.time_machine import take_step
from pages.ui.session_tokenizers.share_link import show_link
from pages.ui.session_tokenizers.tokenizer_list import chosen_name
from pages.ui.shared.buttons import dialog_button
from pages.ui.shared.options import option_value
from pages.ui.shared.text import shared_text


def share_step() -> None:
    """Show the button."""
    dialog_button("Share", _show_link, title="Share this step", icon=":material/share:", width="stretch")


def _show_link() -> None:
    """Show a link to the current step."""
    take_step()
    options = {"tokenizer": chosen_name()} | {name: option_value(name) for name in ("step", "allow_special")}
    show_link("the text and the step", options=options, text=shared_text())
