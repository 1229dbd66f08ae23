"""What outlives a session of the server: the memory of a browser's tab, and a link.

The tab keeps options and trained tokenizers in its sessionStorage and gives them back to a new session,
after a reload or a lost connection; texts are kept by the views they are typed in. A link carries what
one page shows, made only on request.
"""

from contextlib import suppress
from typing import Any

import streamlit as st

from pages.ui.chat_rows import chat_rows, restore_rows
from pages.ui.components import message_of, registered
from pages.ui.kept import DEFAULTS, kept_values, restore_kept, session_id, superseded
from pages.ui.opened import opened_again
from pages.ui.records import Trained, pack, renamed, unpack, unpack_trained
from pages.ui.shelf import opened_here, put_on_shelf, put_opened, trained_here
from pages.ui.text import save_text
from pages.ui.words import errors_in_words
from tokviz.lessons import EXAMPLES
from tokviz.pretrained import PRETRAINED

SCRIPTS = ("storage", "tab_memory/component")
TRAINED_CHARACTERS_MAX = 2_000_000  # of packed tokenizers; a tab may store about five million
LINK_OPTIONS = (
    "tokenizer", "input", "allow_special", "step", "look", "cut_pattern", "own_pattern", "cut_off",
    "lesson", "presenting", "slide", *EXAMPLES,
)  # fmt: skip
LINK_CHARACTERS_MAX = 64_000  # servers and browsers take so much in an address, and refuse some more


def remember() -> None:
    """Keep options and trained tokenizers in the tab; give a new session what the tab has."""
    kept_records, left_out = _records()
    value = {"options": kept_values(), "rows": [[row.key, row.role] for row in chat_rows()], **kept_records}
    registered("tab_memory", SCRIPTS)(
        key="tab_memory",
        data={
            "session": session_id(),
            "value": value,
            "restored": st.session_state.get("tab_restored", False),
        },
        on_message_change=_restore_tab,
    )
    if left_out:
        st.text("A reload loses these tokenizers, too large for the tab's memory: " + ", ".join(left_out))


def _records() -> tuple[dict[str, list[str]], list[str]]:
    """Return the packed tokenizers the tab keeps, and the names of those it has no room for."""
    records: dict[str, list[str]] = {}
    left_out: list[str] = []
    room = TRAINED_CHARACTERS_MAX
    for kind, here in (("trained", trained_here()), ("opened", opened_here())):
        records[kind] = []
        for name, record in reversed(here.items()):
            if record.packed is not None and len(record.packed) <= room:
                records[kind].insert(0, record.packed)
                room -= len(record.packed)
            else:
                left_out.append(name)
    return records, left_out


def _restore_tab() -> None:
    """Take what the tab gives back, before the page runs."""
    message = message_of("tab_memory")
    if not message or message.get("session") != session_id() or st.session_state.get("tab_restored"):
        return
    st.session_state.tab_restored = True
    given = message.get("kept") or {}
    _restore_trained(given.get("trained"))
    _restore_opened(given.get("opened"))
    restore_kept(given.get("options"), only=set(DEFAULTS) - superseded())
    if "rows" not in superseded():
        restore_rows(given.get("rows"))


def _restore_trained(found: object) -> None:
    """Put the tab's tokenizers on the shelf, before those that came with a link or were trained meanwhile."""
    here = list(trained_here().values())
    trained_here().clear()
    for packed in found if isinstance(found, list) else ():
        trained = _unpacked(packed)
        if trained is not None and trained not in here:
            put_on_shelf(renamed(trained, {*PRETRAINED, *(newer.tokenizer.name for newer in here)}))
    for trained in here:
        put_on_shelf(trained)


def _restore_opened(found: object) -> None:
    """Put the tab's opened tokenizers on the shelf, before those that were opened meanwhile."""
    here = dict(opened_here())
    opened_here().clear()
    for packed in found if isinstance(found, list) else ():
        with suppress(ValueError):  # as for trained ones
            opened = opened_again(str(packed))
            if opened.tokenizer.name not in (*here, *PRETRAINED, *trained_here()):
                put_opened(opened)
    for opened in here.values():
        put_opened(opened)


def _unpacked(packed: object) -> Trained | None:
    try:
        return unpack_trained(str(packed))
    except ValueError:
        return None  # written by another version, or by hand: nobody misses what cannot be read


def link(**shown: Any) -> str:
    """Return the address that shows this again: values for `take_link`, and the tokenizer they name if trained here.

    Raises ValueError where it would be too long.
    """
    trained = trained_here().get(shown["options"].get("tokenizer"))
    value = {**shown, "trained": trained and trained.packed}
    address = f"{(st.context.url or '').split('?')[0].rstrip('/')}/?s={pack(value)}"
    if len(address) > LINK_CHARACTERS_MAX:
        raise ValueError(
            f"The link would have {len(address):,} characters, and browsers and servers agree on no more than "
            f"{LINK_CHARACTERS_MAX:,}. Share a shorter text, or a tokenizer with fewer merges."
        )
    return address


def show_link(holds: str, **shown: Any) -> None:
    """Show the link to what is shown, in a dialog; `holds` says in words what it carries."""
    with errors_in_words():
        address = link(**shown)
        st.caption(
            f"The link itself holds {holds}, and the tokenizer if it was trained here; nothing is stored anywhere. "
            "To open it on another computer, put the address of a tokviz that runs there in place of the beginning."
        )
        st.code(address, language=None, wrap_lines=True, height=200 if len(address) > 600 else "content")


def take_link() -> None:
    """Show what the link says that opened this session, once."""
    if "s" not in st.query_params:
        return
    packed = st.query_params["s"]
    st.query_params.clear()
    try:
        shown = unpack(packed)
        if not isinstance(shown, dict):
            raise ValueError("it holds no page")
        if not isinstance(shown.get("options") or {}, dict):
            raise ValueError("its options have no names")
        options = dict(shown.get("options") or {})
        if shown.get("trained"):
            trained = renamed(unpack_trained(str(shown["trained"])), PRETRAINED)
            put_on_shelf(trained)
            options["tokenizer"] = trained.tokenizer.name
    except (TypeError, ValueError) as e:
        st.session_state.problem = f"The link cannot be read: {e}. It may have been cut short on its way."
        return
    restore_kept(options, only=LINK_OPTIONS)
    superseded().update(options)
    if "rows" in shown:
        superseded().add("rows")
        restore_rows(shown["rows"])
    if isinstance(shown.get("text"), str):
        save_text(shown["text"])
    if isinstance(shown.get("ids"), str):
        superseded().add("ids")
        st.session_state.ids_text = shown["ids"]
