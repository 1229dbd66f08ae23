"""What a browser says of breaches of the server's Content-Security-Policy."""

from playwright.sync_api import Page

# Chromium writes nothing on the console of code in WebAssembly that it refused.
TELL = """
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) =>
    console.error(`Content Security Policy: ${violatedDirective} refuses ${blockedURI} of ${sourceFile}`));
"""


def violations_of(page: Page) -> list[str]:
    """Return a list that fills with those of the pages that will be loaded."""
    violations: list[str] = []
    page.add_init_script(TELL)
    page.on(
        "console",
        lambda message: violations.append(message.text) if "Content Security Policy" in message.text else None,
    )
    return violations
