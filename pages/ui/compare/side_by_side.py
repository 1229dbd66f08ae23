"""The section "Side by side" of the compare page: one editor, and under it the same text cut by two to six tokenizers.

Keys and tokens go over the live socket and no script runs for a key; the component in `assets/compare_view` draws.
"""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from pages.ui.compare.numbers import Comparison, show_numbers
from pages.ui.options import option_value
from pages.ui.session_tokenizers.tokenizer_list import kept_named, tokenizer_named
from pages.ui.shared.buttons import show_save_button
from pages.ui.shared.components import Component
from pages.ui.shared.live import await_view, document, page_look
from pages.ui.shared.messages import show_errors
from pages.ui.shared.token_view import editing_data
from tokviz import AnyTokenizer
from tokviz.display.components import COLUMNS
from tokviz.display.saved_page import columns_page
from tokviz.formats.pretrained import short_name
from tokviz.live.views.compare_view import CompareView
from tokviz.text.savings import savings_sentence
from tokviz.text.words import unbroken

COMPARE_VIEW = Component(COLUMNS.name, COLUMNS.styles)
REST = 0.5  # seconds after the last key until slow work begins


@st.fragment
def show_side_by_side(names: Sequence[str]) -> None:
    """Show the text under tokenizers of this session, their numbers, and any errors, since a fragment runs alone."""
    with show_errors():
        said = st.container(key="compare-said")
        comparison = show_compare_view(
            {name: tokenizer_named(name) for name in names},
            key="compare",
            reference=option_value("reference"),
            on_reference=lambda name: st.session_state.update(reference=name, compare_changed=True),
        )
        said.text(_opening_sentence(comparison))
        await_view("compare")
        with st.container(key="desk-numbers"):
            show_numbers(comparison)


def show_save_columns_button(names: Sequence[str]) -> None:
    """Show the button that saves the text under tokenizers of this session as a page."""
    text, reference, finds_hidden = document("text"), option_value("reference"), page_look().finds_hidden
    named = {name: tokenizer_named(name) for name in names}
    chosen = reference if reference in named else None
    show_save_button(
        lambda: columns_page(named, text.text, reference=chosen, finds_hidden=finds_hidden),
        "compare.html", type="tertiary",
    )  # fmt: skip


def _opening_sentence(comparison: Comparison) -> str:
    """Return in words what the tokenizers beside the reference save against it, "" without two, or a text."""
    spans = comparison.spans
    if comparison.reference not in spans or len(spans) < 2 or not comparison.text:
        return ""
    names = sorted(spans, key=lambda name: name != comparison.reference)
    said = [f"“{name}”" if kept_named(name) else unbroken(short_name(name)) for name in names]
    return savings_sentence(said, [*map(tokenizer_named, names)], [spans[name] for name in names])


def show_compare_view(
    tokenizers: Mapping[str, AnyTokenizer],
    *,
    key: str,
    reference: str,
    on_reference: Callable[[str], None],
) -> Comparison:
    """Show an editor of the shared text and its tokens under each tokenizer, and return them as they are now.

    Call it in a fragment, which runs again when the typing rests.

    `reference` is the name of the tokenizer with which the others are compared, by default the first. If the user
    chooses another one, its name goes to `on_reference`. What the tab keeps of the text is as in `show_token_view`.
    """
    if reference not in tokenizers:
        reference = next(iter(tokenizers))
    view = COMPARE_VIEW.show_view(
        key, CompareView, "text", tuple(tokenizers.items()), look=page_look(),
        data={**editing_data("text", rest=REST), "reference": reference},
        takes={"rest": lambda _: None, "reference": on_reference},
    )  # fmt: skip
    spans = view.spans()
    return Comparison(next((each.text for each in spans.values()), ""), spans, reference)
