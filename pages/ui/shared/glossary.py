"""The glossary, opened by a button of the header or from a word: each word in two sentences, and its tokens live."""

from functools import partial

import streamlit as st

from pages.ui.shared.buttons import show_dialog_button
from pages.ui.shared.live import document, page_look
from pages.ui.shared.token_view import show_token_view
from tokviz.formats.pretrained import short_name
from tokviz.lessons.glossary import GLOSSARY, glossary_term, tokenizer_of_term

TITLE = "Glossary"
FIRST_WORDS = ("token", "tokenizer", "token id", "vocabulary", "byte", "BPE", "merge", "pair count")


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
    term = glossary_term(_show_word_choice(word))
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


def _show_word_choice(word: str) -> str:
    """Show the words that a beginner needs and then the others, at first with one chosen; return the chosen one."""
    others = tuple(term.word for term in GLOSSARY if term.word not in FIRST_WORDS)
    groups = {"Begin with these": FIRST_WORDS, "The others": others}
    keys = [f"_term {word} {label}" for label in groups]
    chosen = []
    for (label, words), key, other_key in zip(groups.items(), keys, reversed(keys), strict=True):
        st.session_state.setdefault(key, word if word in words else None)
        chosen.append(st.pills(label, words, required=True, key=key, on_change=_clear_choice, args=(other_key,)))
    return next(filter(None, chosen), word)


def _clear_choice(key: str) -> None:
    """Choose none in the other group: a word is chosen in one of the two."""
    st.session_state[key] = None
