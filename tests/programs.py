"""The programs that some tests need: where they are, and what to say where they are not."""

import os
import shutil

import pytest

NO_CHROMIUM = "The browser journeys were skipped: no Chromium was found. Install it: apt-get install chromium"
NO_FIREFOX = "The journey in Firefox was skipped: no Firefox was found. Install it: apt-get install firefox-esr"
NO_NODE = "The tests of JavaScript modules were skipped: no Node was found. Install version 20.19 or later: nodejs.org"


def chromium() -> str:
    """Return where Chromium is; without one the test is skipped, and under CI=true it fails."""
    return _program(("chromium", "chromium-browser", "google-chrome"), NO_CHROMIUM)


def firefox() -> str:
    """Return where Firefox is; without one the test is skipped, and under CI=true it fails."""
    return _program(("firefox-esr", "firefox"), NO_FIREFOX)


def node() -> str:
    """Return where Node is; without one the test is skipped, and under CI=true it fails."""
    return _program(("node",), NO_NODE)


def _program(names: tuple[str, ...], missing: str) -> str:
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.fail(missing) if os.environ.get("CI") == "true" else pytest.skip(missing)
    return path
