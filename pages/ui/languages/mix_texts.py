"""The texts a mix is made of: of each language its sample, or a text the user brings.

Texts of one's own may be large, so they live in the session and not in the tab: after a reload they are to
be given again.
"""

import streamlit as st

from pages.ui.options import reset_widget, widget_key
from pages.ui.shared.uploads import empty_uploader, refuse, text_uploader
from tokviz.core.pretokens import well_formed
from tokviz.core.samples import SAMPLES, sample

TEXT_BYTES_MAX = 5_000_000


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
        text_uploader(name=_name(language), max_bytes=TEXT_BYTES_MAX, accept=_set_mix_text, args=(language,))
        typed_key = widget_key(f"mix typed {language}")
        st.text_area("Or paste a text", key=typed_key, height=120)
        with st.container(horizontal=True):
            st.button("Take the pasted text", key=f"_mix_take {language}",
                      on_click=_take_typed, args=(language, typed_key))  # fmt: skip
            if language in own_texts():
                st.button("Leave out my text", key=f"_mix_drop {language}", on_click=_drop, args=(language,))


def _name(language: str) -> str:
    return f"mix text {language}"


def _set_mix_text(text: str, language: str) -> None:
    """Make a text that of a language, or say why not."""
    n_bytes = len(well_formed(text).encode())
    if not text.strip():
        refuse(_name(language), "There is no text in it: nothing but white space.")
    elif n_bytes > TEXT_BYTES_MAX:
        refuse(
            _name(language), f"The text has {n_bytes:,} bytes; a mix takes at most {TEXT_BYTES_MAX:,} of a language."
        )
    else:
        own_texts()[language] = text
        _empty(language)


def _take_typed(language: str, key: str) -> None:
    _set_mix_text(st.session_state.get(key) or "", language)


def _drop(language: str) -> None:
    own_texts().pop(language, None)
    _empty(language)


def _empty(language: str) -> None:
    """Empty the uploader and what is typed."""
    empty_uploader(_name(language))
    reset_widget(f"mix typed {language}")
