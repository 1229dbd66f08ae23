"""The audit of a vocabulary: what was found of its tokens, each list to see in the table above, and a report."""

from functools import partial

import pandas as pd
import streamlit as st

from pages.ui.shared.buttons import show_file_button
from pages.ui.vocabulary.vocabulary_view import request_search
from tokviz import AnyTokenizer, Tokenizer
from tokviz.live.views.vocabulary_data import FINDING_LABELS
from tokviz.vocabulary.audit import FINDINGS
from tokviz.vocabulary.findings import FORMATS, audit_report, findings, findings_if_known

SUFFIXES = {"JSON": "json", "CSV": "csv", "Markdown": "md"}
ABOUT = (
    "Some tokens are in no text, or in few; some nearly repeat another; some a model has hardly been trained on, which "
    "only its weights can prove. Press a count to see its tokens in the table."
)


def show_audit(tokenizer: AnyTokenizer) -> None:
    """Show what an audit found, once it is known; one that takes a while says so."""
    if not isinstance(tokenizer, Tokenizer):
        st.info("The audit needs a BPE tokenizer whose merges are known.")
        return
    st.caption(ABOUT)
    if findings_if_known(tokenizer) is None:
        with st.spinner("Auditing all tokens…", show_time=True):
            findings(tokenizer)
        st.rerun()  # the table above has them too
    found = findings(tokenizer)
    with st.container(gap="xsmall"):
        for name, n_tokens in found.counts.items():
            _show_finding(name, n_tokens)
    _show_report_buttons(tokenizer)
    if found.special:
        st.caption("Special tokens, and their ids where a program encodes them as plain text")
        rows = [(one.token_id, one.text, " ".join(map(str, one.plain_ids))) for one in found.special]
        table = pd.DataFrame(rows, columns=["id", "special token", "as plain text"])
        st.dataframe(table, hide_index=True, width="content")


def _show_finding(name: str, n_tokens: int) -> None:
    """Show how many tokens have a finding, on a button that has the table above show only those."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        pressed = st.button(
            f"{n_tokens:,} · {FINDING_LABELS.get(name, name)}",
            key=f"_finding {name}",
            width=300,
            disabled=not n_tokens,
            on_click=request_search,
            args=({"finding": name},),
        )
        if pressed:
            st.rerun()
        st.caption(FINDINGS[name][0], width="stretch")


def _show_report_buttons(tokenizer: Tokenizer) -> None:
    """Show the buttons that download the report."""
    with st.popover("Report", icon=":material/download:", key="audit report"):
        st.caption("The candidates for under-training, with the findings for each. This takes a few seconds.")
        for kind in FORMATS:
            file = partial(audit_report, tokenizer, kind)
            show_file_button(kind, file, f"{tokenizer.name} audit.{SUFFIXES[kind]}", icon=None)
