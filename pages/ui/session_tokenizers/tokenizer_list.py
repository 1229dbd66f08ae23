"""The list of tokenizers: pretrained ones, and those trained or opened in this session."""

from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from pages.ui.options import option_default, option_value, set_option, show_option_widget, widget_key, widget_version
from pages.ui.session_tokenizers.elsewhere import ELSEWHERE, not_included_family_in_name, not_included_text
from pages.ui.shared.messages import keep_notice
from tokviz import AnyTokenizer, Tokenizer, load
from tokviz.formats.pretrained import ENCODINGS, INCLUDED, MODELS, encoding_of_model
from tokviz.records.origin import FromFile, FromTokens, Origin
from tokviz.records.session_tokenizer import Kept, OriginT
from tokviz.records.training import FromTraining

PICKER = "_tokenizer"
KNOWN_AS = {name: it.known_as for name, it in INCLUDED.items()}
MOST_COMPARED = 6
KEPT_MAX: dict[type[Origin], int] = {FromTraining: 20, FromFile: 12, FromTokens: 12}  # a large file takes some 100 MB


def kept_tokenizers() -> dict[str, Kept[Any]]:
    """Return the tokenizers that this session has trained, opened or made, by their names, the oldest first."""
    return st.session_state.setdefault("kept", {})


def training_of(name: str) -> FromTraining | None:
    """Return the training that the tokenizer of this name came from, None if it is from elsewhere."""
    return _origin_if_of_kind(name, FromTraining)


def opened_file_of(name: str) -> FromFile | None:
    """Return the file that the tokenizer of this name was opened from, None if it is from elsewhere."""
    return _origin_if_of_kind(name, FromFile)


def _origin_if_of_kind(name: str, kind: type[OriginT]) -> OriginT | None:
    """Return the origin of the tokenizer of this name if it is of this kind."""
    kept = kept_tokenizers().get(name)
    return kept.origin if kept is not None and isinstance(kept.origin, kind) else None


def tokenizer_names() -> list[str]:
    """Return the names of the tokenizers of this session, its own first."""
    return list(dict.fromkeys([*kept_tokenizers(), *ENCODINGS]))


def tokenizer_named(name: str) -> AnyTokenizer:
    """Return the tokenizer of this name."""
    kept = kept_tokenizers().get(name)
    return kept.tokenizer if kept else load(name)


def tokenizer_label(name: str) -> str:
    """Return the name of a tokenizer as a picker shows it: with its kind, unless that is obvious or byte-level BPE."""
    tokenizer = tokenizer_named(name)
    told = isinstance(tokenizer, Tokenizer) or tokenizer.kind.casefold() in name.casefold()
    return name if told else f"{name} · {tokenizer.kind}"


def chosen_tokenizer_name() -> str:
    """Return the name of the tokenizer that all pages share; the default if the chosen one is gone."""
    name = option_value("tokenizer")
    return name if name in tokenizer_names() else option_default("tokenizer")


def merges_tokenizer_name() -> str:
    """Return the name of the tokenizer on the merges page: its own, else the one that all pages share."""
    name = option_value("merges_tokenizer")
    return name if name in tokenizer_names() else chosen_tokenizer_name()


def add_tokenizer(kept: Kept[Any]) -> str:
    """Add a tokenizer to the list, and return its name there; the oldest of its kind makes room.

    It replaces one of the same name and kind, so a training that is repeated replaces its earlier result. Beside one of
    another kind it gets a name of its own.
    """
    here = kept_tokenizers()
    others = {name for name, other in here.items() if type(other.origin) is not type(kept.origin)}
    kept = kept.with_free_name({*ENCODINGS, *others})
    stay = {name: other for name, other in here.items() if name != kept.name}
    set_newest_tokenizers_of_each_kind({**stay, kept.name: kept})
    return kept.name


def set_newest_tokenizers_of_each_kind(kept: Mapping[str, Kept[Any]]) -> None:
    """Let these be the tokenizers of this session, without the oldest where there are too many of a kind."""
    stay: set[str] = set()
    for kind in {type(each.origin) for each in kept.values()}:
        stay.update([name for name, each in kept.items() if type(each.origin) is kind][-KEPT_MAX[kind] :])
    listed = {name: each for name, each in kept.items() if name in stay}
    here = kept_tokenizers()
    here.clear()
    here.update(listed)


def keep_opened_tokenizer(kept: Kept[Any]) -> None:
    """Keep a tokenizer for the next run to take before it shows the chosen one."""
    st.session_state.just_opened = kept


def choose_and_compare_tokenizer(name: str) -> None:
    """Make a tokenizer the chosen one of all pages, and the last of those compared, where it changes no reference."""
    set_option("tokenizer", name)
    set_option("merges_tokenizer", "")
    compared = [other for other in option_value("compared") if other != name]
    set_option("compared", [*compared[: MOST_COMPARED - 1], name])


def show_tokenizer_picker(label: str = "Tokenizer", **look: Any) -> AnyTokenizer:
    """Show the picker of the tokenizer that all pages share, by its name or that of a model; return the chosen one."""
    chosen = chosen_tokenizer_name()
    model = st.session_state.get("model")
    st.session_state[PICKER] = model if model and encoding_of_model(model) == chosen else chosen
    st.selectbox(
        label,
        options=list(dict.fromkeys([*tokenizer_names(), *MODELS, *ELSEWHERE])),
        format_func=tokenizer_choice_label,
        key=PICKER,
        on_change=_choose_picked_or_explain,
        accept_new_options=True,  # models go by many more names
        **look,
    )
    return tokenizer_named(chosen)


def tokenizer_choice_label(name: str) -> str:
    """Return a tokenizer as the picker names it, a model with its encoding, or one that is not here.

    >>> tokenizer_choice_label("cl100k_base"), tokenizer_choice_label("gpt-4o")
    ('GPT-4 · cl100k_base', 'gpt-4o · o200k_base')
    """
    if name in ENCODINGS:
        return f"{KNOWN_AS[name]} · {name}"
    if name in ELSEWHERE and name not in tokenizer_names():
        return f"{name} · not included"
    return f"{name} · {MODELS[name]}" if name in MODELS else tokenizer_label(name)


def _choose_picked_or_explain() -> None:
    """Take the tokenizer or the model that was picked or typed."""
    name = (st.session_state[PICKER] or "").strip()
    if name in tokenizer_names():
        st.session_state.model = None
        set_option("tokenizer", name)
        return
    try:
        encoding = encoding_of_model(name)
    except ValueError as e:
        if family := not_included_family_in_name(name):
            keep_notice(not_included_text(family))
        else:
            st.session_state.problem = str(e)
        return
    st.session_state.model = name
    set_option("tokenizer", encoding)


def show_merges_tokenizer_picker() -> AnyTokenizer:
    """Show the picker of the merges page, which chooses for that page alone; return the chosen tokenizer."""
    key, names = _merges_picker_key(), tokenizer_names()
    st.selectbox(
        "Tokenizer", options=names, index=names.index(merges_tokenizer_name()), format_func=tokenizer_choice_label,
        key=key, on_change=_choose_picked_for_merges, args=(key,), label_visibility="collapsed", width=200,
    )  # fmt: skip
    return tokenizer_named(merges_tokenizer_name())


def _merges_picker_key() -> str:
    """Return the key of the merges page's picker: another one whenever something else chooses a tokenizer."""
    return f"{widget_key('merges_tokenizer')} {widget_version('tokenizer')}"


def _choose_picked_for_merges(key: str) -> None:
    """Take the tokenizer that was picked for the merges page; the one that all pages share stays the shared one."""
    if key == _merges_picker_key():
        name = st.session_state[key]
        st.session_state.merges_tokenizer = "" if name == chosen_tokenizer_name() else name


def show_special_tokens_toggle(*, disabled: bool = False) -> bool:
    """Show the switch that all pages share; return whether special tokens in a text are recognised."""
    return show_option_widget(
        "allow_special", st.toggle, "Special tokens", disabled=disabled,
        help="When off, <|endoftext|> and the like are plain text, as they should be in a text that somebody else "
             "wrote.",
    )  # fmt: skip


def show_own_training_text_note_if_any(names: Iterable[str], text: str) -> None:
    """Say which of these tokenizers were trained on this very text, if any was."""
    known = [name for name in names if was_trained_on(name, text)]
    if known:
        st.text(f"On its own training text: {', '.join(known)}. On any other text, expect more tokens.")


def was_trained_on(name: str, text: str | bytes) -> bool:
    """Return whether the tokenizer of this name was trained here, on this text or the file with these bytes."""
    training = training_of(name)
    return training is not None and training.was_trained_on(text)
