"""The settings of a mix: a share for each language, its text, and what is trained on the mix.

Of each language the mix takes its sample, or a text the user brings. Such texts may be large, so they live in the
session and not in the tab: after a reload they are to be given again.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages.ui.options import option_value, option_widget, reset_widget, widget_key
from pages.ui.shared.uploads import empty_uploader, refuse, text_uploader
from tokviz import SPLIT_PATTERNS
from tokviz.core.pretokens import well_formed
from tokviz.core.samples import SAMPLES, sample
from tokviz.training.mixes import mix_sizes

TEXT_BYTES_MAX = 5_000_000
SHARE_MAX = 10
MIX_BYTES_MAX = 5_000_000
VOCAB_SIZE_MAX = 32_768


def own_texts() -> dict[str, str]:
    """Return the texts the user brought, by language."""
    return st.session_state.setdefault("mix_texts", {})


def mix_text(language: str) -> str:
    """Return the text of a language: the user's own, or else its sample, or else nothing."""
    if language in own_texts():
        return own_texts()[language]
    return sample(language.lower()) if language.lower() in SAMPLES else ""


def text_opener(language: str) -> None:
    """Show what the text of a language is, and take another one from a file or pasted."""
    with st.popover("Text", icon=":material/folder_open:", key=f"_mix_text {language}"):
        n_bytes = len(well_formed(mix_text(language)).encode())
        kind = "Your text" if language in own_texts() else "The sample" if n_bytes else "No text yet"
        st.text(f"{language}. {kind}: {n_bytes:,} bytes.")
        text_uploader(name=_uploader_name(language), max_bytes=TEXT_BYTES_MAX, accept=_set_mix_text, args=(language,))
        typed_key = widget_key(f"mix typed {language}")
        st.text_area("Or paste a text", key=typed_key, height=120)
        with st.container(horizontal=True):
            st.button("Take the pasted text", key=f"_mix_take {language}",
                      on_click=_take_typed, args=(language, typed_key))  # fmt: skip
            if language in own_texts():
                st.button("Leave out my text", key=f"_mix_drop {language}", on_click=_drop_text, args=(language,))


def _uploader_name(language: str) -> str:
    return f"mix text {language}"


def _set_mix_text(text: str, language: str) -> None:
    """Make a text that of a language, or say why not."""
    n_bytes = len(well_formed(text).encode())
    if not text.strip():
        refuse(_uploader_name(language), "There is no text in it, only white space.")
    elif n_bytes > TEXT_BYTES_MAX:
        refuse(
            _uploader_name(language),
            f"The text has {n_bytes:,} bytes; a mix takes at most {TEXT_BYTES_MAX:,} of a language.",
        )
    else:
        own_texts()[language] = text
        _empty_openers(language)


def _take_typed(language: str, key: str) -> None:
    _set_mix_text(st.session_state.get(key) or "", language)


def _drop_text(language: str) -> None:
    own_texts().pop(language, None)
    _empty_openers(language)


def _empty_openers(language: str) -> None:
    """Empty the uploader and what is typed."""
    empty_uploader(_uploader_name(language))
    reset_widget(f"mix typed {language}")


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
            help="The patterns of gpt2 and cl100k cut Thai at its vowel signs and tone marks. That of o200k does "
                 "not.",
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
    """Return the shares of this tab, also of languages that are not here now, without invalid entries."""
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
            st.caption("No text yet: add one.")
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
