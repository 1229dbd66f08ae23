"""Where tokens meet: what is settled, what a change costs, ids that are not canonical, and other ways to cut a text."""

import streamlit as st

from pages.ui.frame.frame import begin_page
from pages.ui.options import option_value_among, show_sections
from pages.ui.pages import SEAMS
from pages.ui.seams.sections import SECTIONS, chosen_section, show_example_of_section_if_untouched
from pages.ui.session_tokenizers.tokenizer_list import (
    chosen_tokenizer,
    show_special_tokens_toggle,
    show_tokenizer_picker,
)
from pages.ui.shared.live import reserve_two_rows
from pages.ui.shared.messages import show_errors

show_header = begin_page(SEAMS, opens=show_example_of_section_if_untouched, intro=lambda: chosen_section().intro)
choice, look = reserve_two_rows("seams")
section = option_value_among("seams_section", SECTIONS)
with show_errors():
    SECTIONS[section].show(chosen_tokenizer())
show_header()
with choice:
    tokenizer = show_tokenizer_picker(label_visibility="collapsed", width=300)
with look:
    show_sections("seams_section", SECTIONS, format_func=lambda name: SECTIONS[name].label)
    with st.popover("Examples", type="tertiary", key=f"examples {section}"):
        for name, example in SECTIONS[section].examples.items():
            st.button(name, key=f"_example_{section}_{name}", on_click=example.set_documents)
    if SECTIONS[section].recognises and tokenizer.special_tokens:
        show_special_tokens_toggle()
