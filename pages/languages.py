"""What the same sentences cost in many languages, and how the training mix decides that."""

import streamlit as st

from pages.ui.frame.frame import frame_ahead
from pages.ui.languages.cost import costs
from pages.ui.languages.figures import dearest, figures_of, what_it_pays, what_most_pay
from pages.ui.languages.mix_experiment import mix_experiment
from pages.ui.languages.order import order_picker, ordered
from pages.ui.languages.own_sentence import own_sentence
from pages.ui.languages.parallel import own_file, picked_language
from pages.ui.languages.sentence_tokens import sentence_tokens
from pages.ui.languages.views import show_figures, view_picker
from pages.ui.options import option_value, option_widget
from pages.ui.pages import LANGUAGES
from pages.ui.session_tokenizers.open_tokenizer import open_menu
from pages.ui.session_tokenizers.tokenizer_list import MOST_COMPARED, tokenizer_label, tokenizer_names

show_header = frame_ahead(LANGUAGES)
words = st.container(key="said", gap="xxsmall")
with st.container(key="desk-figures", horizontal=True, vertical_alignment="center", gap="xsmall"):
    names = option_widget("compared", st.multiselect, "Tokenizers", options=tokenizer_names(),
                          max_selections=MOST_COMPARED, format_func=tokenizer_label, width="stretch",
                          label_visibility="collapsed", placeholder="Tokenizers to compare")  # fmt: skip
    order, view = order_picker(names), view_picker()
    open_menu(with_text=False)
    own_file()
figures = figures_of(names)
plot, below = st.container(), st.container(key="below")
if figures:
    shown = picked_language(dearest(figures))
    with words:
        st.text(what_it_pays(figures, shown))
        st.text(what_most_pay(figures))
    left, right = (plot, plot) if option_value("presenting") else plot.columns([7, 5], gap="medium")
    with left:
        show_figures(figures, view, order, shown)
    show_header()
    with right:
        sentence_tokens(figures, shown)
    with below:
        own_sentence(list(figures))
        with st.container(key="desk-costs"):
            costs(figures, ordered(figures, order)[0], shown)
else:
    show_header()
    if not names:
        st.info("Choose at least one tokenizer.")
with below:
    mix_experiment()
