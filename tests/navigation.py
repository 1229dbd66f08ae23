"""The links to the pages, and going from one page to another in a browser."""

import re

from playwright.sync_api import Locator, Page

from pages.ui.pages import PAGES

INSPECT = [page.title for page in PAGES.values() if page.inspects]  # the pages of a menu


def page_link(page: Page, name: str) -> Locator:
    """Return the link to a page of the app."""
    shown = f"{name} · {PAGES[name].purpose}" if name in INSPECT else name
    return page.get_by_role("link", name=shown, exact=True)


def inspect_menu(page: Page) -> Locator:
    """Return the menu of pages that inspect something, named after the one that is open."""
    return page.get_by_test_id("stPopover").filter(has_text=re.compile("|".join(("Inspect", *INSPECT))))


def go_to(page: Page, name: str) -> None:
    """Go to a page of the app by its link, and wait until it shows its title."""
    if name in INSPECT:
        inspect_menu(page).click()
    page_link(page, name).click()
    page.get_by_role("heading", name=name, exact=True).wait_for()
