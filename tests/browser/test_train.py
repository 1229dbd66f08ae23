"""Training on files in a browser: a reload in the middle, a stop, and what is told at the end."""

import json
import random
import re

import pytest
from choosing import choose
from downloads import downloaded
from playwright.sync_api import Page, expect

from tokviz import SPLIT_PATTERNS

GOING_BY = re.compile(r"→ [a-j]+ {2}\([\d,]+ times\)")
MERGING = re.compile(r"Merge [1-9][\d,]* of 99,744")


def long_text() -> str:
    """Return a text that takes some seconds of merging."""
    words = random.Random(3)
    return " ".join("".join(words.choices("abcdefghij", k=12)) for _ in range(400_000))


def test_a_training_on_files_is_found_after_a_reload_stopped_and_tells_the_lines_it_left_out(page: Page, app_address):
    page.goto(f"{app_address}/train")
    page.get_by_role("radio", name="Files").or_(page.get_by_role("button", name="Files")).click(timeout=30_000)
    lines = "\n".join([json.dumps({"text": "low lower"}), "<b>no JSON</b>", json.dumps({"text": "newest"})])
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files([
        {"name": "long.txt", "mimeType": "text/plain", "buffer": long_text().encode()},
        {"name": "lines.jsonl", "mimeType": "application/json", "buffer": lines.encode()},
    ])  # fmt: skip
    expect(page.get_by_text(f"lines.jsonl: {len(lines):,} bytes")).to_be_visible()
    page.get_by_role("spinbutton", name="Vocabulary size").fill("100000")
    page.get_by_role("spinbutton", name="Vocabulary size").press("Enter")
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_text(MERGING)).to_be_visible(timeout=60_000)
    expect(page.get_by_text(GOING_BY)).to_be_in_viewport()
    page.reload()
    expect(page.get_by_text(MERGING)).to_be_visible(timeout=60_000)
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_disabled()
    page.get_by_role("button", name="Stop and keep what is learned").click()
    expect(page.get_by_role("heading", name=re.compile("^Stopped after"))).to_be_visible()
    expect(page.get_by_text("1 line was left out. 3 documents were counted.")).to_be_visible()
    expect(page.get_by_text("is kept as my tokenizer (stopped).")).to_be_visible()
    assert page.get_by_test_id("stException").count() == 0


def test_a_model_file_is_downloaded_in_the_version_that_is_chosen(page: Page, app_address):
    page.goto(f"{app_address}/train")
    page.get_by_label("Training text").fill("low lower")
    page.get_by_role("button", name="More options").click(timeout=30_000)
    special = page.get_by_role("textbox", name="Special tokens, separated by spaces")
    special.fill("<s>=1101")
    special.press("Enter")
    page.keyboard.press("Escape")
    usual = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})  # a phone scrolls to what was learned, and what is next
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_text("Learned 2 merges, then ran out: no remaining pair occurs twice.")).to_be_in_viewport(
        timeout=60_000
    )
    expect(page.get_by_role("textbox", name="Training text")).not_to_be_in_viewport()
    expect(page.get_by_role("button", name="Guess", exact=True)).to_be_in_viewport()
    page.set_viewport_size(usual)
    page.get_by_role("button", name="Download", exact=True).click()
    for version in ("minbpe v1", "bpe v1"):
        if version != "minbpe v1":
            choose(page.get_by_role("combobox", name="Version of .model"), version)
            page.get_by_text("Load these files in Python").click()
            expect(page.get_by_text("# the class of your tutorial")).to_be_visible()
        download = downloaded(page, page.get_by_role("button", name=".model", exact=True).click)
        lines = download.path().read_text().splitlines()
        assert lines[:4] == [version, SPLIT_PATTERNS["cl100k"], "1", "<s> 1101"]
    assert page.get_by_test_id("stException").count() == 0


@pytest.mark.slow
def test_cl100k_learns_thai_and_the_gain_is_there_after_a_reload(page: Page, app_address):
    page.goto(f"{app_address}/train")
    page.get_by_role("button", name="Examples").click(timeout=30_000)
    page.get_by_role("button", name="Thai", exact=True).click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="More options").click()
    page.get_by_text("Leave out a tenth as a test").click()
    choose(page.get_by_role("combobox", name="Begin with"), "GPT-4 · cl100k_base")
    expect(page.get_by_text("Split pattern: cl100k, that of GPT-4")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Train", exact=True).click()
    for _ in range(2):
        done = page.get_by_text(re.compile("^Learned 2[0-9]{2} "))
        expect(done).to_be_in_viewport(timeout=60_000)
        expect(page.get_by_role("row", name="The English sample")).to_contain_text("none")
        expect(page.get_by_role("row", name="The tenth left out")).to_contain_text("−")
        expect(page.get_by_text(re.compile("The embedding grows by 2[0-9]{2} rows, from 100,277"))).to_be_in_viewport()
        page.reload()
    page.get_by_role("button", name="Watch").click(timeout=30_000)
    expect(page.get_by_text(re.compile("of 100,2[0-9]{2} merges made"))).to_be_visible(timeout=30_000)
    expect(page.get_by_role("button", name="Pause")).to_be_visible()  # from the first merge that was learned
    assert page.get_by_test_id("stException").count() == 0
