"""The frame of every page: page settings, the header, a title, and what the tab and the browser remember."""

from collections.abc import Callable, Iterable
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.frame.link import apply_opening_link_if_any, show_link, warn_about_missing_tokenizers_if_any
from pages.ui.frame.tab_memory import restore_lasting_options_once, sync_tab_memory_and_return_omitted_names
from pages.ui.merges.opening import keep_browser_step_unless_set_since
from pages.ui.options import option_value, set_option, show_choice, show_option_widget
from pages.ui.pages import LEARN, PAGES, Page
from pages.ui.session_tokenizers.open_tokenizer import add_and_choose_opened_tokenizer_if_any
from pages.ui.shared.buttons import forget_press_of_another_page, show_dialog_button
from pages.ui.shared.components import ASSETS, CONTROLS, Component
from pages.ui.shared.glossary import show_glossary_button, show_term_buttons
from pages.ui.shared.live import reserve_container, reserve_row
from pages.ui.shared.messages import show_error, show_kept_notice_if_any
from pages.ui.shared.text import restore_common_example_if_replaced, shared_text, where_texts_go_text
from pages.ui.train.run import finish_training_if_ended
from tokviz.display.palette import THEMES

# The size of type that all else is measured by, in pixels: for reading, and where a page is presented.
TEXT_SIZES = {"Normal": ("16px", "0.9375rem"), "Large": ("19px", "1.0625rem"), "Larger": ("22px", "1.25rem")}
PRESENTED = ("clamp(16px, min(1.875vw, 3.333vh), 62px)", "1.5em")
LIGHT, DARK = (THEMES[theme]["backgroundColor"] for theme in ("light", "dark"))
STYLE = f"{CONTROLS}html {{ --page: light-dark({LIGHT}, {DARK}); }}\n{(ASSETS / 'frame.css').read_text()}"
HIDES = (
    "Invisible characters, look-alike letters and stacked marks: a line says what they are and how many tokens they "
    "cost."
)
NAVIGATION = Component("navigation", ("navigation",))
THEME = Component("theme", ("theme",))
SECTIONS = Component("sections", ("sections",))
CONNECTION = Component("connection", ("connection",))


def begin_page(
    page: Page, *, opens: Callable[[], None] | None = None, intro: Callable[[], str] | None = None
) -> Callable[[], None]:
    """Begin a page whose view is painted after the header; return what fills the header's menus, to call after it.

    A line beside the title says what to see and try. A page without one has its title for screen readers alone, and one
    that is presented has it in the bar. opens: chooses what the page shows, before anything is shown or kept. intro:
    returns the line beside the title once that is chosen, by default the page's own.
    """
    set_up_page(page)
    if opens:
        opens()
    bar, rest_of_header = begin_header(page)
    _show_title_and_notices(page, bar, intro() if intro else page.intro)
    return rest_of_header


def begin_screen(page: Page) -> tuple[DeltaGenerator, Callable[[], None]]:
    """Begin a page like `begin_page`; return what fills the window first, and what fills the menus."""
    set_up_page(page)
    bar, rest_of_header = begin_header(page)
    screen = st.container(key="screen")
    with screen:
        _show_title_and_notices(page, bar, page.intro)
    return screen, rest_of_header


def _show_title_and_notices(page: Page, bar: DeltaGenerator | None, intro: str) -> None:
    """Show the title of a page, in the bar if there is one, and below it what people are to be told."""
    title = bar or (reserve_row("title") if page.intro else reserve_container("hidden-title"))
    with title:
        st.title(page.title, anchor=False, width="content")
        if intro and not bar:
            st.caption(intro, width="stretch")
            show_term_buttons(*page.words)
    show_kept_notice_if_any()
    show_kept_problem_if_any()
    warn_about_missing_tokenizers_if_any()


def set_up_page(page: Page) -> None:
    """Set up a page before it shows anything: take its link, a training that has ended, and what was opened."""
    st.set_page_config(page_title=f"{page.title} · tokviz", page_icon="🧩", layout="wide")
    restore_lasting_options_once()
    forget_press_of_another_page(page.title)
    if st.session_state.get("page") != page.title:
        restore_common_example_if_replaced()
        st.session_state.arrived = True
    st.session_state.page = page.title
    keep_browser_step_unless_set_since()
    apply_opening_link_if_any()
    finish_training_if_ended()
    add_and_choose_opened_tokenizer_if_any()
    shared_text()
    st.session_state.pop("lesson_link", None)  # pressed in a lesson that was then left another way


def begin_header(page: Page, *, style: str = "") -> tuple[DeltaGenerator | None, Callable[[], None]]:
    """Show the header; return what fills its menus, to call once the view is there.

    Where the page is presented, show a bar with the way back instead, and return, before that, where more can go in it.
    style: a sheet of the page's own, which has to come with its first words, or these would move.
    """
    presenting = option_value("presenting")
    size, text = PRESENTED if presenting else TEXT_SIZES.get(option_value("text_size"), TEXT_SIZES["Normal"])
    unseen = st.container(key="unseen", gap=None)  # it lies over the page
    with unseen:
        left_out = sync_tab_memory_and_return_omitted_names(
            page_style=f"html {{ font-size: {size}; --text-size: {text}; }}\n{STYLE}{style}"
        )
    if presenting:
        with st.container(key="presented", horizontal=True, vertical_alignment="center", gap="small"):
            bar = st.container(horizontal=True, vertical_alignment="center", gap="small")
            icon = ":material/menu:" if page is LEARN else None  # whose slides have no room for the word
            with st.popover("Pages", icon=icon, type="tertiary", key=f"presented_pages_{page.title}"):
                _show_page_links(PAGES.values())
            st.button("Leave", shortcut="Esc", on_click=set_option, args=("presenting", False))
        return bar, partial(_mount_connection, unseen)
    # Of no height until the style sheet is there, or it would be seen before in another place.
    place = st.container(
        key="header", horizontal=True, vertical_alignment="center", gap="xxsmall", height=1, border=False
    )
    if left_out:
        with st.container(key="left_out"):  # in plain text, since people name tokenizers
            st.text(f"A reload loses what is too large for the tab's memory: {', '.join(left_out)}")
    return None, partial(_show_rest_of_header, unseen, page, *_show_header(place, page))


def _mount_connection(place: DeltaGenerator) -> None:
    """Mount what tells the reader when the connection is lost."""
    with place:
        CONNECTION.show(key="connection")


def _show_header(place: DeltaGenerator, page: Page) -> tuple[DeltaGenerator, DeltaGenerator, DeltaGenerator]:
    """Show what is in sight of the header; return its menus: of all pages, of those that inspect, of display.

    It comes before the view, or it would be gone from one page to the next; what is in the menus can come after it.
    """
    with place:
        NAVIGATION.show(key="navigation")
        st.markdown("**tokviz**", width="content")
        with st.container(key="menu", width="content"):
            menu = st.popover("Menu", icon=":material/menu:", type="tertiary", key=f"menu_{page.title}")
        with st.container(key="pages", horizontal=True, vertical_alignment="center", gap="xxsmall", width="content"):
            _show_page_links(each for each in PAGES.values() if not each.inspects)
            label, key = (f"Inspect · {page.title}", "inspecting") if page.inspects else ("Inspect", "inspect")
            inspected = st.popover(label, type="tertiary", key=f"{key}_{page.title}")
        with st.container(key="tools", horizontal=True, horizontal_alignment="right", gap="xxsmall"):
            display = st.popover("Display", icon=":material/format_size:", type="tertiary", key=f"size_{page.title}")
            show_glossary_button()
            st.button("Present", icon=":material/slideshow:", type="tertiary", on_click=set_option,
                      args=("presenting", True))  # fmt: skip
            show_dialog_button(
                "Share", partial(show_link, page), title="Share", icon=":material/share:", type="tertiary"
            )
    return menu, inspected, display


def _show_rest_of_header(
    unseen: DeltaGenerator, page: Page, menu: DeltaGenerator, inspected: DeltaGenerator, display: DeltaGenerator
) -> None:
    """Show what is in the menus of the header."""
    _mount_connection(unseen)
    with menu:
        _show_page_links(PAGES.values(), with_purpose=True)
        SECTIONS.show(key=f"sections_{page.title}")
    with inspected:
        _show_page_links((each for each in PAGES.values() if each.inspects), with_purpose=True)
    with display:
        show_choice("text_size", "Text size", TEXT_SIZES, label_visibility="visible")
        THEME.show(key="theme", data={"pages": [each.url_path for each in PAGES.values()]})
        show_option_widget("finds_hidden", st.toggle, "Mark hidden text", help=HIDES)
        st.caption(where_texts_go_text())


def _show_page_links(pages: Iterable[Page], *, with_purpose: bool = False) -> None:
    """Show links to pages, and what each is for if there is room."""
    for page in pages:
        label = f"**{page.title}** · :small[{page.purpose}]" if with_purpose else page.title
        st.page_link(page.script, label=label)


def show_kept_problem_if_any() -> None:
    """Say what went wrong before this run, if anything did."""
    if problem := st.session_state.pop("problem", None):
        show_error(problem)
