"""A section of the compare page alone: `?section=vocabulary` or `?section=corpus`."""

import streamlit as st

from pages.ui.compare.corpus import show_corpus_section
from pages.ui.compare.vocabulary_size import show_vocabulary_size_section
from pages.ui.options import option_value

SECTIONS = {"vocabulary": show_vocabulary_size_section, "corpus": show_corpus_section}

st.set_page_config(layout="wide")
SECTIONS[st.session_state.setdefault("section", st.query_params.get("section"))](option_value("compared"))
