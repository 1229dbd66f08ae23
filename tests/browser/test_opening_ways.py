"""Opening a GGUF file of any size, files that belong together, and what is on this computer."""

from computer import TEXT, byte_level
from panels import show_openers, show_tokens_as
from playwright.sync_api import Page, expect
from serving import serving

import tokviz


def opener(page: Page, address: str) -> list[int]:
    """Open the menu in which tokenizers are opened; return the sizes of what the page sends from then on."""
    sizes: list[int] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sizes.append(len(frame))))
    page.goto(address)
    editor = page.get_by_label("Text", exact=True)
    expect(editor).to_be_visible(timeout=30_000)
    editor.fill(TEXT)
    show_openers(page)
    return sizes


def shows_ids(page: Page, name: str, tokenizer: tokviz.Tokenizer) -> None:
    """Wait for the ids of the text under the tokenizer that was opened."""
    expect(page.get_by_text(f"Now using {name}: byte-level BPE")).to_be_visible(timeout=20_000)
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_value(name, timeout=15_000)
    show_tokens_as(page, "ids")
    expect(page.locator("#list:visible .flow .t")).to_have_text([str(i) for i in tokenizer.encode(TEXT)])


def test_a_gguf_file_of_200_mb_is_opened_by_its_header(page: Page, app_address: str, tmp_path):
    tokenizer, header = byte_level()
    broken, large = tmp_path / "broken.gguf", tmp_path / "large.gguf"
    broken.write_bytes(header[: len(header) // 2])
    large.write_bytes(header)
    with large.open("ab") as file:
        file.truncate(200_000_000)  # a hole, which takes no room
    sizes = opener(page, app_address)
    chooser = page.get_by_label("A GGUF file of any size")
    expect(chooser).to_be_visible()  # once its code is there; a file can be set before
    chooser.set_input_files(broken)
    words = "broken.gguf: The file ends in the middle of its header: is the download complete?"
    expect(page.get_by_role("status").filter(has_text="broken.gguf")).to_have_text(words)
    chooser.set_input_files(large)
    shows_ids(page, "large", tokenizer)
    assert sizes and sum(sizes) < 100_000


def test_what_this_computer_has_is_searched_filtered_and_opened_with_one_click(page: Page, app_address: str):
    tokenizer, _ = byte_level()
    opener(page, app_address)
    page.get_by_role("radio", name="Other programs").click()
    page.get_by_role("button", name="Search this computer").click()
    entries = page.get_by_role("list", name="Tokenizers on this computer").get_by_role("button")
    expect(entries.nth(9)).to_be_visible()
    page.get_by_role("searchbox", name="Filter").fill("BPE small")
    expect(entries).to_have_count(1)
    entries.click()
    shows_ids(page, "small:latest", tokenizer)


def test_a_server_that_others_can_reach_never_offers_to_search_it(page: Page):
    with serving("app.py", "--server.address", "0.0.0.0") as address:
        opener(page, address)
        expect(page.get_by_role("radio", name="From this text")).to_be_visible()
        expect(page.get_by_role("radio", name="Other programs")).to_have_count(0)
