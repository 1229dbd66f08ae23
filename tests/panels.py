"""The ways to show tokens in a browser: in colour, or as a list."""

from playwright.sync_api import Page


def show_tokens_as(page: Page, way: str) -> None:
    """Show the tokens of the view in sight as "colour", "ids", "text" or "bytes"; what has the focus keeps it."""
    page.locator(f".modes:visible [name=mode][value={way}]").evaluate("radio => radio.click()")
