"""The settings of a mix: a share for each language, and what is trained on the mix."""

import json
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages.ui.languages.mix_texts import mix_text, own_texts, text_opener
from pages.ui.options import option_value, option_widget
from tokviz import SPLIT_PATTERNS
from tokviz.core.pretokens import well_formed
from tokviz.training.mixes import mix_sizes

SHARE_MAX = 10
MIX_BYTES_MAX = 5_000_000
VOCAB_SIZE_MAX = 32_768


@dataclass(frozen=True)
class MixSettings:
    """What is trained: shares by language, bytes of the mix, vocabulary size, split pattern."""

    shares: dict[str, int]
    n_bytes: int
    vocab_size: int
    split_pattern: str


def mix_settings(languages: list[str], *, disabled: bool, on_click: Callable[[], None]) -> None:
    """Show the settings, and the button that trains on them, which can be disabled."""
    shares = mix_shares(languages)
    n_bytes = int(option_value("mix_bytes"))
    sizes = mix_sizes(shares, n_bytes) if any(shares.values()) else {}
    for number, language in enumerate(languages, 1):
        _share(language, number, shares[language], sizes.get(language, 0), sum(sizes.values()))
    size, vocabulary, pattern, button = st.columns([2, 2, 2, 2], vertical_alignment="bottom")
    with size:
        option_widget(
            "mix_bytes", st.number_input, "Size of the mix, bytes", min_value=1_000, max_value=MIX_BYTES_MAX, step=1_000
        )
    with vocabulary:
        option_widget(
            "mix_vocab_size", st.number_input, "Vocabulary size", min_value=256, max_value=VOCAB_SIZE_MAX, step=256
        )
    with pattern:
        option_widget(
            "mix_pattern", st.selectbox, "Split pattern", options=list(SPLIT_PATTERNS),
            help="Those of gpt2 and cl100k cut Thai at its vowel signs and tone marks, o200k's does not.",
        )  # fmt: skip
    with button:
        st.button(
            "Train on this mix", type="primary", width="stretch", disabled=disabled or not sizes, on_click=on_click
        )
    if not sizes:
        st.info("Give a language a share above 0.")


def chosen_mix(languages: list[str]) -> MixSettings:
    """Return the settings as they are."""
    size, vocabulary, pattern = map(option_value, ("mix_bytes", "mix_vocab_size", "mix_pattern"))
    return MixSettings(mix_shares(languages), int(size), int(vocabulary), pattern)


def mix_shares(languages: list[str]) -> dict[str, int]:
    """Return the share of each language, a whole number; one without a text has none."""
    shares = _all_shares()
    return {language: shares.get(language, 0) if mix_text(language) else 0 for language in languages}


def _all_shares() -> dict[str, int]:
    """Return the shares of this tab, also of languages that are not here now; what is none is left out."""
    shares = {}
    for packed in option_value("shares"):
        try:
            language, share = json.loads(packed)
            shares[str(language)] = min(max(int(share), 0), SHARE_MAX)
        except (TypeError, ValueError, OverflowError):
            continue
    return shares


def _share(language: str, number: int, share: int, n_bytes: int, total: int) -> None:
    """Show the slider of a language, and what the share comes to."""
    n_own = len(well_formed(mix_text(language)).encode())
    name, slider, words, text = st.columns([2, 5, 4, 2], vertical_alignment="center")
    with name:
        st.text(language)
    key = f"share of {language}"
    if st.session_state.get(key) != share:
        st.session_state[key] = share
    with slider:
        # A language of the user's own is shown as plain text only, and so not as a label.
        st.slider(
            f"Share of language {number}", 0, SHARE_MAX, key=key, label_visibility="collapsed",
            on_change=_take_share, args=(language, key), disabled=not n_own,
        )  # fmt: skip
    with words:
        if not n_own:
            st.caption("No text yet: bring one.")
        elif n_bytes:
            whose = "your text" if language in own_texts() else "the sample"
            st.caption(f"{n_bytes / total:.0%} · {n_bytes:,} bytes · {whose} {n_bytes / n_own:.1f} times")
        else:
            st.caption("Not in the mix")
    with text:
        text_opener(language)


def _take_share(language: str, key: str) -> None:
    shares = {**_all_shares(), language: st.session_state[key]}
    st.session_state["shares"] = [json.dumps(item, ensure_ascii=False) for item in shares.items()]
