"""What the same sentences cost in many languages, and how the training mix decides that."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.ui.frame.frame import begin_page
from pages.ui.languages.cost import show_costs
from pages.ui.languages.figures import dearest_language, figures_summary, parity_figures_showing_errors, parity_sentence
from pages.ui.languages.mix_experiment import show_mix_experiment
from pages.ui.languages.parallel import (
    PROGRAMS,
    picked_language,
    session_sentences,
    show_language_picker,
    show_texts_menu,
)
from pages.ui.languages.sentences import show_own_sentence, show_sentence_tokens
from pages.ui.languages.views import (
    YEARS,
    ordered_languages_and_groups,
    show_figures,
    show_order_picker,
    show_view_choice,
)
from pages.ui.languages.years import most_fallen_language, vocabulary_figures, years_sentence, years_summary
from pages.ui.options import option_value
from pages.ui.pages import LANGUAGES
from pages.ui.session_tokenizers.open_tokenizer import show_open_menu
from pages.ui.session_tokenizers.tokenizer_list import show_compared_picker
from pages.ui.shared.claude_counts import chosen_claude_names
from pages.ui.shared.live import reserve_two_rows

WIDTHS = (6, 5)  # of what is compared and of the sentences

show_header = begin_page(LANGUAGES)
presenting = option_value("presenting")  # a room needs the words, the language that they name and the plot
with st.container(key="screen"):
    words = st.container(key="said", gap="xxsmall")
    picker = reserve_two_rows("languages")[0] if presenting else None
    with st.container(key="desk-figures"):
        left, right = st.columns(WIDTHS, gap="medium")
    plot = st.container()
below = st.container(key="desk-below" if presenting else "below")
pickers = left.container(horizontal=True, gap="xsmall")
with pickers:
    names, of_claude = show_compared_picker(), chosen_claude_names()
with right, st.container(horizontal=True, gap="xsmall"):
    view = show_view_choice()
    with pickers:
        order = option_value("languages_order") if view == YEARS else show_order_picker([*names, *of_claude])
    show_open_menu()
    show_texts_menu()
figures = parity_figures_showing_errors(names)
parts: dict[str, Callable[[], None]] = {}  # what there is to try, below the figures
if figures:
    drawn = vocabulary_figures() if view == YEARS else {**figures, **parity_figures_showing_errors(of_claude)}
    shown = picked_language(default=most_fallen_language(drawn) if view == YEARS else dearest_language(drawn))
    if picker:
        with picker:
            show_language_picker(shown)
    with words:
        st.text(years_sentence(drawn, shown) if view == YEARS else parity_sentence(drawn, shown))
        st.text(years_summary(drawn, shown) if view == YEARS else figures_summary(drawn))
    left, right = (plot, below) if presenting else plot.columns(WIDTHS, gap="medium")
    with left:
        show_figures(drawn, view, order, shown)
    show_header()
    with right:
        show_sentence_tokens(figures, shown)
    parts["Your sentence"] = partial(show_own_sentence, list(figures))
    parts["What it costs"] = partial(show_costs, figures, ordered_languages_and_groups(figures, order)[0], shown)
else:
    show_header()
    if not names:
        st.info("Choose at least one tokenizer.")
if session_sentences() is not PROGRAMS:
    parts["The mix decides"] = show_mix_experiment
if parts:
    for tab, show in zip(below.tabs(list(parts)), parts.values(), strict=True):
        with tab:
            show()
