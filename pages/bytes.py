"""A text below its tokens: its characters and bytes, and the pretokens that split patterns cut."""

import streamlit as st

from pages.ui.bytes.pattern_view import pretoken_figures_of_beginning, show_pattern_section
from pages.ui.frame.frame import begin_page
from pages.ui.options import option_value_among, show_choice
from pages.ui.pages import BYTES
from pages.ui.shared.components import Component
from pages.ui.shared.live import await_view, reserve_two_rows
from pages.ui.shared.messages import show_errors
from pages.ui.shared.text import QUICK_REST, shared_text, show_examples_menu
from pages.ui.shared.token_view import show_text_editor
from tokviz.live.views.unicode_view import UnicodeView

CODE_POINTS, PATTERNS = "Bytes", "Split patterns"
EXAMPLES = {
    CODE_POINTS: {
        "é, two ways": "é is e\u0301",
        "Joined emoji": "👩‍🍳 👨‍👩‍👧 🇹🇭 👍🏽",
        "Thai marks": "น้ำ ที่นี่",
        "Look-alikes": "ﬁne ①② ｆｕｌｌ Å",
    },
    PATTERNS: {
        "Contractions": "It's what we'll say. IT'S WHAT WE'LL SAY.",
        "Numbers": "1234567 + 89 = 1234656, in 2024.",
        "Spaces": "def f(x):\n    if x:\n        return   x  \n",
        "Thai": "ภาษาไทยไม่เว้นวรรคระหว่างคำ",
    },
}
INTROS = {
    CODE_POINTS: BYTES.intro,
    PATTERNS: "See where the split pattern cuts before any merge. Switch an alternative off to see what it did.",
}
UNICODE_VIEW = Component("unicode_view", ("token_view", "unicode_view"))


@st.fragment
def show_editor_and_table() -> None:
    """Show the text to type in, and in the table, if there is one, what each pattern makes of it."""
    show_text_editor("text", key="bytes text", rest=QUICK_REST if table else None)
    if table:
        with table.container(), show_errors():
            st.dataframe(pretoken_figures_of_beginning(shared_text()), hide_index=True)


show_header = begin_page(BYTES, intro=lambda: INTROS[option_value_among("look", EXAMPLES)])
choice, examples = reserve_two_rows("bytes")
look = option_value_among("look", EXAMPLES)
place, view = st.container(), st.container()
table = None if look == CODE_POINTS else st.expander("How many pretokens does each pattern make of this text?").empty()
with place:
    show_editor_and_table()  # with the view, which it would push down later
with view:
    if look == CODE_POINTS:
        UNICODE_VIEW.show_view("unicode", UnicodeView, "text")
        await_view("unicode")
    else:
        show_pattern_section()
show_header()
with choice:
    show_choice("look", "Look at", EXAMPLES)
with examples:
    show_examples_menu(EXAMPLES[look])
