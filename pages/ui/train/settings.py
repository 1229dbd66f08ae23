"""The settings of a training, and a note on a split pattern that cuts marks off from their letters, as in Thai."""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.options import OWN_PATTERN, option_value, set_option, show_option_widget, show_pattern_picker
from pages.ui.session_tokenizers.tokenizer_list import (
    kept_tokenizers,
    tokenizer_choice_label,
    tokenizer_named,
    training_of,
)
from pages.ui.train.documents import beginning_of_training_text
from pages.ui.train.superwords import n_merges_inside_words, show_superwords_settings
from tokviz import SPLIT_PATTERNS, Tokenizer
from tokviz.core.named_patterns import USED_BY, first_user
from tokviz.core.patterns import short_repr
from tokviz.core.special_tokens import special_tokens_from_words
from tokviz.core.steps import WHOLE
from tokviz.formats.pretrained import ENCODINGS, PRETRAINED, short_name
from tokviz.jobs.task import Documents, TrainingTask
from tokviz.records.origin import NAME_MAX
from tokviz.records.training import MERGES_MAX, VOCAB_SIZE_MAX
from tokviz.system.recent import recent
from tokviz.text.combining_marks import MarksCutOff, marks_cut_off
from tokviz.text.words import quantity
from tokviz.training.plan import PLAIN, Plan, smallest_vocab_size
from tokviz.training.superwords import Superwords

BYTES = ""  # no tokenizer
CHARACTERS_MAX = 50_000  # of the text, in which marks are counted: it takes 0.1 s
_marks_cut_off = recent(maxsize=8)(marks_cut_off)  # the page runs often, and the text stays the same
# Of the scripts whose letters and marks are commonly known by these names.
VOWELS_AND_TONES = ("Thai", "Lao")


def possible_start_names() -> list[str]:
    """Return the names of the tokenizers that training can continue from, those trained or opened here first."""
    own = (name for name, kept in kept_tokenizers().items() if isinstance(kept.tokenizer, Tokenizer))
    return list(dict.fromkeys([*own, *PRETRAINED]))


def chosen_start_tokenizer() -> Tokenizer | None:
    """Return the tokenizer to begin with, None for bytes alone."""
    name = option_value("train_start")
    tokenizer = tokenizer_named(name) if name in possible_start_names() else None
    return tokenizer if isinstance(tokenizer, Tokenizer) else None


def show_training_settings(*, disabled: bool, has_trained: bool, on_click: Callable[[], None]) -> DeltaGenerator:
    """Show the size, the button that trains, and options but where the page is presented; return the button's place.

    has_trained: whether the result is on view, and what one does with it comes first.
    """
    start = chosen_start_tokenizer()
    with st.container(key="training-settings", horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(key="training-size", width=220):
            _show_size(start)
        act = st.container(key="act", horizontal=True, width="content")
        with act:
            st.button("Train", type="secondary" if has_trained else "primary", disabled=disabled, on_click=on_click)
        with st.container(
            key="desk-options", width="content", horizontal=True, vertical_alignment="center", gap="small"
        ):
            with st.popover("More options", type="tertiary"):
                _show_options(start)
            if start is None:
                st.caption(f"up to {quantity(n_merges_asked(None), 'merge')}", width="content")
    return act


def _show_size(start: Tokenizer | None) -> None:
    """Show how many tokens the tokenizer is to have, or how many more than the one it begins with."""
    if start is None:
        show_option_widget(
            "vocab_size", st.number_input, "Vocabulary size", min_value=256, max_value=VOCAB_SIZE_MAX, step=64,
            help="How many tokens it can know: the 256 single bytes, and one for each merge. Special tokens are "
            "not counted.",
        )  # fmt: skip
    else:
        show_option_widget(
            "new_tokens", st.number_input, "New tokens", min_value=1, max_value=MERGES_MAX, step=100,
            help=f"A token for each merge on top of the {len(start.mergeable_ranks):,} bytes and merges there are.",
        )  # fmt: skip


def _show_options(start: Tokenizer | None) -> None:
    """Show what can stay as it is; `start` is the tokenizer to begin with, if any."""
    show_option_widget("train_name", st.text_input, "Name", max_chars=NAME_MAX)
    show_option_widget(
        "train_start", st.selectbox, "Begin with", options=[BYTES, *possible_start_names()],
        format_func=lambda name: "Nothing but bytes" if name == BYTES else tokenizer_choice_label(name),
        help="A tokenizer keeps its merges and its ids: new merges are learned on top, and their ids follow the "
        "highest one.",
    )  # fmt: skip
    if start is None:
        show_pattern_picker("pattern", SPLIT_PATTERNS, st.selectbox, st.text_area)
    else:
        own = start.split_pattern
        st.text(
            f"Split pattern: {own if own in SPLIT_PATTERNS else short_repr(own, 40)}, that of {short_name(start.name)}"
        )
    _show_rare_options(start)


def _show_rare_options(start: Tokenizer | None) -> None:
    """Show what is rarely set."""
    show_option_widget("min_count", st.number_input, "Stop when no pair occurs … times", min_value=1, max_value=1_000)
    show_option_widget(
        "special", st.text_input, "Special tokens, separated by spaces", placeholder="<|endoftext|>",
        help="Their ids follow that of the last merge. Or write an id after each, above those of the merges: "
        "`<|begin_of_text|>=1101 <|end_of_text|>=1102`",
    )  # fmt: skip
    show_superwords_settings(n_merges_asked(start))
    show_option_widget(
        "hold_out", st.toggle, "Leave out a tenth as a test",
        help="Keeps every tenth document out of training (with fewer than ten, every tenth line), and counts its "
        "tokens afterwards.",
    )  # fmt: skip


def n_merges_asked(start: Tokenizer | None) -> int:
    """Return how many merges are to be learned, on top of a tokenizer or from bytes alone."""
    return (
        int(option_value("vocab_size")) - smallest_vocab_size(None)
        if start is None
        else int(option_value("new_tokens"))
    )


def show_cut_off_marks_note_if_any() -> None:
    """Say whose marks the chosen split pattern cuts off, and offer one that does not."""
    start = chosen_start_tokenizer()
    pattern = option_value("pattern") if start is None else start.split_pattern
    if pattern not in SPLIT_PATTERNS:
        return  # your own pattern may not end
    found = _marks_cut_off(beginning_of_training_text(CHARACTERS_MAX), pattern)
    if found is None:
        return
    with st.container(key="desk-marks", horizontal=True, vertical_alignment="center", width="content"):
        st.caption(cut_off_marks_sentence(pattern, found), width="content")
        if found.keeping and start is None:
            st.button(f"Use {_owner(found.keeping)}", on_click=set_option, args=("pattern", found.keeping))


def cut_off_marks_sentence(pattern: str, found: MarksCutOff) -> str:
    """Return in words which marks a pattern cuts off.

    >>> cut_off_marks_sentence("cl100k", MarksCutOff("Thai", "o200k"))
    "GPT-4's split pattern cuts Thai vowel and tone marks from their letters; GPT-4o's keeps them together."
    >>> cut_off_marks_sentence("none", MarksCutOff("Latin", None))
    'The split pattern none cuts Latin marks from their letters.'
    """
    marks = "vowel and tone marks" if found.script in VOWELS_AND_TONES else "marks"
    named = f"{_owner(pattern)} split pattern" if pattern in USED_BY else f"The split pattern {pattern}"
    words = f"{named} cuts {found.script} {marks} from their letters"
    return f"{words}; {_owner(found.keeping)} keeps them together." if found.keeping else f"{words}."


def _owner(pattern: str) -> str:
    """Return whose a named split pattern is, such as "GPT-4's"; of one that no model has, its name."""
    return f"{first_user(pattern)}'s" if pattern in USED_BY else pattern


def chosen_training_task(documents: Documents, digests: tuple[str, ...]) -> TrainingTask:
    """Return how to train on these; ValueError for an impossible name or special tokens."""
    name = " ".join(option_value("train_name").split()) or "my tokenizer"
    if name in ENCODINGS or (name in kept_tokenizers() and training_of(name) is None):
        raise ValueError(f"There is already a tokenizer named {name}. Choose another name.")
    start = chosen_start_tokenizer()
    if start is not None and name == start.name:
        raise ValueError(f"Training begins with {name}, which stays in the list. Choose another name.")
    pattern = option_value("pattern")
    own = option_value("own_pattern") if pattern == OWN_PATTERN else pattern
    n_merges = n_merges_asked(start)
    plan = Plan(
        smallest_vocab_size(start) + n_merges,
        own if start is None else start.split_pattern,
        special_tokens_from_words(option_value("special").split()),
        int(option_value("min_count")),
        start,
        Superwords(smallest_vocab_size(start) + n_merges_inside_words(n_merges))
        if option_value("superwords")
        else PLAIN,
        option_value("hold_out"),
    )
    return TrainingTask(plan, {WHOLE: documents}, name, digests=digests)
