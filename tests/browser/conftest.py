"""A headless Chromium for the browser tests.

Where no Chromium is found the tests skip with a reason; under CI=true they fail instead.
"""

from collections.abc import Iterator
from typing import Any

import programs
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from serving import CHROMIUM_FLAGS
from violations import ONLY_OWN_HOSTS, violations_of

# Nothing moves: what the browser does not animate costs no processor time, and is where it belongs at once.
LOOK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
# A test closes its page before V8's optimising compilers have saved the time they take.
NO_OPTIMISING = "--js-flags=--no-maglev --no-opt"
expect.set_options(timeout=15_000)  # several tests run at a time, on machines of any speed


@pytest.fixture(scope="session")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """A profile with a cache on disk: the app's scripts are compiled once, which makes every further page faster.

    All tabs share one process and the scripts compiled in it; the tab that Chromium opens with keeps it alive.
    """
    path = programs.chromium()
    flags = [*CHROMIUM_FLAGS, ONLY_OWN_HOSTS, "--process-per-site", NO_OPTIMISING]
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("profile"), executable_path=path, args=flags, **LOOK
        )
        first_tab = context.pages[0] if context.pages else context.new_page()
        first_tab.route("**", lambda route: route.fulfill(body=""))
        first_tab.goto("http://127.0.0.1")
        yield context
        context.close()


@pytest.fixture(scope="session")
def browser(profile: BrowserContext) -> Browser:
    """The Chromium of the profile, for pages of somebody else."""
    assert profile.browser
    return profile.browser


@pytest.fixture
def page(request: pytest.FixtureRequest) -> Iterator[Page]:
    """A new tab; what a tab remembers ends with it.

    Tests marked `own_context` share no profile with others: pages opened after one whose web sockets were routed
    get routed sockets too, which do not connect again.
    """
    if request.node.get_closest_marker("own_context"):
        context = request.getfixturevalue("browser").new_context(**LOOK)
        before = []
    else:
        context = request.getfixturevalue("profile")
        before = list(context.pages)  # the empty tab that Chromium opens with, for without one it ends
    page = context.new_page()
    violations = violations_of(page)
    yield page
    for page in set(context.pages) - set(before):
        page.close()
    if before:
        context.clear_permissions()
        context.clear_cookies()
    else:
        context.close()
    assert not violations
