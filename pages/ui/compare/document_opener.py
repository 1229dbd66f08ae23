"""A document of a corpus, opened in the playground."""

import streamlit as st

from pages.ui.options import set_option
from pages.ui.pages import PLAYGROUND
from pages.ui.playground.chat_rows import ROWS_MAX, set_rows
from pages.ui.session_tokenizers.tokenizer_list import tokenizer_names
from pages.ui.shared.text import set_text
from tokviz.chats.prompt import ROLES
from tokviz.core.pretokens import well_formed
from tokviz.dataset.documents import Chat, said
from tokviz.dataset.lengths import LongDocument
from tokviz.jobs.corpus_run import CorpusRun


def open_document(run: CorpusRun, tokenizer: str, place: LongDocument) -> None:
    """Open the playground with a document under a tokenizer: a text, a prompt with its completion, or a chat."""
    document = run.document(place.file, place.line)
    if isinstance(document, Chat):
        _show_chat(document, run.documents[tokenizer].chat_format.name)
    else:
        set_text("".join(said(document)))
    set_option("input", "Chat" if isinstance(document, Chat) else "Text")
    set_option("allow_special", False)
    if tokenizer in tokenizer_names():
        set_option("tokenizer", tokenizer)
    st.switch_page(PLAYGROUND.script)


def _show_chat(chat: Chat, chat_format: str) -> None:
    """Show as much of a chat as the playground takes, and say if that is not all."""
    shown = [message for message in chat.messages if message.role in ROLES][:ROWS_MAX]
    set_option("chat_format", chat_format)
    set_option("chat_reply", False)
    set_rows([[each.role, well_formed(each.content), each.channel, each.recipient] for each in shown])
    if len(shown) < len(chat.messages):
        st.session_state.problem = (
            f"The playground shows {len(shown)} of the {len(chat.messages):,} messages: it takes {ROWS_MAX}, of the "
            f"roles {', '.join(ROLES)}."
        )
