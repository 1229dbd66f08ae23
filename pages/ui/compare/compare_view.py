"""The compare view: one editor, and under it the same text cut by two to six tokenizers.

Keys and tokens go over the live socket and no script runs for a key; the component in `assets/compare_view` draws. Call
it in an `st.fragment`, which runs again when the typing rests.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.ui.holding import overridden_by_link
from pages.ui.options import option_value, session_id
from pages.ui.shared.components import Component
from pages.ui.shared.live import data_of_view, live_session, seen
from pages.ui.shared.text import example_in
from tokviz import AnyTokenizer, TokenSpans
from tokviz.live.views.compare_view import CompareView

COMPARE_VIEW = Component("compare_view", ("token_view", "compare_view", "picture"))
REST = 0.5  # seconds after the last key until slow work begins


@dataclass(frozen=True)
class Comparison:
    """A text and its token spans under each tokenizer, without tokenizers whose split pattern does not end.

    The text is the part that is compared, "" if no tokenizer has spans. reference: the name of the tokenizer with
    which the others are compared.
    """

    text: str
    spans: dict[str, TokenSpans]
    reference: str


def compare_view(
    tokenizers: Mapping[str, AnyTokenizer],
    *,
    key: str,
    document: str = "text",
    reference: str,
    on_reference: Callable[[str], None],
    on_order: Callable[[str, int], None],
    on_download: Callable[[str], None],
) -> Comparison:
    """Show an editor of a document and its tokens under each tokenizer, and return them as they are now.

    `reference` is the name of the tokenizer with which the others are compared, by default the first. If the user
    chooses another one, it goes to `on_reference`; if a column is to move, its name and by how many places go to
    `on_order`; the name of one to download goes to `on_download`. What the tab keeps of the text is as in `token_view`.
    """
    session = live_session()
    view = session.view(
        key,
        CompareView,
        session.document(document),
        tuple(tokenizers.items()),
        finds_hidden=option_value("finds_hidden"),
    )
    if reference not in tokenizers:
        reference = next(iter(tokenizers))
    data = data_of_view(
        key,
        document,
        session=session_id(),
        restore=document not in overridden_by_link(),
        example=example_in(document),
        reference=reference,
        rest=1000 * REST,
        seen=seen(document),
    )

    def message(name: str) -> Any:
        """Return what the component says; if it comes with a change of page, the component's state is gone."""
        return (st.session_state.get(key) or {}).get(name)

    def take_reference() -> None:
        if (chosen := message("reference")) is not None:
            on_reference(chosen)

    def take_order() -> None:
        if (move := message("order")) is not None:
            on_order(move["name"], int(move["by"]))

    def take_download() -> None:
        if (name := message("download")) is not None:
            on_download(name)

    COMPARE_VIEW.show(
        key=key,
        data=data,
        on_rest_change=lambda: None,
        on_reference_change=take_reference,
        on_order_change=take_order,
        on_download_change=take_download,
    )
    spans = view.spans()
    return Comparison(next((each.text for each in spans.values()), ""), spans, reference)
