"""What axe-core, which knows the rules of WCAG, finds on each page."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from panels import show_openers
from playwright.sync_api import Page, expect
from polling import wait_until_idle

from pages.ui.pages import PAGES


def serious_violations(page: Page) -> dict[str, list[str]]:
    """Return what axe-core finds serious once a page is quiet, by the names of the rules."""
    wait_until_idle(page)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=15_000)
    found = Axe().run(page).response["violations"]
    return {v["id"]: [node["html"] for node in v["nodes"]] for v in found if v["impact"] in ("serious", "critical")}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", [page.url_path for page in PAGES.values()])
def test_no_serious_violation_on_any_page(page: Page, app_address: str, path: str, scheme: str):
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{app_address}/{path}")
    expect(page.locator(".view:visible").first).to_be_visible(timeout=30_000)
    assert not serious_violations(page)


@pytest.mark.parametrize("path", ["", "compare"])
def test_no_serious_violation_without_a_text(page: Page, app_address: str, path: str):
    page.goto(f"{app_address}/{path}")
    chip = page.locator(".scroller:visible .t").first
    expect(chip).to_be_visible(timeout=30_000)
    page.get_by_label("Text", exact=True).fill("")
    expect(chip).to_have_count(0)
    assert not serious_violations(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_violation_where_tokenizers_are_opened(page: Page, app_address: str, scheme: str):
    page.emulate_media(color_scheme=scheme)
    page.goto(app_address)
    expect(page.locator("#tokens:visible .t").first).to_be_visible(timeout=30_000)
    show_openers(page)
    page.mouse.move(0, 0)
    expect(page.get_by_label("A GGUF file of any size")).to_be_visible(timeout=30_000)
    assert not serious_violations(page)
    page.get_by_role("radio", name="Other programs").click()
    page.mouse.move(0, 0)
    expect(page.get_by_role("button", name="Search this computer")).to_be_visible()
    assert not serious_violations(page)
