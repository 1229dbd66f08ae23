"""One text under several tokenizers, in colour and in numbers; also files, and smaller vocabularies."""

import streamlit as st

from pages.ui.compare.corpus import show_corpus_section
from pages.ui.compare.side_by_side import show_save_columns_button, show_side_by_side
from pages.ui.compare.vocabulary_size import show_vocabulary_size_section
from pages.ui.frame.frame import begin_page
from pages.ui.options import option_value_among, show_sections
from pages.ui.pages import COMPARE
from pages.ui.session_tokenizers.open_tokenizer import show_open_menu
from pages.ui.session_tokenizers.tokenizer_list import MOST_COMPARED, show_compared_picker, tokenizer_names
from pages.ui.shared.live import reserve_two_rows
from pages.ui.shared.text import show_examples_menu

# Short texts that the tokenizers included cut differently.
EXAMPLES = {
    "Numbers": "3221 + 2334 = 5555, and 1234567 of them",
    "A long word": "antidisestablishmentarianism, pneumonoultramicroscopicsilicovolcanoconiosis",
    "Thai sentence": "ภาษาไทยไม่เว้นวรรคระหว่างคำ",
    "Indented code": "def f(x):\n        if x:\n                return x",
}
VIEWS = {
    "Side by side": show_side_by_side,
    "Vocabulary size": show_vocabulary_size_section,
    "Corpus": show_corpus_section,
}
INTROS = {
    "Side by side": COMPARE.intro,
    "Vocabulary size": "See what a smaller vocabulary costs in tokens and saves in parameters.",
    "Corpus": "Count the tokens of files of a few megabytes, and see how long their documents are.",
}


show_header = begin_page(COMPARE, intro=lambda: INTROS[option_value_among("compare_view", VIEWS)])
choice, look = reserve_two_rows("compare")
names = option_value_among("compared", tokenizer_names())[:MOST_COMPARED]
view = option_value_among("compare_view", VIEWS)
is_painted_first = view == "Side by side" and len(names) >= 2
if is_painted_first:
    show_side_by_side(names)
show_header()
with choice:
    show_compared_picker()
with look:
    show_sections("compare_view", VIEWS)
    if view != "Corpus":
        show_examples_menu(EXAMPLES)
    show_open_menu()
    if view == "Side by side" and len(names) >= 2:
        show_save_columns_button(names)
if len(names) < 2:
    st.info("Choose two or more tokenizers.")
elif not is_painted_first:
    VIEWS[view](names)
