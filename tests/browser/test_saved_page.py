"""Pages that are single files, opened from the disk without a network."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from layout import rgb
from panels import show_more
from playwright.sync_api import Browser, BrowserContext, Page, expect
from polling import wait_until
from violations import violations_of

import tokviz
from tokviz.core.samples import sample
from tokviz.display.palette import PALETTE, THEMES, colour_index, tint_and_edge
from tokviz.display.saved_page import columns_page, history_page, tokens_page
from tokviz.formats.pretrained import full_name
from tokviz.text.hidden_text import KINDS, LOOK_ALIKE

HOSTILE = "</script><script>document.title = 'x'</script><!-- \u2028 <b>ภาษาไทย 你好 </template>\n"
TEXT = (HOSTILE + sample("english")).encode()[:5_000].decode(errors="ignore")
NAMES = ("cl100k_base", "gpt2", "o200k_base")


@pytest.fixture(scope="module")
def tokenizers() -> dict[str, tokviz.Tokenizer]:
    return {name: tokviz.load(name) for name in NAMES}


@pytest.fixture
def offline(browser: Browser) -> Iterator[BrowserContext]:
    """A browser without a network; whatever a page asks of one is a failure, and so is any error."""
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900})
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    yield context
    context.close()
    assert all(url.startswith(("file:", "about:", "blob:")) for url in asked), asked  # a blob is made by the page


def opened(context: BrowserContext, folder: Path, source: str) -> tuple[Page, list[str]]:
    """A page opened from the disk, and what went wrong on it."""
    assert len(source.encode()) < 300_000
    (folder / "page.html").write_text(source, encoding="utf-8")
    page = context.new_page()
    wrong = violations_of(page)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto((folder / "page.html").as_uri())
    return page, wrong


def test_a_saved_text_is_alive(offline, tmp_path, tokenizers):
    page, wrong = opened(offline, tmp_path, tokens_page(tokenizers, TEXT, title="A text <b>"))
    expect(page).to_have_title("A text <b>")
    counts = page.get_by_role("group", name="Counts")
    for name, tokenizer in tokenizers.items():
        page.get_by_role("radio", name=name).check(force=True)
        expect(counts).to_contain_text(f"{len(tokenizer.encode(TEXT)):,} tokens")
    panel = page.get_by_role("listbox", name="Tokens")
    chip = panel.locator(".t", has_text="Bakery").first
    token_id = tokenizers["o200k_base"].encode(" Bakery")[0]
    chip.hover()
    expect(page.locator(".pointed")).to_contain_text(f"id {token_id}")
    chip.click()
    facts = page.get_by_role("region", name="About the token")
    expect(facts).to_contain_text("made by")
    expect(facts.get_by_role("list", name="Merge tree: every merge joins the two parts below it")).to_be_visible()
    assert TEXT[:40] in panel.evaluate("panel => panel.textContent")
    assert not wrong


@pytest.mark.parametrize("kind", ["text", "columns", "history"])
def test_what_hides_is_marked_in_every_kind_of_page(offline, tmp_path, tokenizers, kind):
    text = "p\u0430ss\u200bword"
    pages = {
        "text": lambda **look: tokens_page(tokenizers, text, **look),
        "columns": lambda **look: columns_page(tokenizers, text, **look),
        "history": lambda **look: history_page(tokenizers["gpt2"], text, step=0, **look),
    }
    page, wrong = opened(offline, tmp_path, pages[kind]())
    line = page.get_by_role("group", name="Hidden text")
    line.get_by_role("button", name="1 look-alike letter").click()
    expect(line).to_contain_text(KINDS[LOOK_ALIKE])
    expect(page.locator(".hides", has_text="\u0430").first).to_be_visible()
    expect(page.get_by_role("button", name="Clean the text")).to_be_hidden()
    plain, more = opened(offline, tmp_path, pages[kind](finds_hidden=False))
    expect(plain.locator(".t:visible").first).to_be_visible()
    expect(plain.locator(".hides")).to_have_count(0)
    assert not wrong + more


def test_saved_columns_are_alive(offline, tmp_path, tokenizers):
    page, wrong = opened(offline, tmp_path, columns_page(tokenizers, TEXT))
    for name, tokenizer in tokenizers.items():
        bars = page.get_by_role("list", name="Tokens under each tokenizer").get_by_role("listitem")
        expect(bars.filter(has_text=full_name(name)).first).to_contain_text(f"{len(tokenizer.encode(TEXT)):,} tokens")
    page.get_by_role("button", name="Next ›").click()
    expect(page.locator(".found")).to_contain_text(re.compile(r"^1 of \d+ differences$"))
    page.get_by_role("button", name="reference: GPT-2 · gpt2").click()
    expect(page.get_by_role("button", name="reference: GPT-2 · gpt2")).to_have_attribute("aria-pressed", "true")
    assert not wrong


def test_a_saved_history_is_alive(offline, tmp_path, tokenizers):
    gpt2 = tokenizers["gpt2"]
    page, wrong = opened(offline, tmp_path, history_page(gpt2, TEXT, step=500))
    history = tokviz.trace(gpt2, TEXT)
    tokens = page.locator("[data-figure=tokens]")
    expect(tokens).to_have_text(f"{len(history.tokens_at(500)):,}")
    slider = page.get_by_role("slider", name="Merges made")
    slider.press("Home")
    expect(tokens).to_have_text(f"{len(TEXT.encode()):,}")
    page.get_by_role("button", name="Make this merge").click()
    expect(tokens).to_have_text(f"{len(history.tokens_at(1)):,}")
    slider.press("End")
    expect(tokens).to_have_text(f"{len(gpt2.encode(TEXT)):,}")
    expect(page.get_by_role("region", name="The word, merge by merge")).to_contain_text("merge")
    expect(page.get_by_role("button", name="Picture")).to_have_count(0)  # what draws it would make the file too large
    slider.press("Home")
    page.get_by_role("button", name="Play").click()
    expect(page.locator("[data-figure=step]")).not_to_have_text("0")
    assert not wrong


def test_pictures_of_a_saved_page_are_drawn(offline, tmp_path, tokenizers):
    for i, source in enumerate((tokens_page(tokenizers, TEXT), columns_page(tokenizers, TEXT))):
        folder = tmp_path / str(i)
        folder.mkdir()
        page, wrong = opened(offline, folder, source)
        expect(page.locator(".t").first).to_be_visible()
        page.get_by_role("button", name="Picture").first.click()
        image = page.locator(".picture-dialog img")
        expect(image).to_be_visible()
        wait_until(page, "document.querySelector('#view').shadowRoot.querySelector('.preview img').naturalWidth > 300")
        with page.expect_download() as download:
            page.get_by_role("button", name="PNG").click()
        assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")
        page.locator(".picture-dialog").get_by_text("Dark", exact=True).click()
        with page.expect_download() as download:
            page.get_by_role("button", name="SVG").click()
        svg = Path(download.value.path()).read_text()
        assert f'fill="{THEMES["dark"]["backgroundColor"]}"' in svg and f'fill="{PALETTE["dark"][0]}"' in svg
        assert not wrong


def test_a_saved_page_follows_the_theme(browser, tmp_path, tokenizers):
    grounds = {}
    for scheme in ("light", "dark"):
        context = browser.new_context(offline=True, color_scheme=scheme)
        page, _ = opened(context, tmp_path, tokens_page(tokenizers, "low lower"))
        expect(page.get_by_role("group", name="Counts")).to_contain_text("2 tokens")
        grounds[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor")
        tints = page.locator("#tokens .t").evaluate_all(
            "chips => chips.map((chip) => getComputedStyle(chip).backgroundColor)"
        )
        assert tints == [rgb(tint_and_edge(colour_index(token), scheme)[0]) for token in (b"low", b" lower")]
        context.close()
    assert len(set(grounds.values())) == 2


def test_a_saved_page_stands_in_another_one(offline, tmp_path, tokenizers):
    (tmp_path / "inner.html").write_text(tokens_page(tokenizers, "low lower"), encoding="utf-8")
    (tmp_path / "outer.html").write_text('<iframe src="inner.html" sandbox="allow-scripts" height="600"></iframe>')
    page = offline.new_page()
    page.goto((tmp_path / "outer.html").as_uri())
    expect(page.frame_locator("iframe").get_by_role("group", name="Counts")).to_contain_text("2 tokens")


@pytest.mark.parametrize(
    ("address", "menu", "seen"),
    [
        ("/", "Export", "tokens"),
        ("/compare", None, "the reference"),
        ("/merges", "More", "merges made"),
    ],
)
def test_what_a_page_shows_is_saved(page, offline, tmp_path, app_address, address, menu, seen):
    page.goto(app_address + address)
    if menu == "Export":
        show_more(page, menu)
    elif menu:
        page.get_by_role("button", name=menu, exact=True).click()
    button = page.get_by_role("button", name="Save as a page")
    expect(button).to_be_enabled()
    with page.expect_download() as download:
        button.click()
    source = Path(download.value.path()).read_text(encoding="utf-8")
    saved, wrong = opened(offline, tmp_path, source)
    expect(saved.locator(".view:visible").first).to_be_visible()
    expect(saved.locator("body")).to_contain_text(seen)
    shown = page.locator(".view .t[data-i]").first
    expect(saved.locator(".view .t[data-i]").first).to_have_text(shown.text_content())
    assert not wrong
