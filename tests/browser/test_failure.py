"""An unexpected error, in a page, a callback or a fragment: words on the page, the trace in the log."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from serving import ROOT, free_port, started

from pages.ui.shared.messages import SORRY

SECRET = "what only the log may tell"
BROKEN = f"""
import streamlit as st

def fail():
    raise RuntimeError("{SECRET}")

st.button("In a callback", on_click=fail)

@st.fragment
def part():
    if st.button("In a fragment"):
        fail()

part()
if st.button("In the page"):
    fail()
"""


@pytest.fixture(scope="module")
def broken(tmp_path_factory) -> Iterator[tuple[str, Path]]:
    """The address of a page that fails when asked to, in a copy of the app, and the log of its server."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copy(ROOT / "app.py", folder)
    for name in (".streamlit", "pages"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / "assets").symlink_to(ROOT / "assets")
    (folder / "pages" / "broken.py").write_text(BROKEN)
    (folder / "pages" / "unreadable.py").write_text(f"'{SECRET}")
    port, log = free_port(), folder / "log"
    address = f"http://127.0.0.1:{port}"
    arguments = ["-m", "streamlit", "run", str(folder / "app.py"), "--server.port", str(port)]
    with started(arguments, address, log=log):
        yield address, log


@pytest.mark.parametrize("place", ["In a callback", "In a fragment", "In the page"])
def test_an_error_is_told_in_words_and_logged_with_its_trace(page: Page, broken, place):
    address, log = broken
    n_logged = log.read_text().count(SECRET)
    page.goto(f"{address}/broken")
    page.get_by_role("button", name=place, exact=True).click(timeout=30_000)
    expect(page.get_by_test_id("stAlert")).to_contain_text(SORRY)
    for telling in (SECRET, "RuntimeError", "Traceback", "broken.py"):
        assert telling not in page.inner_text("body")
    assert log.read_text().count(SECRET) > n_logged
    assert "broken.py" in log.read_text()


def test_a_page_that_python_cannot_read_tells_nothing_of_itself(page: Page, broken):
    page.goto(f"{broken[0]}/unreadable")
    expect(page.get_by_test_id("stAlert")).to_contain_text(SORRY, timeout=30_000)
    for telling in (SECRET, "SyntaxError", "unreadable.py"):
        assert telling not in page.inner_text("[data-testid=stMain]")
