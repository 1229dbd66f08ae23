"""The numbers of a comparison: one row for each tokenizer, to sort, copy and download."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from pages.ui.options import show_option_widget
from pages.ui.session_tokenizers.tokenizer_list import kept_named, show_own_training_text_note_if_any, tokenizer_named
from pages.ui.shared.buttons import show_button, show_dialog_button, show_file_button
from pages.ui.shared.claude_counts import chosen_claude_names, show_claude_picker
from pages.ui.shared.messages import show_error, show_errors
from pages.ui.shared.text import shared_text
from tokviz import AnyTokenizer, TokenSpans, load
from tokviz.display.saved_page import report_html, report_page
from tokviz.formats.claude import claude_token_counts_within_limits
from tokviz.formats.pretrained import full_name
from tokviz.system.recent import recent
from tokviz.text.metrics import Metrics, Throughput, agreement, metrics, share_of_one_token_words, throughput
from tokviz.text.unknown_text import unknown_text_figures
from tokviz.vocabulary.replacement import Sections, line_texts, replacement_report

PRICE_MAX = 1_000_000.0
FORMATS = {
    name: st.column_config.NumberColumn(label, format=form)
    for name, label, form in (
        ("tokens", "tokens", "localized"),
        ("distinct", "distinct", "localized"),
        ("characters per token", "chars/token", "%.2f"),
        ("bytes per token", "bytes/token", "%.2f"),
        ("tokens per word", "tokens/word", "%.2f"),
        ("words in one token", "words in one", None),
        ("unknown", "unknown text", None),
        ("vocabulary used", "vocabulary used", None),
        ("agreement", "agreement", None),
        ("MB/s", "MB/s", "%.1f"),
        ("cost", "cost", "%.6f"),
    )
}
SHARES = ("words in one token", "unknown", "vocabulary used", "agreement")
DEFINITIONS = (
    "*Bytes/token*: how much text a token holds{}. *Tokens/word*, or fertility: how many tokens a word takes{}. *Words "
    "in one*: how many words are a single token. *Vocabulary used*: how many of its tokens occur here. *Agreement*: "
    "of all cuts that it or the reference makes, how many both make."
)
UNKNOWN = (
    "*Unknown text*: the share of the characters (not counting white space) in unknown tokens or in no token. A "
    "tokenizer that loses text looks cheap."
)
# Names have up to 40 characters; pinned, they stay beside the figures as you scroll.
FORMATS["tokenizer"] = st.column_config.TextColumn(width=165, pinned=True)
RULES = (
    "A word is what spaces separate, punctuation included, so a text mostly in Thai, Chinese or another script without "
    "spaces between words has no figures of words. Press a heading to sort; select cells to copy them."
)


@dataclass(frozen=True)
class Comparison:
    """A text and its token spans under each tokenizer, without tokenizers whose split pattern does not end.

    The text is the part that is compared, "" if no tokenizer has spans. reference: the name of the tokenizer with
    which the others are compared.
    """

    text: str
    spans: dict[str, TokenSpans]
    reference: str


def show_numbers(comparison: Comparison) -> None:
    """Show the table, the price, and the button that measures the speed."""
    st.header("Numbers", anchor=False)
    table = st.container()
    problems: list[str] = []
    counts = _claude_counts_showing_errors(comparison)
    note_change = partial(st.session_state.update, compare_changed=True)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        price = show_option_widget(
            "price", st.number_input, "Price per million tokens", min_value=0.0, max_value=PRICE_MAX, step=0.1,
            format="%g", width=200, help="In any currency. 0 hides what this text costs.",
            on_change=note_change,
        )  # fmt: skip
        if st.session_state.pop("compare_changed", False):
            st.rerun()  # the whole page, which tells the tab what to keep
        if show_button("Measure speed", icon=":material/speed:", disabled=not comparison.text):
            problems = _measure_speeds_and_return_problems(comparison)
        measured_text, found = st.session_state.get("speeds", ("", {}))
        speeds: dict[str, Throughput] = found if measured_text == comparison.text else {}
        if len(comparison.spans) == 2 and comparison.text:
            show_dialog_button(
                "What changes", partial(_show_report, comparison), title="What changes", size="large",
                icon=":material/difference:",
            )  # fmt: skip
        rows = figure_table(comparison, speeds=speeds, price=price, counts=counts)
        show_file_button("Numbers as CSV", rows.to_csv(index=False).encode(), "numbers.csv")
    table.dataframe(
        with_shares_in_percent(rows), hide_index=True, column_config=FORMATS, key="numbers", placeholder="–"
    )
    with table:
        show_own_training_text_note_if_any(comparison.spans, shared_text())
    if problems:
        show_error("\n".join(problems), title="Some speeds could not be measured")
    if speeds:
        st.caption(_measurement_text(speeds))
    with st.expander("What the figures mean"):
        st.caption(definitions_text(rows))
        st.caption(" ".join([RULES, *([UNKNOWN] if "unknown" in rows else [])]))
    show_claude_picker(on_change=note_change)


def _claude_counts_showing_errors(comparison: Comparison) -> dict[str, int]:
    """Return how many tokens the text has under each count of Claude that is chosen."""
    counts = {}
    for name in chosen_claude_names() if comparison.spans else []:
        with show_errors("A count is left out"):
            (counts[name],) = claude_token_counts_within_limits(name, (comparison.text,))
    return counts


def _show_report(comparison: Comparison) -> None:
    """Show what changes from the reference to the other tokenizer, and a button that saves it."""
    before, after = sorted(comparison.spans, key=lambda name: name != comparison.reference)
    own = kept_named(before), kept_named(after)
    with st.spinner("Comparing"):
        sections = _report_sections((before, after), own, comparison.text)
    with st.container(key="report"):
        st.html(report_html(sections))
    show_file_button("Save as a page", report_page(sections), "what-changes.html", mime="text/html",
                     icon=":material/save:")  # fmt: skip


@recent(maxsize=8)
def _report_sections(names: tuple[str, str], own: tuple[AnyTokenizer | None, ...], text: str) -> Sections:
    """Return what changes from one tokenizer to another in the lines of a text; included ones are known by name."""
    left, right = (load(name) if each is None else each for name, each in zip(names, own, strict=True))
    return replacement_report(left, right, line_texts(text), names=names)


def figure_table(
    comparison: Comparison, *, speeds: Mapping[str, Throughput], price: float, counts: Mapping[str, int]
) -> pd.DataFrame:
    """Return the table of figures; figures that do not exist are missing (NaN).

    The columns "MB/s" and "cost" need speeds and a price; "unknown" is there only if a tokenizer has unknown
    text. counts: of tokens, by the names of more rows, which have no other figures of tokens.
    """
    of_reference = comparison.spans.get(comparison.reference)
    rows = []
    for name, spans in comparison.spans.items():
        row = _figure_row(name, tokenizer_named(name), spans, of_reference)
        if speeds:
            row["MB/s"] = speeds[name].bytes_per_second / 1e6 if name in speeds else None
        rows.append(row)
    for name, n in counts.items():
        rows.append(_size_figures(name, metrics(comparison.text, range(n))) | {"distinct": None})
    for row in rows if price else ():
        row["cost"] = row["tokens"] * price / 1e6
    table = without_column_if_all_zero(pd.DataFrame(rows))
    # Even if all are missing, so that they sort and show as numbers do.
    return table.astype({name: "Int64" if name == "distinct" else "float64" for name in table.columns[2:]})


def definitions_text(rows: pd.DataFrame) -> str:
    """Return in words what the figures are, with those of the first tokenizer as examples, if it has any.

    >>> definitions_text(pd.DataFrame([{"bytes per token": 4.25, "tokens per word": None}])).partition(". ")[0]
    '*Bytes/token*: how much text a token holds, 4.25 bytes in the first row'
    """
    units = {"bytes per token": "bytes", "tokens per word": "tokens"}
    found = {name: rows[name].iloc[0] if name in rows else None for name in units}
    examples = [
        f", {found[each]:.2f} {units[each]} in the first row" if pd.notna(found[each]) else "" for each in units
    ]
    return DEFINITIONS.format(*examples)


def with_shares_in_percent(table: pd.DataFrame) -> Styler:
    """Return a table that shows shares as percentages, and sorts and copies them as they are."""
    return table.style.format(share_text, subset=[name for name in SHARES if name in table], na_rep="–")


def share_text(share: Any) -> str:
    """Return a share as a percentage without decimals.

    >>> [share_text(share) for share in (0, 0.0004, 0.5455, 0.9999, 1)]
    ['0%', '<1%', '55%', '>99%', '100%']
    """
    if 0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1 else f"{share:.0%}"


def without_column_if_all_zero(table: pd.DataFrame, column: str = "unknown") -> pd.DataFrame:
    """Return a table without a column that holds only zeroes."""
    return table if column not in table or table[column].any() else table.drop(columns=column)


def _figure_row(name: str, tokenizer: AnyTokenizer, spans: TokenSpans, reference: TokenSpans | None) -> dict[str, Any]:
    """Return the figures of a tokenizer, by the names of columns."""
    figure = metrics(spans.text, spans.ids)
    ends = spans.byte_ends.tolist()
    return _size_figures(name, figure) | {
        "words in one token": share_of_one_token_words(spans),
        "unknown": unknown_text_figures(tokenizer, spans).share,
        "vocabulary used": figure.n_distinct / tokenizer.n_vocab,
        "agreement": agreement(reference.byte_ends.tolist(), ends) if reference and ends else None,
    }


def _size_figures(name: str, figure: Metrics) -> dict[str, Any]:
    """Return the figures that do not depend on where tokens begin and end, by the names of columns."""
    return {
        "tokenizer": full_name(name),
        "tokens": figure.n_tokens,
        "distinct": figure.n_distinct,
        "characters per token": figure.chars_per_token if figure.n_tokens else None,
        "bytes per token": figure.bytes_per_token if figure.n_tokens else None,
        "tokens per word": figure.fertility,
    }


def _measure_speeds_and_return_problems(comparison: Comparison) -> list[str]:
    """Measure how fast each tokenizer encodes the text, to keep until the text changes; return what went wrong."""
    found: dict[str, Throughput] = {}
    problems: list[str] = []
    for name in comparison.spans:
        try:
            if speed := throughput(tokenizer_named(name).encode, comparison.text):
                found[name] = speed
        except ValueError as e:
            problems.append(f"{name}: {e}")
    st.session_state.speeds = (comparison.text, found)
    return problems


def _measurement_text(speeds: Mapping[str, Throughput]) -> str:
    """Return in words how the speed was measured."""
    runs = min(speed.runs for speed in speeds.values())
    repeats = sorted({speed.repeats for speed in speeds.values()})
    copies = max(speed.copies for speed in speeds.values())
    what = "the whole text" if copies == 1 else f"{copies:,} copies of the text, joined into one text of 50 kB,"
    remembered = "" if copies == 1 else " Byte-level BPE looks up the pretokens that the copies repeat."
    times = f"{repeats[0]:,}" if len(repeats) == 1 else f"{repeats[0]:,} to {repeats[-1]:,}"
    return (
        f"*MB/s*: megabytes of text a second, just measured on this computer in one thread: the median of {runs} runs, "
        f"each of which encodes {what} {times} times from scratch.{remembered}"
    )
