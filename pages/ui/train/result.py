"""The result of a training: figures, where to go with it, files to download, the curve of compression, the merges."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from pages.ui.options import option_value, option_widget
from pages.ui.pages import COMPARE, MERGES, PLAYGROUND
from pages.ui.session_tokenizers.tokenizer_list import choose_tokenizer
from pages.ui.shared.buttons import pressed
from pages.ui.shared.live import for_session
from pages.ui.shared.text import shared_text
from pages.ui.train.gain import gain
from pages.ui.train.run import merges
from tokviz import SPLIT_PATTERNS, Tokenizer
from tokviz.formats import table as formats
from tokviz.formats.files import file_text
from tokviz.formats.minbpe import VERSIONS
from tokviz.formats.pretrained import PRETRAINED
from tokviz.formats.python_code import minbpe_loader, tiktoken_loader
from tokviz.live.views.glyphs import visible
from tokviz.records.trained import Trained
from tokviz.system.recent import recent

CURVE_POINTS = 2_000
SHORT_TEXT = 500  # characters
MERGES_AT_ONCE = 20_000  # a tokenizer.json of more takes seconds to try
OWN, HELD_OUT = "on its own training text", "on the part held out"
PLACES = {"Watch": MERGES, "Compare": COMPARE, "Playground": PLAYGROUND}
# What each file is for.
FORMATS = {one.suffix: one.purpose for one in reversed(formats.FORMATS) if one.write}
# The lines of Python that load a file, from a tokenizer and the version of its .model.
CODE = {
    ".json": lambda *_: 'import tokenizers\n\ntokenizer = tokenizers.Tokenizer.from_file("tokenizer.json")\n',
    ".tiktoken": lambda tokenizer, _: tiktoken_loader(tokenizer, "tokenizer.tiktoken"),
    ".model": lambda tokenizer, version: minbpe_loader(tokenizer, "tokenizer.model", version=version),
}


def result(trained: Trained) -> None:
    """Show what was learned in a few figures, and where to go with it."""
    st.subheader("Result", anchor=False)
    on_top = f" on top of {trained.start.name}" if trained.start else ""
    st.text(f"Done: ‘{trained.tokenizer.name}’ learned {merges(len(trained.steps))}{on_top}.")
    if not trained.steps:
        left = "nothing was learned" if trained.start else "every token is a single byte"
        st.info(f"No pair occurred often enough to be merged, so {left}. Train on a longer text.")
        return
    if trained.start:
        gain(trained, trained.start)
    else:
        _figures(trained)
    with st.container(horizontal=True, gap="small"):
        for label, page in PLACES.items():
            if pressed(label, icon=page.icon):
                choose_tokenizer(trained.tokenizer.name)
                st.switch_page(page.script)
        with st.popover("Download", icon=":material/download:"):
            _downloads(trained)


def suggest_sample(begin: Callable[[], None]) -> None:
    """Offer to `begin` with a sample, if the text is too short to learn much from."""
    if len(shared_text()) < SHORT_TEXT:
        st.text("Your text is short: there is little to learn from it.")
        st.button("Train on the English sample", on_click=begin)


def _figures(trained: Trained) -> None:
    """Show the bytes per token on the text trained on, and on the text held out."""
    st.markdown("**Bytes per token**")
    own, held_out = st.columns(2)
    own.metric("On its own training text", f"{trained.bytes_per_token:.2f}")
    own.caption(f"of {trained.n_bytes:,} bytes")
    if trained.held_out and trained.held_out_bytes_per_token:
        held_out.metric("On the part held out", f"{trained.held_out_bytes_per_token:.2f}")
        held_out.caption(f"of {trained.held_out.n_bytes:,} bytes")
    else:
        held_out.caption("On text it has not seen it will do worse. Hold out a tenth to find out by how much.")


def details(trained: Trained) -> None:
    """Show every merge, and the curve of compression."""
    if not trained.steps:
        return
    chart, table = st.columns([2, 3])
    with chart:
        _curve(trained)
    with table:
        st.dataframe(merges_table(trained), hide_index=True, height=360)


def merges_table(trained: Trained) -> pd.DataFrame:
    """Return the merges in the order they were learned, a row each."""
    steps = trained.steps
    ids = list({token_id for step in steps for token_id in (*step.pair, step.token_id)})
    shown = dict(zip(ids, map(visible, trained.tokenizer.tokens_bytes(ids)), strict=True))
    return pd.DataFrame(
        {
            "merge": [step.rank + 1 for step in steps],
            "pair": [str(step.pair) for step in steps],
            "id": [step.token_id for step in steps],
            "left": [shown[step.pair[0]] for step in steps],
            "right": [shown[step.pair[1]] for step in steps],
            "new token": [shown[step.token_id] for step in steps],
            "count": [step.count for step in steps],
            "tokens after it": [step.n_tokens for step in steps],
        }
    )


def _curve(trained: Trained) -> None:
    """Show the compression against the merges."""
    curves = compression_curves(trained)
    st.altair_chart(
        alt.Chart(curves, height=360)
        .mark_line()
        .encode(
            x="merges:Q",
            y=alt.Y("bytes per token:Q", scale=alt.Scale(zero=False)),
            color=alt.Color("text:N", sort=[OWN, HELD_OUT], legend=alt.Legend(title=None, orient="top")),
            strokeDash=alt.StrokeDash("text:N", sort=[OWN, HELD_OUT], legend=None),
        )
    )


def compression_curves(trained: Trained) -> pd.DataFrame:
    """Return the bytes per token after each merge, on the text trained on and the text held out, if one was."""
    every = max(1, len(trained.steps) // CURVE_POINTS)
    numbers = range(1, len(trained.steps) + 1)[::every]
    parts: dict[str, tuple[int, Sequence[int]]] = {OWN: (trained.n_bytes, [step.n_tokens for step in trained.steps])}
    if trained.held_out:
        parts[HELD_OUT] = trained.held_out.n_bytes, trained.held_out.n_tokens
    return pd.concat(
        pd.DataFrame({"merges": numbers, "bytes per token": [n_bytes / n for n in n_tokens[::every]], "text": text})
        for text, (n_bytes, n_tokens) in parts.items()
    )


def _is_wanted(tokenizer: Tokenizer) -> bool:
    """Show a button that asks for a tokenizer.json, if that takes long, and return whether it was pressed."""
    wanted: set[int] = st.session_state.setdefault("files_wanted", set())
    if len(tokenizer.merge_tokens) <= MERGES_AT_ONCE or hash(tokenizer) in wanted:
        return True
    if pressed("Make .json", help="It is tried on many texts before it is offered, which takes some seconds."):
        wanted.add(hash(tokenizer))
    return hash(tokenizer) in wanted


@recent(maxsize=8)
def _file(tokenizer: Tokenizer, suffix: str, version: str) -> bytes:
    """Return a file, made only once: a tokenizer.json is tried on many texts before it is offered."""
    return file_text(tokenizer, suffix, version=version if suffix == ".model" else None).encode()


def _deferred(*args: Any) -> Callable[[], bytes]:
    """Return a function that makes a file on demand: a tokenizer.json of 32,000 merges takes a second."""
    return for_session(partial(_file, *args))


def _downloads(trained: Trained) -> None:
    """Offer the files; a format that cannot hold the tokenizer says why beside its button."""
    tokenizer = trained.tokenizer
    # Every format but .model can hold these; others are tried before they are offered.
    known = trained.start.special_tokens if trained.start and trained.start.name in PRETRAINED else {}
    sure = tokenizer.split_pattern in SPLIT_PATTERNS and tokenizer.special_tokens == known
    version = option_value("model_version") if option_value("model_version") in VERSIONS else VERSIONS[0]
    offered: list[str] = []
    refused: dict[str, str] = {}
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        with st.container(horizontal=True, gap="small", width="content"):
            for suffix, purpose in FORMATS.items():
                is_sure = sure and (suffix != ".model" or trained.start is None)
                if suffix == ".json" and not is_sure and not _is_wanted(tokenizer):
                    continue
                try:
                    data = (_deferred if is_sure else _file)(tokenizer, suffix, version)
                except ValueError as e:
                    refused[suffix] = str(e)
                    continue
                st.download_button(suffix, data, file_name=f"tokenizer{suffix}", help=purpose, on_click="ignore")
                offered.append(suffix)
        if ".model" in offered:
            option_widget(
                "model_version", st.selectbox, "Version of .model", options=VERSIONS, width=190,
                help="The first line of the file. The class that loads it may insist on its own.",
            )  # fmt: skip
    for suffix, why in refused.items():
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.button(suffix, key=f"_refused {suffix}", disabled=True)
            st.text(_sentence(why), width="stretch")
    with st.expander("Load these files in Python"):
        for suffix in offered:
            if suffix in CODE:
                try:
                    st.code(CODE[suffix](tokenizer, version))
                except ValueError as e:
                    st.text(_sentence(str(e)))


def _sentence(why: str) -> str:
    """Return the words of an error as a sentence.

    >>> _sentence("a .model file cannot hold this tokenizer: its ids have gaps")
    'A .model file cannot hold this tokenizer: its ids have gaps.'
    """
    return f"{why[:1].upper()}{why[1:]}."
