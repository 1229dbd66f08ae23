"""Sentences in tokens: those of the language picked beside the reference, and one of your own while you type it."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.languages.figures import Figures, is_comparable, parity_text
from pages.ui.languages.parallel import (
    language_code_or_name,
    language_name,
    reference_language,
    session_sentences,
    show_language_picker,
)
from pages.ui.options import option_value, option_value_among, reset_widget, set_option, show_choice, widget_key
from pages.ui.pages import LANGUAGES as LANGUAGES_PAGE
from pages.ui.session_tokenizers.download import show_download_button
from pages.ui.session_tokenizers.tokenizer_list import tokenizer_named
from pages.ui.shared.charts import legend_labels
from pages.ui.shared.components import Component
from pages.ui.shared.glossary import show_term_buttons
from pages.ui.shared.live import document, live_session
from pages.ui.shared.text import set_document_text
from pages.ui.shared.token_view import show_token_view
from tokviz.core.pretokens import well_formed_text
from tokviz.core.protocol import AnyTokenizer
from tokviz.formats.pretrained import short_name
from tokviz.languages.parity import REFERENCE, ParityRow
from tokviz.languages.table import LANGUAGES
from tokviz.live.views.ratio_view import RatioView

SHOWN_MAX = 200  # sentences
HEIGHT = "13rem"  # of those of a language on a phone, and where the page is presented; else both fill the window
RATIOS = Component("ratios", ("token_view", "ratios"))
LANGUAGES_MAX, NAME_MAX = 12, 30  # languages to type in; characters of a name
EXAMPLE = 10  # the sentence that is there at first
PICKER = "own language"
OWN_HEIGHT = 76  # pixels of an editor


def show_sentence_tokens(figures: Figures, code: str) -> None:
    """Show the sentences that a language and the reference share, their tokens, and what is uncertain about them."""
    labels = legend_labels(figures)
    with st.container(key="of-language", horizontal=True, vertical_alignment="center", gap="small"):
        if not option_value("presenting"):  # then it is in the bar
            show_language_picker(code)
        name = show_choice("sentence_tokenizer", "Tokenizer for the sentences", figures, format_func=labels.__getitem__)
    both = (code, reference_language())
    sentences = [each for each in session_sentences().sentences if all(each.get(one, "").strip() for one in both)]
    for which in dict.fromkeys(both):
        row = figures[name][which]
        key = f"sentences {'in the reference' if which == reference_language() else 'elsewhere'}"
        texts = [each[which] for each in sentences[:SHOWN_MAX]]
        text = ("\n\n" if any("\n" in each for each in texts) else "\n").join(texts)
        if document(key, text).text != text:
            set_document_text(key, text)
        st.text(f"{_language_title(which)}: {_cost_text(row)}")
        show_token_view(tokenizer_named(name), key=f"tokens of {key}", document=key, editable=False,
                   label=language_name(which), height=HEIGHT, panes=("tokens",))  # fmt: skip
    _show_sentence_notes(code, len(sentences))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        show_term_buttons(*LANGUAGES_PAGE.words)
        show_download_button(tokenizer_named(name), type="tertiary")


def _language_title(code: str) -> str:
    """Return the name of a language, in English and in itself."""
    known = LANGUAGES.get(code)
    own = f" · {known.own_name}" if known and known.own_name != known.name else ""
    return f"{language_name(code)}{own}"


def _cost_text(row: ParityRow) -> str:
    """Return in words what the sentences cost."""
    said = [f"{row.n_tokens:,} tokens in {short_name(row.tokenizer)}"]
    if row.language != reference_language() and row.parity is not None:
        said.append(f"{parity_text(row.parity)} {language_name(reference_language())}")
    if row.bytes_per_token is not None:
        said.append(f"{row.bytes_per_token:.2f} bytes per token")
    if not is_comparable(row):
        said.append(f"{row.unknown_share:.0%} of the text unknown")
    return " · ".join(said)


def _show_sentence_notes(code: str, n_sentences: int) -> None:
    """Show which sentences these are, and under a sign what is uncertain; of your own file only its length."""
    if session_sentences().file or code not in LANGUAGES:
        if n_sentences > SHOWN_MAX:
            st.caption(f"The first {SHOWN_MAX} of {n_sentences:,} sentences.")
        return
    language = LANGUAGES[code]
    proof = "" if code == REFERENCE else " · not proofread by a native speaker"
    st.caption(f"{language.script} script · {language.family}{proof}", help=language.notes or None)


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
        show_token_view(coloured, key=f"tokens of {name}", document=name, label=language_name(code), height=OWN_HEIGHT,
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
