"""A sentence of your own, typed in several languages: its tokens in each while you type, and how they compare."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.languages.parallel import language_code_or_name, language_name
from pages.ui.options import option_value, option_value_among, reset_widget, set_option, widget_key
from pages.ui.session_tokenizers.tokenizer_list import tokenizer_named
from pages.ui.shared.charts import legend_labels
from pages.ui.shared.components import Component
from pages.ui.shared.live import document, live_session
from pages.ui.shared.text import set_document_text
from pages.ui.shared.token_view import show_token_view
from tokviz.core.pretokens import well_formed_text
from tokviz.core.protocol import AnyTokenizer
from tokviz.languages.table import LANGUAGES
from tokviz.live.views.ratio_view import RatioView

RATIOS = Component("ratios", ("token_view", "ratios"))
LANGUAGES_MAX, NAME_MAX = 12, 30  # languages to type in; characters of a name
EXAMPLE = 10  # the sentence that is there at first
PICKER = "own language"
HEIGHT = 76  # pixels of an editor


def show_own_sentence(names: Sequence[str]) -> None:
    """Show an editor for each language, and what the sentence pays in it under the tokenizers of these names."""
    st.caption("Type the same sentence in each language. The others are compared with the first.")
    codes = own_languages()
    coloured = tokenizer_named(option_value_among("sentence_tokenizer", names))
    documents = tuple(document(_ensured_document_name(code)) for code in codes)
    tokenizers, labels = tuple((name, tokenizer_named(name)) for name in names), legend_labels(names)
    data = {"rows": [language_name(code) for code in codes], "columns": [labels[name] for name in names]}
    RATIOS.show_view("ratios of own sentence", RatioView, None, documents, tokenizers, data=data)
    for number, code in enumerate(codes, 1):
        _show_sentence_editor(code, number, coloured, removable=len(codes) > 1)
    _show_language_adder(codes)


def own_languages() -> list[str]:
    """Return the languages to type in, by their codes, or by the names that the user gave them."""
    found = [" ".join(well_formed_text(name).split())[:NAME_MAX] for name in option_value("own_languages")]
    return list(dict.fromkeys(language_code_or_name(name) for name in found if name))[:LANGUAGES_MAX] or ["en"]


def _ensured_document_name(code: str) -> str:
    """Return the name of the document with the sentence in a language; at first it is a built-in one."""
    name = f"own sentence {code}"
    document(name, LANGUAGES[code].sentences[EXAMPLE] if code in LANGUAGES else "")
    return name


def _show_sentence_editor(code: str, number: int, coloured: AnyTokenizer, *, removable: bool) -> None:
    """Show the editor of the sentence in a language."""
    name = _ensured_document_name(code)
    with st.container(key=f"own-{number}", horizontal=True, vertical_alignment="bottom", gap="small"):
        show_token_view(coloured, key=f"tokens of {name}", document=name, label=language_name(code), height=HEIGHT,
                   placeholder="The same in this language", panes=("tokens",))  # fmt: skip
        if removable:
            # A name that the user gave is shown as plain text only, and so not on a button.
            which = language_name(code) if code in LANGUAGES else f"language {number}"
            st.button(":material/close:", key=f"_remove own {number} {code}", type="tertiary", help=f"Remove {which}",
                      on_click=_remove_language, args=(code,))  # fmt: skip


def _show_language_adder(codes: Sequence[str]) -> None:
    """Show the choice of one more language, by its name or one that the table does not have."""
    key = widget_key(PICKER)
    others = sorted((code for code in LANGUAGES if code not in codes), key=language_name)
    st.selectbox("Add a language", options=others, index=None, key=key, format_func=language_name, width=260,
                 accept_new_options=True, placeholder="Add a language", label_visibility="collapsed",
                 disabled=len(codes) >= LANGUAGES_MAX, on_change=_add_picked_language_if_new, args=(key,))  # fmt: skip


def _add_picked_language_if_new(key: str) -> None:
    """Add the language that was picked or typed; if the first text is a built-in one, with its translation."""
    if key != widget_key(PICKER) or not (picked := st.session_state.get(key)):
        return
    first, code = own_languages()[0], language_code_or_name(" ".join(picked.split())[:NAME_MAX])
    if code in own_languages():  # its sentence stays as it is
        reset_widget(PICKER)
        return
    if code in LANGUAGES and first in LANGUAGES:
        known = LANGUAGES[first].sentences
        text = document(_ensured_document_name(first)).text
        set_document_text(
            _ensured_document_name(code), LANGUAGES[code].sentences[known.index(text)] if text in known else ""
        )
    set_option("own_languages", [*own_languages(), code])
    reset_widget(PICKER)


def _remove_language(code: str) -> None:
    """Remove a language."""
    set_option("own_languages", [other for other in own_languages() if other != code])
    live_session().drop_document(_ensured_document_name(code))
