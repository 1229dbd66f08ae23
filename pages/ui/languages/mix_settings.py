"""The settings of a mix: its languages, a share for each, and what is trained on it."""

import json
from collections.abc import Callable

import streamlit as st

from pages.ui.languages.mix_texts import (
    mix_language_text,
    mix_language_text_origin,
    n_mix_language_text_bytes,
    show_mix_text_opener,
)
from pages.ui.languages.parallel import language_code_or_name, language_name, session_sentences
from pages.ui.options import option_value, option_value_among, pattern_label, show_option_widget, widget_version
from tokviz import SPLIT_PATTERNS
from tokviz.corpus.mixes import n_mix_bytes_by_language

SHARE_MAX = 10
MIX_BYTES_MAX = 5_000_000
VOCAB_SIZE_MAX = 32_768
ONE_COLUMN = 4  # languages; more are shown in two columns
PLAIN, PARITY = "plain BPE", "parity-aware"
WAYS = {"Plain BPE and parity-aware": (PLAIN, PARITY), "Plain BPE": (PLAIN,), "Parity-aware": (PARITY,)}


def show_mix_settings(*, disabled: bool, on_click: Callable[[], None]) -> None:
    """Show the settings, and the button that trains on them, which can be disabled."""
    known = session_sentences().languages
    with st.container(horizontal=True, vertical_alignment="center"):
        languages = show_option_widget(
            "mix_languages", st.multiselect, "Languages of the mix", options=sorted(known, key=language_name),
            format_func=language_name, label_visibility="collapsed", placeholder="Languages of the mix",
        )  # fmt: skip
        show_mix_text_opener(languages)
    shares = chosen_shares()
    n_bytes = int(option_value("mix_bytes"))
    sizes = n_mix_bytes_by_language(shares, n_bytes) if any(shares.values()) else {}
    columns = st.columns(1 if len(languages) <= ONE_COLUMN else 2, gap="large")
    for number, language in enumerate(languages):
        with columns[number % len(columns)]:
            _show_share_slider(language, number + 1, shares[language], sizes.get(language, 0), sum(sizes.values()))
    _show_training_settings(disabled=disabled or not sizes, on_click=on_click)
    if not sizes:
        st.info("Choose a language, and give it a share above 0.")


def _show_training_settings(*, disabled: bool, on_click: Callable[[], None]) -> None:
    """Show what is trained on the mix, and the button that trains."""
    size, vocabulary, pattern, ways, button = st.columns([2, 2, 2, 3, 2], vertical_alignment="bottom")
    show_option_widget("mix_bytes", size.number_input, "Size of the mix, in bytes", min_value=1_000,
                       max_value=MIX_BYTES_MAX, step=1_000)  # fmt: skip
    show_option_widget("mix_vocab_size", vocabulary.number_input, "Vocabulary size", min_value=256,
                       max_value=VOCAB_SIZE_MAX, step=256)  # fmt: skip
    show_option_widget(
        "mix_pattern", pattern.selectbox, "Split pattern", options=list(SPLIT_PATTERNS), format_func=pattern_label,
        help="The patterns of gpt2 and cl100k cut Thai at its vowel signs and tone marks. That of o200k does not.",
    )  # fmt: skip
    show_option_widget("mix_way", ways.selectbox, "Training", options=list(WAYS))
    button.button("Train on this mix", type="primary", width="stretch", disabled=disabled, on_click=on_click)


def chosen_shares() -> dict[str, int]:
    """Return the share of each language of the mix, a whole number, at first 1; one without a text has none."""
    shares, languages = _kept_shares(), option_value_among("mix_languages", session_sentences().languages)
    return {language: shares.get(language, 1) if mix_language_text(language).strip() else 0 for language in languages}


def _kept_shares() -> dict[str, int]:
    """Return the shares of this tab, also of languages that are not here now, without invalid entries."""
    shares = {}
    for packed in option_value("shares"):
        try:
            language, share = json.loads(packed)
            shares[language_code_or_name(str(language))] = min(max(int(share), 0), SHARE_MAX)
        except (TypeError, ValueError, OverflowError):
            continue
    return shares


def _show_share_slider(language: str, number: int, share: int, n_bytes: int, total: int) -> None:
    """Show the slider of a language, and what the share comes to."""
    n_own = n_mix_language_text_bytes(language)
    name, slider, words = st.columns([3, 4, 5], vertical_alignment="center")
    with name:
        st.text(language_name(language))
    # A new one where the share was set elsewhere: what it sends before it hears of a value is then right.
    key = f"share of {language} {widget_version('shares')} {bool(n_own)}"
    with slider:
        # A language of the user's own is shown as plain text only, and so not as a label.
        st.slider(
            f"Share of language {number}", 0, SHARE_MAX, share, key=key, label_visibility="collapsed",
            on_change=_keep_share, args=(language, key), disabled=not n_own,
        )  # fmt: skip
    with words:
        if not n_own:
            st.caption("No text yet: add one.")
        elif n_bytes:
            times = f"{n_bytes / n_own:.1f} times"
            st.caption(f"{n_bytes / total:.0%} · {n_bytes:,} bytes · {mix_language_text_origin(language)} {times}")
        else:
            st.caption("Not in the mix")


def _keep_share(language: str, key: str) -> None:
    """Take the share of a language from its slider."""
    shares = {**_kept_shares(), language: st.session_state[key]}
    st.session_state["shares"] = [json.dumps(item, ensure_ascii=False) for item in shares.items()]
