"""What a vocabulary consists of, as charts and tables: lengths, scripts, duplicates, overlap."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Literal

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from pages.ui.options import show_choice, show_option_widget
from pages.ui.session_tokenizers.tokenizer_list import tokenizer_choice_label, tokenizer_named, tokenizer_names
from pages.ui.shared.charts import legend_labels, show_chart
from pages.ui.shared.messages import show_errors
from pages.ui.shared.text import shared_text
from pages.ui.vocabulary.audit import show_audit
from tokviz import AnyTokenizer, text_spans
from tokviz.live.views.vocabulary_data import CHARACTERS_MAX
from tokviz.text.glyphs import visible_token
from tokviz.vocabulary.facts import KINDS, VocabularyFacts, vocabulary_facts
from tokviz.vocabulary.report import (
    markup_by_token_index,
    near_duplicate_indices,
    non_special_indices,
    overlap,
    token_counts_by_script,
    unused_token_indices,
)
from tokviz.vocabulary.usage import characters_split_across_tokens

ROWS = 100
EXAMPLES = 12  # tokens of each side of an overlap
SHOWN = 200  # characters of a token
LONGEST_BAR = 24  # characters; longer tokens share the last bar
MOST_SCRIPTS = 15
Width = Literal["stretch", "content"]


@st.fragment
def show_chosen_vocabulary_look(tokenizer: AnyTokenizer) -> None:
    """Show one view of the vocabulary and the choice among them, and any errors, since a fragment runs alone."""
    st.header("What it is made of", anchor=False)
    chosen = show_choice("vocabulary_look", "Show", LOOKS)
    with show_errors():
        LOOKS[chosen](tokenizer)


def _show_tokens_at_indices(
    tokenizer: AnyTokenizer, tokens: Sequence[int] | np.ndarray, width: Width = "stretch", **more: Iterable[str]
) -> None:
    """Show tokens in a table, with more columns."""
    facts = vocabulary_facts(tokenizer)
    columns = {"token": [token_label(facts.tokens[token]) for token in tokens], "characters": facts.n_chars[tokens]}
    table = pd.DataFrame({"id": facts.ids[tokens], **columns, **more})
    config = {"token": st.column_config.TextColumn(width="medium")}  # so that all columns are seen on a phone
    st.dataframe(table, hide_index=True, height=420, width=width, column_config=config)


def token_label(token: bytes) -> str:
    """Return a token for a table; of a very long one, the beginning.

    >>> token_label(b" the"), len(token_label(b"a" * 70_000))
    ('·the', 201)
    """
    text = visible_token(token)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def _show_length_kind_and_script_distributions(tokenizer: AnyTokenizer) -> None:
    """Show how many tokens have each length and each script."""
    facts = vocabulary_facts(tokenizer)
    lengths, by_script = st.columns(2)
    with lengths:
        st.caption(f"Characters of a token; {LONGEST_BAR} or more share one bar. 0 means a part of a character.")
        counts = np.bincount(np.minimum(facts.n_chars, LONGEST_BAR), minlength=LONGEST_BAR + 1)
        labels = [*map(str, range(LONGEST_BAR)), f"{LONGEST_BAR}+"]
        _show_bars(tokenizer, labels, counts, "length in characters", vertical=True)
        st.caption("Kind")
        _show_bars(tokenizer, KINDS, np.bincount(facts.kinds, minlength=len(KINDS)), "kind")
    with by_script:
        st.caption("Script of the first letter; “none” means white space, digits and symbols.")
        scripts = dict(islice(token_counts_by_script(tokenizer).items(), MOST_SCRIPTS))
        _show_bars(tokenizer, list(scripts), np.array([*scripts.values()]), "script")


def _show_bars(
    tokenizer: AnyTokenizer, labels: Sequence[str], counts: np.ndarray, name: str, *, vertical: bool = False
) -> None:
    """Show counts as bars; horizontal ones have names and numbers."""
    table = pd.DataFrame({name: labels, "tokens": counts})
    across: alt.X | alt.Y
    along: alt.X | alt.Y
    if vertical:
        across, along = alt.X(f"{name}:N", sort=None, axis=alt.Axis(labelAngle=0)), alt.Y("tokens:Q")
    else:
        table = table[table["tokens"] > 0]
        table[name] = [f"{label}  {count:,}" for label, count in zip(table[name], table["tokens"], strict=True)]
        axis = alt.Axis(labelOverlap=False, labelLimit=300)
        across, along = alt.Y(f"{name}:N", sort=None, title=None, axis=axis), alt.X("tokens:Q", axis=None)
    height = 260 if vertical else alt.Step(22)
    largest = ", ".join(f"{labels[i]}: {counts[i]:,}" for i in np.argsort(-np.asarray(counts), kind="stable")[:3])
    show_chart(alt.Chart(table, height=height).mark_bar().encode(across, along), f"tokens by {name}",
               title=f"Tokens by {name}", caption=tokenizer.name,
               alt_text=f"Bars: how many tokens there are by {name}. The largest: {largest}")  # fmt: skip


def _show_near_duplicates(tokenizer: AnyTokenizer) -> None:
    """Show the tokens that differ only in case or a space."""
    st.caption(
        "Tokens that differ only in case or in the white space around them. A model must learn separately that they "
        "mean the same."
    )
    found = near_duplicate_indices(tokenizer)
    n_tokens = len(non_special_indices(tokenizer))
    n_found = sum(map(len, found.values()))
    st.text(f"{n_found:,} tokens in {len(found):,} groups, of {n_tokens:,} tokens")
    facts = vocabulary_facts(tokenizer)
    shown = [*islice(found.values(), ROWS)]
    columns = {
        "tokens": [*map(len, shown)],
        "written": ["  ".join(token_label(facts.tokens[i]) for i in group) for group in shown],
        "ids": [", ".join(str(facts.ids[i]) for i in group) for group in shown],
    }
    st.dataframe(pd.DataFrame(columns), hide_index=True, height=420)


def _show_markup_tokens(tokenizer: AnyTokenizer) -> None:
    """Show the tokens with markup."""
    st.caption(
        "Tokens with a tag, an entity or a part of a web address show that the training text was web pages. Wiki "
        "markup and escapes can also come from code."
    )
    found = markup_by_token_index(tokenizer)
    st.text(f"{len(found):,} of {len(non_special_indices(tokenizer)):,} tokens")
    _show_tokens_at_indices(tokenizer, [*found], holds=found.values())


def _show_vocabulary_use(tokenizer: AnyTokenizer) -> None:
    """Show how many tokens the shared text uses, and some that it does not."""
    st.button("Count again", help="After the text has changed.")
    spans = text_spans(tokenizer, shared_text()[:CHARACTERS_MAX])
    ids = spans.ids.tolist()
    unused = unused_token_indices(tokenizer, ids)
    n_tokens = len(non_special_indices(tokenizer))
    st.text(
        f"The text has {len(ids):,} tokens. It uses {n_tokens - len(unused):,} of the {n_tokens:,} in the vocabulary."
    )
    split = Counter(characters_split_across_tokens(spans))
    most = ", ".join(f"{visible_token(character.encode())} {n:,}" for character, n in split.most_common(EXAMPLES))
    st.text(f"{split.total():,} of its {len(spans.text):,} characters take several tokens{': ' if most else '.'}{most}")
    st.caption(
        "Every token costs a row of parameters, used or not. Of the unused ones, those with the lowest ids were the "
        "most frequent in the training text:"
    )
    _show_tokens_at_indices(tokenizer, unused[:ROWS], width="content")


def _show_overlap(tokenizer: AnyTokenizer) -> None:
    """Show how many tokens the vocabulary shares with another."""
    others = [name for name in tokenizer_names() if name != tokenizer.name]
    picker, _ = st.columns([2, 5])
    name = show_option_widget(
        "overlap_with", picker.selectbox, "With", options=others, format_func=tokenizer_choice_label
    )
    other = tokenizer_named(name)
    shared = overlap(tokenizer, other)
    n_common = len(shared.common)
    left, right = legend_labels([tokenizer.name, name]).values()
    st.text(
        f"{n_common:,} tokens are in both: {n_common / (shared.n_left or 1):.0%} of {left} and "
        f"{n_common / (shared.n_right or 1):.0%} of {right}, or {shared.jaccard:.1%} of the {shared.n_either:,} "
        "in either (Jaccard)."
    )
    scripts = pd.DataFrame.from_dict(
        shared.left_right_and_common_counts_by_script(), orient="index", columns=["left", "right", "both"]
    )
    scripts = scripts.assign(Jaccard=scripts["both"] / (scripts["left"] + scripts["right"] - scripts["both"]))
    titles = {"left": left, "right": right, "both": "in both"}
    columns = {key: st.column_config.NumberColumn(title) for key, title in titles.items()}
    columns["Jaccard"] = st.column_config.NumberColumn(format="%.2f")
    figures, examples = st.columns([3, 4])
    with figures:
        st.dataframe(scripts.rename_axis("script"), height=420, column_config=columns)
    with examples:
        for name, facts, tokens in (
            (f"Only in {left}", shared.left, shared.only_left),
            (f"Only in {right}", shared.right, shared.only_right),
            ("In both", shared.left, shared.common),
        ):
            st.text(f"{name}: {len(tokens):,}")
            st.code(
                "  ".join(map(token_label, _evenly_spread_tokens(facts, tokens))) or "none",
                language=None,
                wrap_lines=True,
            )


def _evenly_spread_tokens(facts: VocabularyFacts, tokens: np.ndarray) -> list[bytes]:
    """Return a few tokens from all parts of some."""
    n = min(EXAMPLES, len(tokens))
    return [facts.tokens[tokens[len(tokens) * i // n]] for i in range(n)]


LOOKS = {
    "Lengths and scripts": _show_length_kind_and_script_distributions,
    "Near-duplicates": _show_near_duplicates,
    "Markup": _show_markup_tokens,
    "Used in the text": _show_vocabulary_use,
    "Overlap": _show_overlap,
    "Audit": show_audit,
}
