"""Waiting for what holds in a page; Playwright's own way evaluates texts there, which the server forbids."""

import time

from playwright.sync_api import Page, expect


def wait_until(page: Page, expression: str, *, seconds: float = 30) -> None:
    """Wait until an expression holds in a page; TimeoutError if it never does."""
    until = time.monotonic() + seconds
    while not page.evaluate(expression):
        if time.monotonic() > until:
            raise TimeoutError(expression)
        page.wait_for_timeout(10)


def wait_until_idle(page: Page) -> None:
    """Wait until no script of the page runs."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=30_000)
