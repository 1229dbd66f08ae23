"""The playground: a text, a chat or token ids, and their tokens as you type. It is also the page that greets."""

import streamlit as st

from pages.ui.options import option_value, option_widget
from pages.ui.playground.actions import export_menu
from pages.ui.playground.greeting import doors, greets, headline
from pages.ui.playground.inputs import INPUTS
from pages.ui.session_tokenizers.open_tokenizer import open_menu
from pages.ui.session_tokenizers.tokenizer_list import special_tokens_toggle, tokenizer_picker
from pages.ui.shared.text import example_picker, sample_picker

# Short texts that show something at once.
EXAMPLES = {
    "Strawberry": "How many r's are in strawberry?",
    "3221+2334": "3221+2334=5555\n3221 + 2334 = 5555",
    "def greet": 'def greet(name):\n    return f"Hello, {name}!"\n',
    "ไทย": "ภาษาไทยไม่เว้นวรรคระหว่างคำ",
    "中文": "今天天气很好，我们去公园散步吧。",
    "👩‍🍳": "👩‍🍳 👨‍👩‍👧 🇹🇭 👍🏽",
}


def playground() -> None:
    """Show the page below its frame."""
    is_greeting = greets()
    if is_greeting:
        headline()
    with st.container(key="toolbar", horizontal=True, vertical_alignment="center", gap="small"):
        tokenizer = tokenizer_picker(label_visibility="collapsed", width=300)
        source = option_widget("input", st.segmented_control, "Input", options=list(INPUTS), required=True,
                               label_visibility="collapsed")  # fmt: skip
        if source == "Text":
            with st.popover("Examples", type="tertiary"):
                if not is_greeting:
                    example_picker(EXAMPLES)
                sample_picker()
        open_menu(with_text=source == "Text")
        exports = st.container(width="content")  # of what is shown below
        is_on = option_value("allow_special") and source == "Text"
        with st.popover(f"Special tokens{': on' if is_on else ''}", type="tertiary", key="special"):
            allow_special = special_tokens_toggle(disabled=source != "Text")
    if is_greeting and source == "Text":
        example_picker(EXAMPLES)
    result = INPUTS[source](tokenizer, allow_special)
    with exports:
        export_menu(result)
    if is_greeting:
        doors()
