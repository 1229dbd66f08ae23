"""Open a tokenizer: from a file, from the hub, or made from the text on view.

Like one that was trained, it joins the list and becomes the chosen tokenizer.
"""

import streamlit as st

from pages.ui.session_tokenizers.families_form import families_form
from pages.ui.session_tokenizers.opened_records import Opened, file_record
from pages.ui.session_tokenizers.tokenizer_list import add_opened, choose_tokenizer, opened_tokenizers, tokenizer_names
from pages.ui.shared.buttons import pressed
from pages.ui.shared.messages import show_error, show_errors
from pages.ui.shared.options import OWN_PATTERN, reset_widget, widget_key
from pages.ui.shared.text import text_opener
from pages.ui.shared.uploads import UploadedFile, empty_uploader, show_refused, uploader
from tokviz import SPLIT_PATTERNS, Tokenizer
from tokviz.formats.detect import file_format
from tokviz.formats.minbpe import MAX_FILE_BYTES
from tokviz.server.hub import from_hub, hub_is_on
from tokviz.system.sandbox import SandboxError

FORMATS = (
    "tokenizer.json of Hugging Face, .tiktoken, SentencePiece’s .model, or minbpe’s .model, recognised by its content; "
    f"up to {MAX_FILE_BYTES // 1_000_000} MB. Nothing in a file is executed."
)


def open_tokenizer() -> None:
    """Show the button that opens a tokenizer, for any page; the page runs again when one is opened."""
    _say_opened()
    # A popover with a new key is a new one, and closed, so that the page below it shows what was opened.
    with st.popover("Open a tokenizer…", icon=":material/add_circle:", key=widget_key("opener")):
        _opener()


def open_menu(*, with_text: bool) -> None:
    """Show one button that opens a tokenizer or, if wanted, a text file."""
    _say_opened()
    with st.popover("Open", type="tertiary", key=widget_key("opener")):
        what = "A tokenizer"
        if with_text:
            what = st.segmented_control("Open what", options=["A tokenizer", "A text file"], default=what,
                                        required=True, key="_open_what", label_visibility="collapsed")  # fmt: skip
        if what == "A tokenizer":
            _opener()
        else:
            text_opener()


def _say_opened() -> None:
    """Say so, once, when a tokenizer has been opened."""
    if st.session_state.pop("opened_now", False):
        st.toast("The tokenizer is open, and chosen.", icon=":material/check:")


def _opener() -> None:
    """Show the ways to open a tokenizer, and what the last one is."""
    ways = {"A file": _file, "From this text": _from_text}
    if hub_is_on():
        ways["The hub"] = _hub
    way = st.segmented_control(
        "From where", options=list(ways), default="A file", required=True, key="_open_way",
        label_visibility="collapsed",
    )  # fmt: skip
    ways[way]()
    if last := st.session_state.get("opened_last"):
        _tell(last)


def _file() -> None:
    """Show the uploader, and ask what a file of ranks does not say."""
    upload = uploader("A tokenizer", name="tokenizer_file", max_bytes=MAX_FILE_BYTES, accept=_forget_refusal)
    show_refused("tokenizer_file")
    st.caption(FORMATS)
    if upload is None:
        return
    data, rules = upload.getvalue(), {}
    if file_format(data) == "tiktoken":
        rules = _rules_of_ranks()
    if not rules and st.session_state.get("refused"):
        show_error(st.session_state.refused, title="This file could not be opened")
        return
    if rules is None:
        return
    try:
        with st.spinner("Reading the tokenizer…", show_time=True):
            _add_next(file_record(data, upload.name, taken=tokenizer_names(), **rules))
    except ValueError as e:
        if isinstance(e, SandboxError) and e.why == "busy":
            show_error(str(e), title="This file could not be opened")
            return
        st.session_state.refused = str(e)  # do not read it again in every run
    st.rerun()


def _forget_refusal(files: list[UploadedFile]) -> None:
    """Have the next file read, whatever was said of the last one."""
    st.session_state.refused = None


def _rules_of_ranks() -> dict[str, object] | None:
    """Ask for what a .tiktoken file does not hold; return it when the button is pressed."""
    st.markdown("A `.tiktoken` file holds only ranks. Which rules go with it?")
    pattern = st.selectbox("Split pattern", options=[*SPLIT_PATTERNS, OWN_PATTERN], index=2, key="_open_pattern")
    if pattern == OWN_PATTERN:
        pattern = st.text_input("Regular expression", key="_open_own_pattern")
    lines = st.text_area(
        "Special tokens, one a line, each with its id",
        placeholder="<|endoftext|> 100257",
        key="_open_special",
        height=80,
    )
    if pressed("Open it", type="primary"):
        with show_errors():
            return {"split_pattern": pattern, "special_tokens": special_lines(lines)}
    return None


def special_lines(lines: str) -> dict[str, int]:
    """Return special tokens with their ids, read from lines; ValueError that names a line without an id.

    >>> special_lines("<s> 1\\n\\n</s> 2")
    {'<s>': 1, '</s>': 2}
    """
    special: dict[str, int] = {}
    for line in filter(str.strip, lines.splitlines()):
        token, _, token_id = line.strip().rpartition(" ")
        if not token or not (token_id.isascii() and token_id.isdigit()):
            raise ValueError(f"expected a special token and its id, such as <|endoftext|> 100257, not {line!r}")
        special[token.strip()] = int(token_id)
    return special


def _from_text() -> None:
    record = families_form(taken=tokenizer_names())
    if record is not None:
        _add_next(record)
        st.rerun()


def _hub() -> None:
    """Ask for the name of a repository."""
    name = st.text_input("Repository", placeholder="openai-community/gpt2", key="_hub_name")
    st.caption("Fetches one public file from huggingface.co; nothing else is sent or requested.")
    if pressed("Fetch", type="primary") and name:
        with show_errors():
            with st.spinner("Fetching the tokenizer…", show_time=True):
                file_name, data = from_hub(name.strip())
                suffix = file_name.partition(".")[2]
                _add_next(file_record(data, f"{name.strip().split('/')[-1]}.{suffix}", taken=tokenizer_names()))
            st.rerun()


def _add_next(opened: Opened) -> None:
    """Have the next run take a tokenizer before it shows the chosen one."""
    st.session_state.just_opened = opened


def take_up_opened() -> None:
    """Add the tokenizer that was just opened to the list and choose it; if it is there already, only choose it."""
    opened: Opened | None = st.session_state.get("just_opened")
    if opened is None:
        return
    same = next((other for other in opened_tokenizers().values() if other.source == opened.source), None)
    if same is None:
        add_opened(opened)
    name = (same or opened).tokenizer.name
    choose_tokenizer(name)
    st.session_state.update(opened_last=name, opened_now=True)
    empty_uploader("tokenizer_file")
    reset_widget("opener")
    st.session_state.just_opened = None


def _tell(name: str) -> None:
    """Say what the tokenizer opened last is, and what it cannot do here."""
    opened = opened_tokenizers().get(name)
    if opened is None:
        return
    tokenizer = opened.tokenizer
    st.divider()
    st.text(f"Opened: {tokenizer.name}\n{tokenizer.kind}, ids up to {tokenizer.n_vocab - 1:,}")
    if not isinstance(tokenizer, Tokenizer):
        st.text(f"Only tokens and numbers, no merges to show: {tokenizer.reason}.")
