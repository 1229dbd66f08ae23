"""The links to the pages, and going from one page to another in a browser."""

from playwright.sync_api import Locator, Page, expect

INSPECT = ("Vocabulary", "Bytes & patterns")  # the pages of a menu


def page_link(page: Page, name: str) -> Locator:
    """Return the link to a page of the app."""
    return page.get_by_role("link", name=name, exact=True)


def go_to(page: Page, name: str) -> None:
    """Go to a page of the app by its link, and wait until it shows."""
    if name in INSPECT:
        page.get_by_role("button", name="Inspect", exact=True).click()
    page_link(page, name).click()
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible(timeout=30_000)
