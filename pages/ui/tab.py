"""What outlives a session of the server: the memory of a browser's tab.

The tab keeps options and tokenizers in its sessionStorage and gives them back to a new session, after a
reload or a lost connection; texts are kept by the views they are typed in.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any, TypeVar

import streamlit as st

from pages.ui.chat_rows import chat_rows, restore_rows
from pages.ui.components import Component, message_of
from pages.ui.kept import DEFAULTS, kept_values, restore_kept, session_id, superseded
from pages.ui.opened import Opened, opened_again, opened_as
from pages.ui.records import Trained, free_name, renamed, unpack_trained
from pages.ui.shelf import MAX_OPENED, MAX_TRAINED, opened_here, trained_here
from tokviz.pretrained import PRETRAINED

TAB_MEMORY = Component("tab_memory", ("storage", "tab_memory/component"))
Record = TypeVar("Record", Trained, Opened)
TRAINED_CHARACTERS_MAX = 2_000_000  # of packed tokenizers; a tab may store about five million


def remember() -> None:
    """Keep options and trained tokenizers in the tab; give a new session what the tab has."""
    kept_records, left_out = _records()
    value = {"options": kept_values(), "rows": [[row.key, row.role] for row in chat_rows()], **kept_records}
    TAB_MEMORY.show(
        key="tab_memory",
        data={
            "session": session_id(),
            "value": value,
            "restored": _tab().get("restored", False),
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
    """Take what the tab gives back, before the page runs.

    Streamlit may end a run at any reach into the session state, where another run is asked for. So whatever is
    done here can be done again, and is, until the tab is told that all of it came.
    """
    message = message_of("tab_memory")
    tab = _tab()
    if not message or message.get("session") != session_id() or tab.get("restored"):
        return
    given = message.get("kept") or {}
    trained, opened = trained_here(), opened_here()
    unpacked = tab.setdefault("unpacked", {})  # opening a large file again takes seconds: not to be done twice
    all_trained = _with_trained(_found(given.get("trained"), unpack_trained, unpacked), trained)
    found = _found(given.get("opened"), opened_again, unpacked)
    all_opened = _with_opened(found, opened, {*PRETRAINED, *all_trained}, unpacked)
    restore_kept(given.get("options"), only=set(DEFAULTS) - superseded())
    if "rows" not in superseded():
        restore_rows(given.get("rows"))
    # From here on nothing reaches into the session state, and all comes together.
    for here, restored in ((trained, all_trained), (opened, all_opened)):
        here.clear()
        here.update(restored)
    tab.pop("unpacked")
    tab["restored"] = True


def _tab() -> dict[str, Any]:
    """Return what is known of the tab: whether it gave back what it kept, and what is unpacked of that."""
    return st.session_state.setdefault("tab", {})


def _found(found: object, unpacked_one: Callable[[str], Record], unpacked: dict[Any, Any]) -> list[Record]:
    """Return the records of a tab; nobody misses those that cannot be read, of another version or written by hand."""
    records = []
    for packed in map(str, found if isinstance(found, list) else ()):
        with suppress(ValueError):
            if packed not in unpacked:
                unpacked[packed] = unpacked_one(packed)
            records.append(unpacked[packed])
    return records


def _with_trained(found: list[Trained], here: dict[str, Trained]) -> dict[str, Trained]:
    """Return the tab's tokenizers before those that came with a link or were trained meanwhile."""
    restored: dict[str, Trained] = {}
    for trained in found:
        if trained not in here.values():
            trained = renamed(trained, {*PRETRAINED, *here, *restored})
            restored[trained.tokenizer.name] = trained
    return dict([*restored.items(), *here.items()][-MAX_TRAINED:])


def _with_opened(
    found: list[Opened], here: dict[str, Opened], taken: Collection[str], unpacked: dict[Any, Any]
) -> dict[str, Opened]:
    """Return the tab's opened tokenizers before those that were opened meanwhile."""
    restored: dict[str, Opened] = {}
    for opened in found:
        if opened not in here.values():
            name = free_name(opened.tokenizer.name, {*taken, *here, *restored})
            if (id(opened), name) not in unpacked:
                unpacked[id(opened), name] = opened_as(opened, name)  # may read the whole file again
            restored[name] = unpacked[id(opened), name]
    return dict([*restored.items(), *here.items()][-MAX_OPENED:])
