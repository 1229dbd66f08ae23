"""Pictures to take away: of tokens, of columns, and of a word's merges, as SVG, as PNG and copied."""

import re
from collections import Counter
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

import tokviz
from tokviz.display.palette import PALETTE, THEMES, TINTS, colour_index
from tokviz.formats.pretrained import full_name

SVG = "{http://www.w3.org/2000/svg}"
TEXT = 'ไทย👍<script>alert(1)</script> & "x" \x07 \tif'  # no token of it is drawn in two places
NAMES = ["gpt2", "cl100k_base", "o200k_base"]


class Picture:
    """The dialog that a button opens, in the words of its user."""

    def __init__(self, page: Page, button: str = "Save picture") -> None:
        self.page = page
        page.get_by_role("button", name=button, exact=True).first.click()
        self.dialog = page.locator(".picture-dialog")
        expect(self.dialog.get_by_role("img")).to_be_visible()

    def button(self, name: str) -> Locator:
        return self.dialog.get_by_role("button", name=name, exact=True)

    def choose(self, name: str) -> None:
        self.dialog.get_by_text(name, exact=True).click()

    def saved(self, kind: str) -> Path:
        with self.page.expect_download() as download:
            self.button(kind).click()
        assert download.value.suggested_filename.endswith(f".{kind.lower()}")
        return download.value.path()

    def svg(self) -> ElementTree.Element:
        return ElementTree.parse(self.saved("SVG")).getroot()

    def close(self) -> None:
        self.page.keyboard.press("Escape")
        expect(self.dialog).to_have_count(0)


def typed(page: Page, address: str, text: str, path: str = "/") -> None:
    """Open a page, and type a text that is then shown in tokens."""
    page.goto(address + path)
    editor = page.get_by_label("Text", exact=True).filter(visible=True)
    editor.fill(text)
    figure = page.locator("[data-count=tokens], .column:nth-child(2) [data-figure=tokens]").filter(visible=True)
    expect(figure).to_have_text(f"{len(tokviz.load('cl100k_base').encode(text)):,}")


def chip_colours(svg: ElementTree.Element, theme: str = "light") -> list[int]:
    """Return which tints of the palette the chips in an element have, in order."""
    fills = [rect.get("fill") for rect in svg.iter(f"{SVG}rect")]
    return [PALETTE[theme].index(fill) for fill in fills if fill in PALETTE[theme]]


def text_of(svg: ElementTree.Element) -> str:
    """Return what can be selected in an element."""
    return "\n".join(text.text or "" for text in svg.iter(f"{SVG}text"))


def token_colours(tokenizer: str, text: str) -> list[int]:
    encoding = tokviz.load(tokenizer)
    return [colour_index(encoding.token_bytes(each)) % TINTS for each in encoding.encode(text)]


def test_the_picture_of_hostile_text_is_xml_with_every_token_in_its_colour_and_says_what_it_is(page: Page, app_address):
    typed(page, app_address, TEXT)
    picture = Picture(page)
    svg = picture.svg()
    colours = token_colours("cl100k_base", TEXT)
    # A character that several tokens share has a chip for each, as any other token has.
    assert Counter(chip_colours(svg)) == Counter(colours)
    assert {node.tag.removeprefix(SVG) for node in svg.iter()}.isdisjoint({"script", "foreignObject", "a", "style"})
    shown = text_of(svg)
    assert '<script>alert(1)</script> & "x"' in shown and "ไทย" in shown and "👍" in shown
    n_bytes = len(TEXT.encode())
    caption = svg.findtext(f"{SVG}desc")
    for words in ("cl100k_base", f"{len(colours)} tokens", f"{len(TEXT)} characters", f"{n_bytes} bytes", " 20"):
        assert words in caption and words in shown
    image = Image.open(BytesIO(picture.saved("PNG").read_bytes()))
    assert image.size == tuple(round(2 * float(svg.get(side))) for side in ("width", "height"))
    assert len(image.convert("RGB").getcolors(maxcolors=1_000_000)) > len(set(colours))


def test_a_picture_seen_elsewhere_loads_nothing_and_looks_the_same(page: Page, browser: Browser, app_address):
    typed(page, app_address, TEXT)
    picture = Picture(page)
    file = picture.saved("SVG")
    png = Image.open(BytesIO(picture.saved("PNG").read_bytes())).convert("RGB")
    markup = file.read_text("utf-8")
    assert all(href.startswith(("#g", "data:image/png;base64,")) for href in re.findall(r'href="([^"]*)', markup))
    assert markup.count("http") == 1 and "url(" not in markup  # the name of SVG itself
    # Where there is no type at all: what cannot be drawn from it is drawn all the same.
    elsewhere = re.sub(r"<text .*?</text>", "", markup)
    context = browser.new_context(device_scale_factor=2, viewport={"width": png.width // 2, "height": png.height // 2})
    other = context.new_page()
    requests = []
    other.on("request", lambda request: requests.append(request.url))
    other.set_content(f"<body style='margin:0'>{elsewhere}</body>")
    seen = Image.open(BytesIO(other.screenshot())).convert("RGB").resize(png.size)
    context.close()
    assert requests == []
    pixels = zip(png.resize((200, 80)).get_flattened_data(), seen.resize((200, 80)).get_flattened_data(), strict=True)
    far = sum(max(abs(a - b) for a, b in zip(one, two, strict=True)) > 40 for one, two in pixels)
    assert far < 160  # of 16,000


def test_a_picture_is_light_or_dark_as_chosen_and_begins_as_the_page(browser: Browser, app_address):
    page = browser.new_context(color_scheme="dark").new_page()
    typed(page, app_address, "two words")
    picture = Picture(page)
    dark = picture.svg()
    assert dark.find(f"{SVG}rect").get("fill") == THEMES["dark"]["backgroundColor"]
    assert chip_colours(dark, "dark") == token_colours("cl100k_base", "two words")
    picture.choose("Light")
    light = picture.svg()
    assert light.find(f"{SVG}rect").get("fill") == THEMES["light"]["backgroundColor"]
    assert chip_colours(light) == token_colours("cl100k_base", "two words")
    page.context.close()


def test_an_image_is_copied_and_where_that_cannot_be_the_png_is_offered(page: Page, app_address):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    typed(page, app_address, "two words")
    picture = Picture(page)
    picture.button("Copy image").click()
    expect(picture.dialog.get_by_role("status")).to_have_text("Copied.")
    assert page.evaluate("async () => (await navigator.clipboard.read())[0].types") == ["image/png"]
    picture.close()
    page.evaluate("() => { delete window.ClipboardItem; }")
    picture = Picture(page)
    expect(picture.button("Copy image")).to_have_count(0)
    expect(picture.dialog.get_by_role("status")).to_contain_text("Save the PNG instead")
    assert picture.saved("PNG").read_bytes().startswith(b"\x89PNG")


def test_of_a_long_text_the_picture_says_how_much_is_in_it(page: Page, app_address):
    text = "All work and no play makes Jack a dull boy. " * 300
    typed(page, app_address, text)
    svg = Picture(page).svg()
    n_tokens = len(tokviz.load("cl100k_base").encode(text))
    assert f"the first 2,000 tokens of {n_tokens:,}" in svg.findtext(f"{SVG}desc")
    assert len(chip_colours(svg)) >= 2_000


def test_a_picture_of_columns_has_each_with_its_name_and_count(page: Page, app_address):
    text = "你好 <b> & 5,555"  # in one line of a column
    typed(page, app_address, text, "/compare")
    svg = Picture(page).svg()
    assert Counter(chip_colours(svg)) == sum((Counter(token_colours(name, text)) for name in NAMES), Counter())
    for name in NAMES:
        assert f"{full_name(name)} {len(token_colours(name, text))} tokens" in svg.findtext(f"{SVG}desc")


def test_a_words_merges_move_to_its_tokens_or_stand_in_rows(page: Page, app_address):
    page.goto(f"{app_address}/merges")
    page.get_by_text("Let me guess", exact=True).click(timeout=30_000)
    rows = page.locator(".rows li")
    expect(rows.first).to_be_visible(timeout=30_000)
    classes = rows.last.locator(".parts .t").evaluate_all("chips => chips.map((chip) => chip.className)")
    colours = [int(re.search(r"\bc(\d+)", name)[1]) % TINTS for name in classes]
    picture = Picture(page, "Save picture of the word")
    svg = picture.svg()
    frames = [group for group in svg.findall(f"{SVG}g") if group.get("class")]
    assert [frame.get("opacity") for frame in frames] == ["0"] * (len(frames) - 1) + [None]
    assert chip_colours(frames[-1]) == colours
    assert len(frames) == rows.count()
    n_tokens = [int(re.search(r"(\d+) token", text_of(frame))[1]) for frame in frames]
    assert n_tokens == [len(chip_colours(frame)) for frame in frames]
    expect(picture.button("PNG")).to_be_disabled()
    picture.choose("All steps")
    still = picture.svg()
    assert not list(still.iter(f"{SVG}style"))
    assert len(chip_colours(still)) == sum(n_tokens)
    assert picture.saved("PNG").read_bytes().startswith(b"\x89PNG")


def test_a_picture_of_an_answer_has_its_lines_in_colour(page: Page, app_address):
    page.goto(f"{app_address}/lessons?lesson=arithmetic")
    expect(page.get_by_role("button", name="Show the answer", exact=True)).to_have_count(3, timeout=30_000)
    page.get_by_role("button", name="Show the answer", exact=True).first.click()
    lines = page.get_by_role("listitem").filter(has=page.locator(".flow"))
    expect(lines.first).to_be_visible()
    svg = Picture(page).svg()
    chips = page.locator(".lines").first.locator(".block .t:not(.id)")
    classes = chips.evaluate_all("chips => chips.map((chip) => chip.className)")
    assert chip_colours(svg) == [int(re.search(r"\bc(\d+)", name)[1]) % TINTS for name in classes]
    assert "gpt2" in svg.findtext(f"{SVG}desc") and "tokens" in text_of(svg)
