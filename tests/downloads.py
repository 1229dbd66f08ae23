"""Downloads in a browser.

Streamlit forgets a file that a button makes when it is pressed after two more runs of any session have ended, which
may be before the browser has fetched it. The browser then says that the download failed, and one presses again.
"""

from collections.abc import Callable

from playwright.sync_api import Download, Page
from playwright.sync_api import TimeoutError as NothingCame


def downloaded(page: Page, press: Callable[[], object], *, name: str = "") -> Download:
    """Press what makes a file until it comes down, three times at most.

    name: of the file, where another one may still be on its way.
    """

    def is_wanted(download: Download) -> bool:
        return not name or download.suggested_filename == name

    for _ in range(2):
        try:
            with page.expect_download(is_wanted, timeout=5_000) as download:
                press()
        except NothingCame:
            continue
        if download.value.failure() is None:
            return download.value
    with page.expect_download(is_wanted) as download:
        press()
    return download.value
