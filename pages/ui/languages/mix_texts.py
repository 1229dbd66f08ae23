"""The texts a mix is made of: of each language its sample, or a text the user brings.

Texts of one's own may be large, so they live in the session and not in the tab: after a reload they are to
be given again.
"""

import streamlit as st

from pages.ui.shared.messages import show_error
from pages.ui.shared.options import reset_widget, widget_key
from pages.ui.shared.text_file import ask_for_encoding, text_file
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
        file_key, typed_key = (f"{widget_key(f'mix text {language}')} {what}" for what in ("file", "typed"))
        st.file_uploader(
            "A text file, UTF-8",
            max_upload_size=TEXT_BYTES_MAX // 1_000_000, key=file_key, on_change=_take_file, args=(language, file_key),
        )  # fmt: skip
        if undecoded := _undecoded().get(language):
            ask_for_encoding(undecoded, _take_decoded, language)
        st.text_area("Or paste a text", key=typed_key, height=120)
        with st.container(horizontal=True):
            st.button("Take the pasted text", key=f"_mix_take {language}",
                      on_click=_take_typed, args=(language, typed_key))  # fmt: skip
            if language in own_texts():
                st.button("Leave out my text", key=f"_mix_drop {language}", on_click=_drop, args=(language,))
        if problem := st.session_state.pop(f"mix_problem {language}", None):
            show_error(problem)


def _undecoded() -> dict:
    return st.session_state.setdefault("mix_undecoded", {})


def _take(text: str, language: str) -> None:
    """Make a text that of a language, or say why not."""
    _undecoded().pop(language, None)
    n_bytes = len(well_formed(text).encode())
    if not text.strip():
        st.session_state[f"mix_problem {language}"] = "There is no text in it: nothing but white space."
    elif n_bytes > TEXT_BYTES_MAX:
        st.session_state[f"mix_problem {language}"] = (
            f"The text has {n_bytes:,} bytes; a mix takes at most {TEXT_BYTES_MAX:,} of a language."
        )
    else:
        own_texts()[language] = text
        reset_widget(f"mix text {language}")


def _take_file(language: str, key: str) -> None:
    if not key.startswith(widget_key(f"mix text {language}")):
        return  # taken before
    upload = st.session_state.get(key)
    _undecoded().pop(language, None)
    if upload is None:
        return
    opened = text_file(upload.name, upload.getvalue())
    if opened.text is None:
        _undecoded()[language] = opened
    else:
        _take(opened.text, language)


def _take_decoded(language: str) -> None:
    if language in _undecoded():
        _take(_undecoded()[language].guessed_text, language)


def _take_typed(language: str, key: str) -> None:
    _take(st.session_state.get(key) or "", language)


def _drop(language: str) -> None:
    own_texts().pop(language, None)
    reset_widget(f"mix text {language}")
