"""The documents of a corpus in tokens: how long they are, what a context window cuts off, and the longest of them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from pages.ui.compare.numbers import FORMATS
from pages.ui.options import option_value, set_option, show_option_widget
from pages.ui.pages import PLAYGROUND
from pages.ui.playground.chat_formats import MINE, OWN_TEMPLATE, USUAL, chat_format, chat_format_names
from pages.ui.playground.chat_rows import ROWS_MAX, set_rows
from pages.ui.session_tokenizers.tokenizer_list import tokenizer_names
from pages.ui.shared.buttons import show_button, show_file_button
from pages.ui.shared.charts import COLOURS, legend_labels, show_chart
from pages.ui.shared.live import document
from pages.ui.shared.messages import show_errors
from pages.ui.shared.text import set_shared_text
from tokviz import AnyTokenizer
from tokviz.chats.formats import ChatFormat, ChatML, Harmony
from tokviz.chats.prompt import ROLES
from tokviz.chats.teaching import TEMPLATES
from tokviz.core.pretokens import well_formed_text
from tokviz.corpus.documents import Chat, document_texts
from tokviz.corpus.figures import (
    bin_name,
    dataset_figures,
    dataset_record,
    histogram_rows,
    length_heads,
    parts_with_tokens,
)
from tokviz.corpus.lengths import LongDocument
from tokviz.corpus.token_counts import SCAFFOLDING, DatasetCount
from tokviz.formats.pretrained import full_name
from tokviz.jobs.corpus_run import CorpusRun

WINDOW_MAX = 100_000_000
LENGTHS = (
    "All figures are in tokens. *Median* and *95%*: half of the documents, and 95% of them, are no longer than "
    "this. *Lost*: tokens beyond the context window, which truncation drops. Prompt and completion are encoded "
    "separately."
)
CHATS = (
    "A chat is counted as a prompt in the format shown. A token that holds part of a message counts for its role; all "
    "others are *scaffolding*."
)
WHOLE = st.column_config.NumberColumn(format="localized")


def show_chat_format_choice() -> None:
    """Show the choice of the format of chats."""
    names = ["", ChatML.name, Harmony.name, *TEMPLATES, MINE]
    show_option_widget("corpus_format", st.selectbox, "Format of chats", options=names, width=230,
                       format_func=lambda name: name or USUAL)  # fmt: skip


def chosen_chat_formats(tokenizers: Sequence[AnyTokenizer]) -> tuple[ChatFormat, ...]:
    """Return the chosen format of chats for each tokenizer; by default its file's template, or markers.

    A template for teaching takes 10 ms a chat, markers less than a tenth.
    """
    document(OWN_TEMPLATE, TEMPLATES["Headings"])
    usual = [next(name for name in chat_format_names(one) if name not in TEMPLATES) for one in tokenizers]
    return tuple(
        chat_format(option_value("corpus_format") or name, one) for name, one in zip(usual, tokenizers, strict=True)
    )


def show_document_figures(run: CorpusRun) -> None:
    """Show the figures of a count of documents: tables, a histogram, files to download, the longest documents."""
    counts = run.documents
    window = show_option_widget("window", st.number_input, "Context window, in tokens", min_value=1,
                                max_value=WINDOW_MAX, step=1_024, width=200)  # fmt: skip
    lengths = document_length_table(counts, window)
    st.dataframe(lengths, hide_index=True, column_config=_column_formats(lengths), placeholder="–")
    if (parts := tokens_by_part_table_or_none(counts)) is not None:
        share = {SCAFFOLDING + " share": st.column_config.NumberColumn("of all", format="percent")}
        st.dataframe(parts, hide_index=True, column_config=_column_formats(parts) | share, placeholder="–")
    has_chats = parts is not None and SCAFFOLDING in parts
    st.caption(f"{LENGTHS} {CHATS}" if has_chats else LENGTHS)
    if any(count.tokens.n_documents for count in counts.values()):
        named = legend_labels(counts)
        counted = ", ".join(f"{named[name]}: {count.tokens.n_documents:,} documents" for name, count in counts.items())
        show_chart(document_length_histogram(counts), "documents", title="Documents by their number of tokens",
                   caption=counted, alt_text="Histogram: documents by their number of tokens")  # fmt: skip
    _show_download_buttons(counts, lengths, parts, window)
    _show_longest_documents(run)
    _show_omissions_if_any(run)


def document_length_table(counts: Mapping[str, DatasetCount], window: int) -> pd.DataFrame:
    """Return a row for each tokenizer with the lengths of documents; "not counted" only where some are not."""
    heads = length_heads(window)
    figures = pd.DataFrame(dataset_figures(full_name(name), count, window) for name, count in counts.items())
    table = figures[[*heads]].rename(columns=heads)
    if figures["n_uncounted"].any():
        table.insert(2, "not counted", figures["n_uncounted"])
    return table


def tokens_by_part_table_or_none(counts: Mapping[str, DatasetCount]) -> pd.DataFrame | None:
    """Return a row for each tokenizer with the tokens of each part of documents; None if they are only texts."""
    parts = parts_with_tokens(counts.values())
    if parts in ([], ["text"]):
        return None
    rows = []
    for name, count in counts.items():
        tokens = count.tokens
        row: dict[str, object] = {"tokenizer": full_name(name)} | {part: tokens.by_part[part] for part in parts}
        if SCAFFOLDING in parts:
            row[f"{SCAFFOLDING} share"] = tokens.by_part[SCAFFOLDING] / max(1, tokens.n_tokens)
            row["chat format"] = count.chat_format.name
        rows.append(row)
    return pd.DataFrame(rows)


def document_length_histogram(counts: Mapping[str, DatasetCount]) -> alt.Chart:
    """Return bars for the documents in each bin of lengths, one for each tokenizer."""
    names = list(legend_labels(counts).values())
    rows = histogram_rows(counts.values())
    bins = [bin_name(ends) for ends, _ in rows]
    bars = pd.DataFrame(
        [
            {"tokens": length, "tokenizer": name, "documents": n}
            for length, (_, numbers) in zip(bins, rows, strict=True)
            for name, n in zip(names, numbers, strict=True)
        ]
    )
    legend = alt.Legend(title=None, orient="top", columns=3, labelLimit=200)
    return (
        alt.Chart(bars, height=340)
        .mark_bar()
        .encode(
            x=alt.X("tokens:N", sort=bins, title="tokens in a document", axis=alt.Axis(labelAngle=-35)),
            xOffset=alt.XOffset("tokenizer:N", sort=names),
            y=alt.Y("documents:Q", axis=alt.Axis(format=",d", tickMinStep=1)),
            color=alt.Color("tokenizer:N", legend=legend, sort=names, scale=alt.Scale(domain=names, range=COLOURS)),
            tooltip=["tokenizer:N", "tokens:N", alt.Tooltip("documents:Q", format=",")],
        )
    )


def _column_formats(table: pd.DataFrame) -> dict[str, Any]:
    """Return how the columns of a table are formatted, by their names."""
    whole: dict[str, Any] = {name: WHOLE for name in table.columns if name not in ("tokenizer", "chat format")}
    return whole | {"tokenizer": FORMATS["tokenizer"]}


def _show_download_buttons(
    counts: Mapping[str, DatasetCount], lengths: pd.DataFrame, parts: pd.DataFrame | None, window: int
) -> None:
    """Show the buttons that download the figures."""
    table = lengths if parts is None else lengths.merge(parts, on="tokenizer")
    everything = [dataset_record(name, count, window) for name, count in counts.items()]
    with st.container(horizontal=True, gap="small"):
        for label, data, suffix in (
            ("Table as CSV", table.to_csv(index=False), "csv"),
            ("All as JSON", json.dumps(everything, ensure_ascii=False), "json"),
        ):
            show_file_button(label, data.encode("utf-8", "replace"), f"documents.{suffix}", type="tertiary")


def _show_longest_documents(run: CorpusRun) -> None:
    """Show the longest documents under a tokenizer, each with a button that opens it in the playground."""
    st.header("Longest documents", anchor=False)
    name = st.selectbox("Under", options=list(run.documents), format_func=full_name, key="_longest_under", width=300,
                        label_visibility="collapsed")  # fmt: skip
    count = run.documents[name]
    with st.container(gap=None):
        for number, each in enumerate(count.tokens.longest_documents(), 1):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                is_pressed = show_button(f"Open document {number}", type="tertiary", icon=PLAYGROUND.icon)
                st.text(f"{each.n_tokens:,} tokens: {each.file}, line {each.line}")
                if is_pressed:
                    with show_errors():
                        open_document_in_playground(run, name, each)


def open_document_in_playground(run: CorpusRun, tokenizer: str, place: LongDocument) -> None:
    """Open the playground with a document under a tokenizer: a text, a prompt with its completion, or a chat."""
    found = run.document_at(place.file, place.line)
    if isinstance(found, Chat):
        _set_as_much_of_chat_as_fits(found, run.documents[tokenizer].chat_format.name)
    else:
        set_shared_text("".join(document_texts(found)))
    set_option("input", "Chat" if isinstance(found, Chat) else "Text")
    set_option("allow_special", False)
    if tokenizer in tokenizer_names():
        set_option("tokenizer", tokenizer)
    st.switch_page(PLAYGROUND.script)


def _set_as_much_of_chat_as_fits(chat: Chat, chat_format: str) -> None:
    """Show as much of a chat as the playground takes, and say if that is not all."""
    shown = [message for message in chat.messages if message.role in ROLES][:ROWS_MAX]
    set_option("chat_format", chat_format)
    set_option("chat_reply", False)
    set_rows([[each.role, well_formed_text(each.content), each.channel, each.recipient] for each in shown])
    if len(shown) < len(chat.messages):
        st.session_state.problem = (
            f"The playground shows {len(shown)} of the {len(chat.messages):,} messages: at most {ROWS_MAX}, with the "
            f"roles {', '.join(ROLES)}."
        )


def _show_omissions_if_any(run: CorpusRun) -> None:
    """Show the lines that hold no document, and the documents that could not be counted, by file and line."""
    counts = run.documents.values()
    total = run.n_bad + sum(count.n_uncounted for count in counts)
    if not total:
        return
    bad = [*run.bad_lines, *(each for count in counts for each in count.uncounted)]
    with st.expander(f"Left out: {total:,}" if len(bad) == total else f"Left out: {total:,}; the first {len(bad):,}"):
        rows = [(each.file, each.line, each.reason) for each in bad]
        st.dataframe(pd.DataFrame(rows, columns=["file", "line", "reason"]), hide_index=True, height=260)
