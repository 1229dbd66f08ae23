"""What every page shares: page settings, navigation, the text and the shelf of tokenizers.

Streamlit drops a widget's value when the page changes, so what all pages share stands in the session
state under keys of our own: `text`, `tokenizer` (the name of the chosen one) and `trained`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import streamlit as st

from tokviz import Tokenizer, TrainStep, load
from tokviz.pretrained import PRETRAINED
from tokviz.samples import SAMPLES, sample

PAGES = (
    ("app.py", "Playground", ":material/edit_note:"),
    ("pages/train.py", "Train", ":material/model_training:"),
    ("pages/merges.py", "Merges", ":material/merge:"),
    ("pages/compare.py", "Compare", ":material/compare:"),
)
START_TEXT = (
    "Tokens are not words: unbelievable, 3221 + 2334 = 5555.\n"
    "ภาษาไทยไม่เว้นวรรคระหว่างคำ\n"
    "今天天气很好。 👩‍🍳\n"
    'def greet(name):\n    return f"Hello, {name}!"\n'
)
COMPARED = list(PRETRAINED)
MOST_COMPARED = 6
MAX_TRAINED = 20  # tokenizers kept for a session


@dataclass(frozen=True)
class Trained:
    """A tokenizer trained in this session, with its steps and the size of its text in bytes."""

    tokenizer: Tokenizer
    steps: tuple[TrainStep, ...]
    n_bytes: int


def frame(title: str, intro: str) -> None:
    """Begin a page: settings, navigation, title, and one line on what to see and to try."""
    st.set_page_config(page_title=f"{title} · tokviz", page_icon="🧩", layout="wide")
    st.session_state.setdefault("text", START_TEXT)
    st.session_state.setdefault("trained", {})
    st.session_state.setdefault("tokenizer", "cl100k_base")
    with st.sidebar:
        st.markdown("### tokviz")
        for path, label, icon in PAGES:
            st.page_link(path, label=label, icon=icon)
        st.caption("Runs on this computer. Nothing you type leaves it.")
    st.title(title)
    st.caption(intro)


def save_text(text: str) -> None:
    """Keep a text as the one that all pages share."""
    st.session_state.text = text


def shelf() -> list[str]:
    """Return the names of the tokenizers of this session, those trained here first."""
    return [*st.session_state.trained, *PRETRAINED]


def tokenizer_named(name: str) -> Tokenizer:
    """Return a tokenizer of the shelf."""
    trained = st.session_state.trained.get(name)
    return trained.tokenizer if trained else load(name)


def put_on_shelf(trained: Trained) -> None:
    """Put a trained tokenizer on the shelf and choose it; the oldest makes room for it."""
    name = trained.tokenizer.name
    st.session_state.trained.pop(name, None)
    while len(st.session_state.trained) >= MAX_TRAINED:
        st.session_state.trained.pop(next(iter(st.session_state.trained)))
    st.session_state.trained[name] = trained
    replace_kept("tokenizer", name)
    compared = st.session_state.get("compared", COMPARED)
    replace_kept("compared", [name, *(other for other in compared if other != name)][:MOST_COMPARED])


def kept(key: str, default: Any, widget: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Show a widget whose value outlives a change of page; return its value, which stands under `key`.

    A value that is no longer among the options gives way to the default. The widget gets its value as
    its default in every run: one set through the session state reaches the browser in a single run, and
    is lost when that run is cut short.
    """
    value = st.session_state.get(key, default)
    choices = options.get("options")
    if isinstance(value, list):
        value = [choice for choice in value if choice in choices] or default
    elif choices is not None and value not in choices:
        value = default
    if widget is st.selectbox:
        options["index"] = list(choices).index(value)
    else:
        options["default" if widget is st.multiselect else "value"] = value
    version = st.session_state.get(f"{key}:version", 0)
    st.session_state[key] = widget(*args, key=f"_{key}_{version}", **options)
    return st.session_state[key]


def replace_kept(key: str, value: Any) -> None:
    """Give a kept value another value than its widget has: the next run shows a new widget."""
    st.session_state[key] = value
    st.session_state[f"{key}:version"] = st.session_state.get(f"{key}:version", 0) + 1


def tokenizer_picker(label: str = "Tokenizer") -> Tokenizer:
    """Show the picker of the tokenizer that all pages share; return the chosen one."""
    names = shelf()
    return tokenizer_named(kept("tokenizer", names[0], st.selectbox, label, options=names))


def sample_picker() -> None:
    """Show buttons that replace the shared text by a sample."""
    with st.container(horizontal=True, gap="small"):
        for name in SAMPLES:
            st.button(name.capitalize(), key=f"_sample_{name}", on_click=take_sample, args=(name,))


def take_sample(name: str) -> None:
    """Make a sample the shared text."""
    save_text(sample(name))


def complain(message: object, *, title: str = "That did not work") -> None:
    """Show an error in words; the message may quote the user's text, so it is shown as plain text."""
    st.error(title)
    st.code(str(message), language=None, wrap_lines=True)


@contextmanager
def errors_in_words() -> Iterator[None]:
    """Show what goes wrong inside in words instead of a stack trace."""
    try:
        yield
    except (ValueError, OSError) as e:
        complain(e)
    except KeyError as e:
        complain(e.args[0] if e.args else e)


def visible(token: bytes) -> str:
    """Return a token as text for a table: white space as glyphs, parts of characters in hex.

    >>> visible(b" the"), visible(b"\\n"), visible(b"\\xe0\\xb8")
    ('·the', '↵', '<e0 b8>')
    """
    try:
        text = token.decode()
    except UnicodeDecodeError:
        return f"<{token.hex(' ')}>"
    glyphs = {" ": "·", "\n": "↵", "\t": "→", "\r": "␍"}
    return "".join(glyphs.get(c, c if c.isprintable() else f"<U+{ord(c):04X}>") for c in text)


def visible_ids(tokenizer: Tokenizer, ids: Sequence[int]) -> list[str]:
    """Return tokens as `visible` shows them."""
    return [visible(token) for token in tokenizer.tokens_bytes(ids)]
