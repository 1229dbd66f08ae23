"""The programs that some tests need: where they are, and what to say where they are not."""

import os
import shutil
import sys
from pathlib import Path
from typing import NoReturn

import pytest

NO_CHROMIUM = (
    "The browser journeys were skipped: no Chromium was found. Install it: apt-get install chromium-headless-shell"
)
NO_FIREFOX = "The journey in Firefox was skipped: no Firefox was found. Install it: apt-get install firefox-esr"
NO_NODE = "The tests of JavaScript modules were skipped: no Node was found. Install version 20.19 or later: nodejs.org"

NO_NPM = "The types of assets were not checked: their checker is missing. Install Node with npm, then run: make lint"


def chromium() -> str:
    """Return where Chromium is; without one the test is skipped, and under CI=true it fails."""
    return _program(("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"), NO_CHROMIUM)


def firefox() -> str:
    """Return where Firefox is; without one the test is skipped, and under CI=true it fails."""
    return _program(("firefox-esr", "firefox"), NO_FIREFOX)


def node() -> str:
    """Return where Node is; without one the test is skipped, and under CI=true it fails."""
    return _program(("node",), NO_NODE)


def from_npm() -> Path:
    """Return where `make` has installed what is from npm; without it the test is skipped, or fails under CI=true."""
    node()
    folder = Path(sys.executable).parents[1] / "npm" / "node_modules"
    if not folder.exists():
        _missing(NO_NPM)
    return folder


def _program(names: tuple[str, ...], missing: str) -> str:
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        _missing(missing)
    return path


def _missing(words: str) -> NoReturn:
    pytest.fail(words) if os.environ.get("CI") == "true" else pytest.skip(words)
