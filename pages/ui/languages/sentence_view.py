"""The parallel sentences themselves, and their tokens: in English, and in the language one points at."""

from collections.abc import Mapping

import streamlit as st

from pages.ui.languages.sentence_pairs import REFERENCE, sentences
from pages.ui.options import option_widget, set_option
from pages.ui.session_tokenizers.tokenizer_list import tokenizer_named
from pages.ui.shared.charts import pointed_cell
from pages.ui.shared.live import document
from pages.ui.shared.text import set_document_text
from pages.ui.shared.token_view import token_view
from tokviz.analysis.parity import LanguageCost


def take_cell() -> None:
    """Show the sentences of the cell of the heat map that was clicked."""
    if cell := pointed_cell("languages"):
        tokenizer, language = cell
        set_option("sentence_tokenizer", tokenizer)
        set_option("sentence_language", language)


def sentence_view(costs: Mapping[str, Mapping[str, LanguageCost]]) -> None:
    """Show the sentences that English and a language share, their tokens under a tokenizer, and what they cost there.

    costs: of the languages, by the names of tokenizers.
    """
    languages = list(dict.fromkeys(name for sentence in sentences() for name in sentence if name != REFERENCE))
    st.subheader("The sentences, and their tokens", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        language = option_widget(
            "sentence_language", st.segmented_control, "Language", options=languages, required=True
        )
        name = option_widget(
            "sentence_tokenizer", st.segmented_control, "Tokenizer", options=list(costs), required=True
        )
    st.caption("One sentence per line. Each is counted on its own, without its line end (↵).")
    figures = _figures(costs[name][language])
    shown = [sentence for sentence in sentences() if language in sentence and REFERENCE in sentence]
    for column, which, said in zip(st.columns(2), (REFERENCE, language), figures, strict=True):
        key = f"sentences {'in English' if which == REFERENCE else 'elsewhere'}"
        text = "\n".join(sentence[which] for sentence in shown)
        if document(key, text).text != text:
            set_document_text(key, text)
        with column:
            st.text(f"{which}: {said}")
            token_view(tokenizer_named(name), key=f"tokens of {key}", document=key, editable=False,
                       height=360, panes=("tokens",))  # fmt: skip


def _figures(cost: LanguageCost) -> tuple[str, str]:
    """Return in words what the sentences cost in English, and in the language."""
    in_language = [f"{cost.n_tokens:,} tokens"]
    if cost.bytes_per_token is not None:
        in_language.append(f"{cost.bytes_per_token:.2f} bytes per token")
    if cost.parity is not None:
        in_language.append(f"{cost.parity:.2f}× {REFERENCE}")
    return f"{cost.n_reference_tokens:,} tokens", " · ".join(in_language)
