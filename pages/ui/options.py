"""Options: values that survive a change of page and a reload, and travel with a link.

Each is a row of the table below. Its value is in the session state under its key, which is also the key of its widget,
and is plain JSON. What comes from a link or a tab must have the type of the default; what its page allows beyond that,
the widget says that shows it.
"""

import uuid
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.ui.holding import Holding
from pages.ui.pages import BYTES, COMPARE, LANGUAGES, LEARN, MERGES, PLAYGROUND, SEAMS, TRAIN, TURNS, VOCABULARY, Page
from tokviz.core.named_patterns import USED_BY
from tokviz.core.patterns import overwhelms_compiler
from tokviz.core.pretokens import well_formed_text
from tokviz.families.sentencepiece_options import DEFAULTS, IDS
from tokviz.formats.pretrained import PRETRAINED

OWN_PATTERN = "your own"
PARTS_HELP = "For Python's regex module. Each line cuts the pieces that the line before it left."
THE_TEXT = "The text"  # to train on, not files
# The options of SentencePiece that the form shows, under its own names; symbols are separated by spaces.
SENTENCEPIECE: dict[str, Any] = {
    f"sentencepiece_{name}": DEFAULTS[name]
    for name in (
        "normalization_rule_name",
        "remove_extra_whitespaces",
        "character_coverage",
        "byte_fallback",
        "split_digits",
        "split_by_unicode_script",
        "allow_whitespace_only_pieces",
        "max_sentencepiece_length",
        "num_threads",
        *IDS,
    )
} | {"sentencepiece_user_defined_symbols": ""}


@dataclass(frozen=True)
class Option(Holding):
    """A value by its key, with what it is before anybody sets it.

    linked: the pages whose links carry it. lasting: whether later visits have it too, by a cookie. names_tokenizers:
    whether it names a tokenizer, or several, which a link then carries too. among: the option that names it as well.
    instead: the option whose value it has while it is empty. may_stay: whether the tab may keep a value.
    """

    key: str
    default: Any
    linked: tuple[Page, ...] = ()
    lasting: bool = False
    names_tokenizers: bool = False
    among: str = ""
    instead: str = ""
    may_stay: Callable[[Any], bool] = lambda _: True

    def link_value_or_none(self, page: Page) -> Any:
        """Return its value if links to this page carry it."""
        if page not in self.linked:
            return None
        value = option_value(self.key)
        return option_value(self.instead) if self.instead and not value else value

    def tab_value_or_none(self) -> Any:
        """Return its value if that is not the default."""
        value = option_value(self.key)
        return value if value != self.default and self.may_stay(value) else None

    def restore_if_valid(self, value: object) -> None:
        """Take a value of the type of the default."""
        if isinstance(self.default, float) and type(value) is int:
            value = float(value)  # a browser writes 2.0 as 2
        same_type = type(value) is type(self.default)
        if same_type and (not isinstance(value, list) or all(isinstance(entry, str) for entry in value)):
            set_option(self.key, value)

    @property
    def is_linkable(self) -> bool:
        """Whether links to any page carry it."""
        return bool(self.linked)


OPTIONS: dict[str, Option] = {
    option.key: option
    for option in (
        Option("landing", True, lasting=True),  # whether the first page greets
        Option("text_size", "Normal", lasting=True),
        Option("finds_hidden", True, lasting=True),  # whether text that hides is marked, wherever there are tokens
        Option("presenting", False, linked=(LEARN,)),
        Option("example", ""),  # the digest of the shared text, where it is one of the examples
        # Tokenizers
        Option("tokenizer", "cl100k_base", linked=(PLAYGROUND, VOCABULARY, SEAMS, TURNS), names_tokenizers=True),
        # By default the one that all pages share.
        Option("merges_tokenizer", "", linked=(MERGES,), names_tokenizers=True, instead="tokenizer"),
        Option("compared", list(PRETRAINED), linked=(COMPARE, LANGUAGES), names_tokenizers=True),
        Option("claude_counts", [], linked=(COMPARE, LANGUAGES)),
        Option("allow_special", False, linked=(PLAYGROUND, MERGES, SEAMS)),
        Option("family", "SentencePiece BPE"),
        Option("family_size", 1_000),
        *(Option(key, default) for key, default in SENTENCEPIECE.items()),
        Option("own_pattern", r"\p{L}+|\p{N}+", linked=(BYTES, TRAIN), may_stay=lambda it: not overwhelms_compiler(it)),
        # Playground
        Option("input", "Text", linked=(PLAYGROUND,)),
        Option("beside", "", linked=(PLAYGROUND,)),  # the tokenizer whose tokens are shown below; by default none
        Option("chat_format", "", linked=(PLAYGROUND, TURNS)),  # by default that of the tokenizer
        Option("chat_reply", True, linked=(PLAYGROUND,)),
        Option("chat_effort", "medium", linked=(PLAYGROUND, TURNS)),
        Option("chat_compared", False),
        # Chat turns
        Option("turns_section", "Turns", linked=(TURNS,)),
        Option("turns_source", "Messages", linked=(TURNS,)),
        Option("turns_block", 16, linked=(TURNS,)),  # tokens
        Option("turns_against", "", linked=(TURNS,)),  # a format; by default another than the chosen one
        # Learn
        Option("lesson", "", linked=(LEARN,)),  # by default the list of all
        Option("slide", 0, linked=(LEARN,)),  # on the projector
        Option("lessons_done", [], lasting=True),  # by their slugs
        # Merges: the component shows the step without a widget. At this one cl100k, the default tokenizer, has just
        # made a merge that the first text contains, and makes another one next.
        Option("step", 9, linked=(MERGES,)),
        Option("predicting", False, linked=(MERGES,)),
        Option("merges_opened", False),  # whether the page has been given what it shows at first
        # Compare
        Option("compare_view", "Side by side", linked=(COMPARE,)),
        # The component shows the first tokenizer if it is gone.
        Option("reference", "", linked=(COMPARE,), names_tokenizers=True, among="compared"),
        Option("width", 768),
        Option("tied", True),
        Option("log_axis", True),
        Option("price", 0.0),
        Option("corpus_look", "Files"),
        Option("corpus_measure", "bytes per token"),
        Option("corpus_format", ""),  # of chats; by default that of each tokenizer
        Option("window", 8_192),
        # Languages
        Option("languages_view", "Years", linked=(LANGUAGES,)),
        Option("years_languages", ["th", "zh-Hans", "hi", "ar", "my", "de"], linked=(LANGUAGES,)),
        Option("parallel_texts", "Sentences", linked=(LANGUAGES,)),
        Option("languages_order", "the most they pay", linked=(LANGUAGES,)),
        Option("sentence_language", "", linked=(LANGUAGES,)),  # by its code; by default the one that the page names
        Option("language_reference", "en"),
        Option("own_languages", ["en", "th"]),  # by their codes, or by names the user gave
        Option("cost_chars", 3_000),
        Option("cost_price", 1.0),
        Option("sentence_tokenizer", "cl100k_base", (LANGUAGES,), names_tokenizers=True, among="compared"),
        Option("mix_languages", ["en", "th", "zh-Hans"]),
        Option("shares", ['["en", 2]', '["th", 1]']),  # by codes; of any other language at first 1
        Option("mix_bytes", 20_000),
        Option("mix_vocab_size", 1_024),
        Option("mix_pattern", "o200k"),
        Option("mix_way", "Plain BPE and parity-aware"),
        # Train
        Option("train_on", THE_TEXT),
        Option("text_key", "text"),
        Option("training_job", ""),  # the id of the training under way
        Option("train_name", "my tokenizer", linked=(TRAIN,)),
        # The tokenizer to begin with; by default bytes alone.
        Option("train_start", "", linked=(TRAIN,), names_tokenizers=True),
        Option("vocab_size", 512, linked=(TRAIN,)),
        Option("new_tokens", 1_000, linked=(TRAIN,)),  # on top of that tokenizer
        Option("min_count", 2, linked=(TRAIN,)),
        Option("pattern", "cl100k", linked=(TRAIN,)),
        Option("special", "", linked=(TRAIN,)),
        Option("hold_out", False, linked=(TRAIN,)),
        Option("superwords", False, linked=(TRAIN,)),
        Option("superwords_share", 75, linked=(TRAIN,)),  # percent of the merges that stay inside words
        Option("model_version", "minbpe v1"),
        # Vocabulary
        Option("vocabulary_look", "Lengths and scripts", linked=(VOCABULARY,)),
        Option("overlap_with", "gpt2", linked=(VOCABULARY,), names_tokenizers=True),
        # Bytes & patterns
        Option("look", "Bytes", linked=(BYTES,)),
        Option("cut_pattern", "cl100k", linked=(BYTES,)),
        Option("cut_off", [], linked=(BYTES,)),
        # Seams: the component shows what is chosen inside a section without a widget
        Option("seams_section", "Settled", linked=(SEAMS,)),
        Option("cache_block", 1, linked=(SEAMS,)),  # tokens
        Option("chunk_tokens", 32, linked=(SEAMS,)),
        Option("chunk_overlap", 4, linked=(SEAMS,)),  # tokens
        Option("seams_cut", -1, linked=(SEAMS,)),  # characters before it; below 0 it is in the middle
        Option("seams_piece", "", linked=(SEAMS,)),  # "start-stop" in UTF-16 units; by default the longest pretoken
        Option("seams_way", "", linked=(SEAMS,)),  # its number; by default BPE's own
    )
}


def option_default(key: str) -> Any:
    """Return the value that an option has before anybody sets it."""
    return OPTIONS[key].default


def pattern_label(name: str) -> str:
    """Return a split pattern as pickers list it, with some models that cut so.

    >>> pattern_label("deepseek-v3"), pattern_label(OWN_PATTERN)
    ('deepseek-v3 · DeepSeek V3 and R1', 'your own')
    """
    return f"{name} · {USED_BY[name]}" if name in USED_BY else name


def show_option_widget(key: str, widget: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Show a widget whose value survives a change of page, and return the value, which is kept under `key`.

    If the widget does not offer the value, it shows the default or the nearest.
    """
    value = _nearest_allowed_value(option_value(key), option_default(key), options)
    page, shown_on = st.session_state.get("page"), st.session_state.setdefault("shown_on", {})
    # A widget disabled by the message that brings its value would go back to the value before. And Streamlit carries a
    # value over to another page's widget of the same key only if the page has run again since the value was set.
    is_set = key in st.session_state and st.session_state[key] == value and shown_on.get(key) == page
    if options.get("disabled") or not is_set:
        st.session_state[key] = value
    shown_on[key] = page
    return widget(*args, key=key, persist_state="session", **options)


def show_pattern_picker(key: str, names: Iterable[str], picker: Callable[..., Any], own: Callable[..., Any]) -> str:
    """Show the picker of a split pattern, with a field for your own; return its name or the regular expression."""
    offered = [*names, OWN_PATTERN]
    chosen = show_option_widget(key, picker, "Split pattern", options=offered, format_func=pattern_label)
    if chosen != OWN_PATTERN:
        return chosen
    return show_option_widget("own_pattern", own, "Regular expression", help=PARTS_HELP, height=80)


def show_choice(key: str, label: str, choices: Iterable[Any], **look: Any) -> Any:
    """Show a row of choices, one of which is always chosen, without their label; return the value."""
    look = {"label_visibility": "collapsed", **look}
    return show_option_widget(key, st.segmented_control, label, options=list(choices), required=True, **look)


def show_sections(key: str, sections: Mapping[str, Any], *, format_func: Callable[[str], str] = str) -> str:
    """Show a row of many sections, and a select that takes its place on a phone; return the chosen one."""
    section = show_choice(key, "Look at", sections, format_func=format_func)
    with st.container(key="phone-choice"):
        # With another section it is another widget, so that a message under way cannot choose the section before.
        select = f"_{key} {section}"
        st.selectbox("Look at", [*sections], [*sections].index(section), format_func, select,
                     label_visibility="collapsed",
                     on_change=lambda: set_option(key, st.session_state[select]))  # fmt: skip
    return section


def option_value(key: str) -> Any:
    """Return a value, even if no widget shows it."""
    return st.session_state.get(key, option_default(key))


def option_value_among(key: str, choices: Collection[Any]) -> Any:
    """Return a value that is one of these, the one that a widget would show, before it does."""
    return _nearest_allowed_value(option_value(key), option_default(key), {"options": list(choices)})


def widget_key(name: str) -> str:
    """Return the key of a widget that `reset_widget` empties; Streamlit has no other way to do that.

    A callback checks it: if a message was on its way, Streamlit calls the callback of a widget that is gone, with the
    value it had.
    """
    return f"_{name} {widget_version(name)}"


def reset_widget(name: str) -> None:
    """Empty the widget of this name, by a new key."""
    st.session_state[f"{name}:version"] = widget_version(name) + 1


def widget_version(name: str) -> int:
    """Return how often `set_option` or `reset_widget` was called for this name."""
    return st.session_state.get(f"{name}:version", 0)


def _nearest_allowed_value(value: Any, default: Any, options: Mapping[str, Any]) -> Any:
    """Return the value, or the nearest one that a widget with these options takes."""
    choices = options.get("options")
    if isinstance(value, list):
        offered = [choice for choice in dict.fromkeys(value) if choice in (choices or ())]
        return offered[: options.get("max_selections")] if offered or not value else default
    if choices is not None:
        return value if value in choices else default if default in choices else choices[0]
    if "min_value" in options:
        return min(max(value, options["min_value"]), options["max_value"])
    return well_formed_text(value)[: options.get("max_chars")] if isinstance(value, str) else value


def set_option(key: str, value: Any) -> None:
    """Set an option; do so in a callback, or before its widget is shown."""
    st.session_state[key] = value
    reset_widget(key)


def session_id() -> str:
    """Return the name by which the browser knows this session."""
    return st.session_state.setdefault("session_id", uuid.uuid4().hex)
