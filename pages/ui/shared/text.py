"""The text that all pages share: samples, files, and what is typed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from pages.ui.holding import Holding, keys_set_by_link
from pages.ui.options import option_value, reset_widget, set_option, widget_key
from pages.ui.pages import PLAYGROUND, Page
from pages.ui.shared.live import document, live_session
from pages.ui.shared.uploads import show_text_uploader
from tokviz.core.samples import SAMPLES, sample
from tokviz.records.training import text_digest
from tokviz.server.guard import LOOPBACK

FILE_MB_MAX = 20
# Seconds after the last key until the page's script runs, for what does not come over the live socket.
QUICK_REST = 0.1
# The same question in English, Thai, Chinese and Python: 79 tokens under GPT-2, 49 under GPT-4, 34 under GPT-4o.
START_TEXT = """\
How many r's are in strawberry?
คำว่า strawberry มีตัว r กี่ตัว
草莓的英文 strawberry 中有几个 r？
return word.count("r")"""
# What a page that trains begins with. Of its first ten merges nine are ahead of every other pair, so that they can be
# guessed from the counts.
RHYME = """\
Whatever the weather, my mother and father
went out on the heather for feathers to gather,
and singing together, the one and the other,
they gathered the feathers for sister and brother.
"The wind brings us rain," said the father to mother,
and, bringing the feathers, they ran from the heather.
"""
WHERE_IT_RUNS = "Runs on this computer. Nothing you type leaves it."
WHERE_IT_IS_SERVED = "What you type goes to the computer that serves this page, and no further."


def shared_text() -> str:
    """Return the text that all pages share, as it is now."""
    return document("text", START_TEXT).text


@dataclass(frozen=True)
class LiveText(Holding):
    """The text of a document by its name, as links hold it; the browser itself keeps it in the tab.

    input, chat_format: the input and the format with which the Playground shows it.
    """

    key: str
    input: str = ""
    chat_format: str = ""

    def link_value_or_none(self, page: Page) -> str | None:
        """Return the text if the page shows it."""
        is_input = self.input == option_value("input") and self.chat_format in ("", option_value("chat_format"))
        if page is PLAYGROUND and not is_input:
            return None
        found = self.key in page.texts and live_session().documents.get(self.key)
        return found.text if found else None

    def restore_if_valid(self, value: object) -> None:
        """Replace the text."""
        if isinstance(value, str):
            set_document_text(self.key, value)


def set_shared_text(text: str) -> None:
    """Make this the text that all pages share; what the tab has kept is then out of date."""
    set_document_text("text", text)


def set_document_text(name: str, text: str) -> None:
    """Replace the text of a document; what the tab has kept of it is then out of date."""
    document(name).set_text(text)
    keys_set_by_link().add(name)
    if name == "text":  # a chosen text is shown on every page, even if it is an example
        for key in ("own_example", "common_example"):
            st.session_state.pop(key, None)


def show_sample_picker() -> None:
    """Show buttons that replace the shared text with a sample."""
    with st.container(horizontal=True, gap="small"):
        for name in SAMPLES:
            st.button(name.capitalize(), key=f"_sample_{name}", on_click=set_shared_text_to_sample, args=(name,))


def show_examples_menu(examples: Mapping[str, str] | None = None) -> None:
    """Show a menu that replaces the shared text with a sample or, by its name, with one of these short examples."""
    with st.popover("Examples", type="tertiary", key=widget_key("example")):
        if examples:
            st.caption("Short")
            with st.container(horizontal=True, gap="small"):
                for name, text in examples.items():
                    st.button(name, key=f"_example_{name}", on_click=set_shared_text_to_example, args=(text,))
            st.caption("Long")
        show_sample_picker()


def set_shared_text_to_sample(name: str) -> None:
    """Make a sample the shared text."""
    set_shared_text_to_example(sample(name))


def set_shared_text_to_example(text: str) -> None:
    """Make an example the shared text; Merges, which has its own, may open on that instead."""
    set_shared_text(text)
    set_option("example", text_digest(text))


def shared_text_is_example() -> bool:
    """Return whether the shared text is an example, not the user's own."""
    text = shared_text()
    return text == START_TEXT or text_digest(text) == option_value("example") or shows_page_example()


def document_text_if_example(name: str) -> str | None:
    """Return the text of a document if it is an example, else None."""
    return shared_text() if name == "text" and shared_text_is_example() else None


def set_page_example(text: str) -> None:
    """Show the example of one page in place of the one that all pages show, until another page is opened."""
    if (common := shared_text()) not in (text, st.session_state.get("own_example")):
        st.session_state.common_example = common
    _set_text_to_unchanged_example(text)
    st.session_state.own_example = text


def shows_page_example() -> bool:
    """Return whether the shared text is an example of one page, shown in place of that of all pages."""
    return shared_text() == st.session_state.get("own_example")


def show_rhyme_unless_own_text() -> bool:
    """Have an example give way to the rhyme, which a page that trains begins with; return whether the rhyme is shown.

    A text that somebody has written or opened stays.
    """
    if shared_text() != RHYME and not shared_text_is_example():
        return False
    set_page_example(RHYME)
    return True


def restore_common_example_if_replaced() -> None:
    """Show the example of all pages again if a page has shown its own, and nobody has changed that."""
    if shared_text() == st.session_state.pop("own_example", None):
        _set_text_to_unchanged_example(st.session_state.get("common_example", START_TEXT))


def shows_common_example() -> bool:
    """Return whether the shared text is the example that all pages show, and nobody has chosen it."""
    chosen = "text" in keys_set_by_link()
    return shared_text() == st.session_state.get("common_example", None if chosen else START_TEXT)


def _set_text_to_unchanged_example(text: str) -> None:
    """Make an example the shared text, as one that nobody has changed."""
    # The tab may replace it: it may have a text that somebody typed.
    document("text").set_text(text)
    set_option("example", text_digest(text))


def show_text_file_popover(**look: Any) -> None:
    """Show a button that opens a text file as the shared text, and asks about its encoding if it is not UTF-8."""
    with st.popover("Open a text", key=widget_key("opener"), **look):
        show_text_file_opener()


def show_text_file_opener() -> None:
    """Show where a text file is opened as the shared text, in a menu with the key of `opener`, which then closes."""
    show_text_uploader(name="file", max_bytes=FILE_MB_MAX * 1_000_000, accept=_set_shared_text_and_close_menu)
    st.caption(where_texts_go_text())


def _set_shared_text_and_close_menu(text: str) -> None:
    """Make the text of a file the shared text, and close the menu over it."""
    set_shared_text(text)
    reset_widget("opener")


def where_texts_go_text() -> str:
    """Say where a text that is typed here goes."""
    return WHERE_IT_RUNS if browser_is_on_this_computer() else WHERE_IT_IS_SERVED


def browser_is_on_this_computer() -> bool:
    """Return whether browser and server are one computer; behind a proxy, only the browser's address shows it."""
    host = urlsplit(st.context.url or "").hostname
    return st.get_option("server.address") in LOOPBACK and host in (None, *LOOPBACK)
