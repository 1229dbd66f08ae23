"""The sentences of the language that was picked, beside those of the reference, in tokens under a tokenizer."""

import streamlit as st

from pages.ui.languages.figures import Figures, is_comparable, parity_text
from pages.ui.languages.parallel import language_name, reference_language, session_sentences, show_language_picker
from pages.ui.options import option_value, show_choice
from pages.ui.pages import LANGUAGES as LANGUAGES_PAGE
from pages.ui.session_tokenizers.download import show_download_button
from pages.ui.session_tokenizers.tokenizer_list import tokenizer_named
from pages.ui.shared.charts import legend_labels
from pages.ui.shared.glossary import show_term_buttons
from pages.ui.shared.live import document
from pages.ui.shared.text import set_document_text
from pages.ui.shared.token_view import show_token_view
from tokviz.formats.pretrained import short_name
from tokviz.languages.parity import REFERENCE, ParityRow
from tokviz.languages.table import LANGUAGES

SHOWN_MAX = 200  # sentences
HEIGHT = "13rem"  # of those of a language on a phone, and where the page is presented; else both fill the window


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
    """Show which sentences these are, and behind a sign what is uncertain; of your own file only its length."""
    if session_sentences().file or code not in LANGUAGES:
        if n_sentences > SHOWN_MAX:
            st.caption(f"The first {SHOWN_MAX} of {n_sentences:,} sentences.")
        return
    language = LANGUAGES[code]
    proof = "" if code == REFERENCE else " · not proofread by a native speaker"
    st.caption(f"{language.script} script · {language.family}{proof}", help=language.notes or None)
