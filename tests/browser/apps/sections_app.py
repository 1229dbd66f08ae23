"""A section of the compare page alone: `?section=vocabulary` or `?section=corpus`."""

import streamlit as st

from pages.ui.corpus import corpus
from pages.ui.kept import kept_value
from pages.ui.vocabulary_size import vocabulary_size

SECTIONS = {"vocabulary": vocabulary_size, "corpus": corpus}

st.set_page_config(layout="wide")
SECTIONS[st.session_state.setdefault("section", st.query_params.get("section"))](kept_value("compared"))
