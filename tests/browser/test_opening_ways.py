"""Opening a GGUF file of any size, files that belong together, and what is on this computer."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from gguf_files import byte_level_gguf
from panels import show_tokens_as
from playwright.sync_api import Page, expect
from serving import free_port, serving, started

import tokviz

TEXT = "The ferry left at noon"


def byte_level(folder: Path) -> tuple[tokviz.Tokenizer, bytes]:
    """Return a tokenizer, and a GGUF file that holds it."""
    tokenizer = tokviz.train(TEXT * 3, vocab_size=270, split_pattern="gpt2")
    tokenizer.save(folder / "x.json")
    return tokenizer, byte_level_gguf(json.loads((folder / "x.json").read_text()))


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> Iterator[str]:
    """A server on a computer that has a model of Ollama's and nine of llama.cpp's."""
    models = tmp_path_factory.mktemp("models")
    _, gguf = byte_level(models)
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": f"sha256:{'0' * 64}"}
    files = {f"blobs/sha256-{'0' * 64}": gguf} | {f"llama/{i}.gguf": gguf for i in range(9)}
    files["manifests/registry.ollama.ai/library/small/latest"] = json.dumps({"layers": [layer]}).encode()
    for name, data in files.items():
        (models / name).parent.mkdir(parents=True, exist_ok=True)
        (models / name).write_bytes(data)
    folders = {"OLLAMA_MODELS": models, "HF_HUB_CACHE": models / "none", "LLAMA_CACHE": models / "llama"}
    address = f"http://127.0.0.1:{(port := free_port())}"
    arguments = ["-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with started(arguments, address, **{name: str(folder) for name, folder in folders.items()}):
        yield address


def opener(page: Page, address: str) -> list[int]:
    """Open the menu in which tokenizers are opened; return the sizes of what the page sends from then on."""
    sizes: list[int] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sizes.append(len(frame))))
    page.goto(address)
    editor = page.get_by_label("Text", exact=True)
    expect(editor).to_be_visible(timeout=30_000)
    editor.fill(TEXT)
    page.get_by_test_id("stPopover").get_by_role("button", name="Open").click()
    return sizes


def shows_ids(page: Page, name: str, tokenizer: tokviz.Tokenizer) -> None:
    """Wait for the ids of the text under the tokenizer that was opened."""
    expect(page.get_by_text("The tokenizer is open, and chosen.").first).to_be_visible(timeout=20_000)
    expect(page.locator(".tokenizer:visible")).to_have_text(name, timeout=15_000)
    show_tokens_as(page, "ids")
    expect(page.locator("#list:visible .flow .t")).to_have_text([str(i) for i in tokenizer.encode(TEXT)])


@pytest.mark.journey
def test_a_gguf_file_of_200_mb_is_opened_by_its_header(page: Page, address: str, tmp_path):
    tokenizer, header = byte_level(tmp_path)
    broken, large = tmp_path / "broken.gguf", tmp_path / "large.gguf"
    broken.write_bytes(header[: len(header) // 2])
    large.write_bytes(header)
    with large.open("ab") as file:
        file.truncate(200_000_000)  # a hole, which takes no room
    sizes = opener(page, address)
    chooser = page.get_by_label("A GGUF file of any size")
    expect(chooser).to_be_visible()  # once its code is there; a file can be set before
    chooser.set_input_files(broken)
    words = "broken.gguf: The file ends in the middle of its header: is the download complete?"
    expect(page.get_by_role("status").filter(has_text="broken.gguf")).to_have_text(words)
    chooser.set_input_files(large)
    shows_ids(page, "large", tokenizer)
    assert sizes and sum(sizes) < 100_000


@pytest.mark.journey
def test_what_this_computer_has_is_searched_filtered_and_opened_with_one_click(page: Page, address: str, tmp_path):
    tokenizer, _ = byte_level(tmp_path)
    opener(page, address)
    page.get_by_role("radio", name="On this computer").click()
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
        expect(page.get_by_role("radio", name="On this computer")).to_have_count(0)
