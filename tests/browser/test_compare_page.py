"""The compare page in a browser: its numbers follow the typing, and a reload loses nothing."""

import csv
import io
import time

import pytest
from downloads import downloaded
from foreign_files import sentencepiece_file, wordpiece_file
from playwright.sync_api import Page, expect
from polling import wait_until, wait_until_idle

import tokviz
from tokviz.formats.files import read_tokenizer, tokenizer_file_text
from tokviz.formats.pretrained import full_name
from tokviz.text.metrics import agreement


def numbers(page: Page) -> dict[str, dict[str, str]]:
    """Download the table."""
    download = downloaded(page, page.get_by_role("button", name="Numbers as CSV").click)
    return {row["tokenizer"]: row for row in csv.DictReader(io.StringIO(download.path().read_text()))}


def costs_in(rows: dict[str, dict[str, str]]) -> dict[str, tuple[int, float]]:
    """Return tokens and cost of every tokenizer."""
    return {name: (int(row["tokens"]), float(row.get("cost", 0))) for name, row in rows.items()}


def test_the_numbers_are_of_the_text_that_was_typed_and_of_the_reference_chosen(page: Page, app_address: str):
    page.goto(f"{app_address}/compare")
    editor = page.get_by_label("Text", exact=True)
    expect(editor).to_be_visible(timeout=30_000)
    text = "3221+2334=5555 unbelievable 你好"
    editor.fill(text)
    spans = {name: tokviz.text_spans(tokviz.load(name), text) for name in ("gpt2", "cl100k_base", "o200k_base")}
    reference = page.get_by_role("button", name="reference: GPT-4o · o200k_base")
    reference.click()
    expect(reference).to_have_attribute("aria-pressed", "true", timeout=15_000)
    price = page.get_by_label("Price per million tokens", exact=True)
    price.fill("2")
    price.press("Enter")
    expect(page.locator("[data-figure=tokens]").first).to_have_text(str(len(spans["gpt2"])), timeout=15_000)
    wait_until(page, "sessionStorage.getItem('tokviz.session')?.includes('price')")
    spans = {full_name(name): each for name, each in spans.items()}
    expected = {name: (len(each), len(each) * 2 / 1e6) for name, each in spans.items()}
    page.reload()
    expect(editor).to_have_value(text, timeout=30_000)
    expect(reference).to_have_attribute("aria-pressed", "true", timeout=15_000)
    expect(price.first).to_have_value("2", timeout=15_000)
    expect(price).to_have_count(1)  # the one of before the tab gave its value back is gone
    deadline = time.monotonic() + 30  # until the typing rests and the numbers follow
    while (costs := costs_in(rows := numbers(page))) != expected:
        assert time.monotonic() < deadline, costs
    for name, row in rows.items():
        ends = spans[name].byte_ends.tolist()
        assert float(row["agreement"]) == agreement(spans[full_name("o200k_base")].byte_ends.tolist(), ends)


def test_six_columns_of_which_three_were_opened_outlive_a_reload(page: Page, app_address: str):
    page.goto(f"{app_address}/compare")
    editor = page.get_by_label("Text", exact=True)
    expect(editor).to_be_visible(timeout=30_000)
    gpt2 = tokenizer_file_text(tokviz.load("gpt2").truncated(10_000), ".json").encode()
    opened = [("pieces.json", wordpiece_file()), ("model.model", sentencepiece_file()), ("large.json", gpt2)]
    columns = page.locator(".column:visible h2")
    for number, (name, data) in enumerate(opened, 4):
        page.get_by_test_id("stPopover").get_by_text("Open", exact=True).click()
        uploader = page.get_by_test_id("stFileUploaderDropzoneInput").last
        uploader.set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": data})
        expect(columns).to_have_count(number, timeout=30_000)
        # The run that shows the column also closes the popover.
        wait_until_idle(page)
    names = ["GPT-2 · gpt2", "GPT-4 · cl100k_base", "GPT-4o · o200k_base", "pieces", "model.model", "large"]
    expect(columns).to_have_text(names, timeout=15_000)
    editor.fill("lower 你好")
    pieces = read_tokenizer(opened[0][1], "pieces.json")
    ids = pieces.encode("lower 你好")
    line = (
        page.get_by_role("list", name="Tokens under each tokenizer").get_by_role("listitem").filter(has_text="pieces")
    )
    expect(line).to_contain_text(f"{len(ids)} tokens · {ids.count(pieces.unknown_id)} unknown")
    lost, bar = (line.locator(each).evaluate("node => node.offsetWidth") for each in (".lost", ".bar"))
    assert lost / bar == pytest.approx(ids.count(pieces.unknown_id) / len(ids), abs=0.02)
    page.get_by_role("button", name="Measure speed").click()
    expect(page.get_by_text("just measured on this computer")).to_be_visible(timeout=30_000)
    # The large one takes so long to read that the tab gives back what it kept once more before it is read.
    page.reload()
    expect(columns).to_have_text(names, timeout=60_000)
    expect(editor).to_have_value("lower 你好", timeout=15_000)
