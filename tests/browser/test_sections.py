"""The sections on vocabulary size and on a corpus in Chromium: values are drawn, tables and charts come down."""

import csv
from collections.abc import Iterator

import pytest
from downloads import downloaded
from playwright.sync_api import Page, expect
from serving import serving

from tokviz import load
from tokviz.core.samples import sample

HOSTILE = "<img src=x onerror=alert(1)>.txt"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving("tests/browser/apps/sections_app.py") as address:
        yield address


def test_files_are_counted_drawn_and_come_down_as_a_table(page: Page, address):
    alerts = []
    page.on("dialog", lambda dialog: alerts.append(dialog.dismiss()))
    page.goto(f"{address}/?section=corpus")
    uploader = page.locator("input[type=file]")
    expect(uploader).to_be_attached(timeout=30_000)
    texts = {HOSTILE: sample("english") * 10, "thai.txt": sample("thai")}
    uploader.set_input_files(
        [{"name": name, "mimeType": "text/plain", "buffer": text.encode()} for name, text in texts.items()]
    )
    expect(page.get_by_text("2 files,")).to_be_visible(timeout=15_000)
    page.get_by_role("button", name="Count the tokens").click()
    drawn = page.get_by_test_id("stVegaLiteChart").locator("svg text")
    ratio = len(sample("thai").encode()) / len(load("gpt2").encode(sample("thai")))
    expect(drawn.filter(has_text=f"{ratio:.2f}")).to_have_count(1, timeout=60_000)
    expect(drawn.filter(has_text="<img")).to_have_count(1)
    download = downloaded(page, page.get_by_role("button", name="Table as CSV").click)
    rows = list(csv.DictReader(download.path().read_text("utf-8").splitlines()))
    assert len(rows) == 9 and rows[0]["file"] == HOSTILE
    assert int(rows[0]["tokens"]) == len(load("gpt2").encode(texts[HOSTILE]))
    assert page.locator("img[src=x]").count() == 0 and not alerts


def test_the_curves_are_drawn_and_follow_the_width(page: Page, address):
    page.goto(f"{address}/?section=vocabulary")
    page.get_by_label("Text", exact=True).fill("How many tokens does each of them need?")
    curve, parameters = (page.get_by_test_id("stVegaLiteChart").nth(i).locator("svg") for i in (0, 1))
    expect(curve.locator(".mark-line path[stroke-dasharray]")).to_have_count(3, timeout=30_000)
    expect(parameters.locator("text").filter(has_text="150M")).to_have_count(1)
    page.get_by_label("Model width").fill("7680")
    page.get_by_label("Model width").press("Enter")
    expect(parameters.locator("text").filter(has_text="1.5B")).to_have_count(1, timeout=15_000)
    download = downloaded(page, page.get_by_role("button", name="SVG", exact=True).first.click)
    assert "GPT-4o" in download.path().read_text("utf-8")
