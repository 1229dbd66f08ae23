"""The same conversation under several tokenizers, each in its own format: tokens, scaffolding, and what a turn adds."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from pages.ui.options import option_value, option_widget
from pages.ui.playground.chat_formats import chat_format, chosen_format_name, format_names
from pages.ui.session_tokenizers.tokenizer_list import chosen_name, tokenizer_named, tokenizer_names
from tokviz.chats.formats import checked_prompt
from tokviz.chats.prompt import Message, prompt_spans, shares


def chat_comparison(messages: Sequence[Message]) -> None:
    """Show the switch, and the table if it is on."""
    if not option_widget("chat_compared", st.toggle, "Compare with other models"):
        return
    rows = list(_rows(messages))
    table = pd.DataFrame(rows)
    st.dataframe(table, hide_index=True)
    st.caption(
        "Each tokenizer in its own format: that of its file, harmony for o200k_harmony, ChatML for other byte-level "
        "ones; the chosen one in the format above. A column for each message says what it adds, and in brackets how "
        "many of these tokens are scaffolding. The tokenizers are those of Compare."
    )


def _rows(messages: Sequence[Message]) -> Iterator[dict[str, Any]]:
    """Yield a row for each tokenizer: the numbers, or what is in the way."""
    chosen = chosen_name()
    known = tokenizer_names()
    for name in dict.fromkeys([chosen, *(each for each in option_value("compared") if each in known)]):
        base = tokenizer_named(name)
        kind = chosen_format_name(base) if name == chosen else format_names(base)[0]
        row: dict[str, Any] = {"tokenizer": name, "format": kind}
        try:
            made = chat_format(kind, base)
            tokenizer = made.tokenizer(base)
            prompt = checked_prompt(made, messages, reply=option_value("chat_reply"))
            spans = prompt_spans(tokenizer, prompt)
        except ValueError as e:
            yield row | {"problem": str(e)}
            continue
        before, each, reply = shares(prompt, spans)
        told = [before, *(share for share in each if share), reply]
        n_scaffolding = sum(share.n_scaffolding for share in told)
        row |= {"tokens": len(spans), "scaffolding": n_scaffolding, "before all": before.n_tokens}
        row |= {
            f"{number} {message.role}": f"{share.n_tokens:,} ({share.n_scaffolding:,})" if share else "left out"
            for number, (message, share) in enumerate(zip(messages, each, strict=True), 1)
        }
        yield row
