"""The form that makes a tokenizer of another family from the text on view."""

from collections.abc import Collection

import streamlit as st

from pages.ui.kept import kept
from pages.ui.opened import Opened, opened_file, opened_list
from pages.ui.records import VOCAB_SIZE_MAX, free_name
from pages.ui.text import shared_text
from pages.ui.words import errors_in_words
from tokviz.families import listed
from tokviz.library_training import VocabularyTooLarge, train_sentencepiece, train_wordpiece

CHARACTERS_MAX = 5_000_000  # SentencePiece takes some ten seconds and half a gigabyte for so many
FAMILIES = {
    "Characters": "Every character is a token. Short vocabularies, long sequences; what the text lacks is unknown.",
    "Bytes": "Every byte of UTF-8 is a token: 256 are enough for any text, and a Thai character takes three.",
    "Words": "Every run without white space is a token. See what happens to a new word, or to a Thai sentence.",
    "SentencePiece BPE": "Pairs of characters are merged, the space (▁) being one of them; with byte fallback and a "
    "coverage of 99.995 % this is what Llama 2 and Mistral used.",
    "SentencePiece Unigram": "Begins with many pieces, and drops those without which the text stays likeliest. T5 and "
    "XLNet used it.",
    "WordPiece": "BERT’s: merges where the parts are rare but the pair is not, then takes the longest match; ## marks "
    "what goes on a word.",
}


def families_form(*, taken: Collection[str]) -> Opened | None:
    """Show the form; return the tokenizer, under a name that is not taken, when the button is pressed."""
    family = kept("family", st.selectbox, "Family", options=list(FAMILIES))
    st.caption(FAMILIES[family])
    size = None
    if family != "Bytes":
        size = kept("family_size", st.number_input, "Most tokens", min_value=4, max_value=VOCAB_SIZE_MAX, step=100,
                    help="A short text may give fewer.")  # fmt: skip
    coverage, fallback = 99.95, True
    if family.startswith("SentencePiece"):
        coverage = kept(
            "coverage", st.number_input, "Character coverage, %",
            min_value=98.0, max_value=100.0, step=0.005, format="%.3f",
            help="The share of the text’s characters, by count, that get a token of their own. Rare ones beyond it are "
            "left out, so that they do not fill the vocabulary.",
        )  # fmt: skip
        fallback = kept(
            "byte_fallback", st.toggle, "Byte fallback",
            help="On, a character without a token is written in bytes, which take 256 tokens; off, it is unknown.",
        )  # fmt: skip
    if not st.button("Make it from the text on view", type="primary", width="stretch"):
        return None
    with errors_in_words():
        text = shared_text()
        if not text:
            raise ValueError("There is no text: type one, or take a sample.")
        if len(text) > CHARACTERS_MAX:
            raise ValueError(f"The text has {len(text):,} characters; at most {CHARACTERS_MAX:,} are taken here.")
        with st.spinner("Learning…", show_time=True):
            return made(family, text, size, coverage=coverage / 100, byte_fallback=fallback, taken=taken)
    return None


def made(
    family: str, text: str, size: int | None, *, coverage: float, byte_fallback: bool, taken: Collection[str]
) -> Opened:
    """Return the tokenizer of a family with at most `size` tokens, learned from a text.

    Raises ValueError where the library cannot.
    """
    if family == "Bytes":
        return opened_list(free_name("bytes", taken), "bytes")
    if family in ("Characters", "Words"):
        tokens = listed(family.lower(), text, vocab_size=size).vocabulary
        return opened_list(free_name(family.lower(), taken), family.lower(), tokens)
    if family == "WordPiece":
        learned = train_wordpiece(text, vocab_size=size)
        return opened_file(learned.data, f"WordPiece {learned.n_vocab:,}.json", taken=taken)
    options = {
        "model_type": family.split()[1].lower(),
        "byte_fallback": byte_fallback,
        "character_coverage": coverage,
    }
    try:
        learned = train_sentencepiece(text, vocab_size=size, **options)
    except VocabularyTooLarge as e:
        learned = train_sentencepiece(text, vocab_size=e.most, **options)
    return opened_file(learned.data, f"{family} {learned.n_vocab:,}.model", taken=taken)
