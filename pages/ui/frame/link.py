"""The link to a page: an address that shows it again, with its text, its options and the tokenizers they name.

A link is made only on request and holds everything it shows; nothing is stored. One that is opened may come from
anyone, so every value in it is checked.
"""

import socket
from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import segno
import streamlit as st

from pages.ui.holding import keys_set_by_link, restore_values
from pages.ui.options import OPTIONS, set_option
from pages.ui.pages import Page
from pages.ui.session_contents import linked_values, session_contents
from pages.ui.session_tokenizers.tokenizer_list import (
    NAMING,
    add_tokenizer,
    choose_and_compare_tokenizer,
    kept_tokenizers,
    name_to_choose_or_explain,
    tokenizer_names,
    with_other_names,
)
from pages.ui.shared.components import Component
from pages.ui.shared.messages import show_errors
from tokviz.formats.elsewhere import reason_not_included
from tokviz.formats.pretrained import PRETRAINED, short_name
from tokviz.live.document import FullError
from tokviz.records.link import RECORDS_MAX, link_contents
from tokviz.records.packing import pack
from tokviz.records.session_tokenizer import clean_name
from tokviz.server.guard import LOOPBACK
from tokviz.system.installation import IS_CHECKOUT
from tokviz.system.sandbox import is_busy_error

TOKENIZER = "tokenizer"  # in the address: the name of an included one, or of a model
CARRIED = [key for key in NAMING if not OPTIONS[key].among]  # others name one that another option names too
QR_CHARACTERS_MAX = 900  # more make dots that a camera cannot tell apart on a projected page
COPY_BUTTON = Component("action_button", ("action_button",))
LINK_CHARACTERS_MAX = 64_000  # servers and browsers accept this much in an address, but not much more


def address_and_omitted_names(values: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the address that shows this again, and the names of the tokenizers it has no room for.

    values: of `session_contents`, by their keys. The link carries the tokenizers trained or opened here that the
    options name, as long as there is room. Raises ValueError if the address is too long even without any.
    """
    contents = dict(values)
    carried: list[str] = []
    left_out = []
    here = kept_tokenizers()
    named = [name for name in dict.fromkeys(_tokenizer_names_in_values(contents)) if name in here]
    for name in sorted(named, key=lambda name: len(here[name].packed_record or "") or 10**9):  # to carry most of them
        packed = here[name].packed_record or ""
        tried = contents | {"tokenizers": [*carried, packed]}
        if 0 < len(packed) <= LINK_CHARACTERS_MAX and len(_link_address(tried)) <= LINK_CHARACTERS_MAX:
            carried.append(packed)
        else:
            left_out.append(name)
    for key in contents.keys() & {*CARRIED}:
        stay = [name for name in _as_list(contents[key]) if name not in left_out]
        if not stay:
            del contents[key]
        elif isinstance(contents[key], list):
            contents[key] = stay
    address = _link_address(contents | {"missing": left_out, "tokenizers": carried})
    if len(address) > LINK_CHARACTERS_MAX:
        raise ValueError(
            f"The link would have {len(address):,} characters, but browsers and servers accept no more than "
            f"{LINK_CHARACTERS_MAX:,}. Share a shorter text."
        )
    return address, left_out


def _link_address(contents: Mapping[str, Any]) -> str:
    """Return the address that holds these contents."""
    return f"{(st.context.url or '').split('?')[0].rstrip('/')}/?s={pack(contents)}"


def show_link(page: Page) -> None:
    """Show, in a dialog, the link to a page as it is."""
    with show_errors():
        values = linked_values(page)
        address, left_out = address_and_omitted_names(values)
        st.caption(
            f"The link holds {page.holds}, and the tokenizers trained or opened here. Nothing is stored anywhere else."
        )
        if left_out:
            st.warning("These tokenizers are too large for a link. Anybody who opens it needs their files:")
            st.text("\n".join(left_out))
            if {values.get(key) for key in ("tokenizer", "merges_tokenizer")} & {*left_out}:
                st.text("Instead of the tokenizer chosen here, the link shows GPT-4.")
            compared = values.get("compared", ())
            if compared and set(compared) <= set(left_out):
                st.text(f"Instead of those compared here, the link shows {', '.join(map(short_name, PRETRAINED))}.")
        COPY_BUTTON.show(key="copy_link", data={"label": "Copy link", "text": address})
        st.code(address, language=None, wrap_lines=True, height=120 if len(address) > 200 else "content")
        if urlsplit(address).hostname in LOOPBACK:
            st.info("This link opens on this computer only.")
            with st.expander("Share it with a room"):
                st.markdown(serving_instructions())
        else:
            show_qr_code_or_why_not(address)


def show_qr_code_or_why_not(address: str) -> None:
    """Show an address for the cameras of phones, if it is short enough for them."""
    if len(address) > QR_CHARACTERS_MAX:
        st.caption("The link is too long for a QR code that a phone can read. Share a shorter text.")
        return
    picture = BytesIO()
    segno.make(address, error="l", micro=False).save(picture, kind="png", scale=6)
    st.image(picture.getvalue(), caption="Scan to open this page", width=360)


def serving_instructions() -> str:
    """Say how others can reach a page that only this computer shows."""
    room = own_ip_address()
    serve = "make serve HOST=" if IS_CHECKOUT else "tokviz serve --host "
    command = f"`{serve}{room or '…'}`"
    where = f"at `http://{room}:8501`" if room else "at that address"
    return (
        f"Stop tokviz and run {command}. Everybody on the same network can then open the page {where}, and links made "
        "there work for everyone."
    )


def own_ip_address() -> str | None:
    """Return the numeric address of this machine in its network, None if it is in none; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation (RFC 5737): only a route is looked up
        except OSError:
            return None
        return probe.getsockname()[0]


def apply_opening_link_if_any() -> None:
    """Show, once, what the link that opened this session holds, or the tokenizer that its address names."""
    if TOKENIZER in st.query_params and (found := name_to_choose_or_explain(st.query_params.pop(TOKENIZER))):
        choose_and_compare_tokenizer(found)
        keys_set_by_link().update({"tokenizer", "merges_tokenizer", "compared"})
    if "s" not in st.query_params:
        return
    packed = st.query_params["s"]
    st.query_params.clear()
    try:
        contents = link_contents(packed, kept_tokenizers())
    except (TypeError, ValueError, RecursionError) as e:
        is_busy = is_busy_error(e)
        way_out = "Open the link again" if is_busy else "Copy it again, all of it"
        st.session_state.problem = f"The link cannot be read: {e}. {way_out}."
        return
    names = {kept.given_name: add_tokenizer(kept) for kept in contents.tokenizers}
    values = contents.values
    for key in values.keys() & NAMING:
        values[key] = with_other_names(values[key], names)
    _keep_names_that_are_missing(
        name for name in [*contents.missing, *_tokenizer_names_in_values(values)] if isinstance(name, str)
    )
    if "tokenizer" in values:
        values.setdefault("merges_tokenizer", "")  # whatever the tab had there
    if values.keys() & {"tokenizer", "merges_tokenizer", "text"}:
        set_option("merges_opened", True)  # that page shows what the link says
        keys_set_by_link().add("merges_opened")
    holdings = {key: holding for key, holding in session_contents().items() if holding.is_linkable}
    keys_set_by_link().update(values.keys() & holdings.keys())
    try:
        restore_values(values, holdings)
    except FullError as e:
        st.session_state.problem = f"One of the link's texts could not be opened: {e}."


def _tokenizer_names_in_values(values: Mapping[str, Any]) -> list[str]:
    """Return the names of tokenizers in the values of a link, which may be anybody's."""
    return [name for key in CARRIED for name in _as_list(values.get(key)) if isinstance(name, str)]


def _as_list(value: object) -> list[Any]:
    """Return what an option that names one tokenizer, or a list of them, has."""
    return value if isinstance(value, list) else [value]


def _keep_names_that_are_missing(names: Iterable[str]) -> None:
    """Keep the names of tokenizers that are not here."""
    here = ["", *tokenizer_names()]
    missing = dict.fromkeys(clean_name(name) for name in names if name not in here)
    st.session_state.missing = list(missing)[: 2 * RECORDS_MAX]


def warn_about_missing_tokenizers_if_any() -> None:
    """Say which tokenizers a link named but did not hold, and how to get each, until all are here.

    The names come from the link, so they are plain text.
    """
    missing = [name for name in st.session_state.get("missing", ()) if name not in tokenizer_names()]
    if not missing:
        return
    with st.container(key="missing", gap="small"):
        st.warning("This link was made with tokenizers that it does not hold. You see others in their place.")
        st.text("\n".join(f"{name}: {_how_to_get_tokenizer_text(name)}" for name in missing))
        st.button("Go on without them", on_click=_keep_names_that_are_missing, args=((),))


def _how_to_get_tokenizer_text(name: str) -> str:
    """Return in words how to get the tokenizer of a name."""
    how = (
        "ask the person who made the link for its file (on Playground: More, Export, Download the tokenizer), "
        "and open that there."
    )
    reason = reason_not_included(name)
    return f"{how} {reason}." if reason else how
