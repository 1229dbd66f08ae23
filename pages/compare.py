"""One text under several tokenizers, in colour and in numbers; also files, and smaller vocabularies."""

import streamlit as st

from pages.ui.compare.corpus import corpus
from pages.ui.compare.side_by_side import save_columns, side_by_side
from pages.ui.compare.vocabulary_size import vocabulary_size
from pages.ui.frame.frame import frame
from pages.ui.options import option_widget
from pages.ui.pages import COMPARE
from pages.ui.session_tokenizers.open_tokenizer import open_menu
from pages.ui.session_tokenizers.tokenizer_list import MOST_COMPARED, tokenizer_label, tokenizer_names
from pages.ui.shared.text import example_picker, sample_picker

# Short texts that the tokenizers included cut differently.
EXAMPLES = {
    "Numbers": "3221 + 2334 = 5555, and 1234567 of them",
    "A long word": "antidisestablishmentarianism, pneumonoultramicroscopicsilicovolcanoconiosis",
    "ไทย": "ภาษาไทยไม่เว้นวรรคระหว่างคำ",
    "Indented code": "def f(x):\n        if x:\n                return x",
}
VIEWS = {"Side by side": side_by_side, "Vocabulary size": vocabulary_size, "Corpus": corpus}


frame(COMPARE)
with st.container(key="toolbar", horizontal=True, vertical_alignment="center", gap="small"):
    with st.container(key="desk-tokenizers", width="content"):
        names = option_widget("compared", st.multiselect, "Tokenizers", options=tokenizer_names(),
                              max_selections=MOST_COMPARED, format_func=tokenizer_label, width=400,
                              label_visibility="collapsed", placeholder="Tokenizers to compare")  # fmt: skip
    view = option_widget("compare_view", st.segmented_control, "View", options=list(VIEWS), required=True,
                label_visibility="collapsed")  # fmt: skip
    with st.container(key="desk-open", horizontal=True, gap="small", width="content"):
        if view == "Side by side":
            with st.popover("Examples", type="tertiary"):
                example_picker(EXAMPLES)
                sample_picker()
        open_menu(with_text=False)
        if view == "Side by side" and len(names) >= 2:
            save_columns(names)
if len(names) < 2:
    st.info("Choose two or more tokenizers.")
else:
    VIEWS[view](names)
