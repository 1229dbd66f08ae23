"""The order of the languages: by what they pay, under any of the tokenizers or one, in groups, or by name."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.languages.figures import Figures, highest_parity, language_codes_in
from pages.ui.languages.parallel import language_name
from pages.ui.options import show_option_widget
from tokviz.formats.pretrained import short_name
from tokviz.languages.table import LANGUAGES

MOST, SCRIPT, FAMILY, NAME = "the most they pay", "script", "family", "name"
ELSE = "Not in the table"


def show_order_picker(names: Sequence[str]) -> str:
    """Show the choice of an order, and return it: one of those above, or one of these names of tokenizers."""
    one = names if len(names) > 1 else []
    return show_option_widget(
        "languages_order", st.selectbox, "Order", options=list(dict.fromkeys([MOST, *one, SCRIPT, FAMILY, NAME])),
        format_func=lambda order: "Most expensive first" if order == MOST else f"By {short_name(order)}",
        label_visibility="collapsed", width=185,
    )  # fmt: skip


def ordered_languages_and_groups(figures: Figures, order: str) -> tuple[list[str], dict[str, str]]:
    """Return the codes of the languages in an order, and the group of each if they are in groups.

    Groups, and languages within one, go by the most that they pay.
    """
    codes = sorted(language_codes_in(figures), key=lambda code: highest_parity(figures, code), reverse=True)
    if order == NAME:
        return sorted(codes, key=language_name), {}
    if order in (SCRIPT, FAMILY):
        groups = {code: getattr(LANGUAGES[code], order) if code in LANGUAGES else ELSE for code in codes}
        places = {group: i for i, group in enumerate(dict.fromkeys(groups.values()))}
        return sorted(codes, key=lambda code: places[groups[code]]), groups
    if order in figures:
        of_one = {order: figures[order]}
        return sorted(codes, key=lambda code: highest_parity(of_one, code), reverse=True), {}
    return codes, {}
