"""The playground: a text, a chat or token ids, and their tokens as you type. It is also the page that greets.

Each input shows itself and returns a function that gives the input and its tokens at the time of the call, from any
thread.
"""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.ui.holding import keys_set_by_link
from pages.ui.lessons.lesson import show_lesson_link
from pages.ui.merges.opening import WATCH
from pages.ui.options import option_default, option_value, option_value_among, set_option, show_choice
from pages.ui.pages import LANGUAGES, LEARN, MERGES, SEAMS, TRAIN
from pages.ui.playground.actions import show_menu
from pages.ui.playground.chat_input import show_chat_input
from pages.ui.playground.chat_rows import open_shared_text_as_chat
from pages.ui.playground.result import PlaygroundResult
from pages.ui.session_tokenizers.open_tokenizer import show_open_menu
from pages.ui.session_tokenizers.tokenizer_list import (
    choose_tokenizer,
    chosen_tokenizer,
    chosen_tokenizer_name,
    kept_tokenizers,
    opened_file_of,
    show_tokenizer_picker,
)
from pages.ui.shared.live import await_view, chosen_look, document, reserve_row
from pages.ui.shared.text import (
    START_TEXT,
    shared_text,
    show_examples_menu,
    show_text_file_opener,
    where_texts_go_text,
)
from pages.ui.shared.token_view import IDS_PLACEHOLDER, show_ids_view, show_text_editor, show_token_view
from tokviz import AnyTokenizer, load
from tokviz.formats.pretrained import PRETRAINED, short_name
from tokviz.formats.python_code import Example
from tokviz.lessons import LESSONS, lesson_named
from tokviz.live.look import Look
from tokviz.live.views.ids_view import IdsView
from tokviz.live.views.token_view import TokenView

# Short texts that show something at once.
EXAMPLES = {
    "Thai sentence": "ภาษาไทยไม่เว้นวรรคระหว่างคำ",
    "Chinese sentence": "今天天气很好，我们去公园散步吧。",
    "Emoji": "👩‍🍳 👨‍👩‍👧 🇹🇭 👍🏽",
    "Strawberry": START_TEXT,
    "Numbers": "3221+2334=5555\n3221 + 2334 = 5555",
    "Indented code": 'def greet(name):\n    return f"Hello, {name}!"\n',
}
DOORS = {
    MERGES: ("Watch merges happen", {WATCH: "merges"}),
    TRAIN: ("Train a tokenizer", None),
    LANGUAGES: ("See what each language costs", None),
}
CHARACTERS_AS_IDS = 20_000  # which take about 10 ms to encode
HEIGHT = "max(18rem, 75dvh)"  # at most, where the tokens are below the text; beside it they fill the window


def show_playground(show_header: Callable[[], None]) -> None:
    """Show the page in its frame, its tokens first."""
    is_greeting = is_greeting_shown()
    if is_greeting:
        with st.container(key="landing", gap=None):
            show_greeting()
    source = option_value_among("input", INPUTS)
    tools = reserve_row("playground-tools")
    tokenizer = chosen_tokenizer()
    result = INPUTS[source](tokenizer)
    if source == "Text":
        await_view("playground")
    show_header()
    with tools:
        show_tokenizer_picker(label_visibility="collapsed", width=240)
        show_choice("input", "Input", INPUTS, format_func=lambda name: "From ids" if name == "Ids" else name)
        if source == "Text":
            show_examples_menu(EXAMPLES)
        if not option_value("presenting"):
            show_open_menu(text_opener=show_text_file_opener if source == "Text" else None)
        show_menu(tokenizer, result)
    if is_greeting:
        show_next_steps()


def is_greeting_shown() -> bool:
    """Return whether the page greets: not once that was dismissed, nor where the page is presented."""
    return option_value("landing") and not option_value("presenting")


def show_greeting() -> None:
    """Say what this is about, on a first visit."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header("Language models don’t read letters. They read tokens.", anchor=False, width="content")
        first = LESSONS[0]
        show_lesson_link(first, f"New here? Start with a lesson: {first.minutes} minutes", icon=LEARN.icon)
        st.button("Dismiss", key="_remove_greeting", icon=":material/close:", type="tertiary", on_click=set_option,
                  args=("landing", False))  # fmt: skip
        st.markdown("A token is a piece of text with a number. Each coloured block is one.")
    show_own_tokenizer_if_chosen()


def show_own_tokenizer_if_chosen() -> None:
    """Say whose tokens are shown, if a tokenizer of the user's own makes them, and offer the usual one."""
    if (name := chosen_tokenizer_name()) not in kept_tokenizers():
        return
    made = "opened here" if opened_file_of(name) else "made here"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text(f"These are the tokens of {name}, {made}.", width="content")
        usual = option_default("tokenizer")
        st.button(f"Go back to {short_name(usual)}", on_click=choose_tokenizer, args=(usual,))


def show_next_steps() -> None:
    """Show where to go from here."""
    with st.container(key="doors", horizontal=True, vertical_alignment="center", gap="small"):
        show_lesson_link(lesson_named("spelling"), "Why models miscount letters", icon=LEARN.icon)
        for page, (label, query) in DOORS.items():
            st.page_link(page.script, label=label, icon=page.icon, query_params=query)
        st.caption(where_texts_go_text(), width="stretch", text_alignment="right")


def show_text_input(tokenizer: AnyTokenizer) -> Callable[[], PlaygroundResult]:
    """Show the shared text to type in, and its tokens."""
    is_greeting, look = is_greeting_shown(), chosen_look()
    view = show_token_view(
        tokenizer,
        key="playground",
        look=look,
        height=HEIGHT,
        counted=tuple((short_name(name), load(name)) for name in PRETRAINED),
        big=is_greeting,
        fills=True,
        beside=option_value("beside"),
        on_beside=partial(set_option, "beside"),
        on_chat=open_shared_text_as_chat,
        on_seams=request_seams_page,
    )
    if st.session_state.pop("to_seams", False):
        st.switch_page(SEAMS.script)
    return partial(_text_result, tokenizer, view, look)


def request_seams_page(section: str, piece: str) -> None:
    """Have the next run lead to a section of the page of seams, with a piece of the text chosen there."""
    st.session_state.to_seams = True
    set_option("seams_section", section)
    set_option("seams_piece", piece)
    set_option("seams_way", "")
    keys_set_by_link().add("text")  # the token's text comes along


def _text_result(tokenizer: AnyTokenizer, view: TokenView, look: Look) -> PlaygroundResult:
    """Return what is shown of a text."""
    spans = view.spans()
    if view.problem:
        raise ValueError(view.problem)
    return PlaygroundResult(tokenizer, spans, Example(tokenizer, "text", spans.text, bool(look.allowed_special)), look)


def show_ids_input(tokenizer: AnyTokenizer) -> Callable[[], PlaygroundResult]:
    """Show ids to paste, at first those of the shared text, and the tokens and the text they stand for."""
    text = shared_text() or EXAMPLES["Numbers"]
    ids = str(tokenizer.encode(text[:CHARACTERS_AS_IDS]))
    document("ids", ids)
    example = ids if text in EXAMPLES.values() else ""
    show_text_editor("ids", key="ids", label="Token ids", placeholder=IDS_PLACEHOLDER, example=example)
    if len(text) > CHARACTERS_AS_IDS:
        st.caption(f"Your text is long: at first the box holds the ids of its first {CHARACTERS_AS_IDS:,} characters.")
    view = show_ids_view(tokenizer, "ids", key="of ids", height="max(18rem, 55dvh)")
    return partial(_ids_result, tokenizer, view)


def _ids_result(tokenizer: AnyTokenizer, view: IdsView) -> PlaygroundResult:
    """Return what is shown of ids."""
    spans = view.spans()
    return PlaygroundResult(tokenizer, spans, Example(tokenizer, "ids", spans.ids.tolist()))


INPUTS = {"Text": show_text_input, "Chat": show_chat_input, "Ids": show_ids_input}
