"""What a page must not do: breach the server's Content-Security-Policy, ask other hosts, or run a text as code."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import Page, Request, WebSocket, expect

OWN_HOSTS = {None, "127.0.0.1", "localhost"}  # None: what a page holds itself
# With this flag Chromium reaches no other host, so every request to one fails. Listening to failures is cheap; each
# request that is listened to takes several messages.
ONLY_OWN_HOSTS = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
# Chromium writes nothing on the console of code in WebAssembly that it refused.
TELL = """
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) =>
    console.error(`Content Security Policy: ${violatedDirective} refuses ${blockedURI} of ${sourceFile}`));
"""


def violations_of(page: Page) -> list[str]:
    """Return a list that fills with those of the pages that will be loaded, and what they ask of other hosts.

    page: in a Chromium started with `ONLY_OWN_HOSTS`.
    """
    violations: list[str] = []

    def note_address(asked: Request | WebSocket) -> None:
        if urlsplit(asked.url).hostname not in OWN_HOSTS:
            violations.append(asked.url)

    page.add_init_script(TELL)
    page.on("requestfailed", note_address)
    page.on("websocket", note_address)
    page.on(
        "console",
        lambda message: violations.append(message.text) if "Content Security Policy" in message.text else None,
    )
    return violations


@contextmanager
def harmless(page: Page, app_address: str, path: str, *, editor: str = "Text") -> Iterator[Page]:
    """Open a page of the app that has an editor; in the end no script has failed, and no text set `window.hit`."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{app_address}/{path}")
    expect(page.get_by_label(editor, exact=True)).to_be_visible(timeout=30_000)
    yield page
    assert not errors
    assert page.evaluate("window.hit") is None
    assert page.get_by_test_id("stException").count() == 0
