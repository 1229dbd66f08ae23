"""Waiting for what holds in a page; Playwright's own way evaluates texts there, which the server forbids."""

import time
from collections.abc import Callable

from playwright.sync_api import Page


def wait_until(page: Page, holds: str | Callable[[], object], *, seconds: float = 30) -> None:
    """Wait until an expression holds in a page, or a function here; TimeoutError if it never does."""
    until = time.monotonic() + seconds
    while not (page.evaluate(holds) if isinstance(holds, str) else holds()):
        if time.monotonic() > until:
            raise TimeoutError(f"it never came true: {holds}")
        page.evaluate("new Promise((go_on) => setTimeout(go_on, 20))")  # what the page tells meanwhile arrives


def wait_until_painted(page: Page) -> None:
    """Wait until a page is painted as it is now, and what follows from being in sight or not has been done."""
    page.evaluate("new Promise((go_on) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(go_on))))")


def wait_until_idle(page: Page) -> None:
    """Wait until no script of the page runs."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()


def reload_and_take_up(page: Page) -> None:
    """Reload a page, and wait until its new session has taken up what the tab keeps."""
    session = "JSON.parse(sessionStorage.getItem('tokviz.session'))?.session"
    before = page.evaluate(session)
    page.reload()
    wait_until(page, f"{session} !== {before!r}")
