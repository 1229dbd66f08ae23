"""The form that makes a tokenizer of another family from the text on view, with SentencePiece's training options."""

import os
from collections.abc import Collection, Mapping
from typing import Any

import streamlit as st

from pages.ui.options import SENTENCEPIECE, option_value, set_option, show_option_widget
from pages.ui.session_tokenizers.tokenizer_list import run_again_with_opened_tokenizer, tokenizer_names
from pages.ui.shared.buttons import show_button
from pages.ui.shared.messages import show_errors
from pages.ui.shared.text import shared_text
from tokviz.families.library_training import VocabularyTooLarge, train_sentencepiece, train_wordpiece
from tokviz.families.sentencepiece_options import (
    COVERAGE,
    LENGTH,
    LLAMA_2,
    NORMALIZATION_RULES,
    ModelType,
    Options,
)
from tokviz.families.teaching import list_tokenizer
from tokviz.records.session_tokenizer import Kept, free_name, kept_from_file, kept_tokens
from tokviz.records.training import VOCAB_SIZE_MAX

CHARACTERS_MAX = 5_000_000  # SentencePiece needs some ten seconds and half a gigabyte for this many
FAMILIES = {
    "Characters": "Every character is a token. Small vocabularies, long sequences; new characters are unknown.",
    "Bytes": "Every byte of UTF-8 is a token: 256 are enough for any text, but a Thai character takes three.",
    "Words": "Every run without white space is a token. See what happens to a new word, or to a Thai sentence.",
    "SentencePiece BPE": "Merges pairs of characters, and a space (▁) counts as one. Llama 2 used it; its settings are "
    "under Options.",
    "SentencePiece Unigram": "Begins with many pieces and drops the least useful ones. T5 and XLNet used it.",
    "WordPiece": "BERT’s: merges pairs that are frequent although their parts are rare, then takes the longest match; "
    "## marks a piece that continues a word.",
}
PREFIX = "sentencepiece_"  # of the keys
PRESETS: dict[str, tuple[Mapping[str, Any], str]] = {
    "As Llama 2": (LLAMA_2, "The settings of Llama 2’s tokenizer."),
    "Defaults": ({}, "SentencePiece’s own, with byte fallback."),
}
SYMBOLS_MAX = 2_000  # characters
ID_MAX = 999_999
IDS = {
    "unk_id": ("`<unk>`", "For characters outside the vocabulary."),
    "bos_id": ("`<s>`", "For the beginning of a text; -1 leaves it out."),
    "eos_id": ("`</s>`", "For the end of a text; -1 leaves it out."),
    "pad_id": ("`<pad>`", "To fill up after a text; -1 leaves it out."),
}
SWITCHES = {
    "byte_fallback": (
        "Byte fallback",
        "When on, a character without a token is written in bytes, which take 256 tokens; when off, it is unknown.",
    ),
    "remove_extra_whitespaces": (
        "Drop extra spaces",
        "Several spaces become one, and those at both ends of a line disappear: code loses its indentation.",
    ),
    "allow_whitespace_only_pieces": ("Tokens of spaces alone", "Several spaces may be one token, as in indented code."),
    "split_digits": ("Split digits", "Every digit is a separate token."),
    "split_by_unicode_script": ("Split between scripts", "No token holds letters of two scripts."),
}


def show_families_form() -> None:
    """Show the form; when the button is pressed, make the tokenizer, which the next run takes."""
    family = show_option_widget("family", st.selectbox, "Family", options=list(FAMILIES))
    st.caption(FAMILIES[family])
    size = 256
    if family != "Bytes":
        size = show_option_widget(
            "family_size", st.number_input, "Maximum tokens", min_value=4, max_value=VOCAB_SIZE_MAX, step=100,
            help="A short text gives fewer.",
        )  # fmt: skip
    options: Options = {}
    if family.startswith("SentencePiece"):
        options = _show_sentencepiece_options(family.split()[1].lower())
    if not show_button("Make it from this text", type="primary", width="stretch"):
        return
    with show_errors():
        text = shared_text()
        if not text:
            raise ValueError("There is no text yet: type one, or pick an example.")
        if len(text) > CHARACTERS_MAX:
            raise ValueError(
                f"The text has {len(text):,} characters; this form takes at most {CHARACTERS_MAX:,}. Shorten it."
            )
        with st.spinner("Learning…", show_time=True):
            made = kept_family_tokenizer(family, text, size, options=options, taken=tokenizer_names())
        run_again_with_opened_tokenizer(made)


def kept_family_tokenizer(family: str, text: str, size: int, *, options: Options, taken: Collection[str]) -> Kept[Any]:
    """Return the tokenizer of a family with at most `size` tokens, learned from a text; ValueError if that fails.

    `options` are SentencePiece's.
    """
    if family == "Bytes":
        return kept_tokens(free_name("bytes", taken), "bytes")
    if family in ("Characters", "Words"):
        tokens = list_tokenizer(family.lower(), text, vocab_size=size).vocabulary
        return kept_tokens(free_name(family.lower(), taken), family.lower(), tokens)
    if family == "WordPiece":
        wordpiece = train_wordpiece(text, vocab_size=size)
        return kept_from_file(wordpiece.data, f"WordPiece {wordpiece.n_vocab:,}.json", taken=taken)
    try:
        learned = train_sentencepiece(text, vocab_size=size, **options)
    except VocabularyTooLarge as e:
        learned = train_sentencepiece(text, vocab_size=e.most, **options)
    return kept_from_file(learned.data, f"{family} {learned.n_vocab:,}.model", taken=taken)


def _show_sentencepiece_options(model_type: ModelType) -> Options:
    """Show the options in a closed expander; return them."""
    with st.expander("Options"):
        with st.container(horizontal=True):
            for label, (values, words) in PRESETS.items():
                if values.get("model_type", model_type) == model_type:
                    st.button(label, on_click=_set_options_else_defaults, args=(values,), help=words)
        return {"model_type": model_type, **_show_reading_options(), **_show_piece_options(), **_show_token_options()}


def _set_options_else_defaults(values: Mapping[str, Any]) -> None:
    """Take these options, and the default of every other one."""
    for key, default in SENTENCEPIECE.items():
        value = values.get(key.removeprefix(PREFIX), default)
        if option_value(key) != value:
            set_option(key, value)


def _show_reading_options() -> Options:
    """Show how a text changes before it is cut, and how it is cut; return these options."""
    rule = show_option_widget(
        PREFIX + "normalization_rule_name", st.selectbox, "Normalization", options=NORMALIZATION_RULES,
        help="identity leaves a text as it is. nfkc turns ﬁ into fi and ① into 1; with nmt_, other white space becomes "
        "a space; with _cf, capitals become small letters. (`normalization_rule_name`)",
    )  # fmt: skip
    with st.container(horizontal=True):
        switches = {
            name: show_option_widget(PREFIX + name, st.toggle, label, help=f"{words} (`{name}`)")
            for name, (label, words) in SWITCHES.items()
        }
    return {"normalization_rule_name": rule, **switches}


def _show_piece_options() -> Options:
    """Show how much the vocabulary covers and how long a token may be; return these options."""
    coverage, length, threads = st.columns(3)
    share = show_option_widget(
        PREFIX + "character_coverage", coverage.number_input, "Character coverage",
        min_value=COVERAGE[0], max_value=COVERAGE[1], step=0.00005, format="%.5f",
        help="The share of the text’s characters, by count, that get their own token. Rarer characters are left out, "
             "so that they do not fill the vocabulary. (`character_coverage`)",
    )  # fmt: skip
    longest = show_option_widget(
        PREFIX + "max_sentencepiece_length", length.number_input, "Longest token",
        min_value=LENGTH[0], max_value=LENGTH[1], help="In characters. (`max_sentencepiece_length`)",
    )  # fmt: skip
    n_threads = show_option_widget(
        PREFIX + "num_threads", threads.number_input, "Threads", min_value=1, max_value=os.cpu_count() or 1,
        help="The scores of Unigram depend on it a little. (`num_threads`)",
    )  # fmt: skip
    return {"character_coverage": share, "max_sentencepiece_length": longest, "num_threads": n_threads}


def _show_token_options() -> Options:
    """Show the tokens that do not come from the text; return these options."""
    symbols = show_option_widget(
        PREFIX + "user_defined_symbols", st.text_input, "Your own symbols, separated by spaces",
        placeholder="<sep> <mask>", max_chars=SYMBOLS_MAX,
        help="Each is one token wherever it occurs in a text. (`user_defined_symbols`)",
    )  # fmt: skip
    ids = {}
    for column, (name, (token, words)) in zip(st.columns(4), IDS.items(), strict=True):
        ids[name] = show_option_widget(
            PREFIX + name, column.number_input, f"Id of {token}", max_value=ID_MAX, help=f"{words} (`{name}`)",
            min_value=0 if name == "unk_id" else -1,
        )  # fmt: skip
    return {"user_defined_symbols": symbols.split(), **ids}
