"""The list of tokenizers: pretrained ones, and those trained or opened in this session."""

from typing import TypeVar

import streamlit as st

from pages.ui.session_tokenizers.opened_records import Opened
from pages.ui.session_tokenizers.trained_records import Trained
from pages.ui.shared.options import DEFAULTS, option_value, option_widget, set_option
from tokviz import AnyTokenizer, Tokenizer, load
from tokviz.formats.pretrained import MODELS, PRETRAINED, encoding_of_model

Record = TypeVar("Record", Trained, Opened)
MOST_COMPARED = 6
MAX_TRAINED = 20  # tokenizers kept for a session
MAX_OPENED = 12  # the same; a large one takes some 100 MB


def trained_tokenizers() -> dict[str, Trained]:
    """Return the tokenizers trained in this session by their names, the oldest first."""
    return st.session_state.setdefault("trained", {})


def opened_tokenizers() -> dict[str, Opened]:
    """Return the tokenizers opened in this session, or made from a text, by their names, the oldest first."""
    return st.session_state.setdefault("opened", {})


def tokenizer_names() -> list[str]:
    """Return the names of the tokenizers of this session, those trained or opened here first."""
    return list(dict.fromkeys([*trained_tokenizers(), *opened_tokenizers(), *PRETRAINED]))


def tokenizer_named(name: str) -> AnyTokenizer:
    """Return the tokenizer of this name."""
    here = trained_tokenizers().get(name) or opened_tokenizers().get(name)
    return here.tokenizer if here else load(name)


def tokenizer_label(name: str) -> str:
    """Return the name of a tokenizer as a picker shows it: with its kind, unless that is obvious or byte-level BPE."""
    tokenizer = tokenizer_named(name)
    told = isinstance(tokenizer, Tokenizer) or tokenizer.kind.casefold() in name.casefold()
    return name if told else f"{name} · {tokenizer.kind}"


def chosen_name() -> str:
    """Return the name of the tokenizer that all pages share; the default if the chosen one is gone."""
    name = option_value("tokenizer")
    return name if name in tokenizer_names() else DEFAULTS["tokenizer"]


def add_trained(trained: Trained) -> None:
    """Add a trained tokenizer to the list; it replaces one of the same name, and the oldest makes room."""
    _add(trained_tokenizers(), trained, MAX_TRAINED)


def add_opened(opened: Opened) -> None:
    """Add an opened tokenizer to the list; it replaces one of the same name, and the oldest makes room."""
    _add(opened_tokenizers(), opened, MAX_OPENED)


def _add(listed: dict[str, Record], record: Record, most: int) -> None:
    listed.pop(record.tokenizer.name, None)
    while len(listed) >= most:
        listed.pop(next(iter(listed)))
    listed[record.tokenizer.name] = record


def choose_tokenizer(name: str) -> None:
    """Make a tokenizer the chosen one, and the first of those compared."""
    set_option("tokenizer", name)
    compared = st.session_state.get("compared", DEFAULTS["compared"])
    set_option("compared", [name, *(other for other in compared if other != name)][:MOST_COMPARED])


def tokenizer_picker(label: str = "Tokenizer") -> AnyTokenizer:
    """Show the picker of the tokenizer that all pages share; return the chosen one."""
    return tokenizer_named(
        option_widget("tokenizer", st.selectbox, label, options=tokenizer_names(), format_func=tokenizer_label)
    )


def special_tokens_toggle(*, disabled: bool = False) -> bool:
    """Show the switch that all pages share; return whether special tokens in a text are recognised."""
    return option_widget(
        "allow_special", st.toggle, "Special tokens", disabled=disabled,
        help="When off, text such as <|endoftext|> is plain text, as it should be in text from somebody else.",
    )  # fmt: skip


def model_picker() -> None:
    """Show a picker of model names, which chooses the encoding of a model."""
    chosen = st.session_state.get("model_encoding")
    if chosen is not None and chosen != chosen_name():
        # Another tokenizer has been chosen since, so the model no longer matches.
        st.session_state.model_encoding = st.session_state.model = None
    st.selectbox(
        "Or by model",
        options=list(MODELS),
        index=None,
        placeholder="gpt-4o, …",
        accept_new_options=True,
        key="model",
        on_change=_take_model,
    )


def _take_model() -> None:
    if st.session_state.model is None:
        return
    try:
        encoding = encoding_of_model(st.session_state.model.strip())
    except ValueError as e:
        st.session_state.problem = str(e)
        return
    st.session_state.model_encoding = encoding
    set_option("tokenizer", encoding)
