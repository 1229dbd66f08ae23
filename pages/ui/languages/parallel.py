"""The parallel texts that the page shows, built-in sentences or programs or the user's own; and how it names languages.

Your own file may be large, so it is kept in the session and not in the tab, and is gone after a reload.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import streamlit as st
from streamlit.typing import UploadedFile

from pages.ui.options import option_value, option_value_among, reset_widget, set_option, show_option_widget, widget_key
from pages.ui.shared.messages import keep_notice
from pages.ui.shared.uploads import keep_refusal, show_refusals, show_uploader
from tokviz.languages.parallel_files import sentences_of_upload
from tokviz.languages.parity import REFERENCE, languages_with_text
from tokviz.languages.programs import parallel_programs
from tokviz.languages.table import LANGUAGES, known_language, parallel_sentences

BYTES_MAX = 10_000_000
LONG = 200_000  # characters, which take about 0.3 s under three tokenizers
UPLOADER, MENU = "parallel", "own file"


@dataclass(frozen=True, eq=False)
class Parallel:
    """Sentences that say the same, as dicts by the codes of languages; file: its name, empty for the built-in ones.

    words: what the built-in ones are and how many, in words.
    """

    file: str
    sentences: tuple[Mapping[str, str], ...]
    words: str = ""

    @cached_property
    def languages(self) -> list[str]:
        """The codes of the languages, in the order of the table or the file."""
        return languages_with_text(self.sentences)

    @cached_property
    def takes_long_to_count(self) -> bool:
        """Whether counting their tokens takes long enough to say so."""
        return sum(len(text) for sentence in self.sentences for text in sentence.values()) > LONG


SENTENCES = Parallel("", tuple(parallel_sentences()), "twelve sentences")
PROGRAMS = Parallel("", parallel_programs(), "six functions")
INCLUDED_TEXTS = {"Sentences": SENTENCES, "Programming languages": PROGRAMS}


def session_sentences() -> Parallel:
    """Return the sentences that the page shows."""
    return st.session_state.get("parallel") or INCLUDED_TEXTS[option_value_among("parallel_texts", INCLUDED_TEXTS)]


def reference_language() -> str:
    """Return the code of the language that the others are compared with."""
    return option_value_among("language_reference", _languages_english_first())


def _languages_english_first() -> list[str]:
    """Return the languages to compare with: English first, if there is some."""
    languages = session_sentences().languages
    return sorted(languages, key=lambda code: code != REFERENCE)


def language_name(code: str) -> str:
    """Return the name of a language in running words, or its code, if the table does not have it.

    >>> [language_name(code) for code in ("th", "zh-Hant", "ace_Arab")]
    ['Thai', 'Traditional Chinese', 'ace_Arab']
    """
    name, _, kind = (LANGUAGES[code].name if code in LANGUAGES else code).partition(", ")
    return f"{kind.capitalize()} {name}" if kind else name


def language_code_or_name(name: str) -> str:
    """Return the code of a language that a link names, or the name itself."""
    known = known_language(name)
    return known.code if known else name


def show_texts_menu() -> None:
    """Show the choice between the built-in texts, where your own file is opened, and what they are compared with."""
    # A popover with a new key is a new one, and closed, so that the page below it shows what was opened.
    with st.popover("Texts", type="tertiary", key=widget_key(MENU)):
        if not session_sentences().file:
            show_option_widget("parallel_texts", st.segmented_control, "Built in", options=list(INCLUDED_TEXTS),
                               required=True)  # fmt: skip
        show_uploader(
            "Your own: a table (TSV), a zip file, or a file for each language", name=UPLOADER, max_bytes=BYTES_MAX,
            accept=_open_or_refuse_files, several=True,
        )  # fmt: skip
        show_refusals(UPLOADER)
        st.caption(
            "A table has a column for each language, separated by tabs: the first line names the languages, by codes "
            "such as `en`, `zh-Hant` or `tha_Thai`, and each other line has one sentence in all of them. In files "
            "such as `tha_Thai.dev` or `th.txt`, named as in FLORES, lines with the same number are translations. All"
            " files are UTF-8. The page keeps them until you reload it."
        )
        if own := session_sentences().file:
            st.text(f"Shown now: {own}, {session_sentences_size_text()}")
            st.button("Back to the built-in texts", on_click=_remove_own_file)
        show_option_widget("language_reference", st.selectbox, "Compare with", options=_languages_english_first(),
                           format_func=language_name)  # fmt: skip


def session_sentences_size_text() -> str:
    """Return in words how many sentences and languages there are."""
    sentences, languages = len(session_sentences().sentences), len(session_sentences().languages)
    return f"{sentences:,} {'sentence' if sentences == 1 else 'sentences'} in {languages:,} languages"


def _open_or_refuse_files(files: list[UploadedFile]) -> None:
    """Show the sentences of files, or say why not."""
    if not files:
        return
    try:
        if sum(file.size for file in files) > BYTES_MAX:
            raise ValueError(f"The files have more than {BYTES_MAX:,} bytes together: leave some languages out.")
        sentences = sentences_of_upload({file.name: file.getvalue() for file in files}, unpacked_max=BYTES_MAX)
        languages = languages_with_text(sentences)
        if len(languages) < 2:
            raise ValueError("Fewer than two languages have a text: there is nothing to compare.")
    except ValueError as e:
        keep_refusal(UPLOADER, str(e))
        return
    name = files[0].name if len(files) == 1 else f"{len(files)} files"
    st.session_state.parallel = Parallel(name, tuple(sentences))
    set_option("sentence_language", "")
    reset_widget(MENU)
    keep_notice(f"{name}: {session_sentences_size_text()}.")


def _remove_own_file() -> None:
    """Return to the built-in sentences."""
    st.session_state.pop("parallel", None)
    reset_widget(MENU)
    set_option("sentence_language", "")


def show_language_picker(shown: str) -> None:
    """Show the choice of the language whose sentences are shown, by default the one that the page names above."""
    named = option_value("sentence_language")
    if language_code_or_name(named) != named:  # in a link, perhaps
        set_option("sentence_language", language_code_or_name(named))
    codes = sorted(session_sentences().languages, key=language_name)
    unpicked = "As named above" if named else language_name(shown)
    if st.session_state.get("language_unpicked") != unpicked and not named:
        st.session_state.update(language_unpicked=unpicked, sentence_language="")  # or the browser keeps the old label
    options = ["", *(code for code in codes if named or code != shown)]
    show_option_widget(
        "sentence_language", st.selectbox, "Language", options=options, label_visibility="collapsed", width=230,
        format_func=lambda code: language_name(code) if code else unpicked,
    )  # fmt: skip


def picked_language(*, default: str) -> str:
    """Return the code of the language that was picked, or else the default."""
    picked = language_code_or_name(option_value("sentence_language"))
    return picked if picked in session_sentences().languages else default
