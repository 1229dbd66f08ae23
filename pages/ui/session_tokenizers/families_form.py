"""The form that makes a tokenizer of another family from the text on view."""

from collections.abc import Collection

import streamlit as st

from pages.ui.options import option_widget
from pages.ui.session_tokenizers.sentencepiece_form import sentencepiece_form
from pages.ui.shared.buttons import pressed
from pages.ui.shared.messages import show_errors
from pages.ui.shared.text import shared_text
from tokviz.families.library_training import VocabularyTooLarge, train_sentencepiece, train_wordpiece
from tokviz.families.sentencepiece_options import Options
from tokviz.families.teaching import listed
from tokviz.records.opened import Opened, file_record, list_record
from tokviz.records.trained import VOCAB_SIZE_MAX, free_name

CHARACTERS_MAX = 5_000_000  # SentencePiece needs some ten seconds and half a gigabyte for this many
FAMILIES = {
    "Characters": "Every character is a token. Small vocabularies, long sequences; new characters are unknown.",
    "Bytes": "Every byte of UTF-8 is a token: 256 are enough for any text, but a Thai character takes three.",
    "Words": "Every run without white space is a token. See what happens to a new word, or to a Thai sentence.",
    "SentencePiece BPE": "Merges pairs of characters, with the space (▁) as one of them. Llama 2 used it; its "
    "settings are a click away under Options.",
    "SentencePiece Unigram": "Begins with many pieces, and drops those that the text needs least. T5 and "
    "XLNet used it.",
    "WordPiece": "BERT’s: merges pairs that are frequent though their parts are rare, then takes the longest match; "
    "## marks what continues a word.",
}


def families_form(*, taken: Collection[str]) -> Opened | None:
    """Show the form; when the button is pressed, return the tokenizer, under a name that is not taken."""
    family = option_widget("family", st.selectbox, "Family", options=list(FAMILIES))
    st.caption(FAMILIES[family])
    size = 256
    if family != "Bytes":
        size = option_widget(
            "family_size", st.number_input, "Most tokens", min_value=4, max_value=VOCAB_SIZE_MAX, step=100,
            help="A short text may give fewer.",
        )  # fmt: skip
    options: Options = {}
    if family.startswith("SentencePiece"):
        options = sentencepiece_form(family.split()[1].lower())
    if not pressed("Make it from the text on view", type="primary", width="stretch"):
        return None
    with show_errors():
        text = shared_text()
        if not text:
            raise ValueError("There is no text: type one, or take a sample.")
        if len(text) > CHARACTERS_MAX:
            raise ValueError(
                f"The text has {len(text):,} characters; this form takes at most {CHARACTERS_MAX:,}. Shorten it."
            )
        with st.spinner("Learning…", show_time=True):
            return family_record(family, text, size, options=options, taken=taken)
    return None


def family_record(family: str, text: str, size: int, *, options: Options, taken: Collection[str]) -> Opened:
    """Return the tokenizer of a family with at most `size` tokens, learned from a text; ValueError if that fails.

    `options` are SentencePiece's.
    """
    if family == "Bytes":
        return list_record(free_name("bytes", taken), "bytes")
    if family in ("Characters", "Words"):
        tokens = listed(family.lower(), text, vocab_size=size).vocabulary
        return list_record(free_name(family.lower(), taken), family.lower(), tokens)
    if family == "WordPiece":
        wordpiece = train_wordpiece(text, vocab_size=size)
        return file_record(wordpiece.data, f"WordPiece {wordpiece.n_vocab:,}.json", taken=taken)
    try:
        learned = train_sentencepiece(text, vocab_size=size, **options)
    except VocabularyTooLarge as e:
        learned = train_sentencepiece(text, vocab_size=e.most, **options)
    return file_record(learned.data, f"{family} {learned.n_vocab:,}.model", taken=taken)
