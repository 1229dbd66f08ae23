"""Waiting for what holds in a page; Playwright's own way evaluates texts there, which the server forbids."""

import time

from playwright.sync_api import Page


def wait_until(page: Page, expression: str, *, seconds: float = 30) -> None:
    """Wait until an expression holds in a page; TimeoutError if it never does."""
    until = time.monotonic() + seconds
    while not page.evaluate(expression):
        if time.monotonic() > until:
            raise TimeoutError(expression)
        page.wait_for_timeout(10)
