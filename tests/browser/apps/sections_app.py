"""A section of the compare page alone: `?section=vocabulary` or `?section=corpus`."""

import streamlit as st

from pages.ui.compare.corpus import show_corpus
from pages.ui.compare.vocabulary_size import show_vocabulary_size
from pages.ui.options import option_value

SECTIONS = {"vocabulary": show_vocabulary_size, "corpus": show_corpus}

st.set_page_config(layout="wide")
SECTIONS[st.session_state.setdefault("section", st.query_params.get("section"))](option_value("compared"))
