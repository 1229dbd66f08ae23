"""What the browser remembers, which outlives a session of the server.

A live session has everything. A new one, after a reload or a lost connection, takes the link it was opened with, and
for the rest what the tab has kept in its sessionStorage: options and tokenizers here; texts come over the live socket
from their editors. Lasting options are in a cookie, so that later visits have them too.
"""

import json
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from urllib.parse import unquote

import streamlit as st

from pages.ui.merges.opening import take_back_opening
from pages.ui.options import OPTIONS, changed_options, overridden_by_link, restore_options, session_id
from pages.ui.playground.chat_rows import chat_rows, restore_rows
from pages.ui.session_tokenizers.tokenizer_list import (
    MAX_OPENED,
    MAX_TRAINED,
    Record,
    opened_tokenizers,
    trained_tokenizers,
)
from pages.ui.shared.components import Component, message_of
from tokviz.formats.pretrained import ENCODINGS
from tokviz.records.opened import Opened, renamed_opened, unpack_opened
from tokviz.records.trained import Trained, free_name, renamed, unpack_trained
from tokviz.system.sandbox import SandboxError

TRAINED_CHARACTERS_MAX = 2_000_000  # of packed tokenizers; a tab may store about five million


def remember(*, page_style: str | None = None) -> list[str]:
    """Keep options and tokenizers in the tab, and give a new session what the tab has.

    Return the names of the tokenizers that the tab has no room for. The component brings the page's style sheet along.
    """
    kept_records, left_out = _records()
    options = changed_options()
    value = {"options": options, "rows": [row.kept for row in chat_rows()], **kept_records}
    Component("tab_memory", page_style=page_style).show(
        key="tab_memory",
        data={
            "session": session_id(),
            "value": value,
            "lasting": {key: value for key, value in options.items() if OPTIONS[key].lasting},
            "restored": st.session_state.get("tab_restored", False),
        },
        on_message_change=_restore_tab,
    )
    return left_out


def restore_lasting() -> None:
    """Take, once for a session, the options that the browser has kept from earlier visits."""
    if "lasting" in st.session_state:
        return
    st.session_state.lasting = True
    cookie = st.context.cookies.get("tokviz")
    if isinstance(cookie, str):
        with suppress(ValueError, RecursionError):
            lasting = {key for key, option in OPTIONS.items() if option.lasting}
            restore_options(json.loads(unquote(cookie)), only=lasting)


def _records() -> tuple[dict[str, list[str]], list[str]]:
    """Return the packed tokenizers that the tab keeps, and the names of those it has no room for."""
    records: dict[str, list[str]] = {}
    left_out: list[str] = []
    room = TRAINED_CHARACTERS_MAX
    listed: dict[str, Mapping[str, Trained | Opened]] = {"trained": trained_tokenizers(), "opened": opened_tokenizers()}
    for kind, here in listed.items():
        records[kind] = []
        for name, record in reversed([*here.items()]):
            if record.packed is not None and len(record.packed) <= room:
                records[kind].insert(0, record.packed)
                room -= len(record.packed)
            else:
                left_out.append(name)
    return records, left_out


def _restore_tab() -> None:
    """Take what the tab gives back, before the page runs.

    The tab repeats it until it is told that it arrived. Options are then set again: if a run is cut short before it
    shows a widget, the browser's own value for that widget replaces the one it was given.
    """
    message = message_of("tab_memory")
    if not message or message.get("session") != session_id():
        return
    given = message.get("kept") or {}
    if not st.session_state.get("tab_restored"):
        take_back_opening()
        try:
            _restore_records(given)
        except SandboxError:
            return  # this machine is busy; the tab will send it again
    restore_options(given.get("options"), only=OPTIONS.keys() - overridden_by_link())
    st.session_state.tab_restored = True


def _restore_records(given: Mapping[str, object]) -> None:
    """Take the tokenizers and the messages of a chat."""
    trained, opened = trained_tokenizers(), opened_tokenizers()
    all_trained = _with_trained(_found(given.get("trained"), unpack_trained), trained)
    all_opened = _with_opened(_found(given.get("opened"), unpack_opened), opened, {*ENCODINGS, *all_trained})
    if "rows" not in overridden_by_link():
        restore_rows(given.get("rows"))
    trained.clear()
    trained.update(all_trained)
    opened.clear()
    opened.update(all_opened)


def _found(found: object, unpacked: Callable[[str], Record]) -> list[Record]:
    """Return the records of a tab, leaving out those that cannot be read: of another version, or written by hand.

    Raises SandboxError if this machine is too busy to read one.
    """
    records = []
    for packed in map(str, found if isinstance(found, list) else ()):
        try:
            records.append(unpacked(packed))
        except ValueError as e:
            if isinstance(e, SandboxError) and e.why == "busy":
                raise
    return records


def _with_trained(found: list[Trained], here: dict[str, Trained]) -> dict[str, Trained]:
    """Return the tab's tokenizers, then those that came with a link or were trained meanwhile."""
    restored: dict[str, Trained] = {}
    for trained in found:
        if trained not in here.values():
            trained = renamed(trained, {*ENCODINGS, *here, *restored})
            restored[trained.tokenizer.name] = trained
    return dict([*restored.items(), *here.items()][-MAX_TRAINED:])


def _with_opened(found: list[Opened], here: dict[str, Opened], taken: Collection[str]) -> dict[str, Opened]:
    """Return the tab's opened tokenizers, then those that were opened meanwhile."""
    restored: dict[str, Opened] = {}
    for opened in found:
        if opened not in here.values():
            name = free_name(opened.tokenizer.name, {*taken, *here, *restored})
            restored[name] = renamed_opened(opened, name)  # may read the whole file again
    return dict([*restored.items(), *here.items()][-MAX_OPENED:])
