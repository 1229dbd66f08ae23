"""The glossary, opened by a button of the header or from a word: each word in two sentences, and its tokens live."""

from functools import partial

import streamlit as st

from pages.ui.shared.buttons import show_dialog_button
from pages.ui.shared.live import document, page_look
from pages.ui.shared.token_view import show_token_view
from tokviz.formats.pretrained import short_name
from tokviz.lessons.glossary import GLOSSARY, glossary_term, tokenizer_of_term

TITLE = "Glossary"


def show_glossary_button() -> None:
    """Show the button of the header that opens the glossary."""
    show_dialog_button(TITLE, _show_glossary, title=TITLE, size="large", icon=":material/dictionary:", type="tertiary")


def show_term_buttons(*words: str) -> None:
    """Show a row of words, each a button that opens the glossary at it."""
    if not words:
        return
    with st.container(key="terms", horizontal=True, width="content"):
        st.caption(f"{TITLE}:", width="content")
        for word in words:
            show_dialog_button(word, partial(_show_glossary, word), title=TITLE, size="large", type="tertiary")


def _show_glossary(word: str = GLOSSARY[0].word) -> None:
    """Show the words to choose from, and the one that was chosen."""
    words = [term.word for term in GLOSSARY]
    word = st.pills(TITLE, words, default=word, required=True, key=f"_term {word}", label_visibility="collapsed")
    term = glossary_term(word)
    st.header(term.word, anchor=False)
    st.markdown(term.meaning)
    name = f"term {term.word}"
    document(name, term.text)
    show_token_view(
        tokenizer_of_term(term),
        key=f"live {name}",
        document=name,
        look=page_look("all" if term.with_special else ()),
        label=f"Type to see its tokens in {short_name(tokenizer_of_term(term).name)}",
        height=120,
        big=True,
        panes=("tokens",),
    )
