"""What the browser remembers, which outlives a session of the server.

A live session has everything. A new one, after a reload or a lost connection, takes the link it was opened with, and
for the rest what the tab has kept in its sessionStorage: values and tokenizers here; texts come over the live socket
from their editors. Lasting options are in a cookie, so that later visits have them too.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import unquote

import streamlit as st

from pages.ui.holding import keys_set_by_link, restore_values
from pages.ui.merges.opening import undo_opening_if_any
from pages.ui.options import OPTIONS, Option, session_id
from pages.ui.session_contents import remembered_values, session_contents
from pages.ui.session_tokenizers.tokenizer_list import kept_tokenizers, set_newest_tokenizers_of_each_kind
from pages.ui.shared.components import Component
from tokviz.formats.pretrained import ENCODINGS
from tokviz.records.session_tokenizer import Kept, unpack_kept
from tokviz.system.sandbox import SandboxError, is_busy_error

RECORDS_CHARACTERS_MAX = 2_000_000  # of packed tokenizers; a tab may store about five million


def sync_tab_memory_and_return_omitted_names(*, page_style: str | None = None) -> list[str]:
    """Keep values and tokenizers in the tab, and give a new session what the tab has.

    Return the names of the tokenizers that the tab has no room for. The component brings the page's style sheet along.
    """
    records, left_out = _records_and_omitted_names()
    values, lasting = remembered_values(), _lasting_options()
    Component("tab_memory", page_style=page_style).show(
        key="tab_memory",
        data={
            "session": session_id(),
            "value": {"values": values, "tokenizers": records},
            "lasting": {key: value for key, value in values.items() if key in lasting},
            "restored": st.session_state.get("tab_restored", False),
        },
        message=_restore_from_tab,
    )
    return left_out


def restore_lasting_options_once() -> None:
    """Take, once for a session, the options that the browser has kept from earlier visits."""
    if "lasting" in st.session_state:
        return
    st.session_state.lasting = True
    cookie = st.context.cookies.get("tokviz")
    if isinstance(cookie, str):
        with suppress(ValueError, RecursionError):
            values = json.loads(unquote(cookie))
            if isinstance(values, dict):
                restore_values(values, _lasting_options())


def _lasting_options() -> dict[str, Option]:
    """Return the options that later visits have too."""
    return {key: option for key, option in OPTIONS.items() if option.lasting}


def _records_and_omitted_names() -> tuple[list[str], list[str]]:
    """Return the packed tokenizers that the tab keeps, and the names of those it has no room for."""
    records: list[str] = []
    left_out: list[str] = []
    room = RECORDS_CHARACTERS_MAX
    for name, kept in reversed([*kept_tokenizers().items()]):
        if kept.packed_record is not None and len(kept.packed_record) <= room:
            records.insert(0, kept.packed_record)
            room -= len(kept.packed_record)
        else:
            left_out.append(name)
    return records, left_out


def _restore_from_tab(message: dict[str, Any]) -> None:
    """Take what the tab gives back, before the page runs.

    The tab repeats it until it is told that it arrived. Options are then set again: if a run is cut short before it
    shows a widget, the browser's own value for that widget replaces the one it was given.
    """
    if message.get("session") != session_id():
        return
    given = message.get("kept") or {}
    again = st.session_state.get("tab_restored")
    if not again:
        undo_opening_if_any()
        try:
            _restore_tokenizers(given)
        except SandboxError:
            return  # this machine is busy; the tab will send it again
    holdings, kept_by_link = OPTIONS if again else session_contents(), keys_set_by_link()
    values = given.get("values")
    if isinstance(values, dict):
        restore_values(values, {key: holding for key, holding in holdings.items() if key not in kept_by_link})
    st.session_state.tab_restored = True


def _restore_tokenizers(given: Mapping[str, object]) -> None:
    """Take the tokenizers, before those of a link and those made meanwhile.

    Those that cannot be read, of another version or written by hand, are left out. Raises SandboxError if this machine
    is too busy to read one.
    """
    records = given.get("tokenizers")
    here = kept_tokenizers()
    restored: dict[str, Kept[Any]] = {}
    for packed in map(str, records if isinstance(records, list) else []):
        try:
            kept = unpack_kept(packed)
        except ValueError as e:
            if is_busy_error(e):
                raise
            continue
        if kept not in here.values():
            kept = kept.with_free_name({*ENCODINGS, *here, *restored})
            restored[kept.name] = kept
    set_newest_tokenizers_of_each_kind({**restored, **here})
