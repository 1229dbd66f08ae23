"""A data set on Compare ▸ Corpus in a browser: counted, changed to another window, and its longest chat opened."""

import json

import pytest
from choosing import choose
from downloads import downloaded
from layout import cut_off
from playwright.sync_api import Page, expect
from polling import wait_until, wait_until_idle

CHATS = [
    {"messages": [{"role": "user", "content": "How many?"}, {"role": "assistant", "content": "low " * n}]}
    for n in range(1, 40)
]


@pytest.mark.parametrize("screen", [(1366, 768), (390, 844)], ids=str)
def test_a_data_set_is_counted_and_its_longest_chat_opened(page: Page, app_address: str, tmp_path, screen):
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    (tmp_path / "chats.jsonl").write_text("\n".join(map(json.dumps, [*CHATS, {"other": 1}])))
    page.goto(f"{app_address}/compare")
    if screen[0] > 480:
        page.get_by_role("radio", name="Corpus").click(timeout=30_000)
    else:  # a phone has a list in place of the row
        choose(page.get_by_role("combobox", name="Look at"), "Corpus")
    page.get_by_test_id("stFileUploaderDropzoneInput").last.set_input_files(tmp_path / "chats.jsonl")
    expect(page.get_by_text("Format of chats")).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Count the tokens").click()
    page.get_by_role("radio", name="Documents").click(timeout=60_000)
    window = page.get_by_label("Context window, in tokens", exact=True)
    window.fill("30")
    window.press("Enter")
    # Figures and files come with the run of the page that has the window, and with no earlier one.
    wait_until(page, """sessionStorage.getItem('tokviz.session')?.includes('"window":30')""")
    wait_until_idle(page)
    expect(page.get_by_text("Left out: 1")).to_be_visible()
    wait_until(page, lambda: not cut_off(page))
    download = downloaded(page, page.get_by_role("button", name="All as JSON").click)
    found = json.loads(download.path().read_text())[0]
    assert (found["tokenizer"], found["n_documents"], found["window"]) == ("gpt2", len(CHATS), 30)
    page.get_by_role("button", name="Open document 1", exact=True).click()
    expect(page.get_by_label("Message 2", exact=True)).to_have_value("low " * 39, timeout=30_000)
    expect(page.locator("[data-count=tokens]:visible").first).to_have_text(f"{found['longest']:,}", timeout=30_000)
