"""A text at any step of a tokenizer's merges."""

import streamlit as st

from pages.ui.frame.frame import begin_page
from pages.ui.merges.opening import (
    PRETRAINED,
    choose_opening_once,
    open_anew_if_replaced,
    open_pretrained,
    shows_opening_rhyme,
)
from pages.ui.merges.replays import CLASSICAL, replay_tokenizer_name, show_replay_picker, show_tie_explanation
from pages.ui.merges.time_machine import KEY, show_save_history_button, show_time_machine
from pages.ui.options import option_value, reset_widget, show_option_widget, widget_key
from pages.ui.pages import MERGES
from pages.ui.session_tokenizers.download import show_download_button
from pages.ui.session_tokenizers.tokenizer_list import (
    choose_and_compare_tokenizer,
    merges_tokenizer_name,
    now_used_text,
    show_merges_tokenizer_picker,
    show_special_tokens_toggle,
    tokenizer_named,
    training_of,
)
from pages.ui.shared.live import await_view, reserve_row
from pages.ui.shared.messages import keep_notice
from pages.ui.shared.text import QUICK_REST, shared_text, show_sample_picker, show_text_file_popover
from pages.ui.shared.token_view import show_text_editor
from tokviz import AnyTokenizer, Tokenizer
from tokviz.formats.pretrained import short_name

MORE = "merges more"
WATCHED = "Watch which pair is merged next, one merge at a time."


def show_toolbar(tokenizer: AnyTokenizer) -> None:
    """Show what is chosen for the page: a tokenizer, or one to train."""
    show_merges_tokenizer_picker()
    show_download_button(tokenizer, type="tertiary")
    if merges_tokenizer_name() != PRETRAINED:
        st.button("Show GPT-4's merges", key="_show_pretrained", type="tertiary", on_click=open_pretrained,
                  help="On this text, from the first merge that changes it.")  # fmt: skip
    # A popover with a new key is a new one, and closed, so that what begins can be seen.
    with st.popover("Train one and watch", icon=":material/play_circle:", type="tertiary", key=widget_key("replays")):
        st.caption("Pick a text: a small tokenizer learns from it, and you watch every merge.")
        show_replay_picker()


def show_more_menu_if_needed(tokenizer: AnyTokenizer) -> None:
    """Show what is needed now and then in a menu: on a small laptop, one row would not hold all controls."""
    has_history = isinstance(tokenizer, Tokenizer) and bool(tokenizer.merge_tokens)
    has_special = not isinstance(tokenizer, Tokenizer) or bool(tokenizer.special_tokens)
    if not (has_history or has_special or option_value("merges_tokenizer")):
        return
    with st.popover("More", type="tertiary", key=widget_key(MORE)):
        if isinstance(tokenizer, Tokenizer) and has_history:
            show_save_history_button(tokenizer, training=training_of(tokenizer.name))
        if option_value("merges_tokenizer"):
            st.button("Use it in the playground", icon=":material/edit_note:", on_click=_choose_for_every_page,
                      args=(merges_tokenizer_name(),))  # fmt: skip
        if has_special:
            show_special_tokens_toggle()


def _choose_for_every_page(name: str) -> None:
    """Choose the tokenizer of this name for every page, and say so."""
    choose_and_compare_tokenizer(name)
    keep_notice(now_used_text(name))
    reset_widget(MORE)


@st.fragment
def show_text_expander_and_tie_explanation(*, is_classical: bool) -> None:
    """Show the text to edit and, for the classical example, how its tie is resolved.

    Unlike a popover, an expander is on the page while it is closed, and so the tab's text comes back after a reload.
    """
    open_anew_if_replaced()
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        with st.expander("Change the text", icon=":material/edit:"):
            show_sample_picker()
            follows = is_classical or shows_opening_rhyme()
            show_text_editor("text", key="merges text", height=160, rest=QUICK_REST if follows else None)
            show_text_file_popover()
        if is_classical and shared_text() == CLASSICAL:
            show_tie_explanation()


show_header = begin_page(
    MERGES, opens=choose_opening_once, intro=lambda: MERGES.intro if option_value("predicting") else WATCHED
)
tools = reserve_row("merges-toolbar")
chosen = tokenizer_named(merges_tokenizer_name())
if not isinstance(chosen, Tokenizer):
    st.info("This page needs a BPE tokenizer whose merges are known.")
    st.text(f"{short_name(chosen.name)}: {chosen.reason}.")
elif not chosen.merge_tokens:
    st.info("This tokenizer has no merges: every token is a single byte or character.")
else:
    show_time_machine(chosen, training=training_of(chosen.name))
    await_view(KEY)
show_header()
with tools:
    presenting = option_value("presenting")
    if not presenting:
        show_toolbar(chosen)
    with st.container(key="hidden-text" if presenting else "changed-text", width="content"):
        show_text_expander_and_tie_explanation(is_classical=chosen.name == replay_tokenizer_name(CLASSICAL))
    show_option_widget("predicting", st.toggle, "Let me guess",
                       help="The next merge is hidden until you have guessed it.")  # fmt: skip
    if not presenting:
        show_more_menu_if_needed(chosen)
