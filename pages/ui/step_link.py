"""Share a step: a link that opens the merges page with the same text, tokenizer and number of merges."""

from pages.ui.buttons import dialog_button
from pages.ui.kept import kept_value
from pages.ui.link import show_link
from pages.ui.shelf import chosen_name
from pages.ui.text import shared_text
from pages.ui.time_machine import take_step


def share_step() -> None:
    """Show the button."""
    dialog_button("Share", _show_link, title="Share this step", icon=":material/share:", width="stretch")


def _show_link() -> None:
    """Show a link to the step that stands now."""
    take_step()
    options = {"tokenizer": chosen_name()} | {name: kept_value(name) for name in ("step", "allow_special")}
    show_link("the text and the step", options=options, text=shared_text())
