"""What the same content costs in different languages, and how the training mix decides that."""

import streamlit as st

from pages.ui.frame.frame import frame
from pages.ui.languages.language_matrix import costs_of, language_matrix
from pages.ui.languages.mix_experiment import mix_experiment
from pages.ui.languages.sentences import pairs_editor, sentence_view
from pages.ui.options import option_widget
from pages.ui.pages import LANGUAGES
from pages.ui.session_tokenizers.tokenizer_list import MOST_COMPARED, tokenizer_names

frame(LANGUAGES, shares=dict)
with st.container(key="desk-tokenizers"):
    chosen = option_widget(
        "compared", st.multiselect, "Tokenizers", options=tokenizer_names(), max_selections=MOST_COMPARED,
        label_visibility="collapsed", placeholder="Tokenizers to compare",
    )  # fmt: skip
if not chosen:
    st.info("Choose at least one tokenizer.")
if costs := costs_of(chosen):
    language_matrix(costs)
    sentence_view(costs)
with st.container(key="desk-pairs"), st.expander("Your own sentences: add a pair, or a language"):
    st.caption(
        "A row is a sentence in English and the same in another language. You can paste rows from a spreadsheet. "
        "The twelve sentences included are in English, Thai and Chinese."
    )
    pairs_editor()
mix_experiment()
