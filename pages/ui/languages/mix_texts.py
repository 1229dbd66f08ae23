"""The texts of a mix, and its sentences: every other one leads the training, the rest judge what comes of it.

The text of a language is the user's own, or its sample, or its leading sentences. The user's may be large, so they are
kept in the session and not in the tab, and are gone after a reload.
"""

from collections.abc import Collection, Mapping, Sequence

import streamlit as st

from pages.ui.languages.parallel import language_name, session_sentences
from pages.ui.options import reset_widget, widget_key
from pages.ui.shared.uploads import empty_uploader, keep_refusal, show_text_uploader
from tokviz.core.pretokens import well_formed_text
from tokviz.core.samples import sample

TEXT_BYTES_MAX = 5_000_000
PASTED_MAX = 1_000_000  # characters; a longer text comes as a file, since a message has at most server.maxMessageSize
MENU_WIDTH = 560  # pixels
SAMPLES = {"en": "english", "th": "thai", "zh-Hans": "chinese"}  # of languages, by their codes


def own_texts() -> dict[str, str]:
    """Return the texts the user brought, by the codes of languages."""
    return st.session_state.setdefault("mix_texts", {})


def mix_language_text(language: str) -> str:
    """Return the text of a language."""
    if language in own_texts():
        return own_texts()[language]
    if language in SAMPLES:
        return sample(SAMPLES[language])
    return "\n".join(text for each in training_sentences() if (text := each.get(language, "").strip()))


def training_sentences() -> Sequence[Mapping[str, str]]:
    """Return the sentences that parity-aware training sees: the odd ones, counted from 1, by the codes of languages."""
    return session_sentences().sentences[::2]


def held_out_sentences(languages: Collection[str]) -> list[Mapping[str, str]]:
    """Return the even sentences that are in all of these languages; no training is given them."""
    return [each for each in session_sentences().sentences[1::2] if has_text_in_all(each, languages)]


def has_text_in_all(sentence: Mapping[str, str], languages: Collection[str]) -> bool:
    """Return whether a sentence has a text in all of these languages.

    >>> both = ["th", "en"]
    >>> has_text_in_all({"en": "two", "th": "สอง"}, both), has_text_in_all({"en": "two", "th": " "}, both)
    (True, False)
    """
    return all(sentence.get(language, "").strip() for language in languages)


def n_mix_language_text_bytes(language: str) -> int:
    """Return the size of the text of a language in bytes of UTF-8."""
    return len(well_formed_text(mix_language_text(language)).encode())


def mix_language_text_origin(language: str) -> str:
    """Return in words what the text of a language is."""
    if language in own_texts():
        return "your text"
    return "the sample" if language in SAMPLES else "its sentences"


def show_mix_text_opener(languages: list[str]) -> None:
    """Show what the texts of languages are, and take another one from a file or pasted."""
    menu = st.popover("Your own texts", icon=":material/folder_open:", type="tertiary")
    # Side by side, or the menu would be higher than the room above or below its button.
    with menu, st.container(key="mix-menu", width=MENU_WIDTH):
        given, pasted = st.columns(2)
    with given:
        language = st.selectbox("Language", languages, format_func=language_name, key=widget_key("mix language"))
        if language is None:
            return
        kind = {"your text": "Your text", "the sample": "The sample"}.get(
            mix_language_text_origin(language), "A few sentences"
        )
        st.text(f"{kind}: {n_mix_language_text_bytes(language):,} bytes.")
        show_text_uploader(
            name=_uploader_name(language), max_bytes=TEXT_BYTES_MAX, accept=_set_or_refuse_mix_text, args=(language,)
        )
    with pasted:
        typed_key = widget_key(f"mix typed {language}")
        st.text_area("Or paste a text", key=typed_key, height=120, max_chars=PASTED_MAX)
        with st.container(horizontal=True):
            st.button("Use the pasted text", key=f"_mix_take {language}",
                      on_click=_use_pasted_text, args=(language, typed_key))  # fmt: skip
            if language in own_texts():
                st.button("Remove my text", key=f"_mix_drop {language}", on_click=_remove_own_text, args=(language,))


def _uploader_name(language: str) -> str:
    """Return the name of the uploader of a language."""
    return f"mix text {language}"


def _set_or_refuse_mix_text(text: str, language: str) -> None:
    """Make a text that of a language, or say why not."""
    n_bytes = len(well_formed_text(text).encode())
    if not text.strip():
        keep_refusal(_uploader_name(language), "The text is empty or only white space.")
    elif n_bytes > TEXT_BYTES_MAX:
        keep_refusal(
            _uploader_name(language),
            f"The text has {n_bytes:,} bytes; a mix takes at most {TEXT_BYTES_MAX:,} per language.",
        )
    else:
        own_texts()[language] = text
        _empty_uploader_and_paste_box(language)


def _use_pasted_text(language: str, key: str) -> None:
    """Take the text that was pasted for a language."""
    _set_or_refuse_mix_text(st.session_state.get(key) or "", language)


def _remove_own_text(language: str) -> None:
    """Forget the user's text of a language."""
    own_texts().pop(language, None)
    _empty_uploader_and_paste_box(language)


def _empty_uploader_and_paste_box(language: str) -> None:
    """Empty the uploader and what is typed."""
    empty_uploader(_uploader_name(language))
    reset_widget(f"mix typed {language}")
