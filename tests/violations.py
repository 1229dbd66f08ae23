"""What a browser says of breaches of the server's Content-Security-Policy."""

from playwright.sync_api import Page


def violations_of(page: Page) -> list[str]:
    """Return a list that fills with them."""
    violations: list[str] = []
    page.on(
        "console",
        lambda message: violations.append(message.text) if "Content Security Policy" in message.text else None,
    )
    return violations
