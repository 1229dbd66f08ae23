"""What axe-core, which knows the rules of WCAG, finds on each page."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

PAGES = ("", "lessons", "merges", "compare", "languages", "train", "vocabulary", "bytes")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_no_serious_violation_on_any_page(page: Page, app_address: str, path: str, scheme: str):
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{app_address}/{path}")
    expect(page.locator(".view:visible").first).to_be_visible(timeout=30_000)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=30_000)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=15_000)
    found = Axe().run(page).response["violations"]
    serious = {v["id"]: [node["html"] for node in v["nodes"]] for v in found if v["impact"] in ("serious", "critical")}
    assert not serious
