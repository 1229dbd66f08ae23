"""The pages work where a proxy puts a path before their addresses that the server does not know of."""

import pytest
from browser.apps.below_path import PATH
from navigation import go_to
from playwright.sync_api import Page, expect
from serving import free_port, started


@pytest.fixture(scope="module")
def address():
    port = free_port()
    address = f"http://127.0.0.1:{port}{PATH}"
    with started(["-m", "uvicorn", "tests.browser.apps.below_path:app", "--port", str(port)], address):
        yield address


@pytest.mark.slow
def test_typing_is_coloured_and_other_pages_are_reached(page: Page, address: str):
    page.goto(f"{address}/")
    page.get_by_role("textbox", name="Text").first.fill("low lower")
    expect(page.locator("#tokens .t")).to_have_text(["low", " lower"])
    go_to(page, "Train")
    page.go_back()
    expect(page.locator("#tokens .t")).to_have_text(["low", " lower"])
