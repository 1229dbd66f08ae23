"""A journey through every page in Firefox, whose console stays empty."""

from collections.abc import Iterator
from pathlib import Path

import programs
import pytest
from firefox import Firefox, firefox_at
from navigation import INSPECT

import tokviz
from pages.ui.pages import PAGES

END = "\ue010"


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    with firefox_at(programs.firefox(), tmp_path) as firefox:
        yield firefox


def test_somebody_types_and_goes_to_every_page_in_firefox(firefox: Firefox, app_address: str):
    firefox.open(app_address)
    firefox.click("textarea#editor")
    firefox.type(f"{END} ที่นี่ 你好")
    editor = "visible('textarea#editor').value"
    firefox.wait_until(f"{editor}.endsWith('ตัว ที่นี่ 你好')")
    text = firefox.evaluate(editor)["value"]
    firefox.click(".modes label", "Ids")
    ids = tokviz.load("cl100k_base").encode(text)
    shown = "all('#list .flow .t').map((chip) => chip.textContent).join(' ')"
    firefox.wait_until(f"{shown} === '{' '.join(map(str, ids))}'")
    for name in PAGES:
        if name in INSPECT:
            firefox.click("[class*=st-key-inspect] button")
        firefox.click("a", name)
        firefox.wait_until(f"visible('h1, h2', {name!r})")
        firefox.wait_until("visible('[data-testid=stApp][data-test-script-state=notRunning]')")
        firefox.wait_until("!visible('[data-testid=stSkeleton]')")
        assert firefox.evaluate("all('[data-testid=stException]').length")["value"] == 0
    assert firefox.problems == []
