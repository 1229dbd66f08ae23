"""The list of tokenizers: pretrained ones, and those trained or opened in this session."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from pages.ui.options import (
    OPTIONS,
    option_default,
    option_value,
    set_option,
    show_option_widget,
    widget_key,
    widget_version,
)
from pages.ui.shared.messages import keep_notice
from tokviz import AnyTokenizer, Tokenizer, load
from tokviz.formats.elsewhere import ELSEWHERE
from tokviz.formats.pretrained import ENCODINGS, INCLUDED, MODELS, encoding_of_model, full_name, short_name
from tokviz.records.origin import FromFile, FromTokens, Origin
from tokviz.records.session_tokenizer import Kept, OriginT
from tokviz.records.training import FromTraining

PICKER = "_tokenizer"
NAMING = [key for key, option in OPTIONS.items() if option.names_tokenizers]
MOST_COMPARED = 6
RECENT_MAX = 3
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
    """Return the names of the tokenizers of this session: its own, those chosen last, and the others."""
    return list(dict.fromkeys([*kept_tokenizers(), *st.session_state.get("recent", ()), *ENCODINGS]))


def tokenizer_named(name: str) -> AnyTokenizer:
    """Return the tokenizer of this name."""
    own = kept_named(name)
    return load(name) if own is None else own


def kept_named(name: str) -> AnyTokenizer | None:
    """Return the session's own tokenizer of this name; None for an included one, which no cache should hold."""
    kept = kept_tokenizers().get(name)
    return kept.tokenizer if kept else None


def chosen_tokenizer_name() -> str:
    """Return the name of the tokenizer that all pages share; the default if the chosen one is gone."""
    name = option_value("tokenizer")
    return name if name in tokenizer_names() else option_default("tokenizer")


def chosen_tokenizer() -> AnyTokenizer:
    """Return the tokenizer that all pages share."""
    return tokenizer_named(chosen_tokenizer_name())


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
    st.session_state.kept = {name: each for name, each in kept.items() if name in stay}


def with_other_names(value: Any, names: Mapping[str, str]) -> Any:
    """Return what an option names, one tokenizer or a list of them, by other names where there are any."""
    if isinstance(value, list):
        return [with_other_names(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value


def run_again_with_opened_tokenizer(kept: Kept[Any]) -> None:
    """Run the page again, which takes a tokenizer that was opened before it shows the chosen one."""
    st.session_state.just_opened = kept
    st.rerun()


def add_and_choose_tokenizer(kept: Kept[Any]) -> str:
    """Add a tokenizer to the list unless it is there, choose it for all pages, and return its name there."""
    same = next((name for name, other in kept_tokenizers().items() if other.origin == kept.origin), None)
    name = same or add_tokenizer(kept)
    choose_and_compare_tokenizer(name)
    return name


def choose_and_compare_tokenizer(name: str) -> None:
    """Make a tokenizer the chosen one of all pages, and the last of those compared, where it changes no reference."""
    choose_tokenizer(name)
    compare_last(name)


def choose_tokenizer(name: str) -> None:
    """Make a tokenizer the chosen one of all pages."""
    set_option("tokenizer", name)
    set_option("merges_tokenizer", "")


def now_used_text(name: str) -> str:
    """Say that all pages use a tokenizer."""
    return f"The other pages use “{short_name(name)}” too."


def compare_last(name: str) -> None:
    """Make a tokenizer the last of those compared; if they would be too many, the one before makes room."""
    compared = [other for other in option_value("compared") if other != name]
    set_option("compared", [*compared[: MOST_COMPARED - 1], name])


def show_tokenizer_picker(**look: Any) -> AnyTokenizer:
    """Show the picker of the tokenizer that all pages share; return the chosen one."""
    return _show_picker(PICKER, chosen_tokenizer_name(), partial(set_option, "tokenizer"), **look)


def show_merges_tokenizer_picker() -> AnyTokenizer:
    """Show the picker of the merges page, which chooses for that page alone; return the chosen tokenizer."""
    key = _merges_picker_key()
    look = {"label_visibility": "collapsed", "width": 200}
    return _show_picker(key, merges_tokenizer_name(), partial(_choose_for_merges, key), **look)


def _show_picker(key: str, chosen: str, choose: Callable[[str], None], **look: Any) -> AnyTokenizer:
    """Show a picker of a tokenizer, by its name or that of a model, and return the chosen one; `choose` takes another.

    One that comes with tokviz joins those listed first.
    """
    if chosen in ENCODINGS:
        others = [name for name in st.session_state.get("recent", ()) if name != chosen]
        st.session_state.recent = [chosen, *others[: RECENT_MAX - 1]]
    model = st.session_state.get("model")
    st.session_state[key] = shown = model if model and encoding_of_model(model) == chosen else chosen
    st.selectbox(
        "Tokenizer",
        options=list(dict.fromkeys([*tokenizer_names(), shown, *MODELS, *_families_elsewhere()])),
        format_func=tokenizer_choice_label,
        key=key,
        on_change=_choose_picked_or_explain,
        args=(key, choose),
        accept_new_options=True,  # models go by many more names
        **look,
    )
    return tokenizer_named(chosen)


def show_compared_picker() -> list[str]:
    """Show the picker of the tokenizers that pages compare; return their names."""
    chosen: list[str] = show_option_widget(
        "compared", st.multiselect, "Tokenizers", options=[*tokenizer_names(), *_families_elsewhere()],
        max_selections=MOST_COMPARED, format_func=tokenizer_choice_label, on_change=_take_compared_or_explain,
        accept_new_options=True, label_visibility="collapsed", placeholder="Tokenizers to compare",
    )  # fmt: skip
    return [name for name in chosen if name in tokenizer_names()]


def _families_elsewhere() -> list[str]:
    """Return the families of models that pickers list to say why none of their tokenizers is included."""
    return [family for family, it in ELSEWHERE.items() if not it.is_partly_included]


def tokenizer_choice_label(name: str) -> str:
    """Return a tokenizer as every picker names it, a model with its encoding, or a family that is not included.

    >>> [tokenizer_choice_label(name) for name in ("cl100k_base", "gpt2", "qwen3", "gpt-4o", "Claude")]
    ['GPT-4 · cl100k_base', 'GPT-2 · gpt2', 'Qwen 3', 'gpt-4o · o200k_base', 'Claude · not included']
    """
    if name in INCLUDED:
        return full_name(name)
    if kept := kept_tokenizers().get(name):
        kind = kept.tokenizer.kind
        says_kind = isinstance(kept.tokenizer, Tokenizer) or kind.casefold() in name.casefold()
        return name if says_kind else f"{name} · {kind}"
    return f"{name} · not included" if name in ELSEWHERE else f"{name} · {encoding_of_model(name)}"


def name_here_or_reason(name: str) -> tuple[str | None, str]:
    """Return the tokenizer of this session that a name leads to, or None and the reason why there is none."""
    if name in tokenizer_names():
        return name, ""
    try:
        return encoding_of_model(name), ""
    except ValueError as e:
        return None, f"{e}."


def name_to_choose_or_explain(name: str) -> str | None:
    """Return the tokenizer that a name leads to, for pickers to show by that name; if there is none, say why."""
    found, reason = name_here_or_reason(name)
    if found is None:
        keep_notice(reason)
    else:  # what pickers show until another tokenizer is chosen
        is_shown = name == found or name.casefold() == short_name(found).casefold()
        st.session_state.model = None if is_shown else name
    return found


def _choose_picked_or_explain(key: str, choose: Callable[[str], None]) -> None:
    """Take the tokenizer or the model that was picked or typed."""
    picked = (st.session_state.get(key) or "").strip()
    if name := name_to_choose_or_explain(picked):
        choose(name)


def _take_compared_or_explain() -> None:
    """Take the tokenizers that are compared, each once, and those that models use."""
    found = [name_here_or_reason(name) for name in st.session_state.compared]
    set_option("compared", list(dict.fromkeys(name for name, _ in found if name)))
    keep_notice("\n".join(reason for _, reason in found if reason))


def _merges_picker_key() -> str:
    """Return the key of the merges page's picker: another one whenever something else chooses a tokenizer."""
    return f"{widget_key('merges_tokenizer')} {widget_version('tokenizer')}"


def _choose_for_merges(key: str, name: str) -> None:
    """Take a tokenizer for the merges page; the one that all pages share stays the shared one."""
    if key == _merges_picker_key():
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
