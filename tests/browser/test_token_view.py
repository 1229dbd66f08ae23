"""The token view in a browser: what a person sees, against what the package computes."""

import random
import re
import time
import urllib.parse
from collections.abc import Iterator

import pytest
from panels import show_tokens_as
from playwright.sync_api import Locator, Page, expect
from polling import wait_until, wait_until_idle, wait_until_painted
from serving import serving

import tokviz
from tokviz.display.palette import colour_index
from tokviz.records.packing import pack

APP = "tests/browser/apps/token_view_app.py"
ENGLISH = "The ferry left at noon, the ferry came back at night; 1234567 + 89 = 1234656.\n\nAll aboard!\n"
THAI = "ดาราศาสตร์ คือวิชาวิทยาศาสตร์ที่ศึกษาวัตถุในท้องฟ้า ที่นี่ น้ำ"
CHINESE = "今天天气很好，我们去公园吧。\n你好，世界！"
CODE = "def f(x):\n\tif x > 10:\n\t\treturn [i**2 for i in range(x)]\n    # four spaces\n\n\nprint(f(3))  \n"
EMOJI = "👨‍👩‍👧 👩🏽‍🚀 🇹🇭🇩🇪 1️⃣ ❤️ e\u0301 z\u200by \ufeffx nul\x00 \u202eabc\u202c"
HOSTILE = [
    '<script>window.hit = 1</script><img src="http://tokviz.invalid/a.png" onerror="window.hit = 1">',
    "![x](http://tokviz.invalid/b.png) [y](javascript:window.hit=1) <iframe srcdoc='<script>parent.hit=1</script>'>",
    "\"'><svg onload=window.hit=1>&lt;b&gt;&amp; </textarea></style></script> ${window.hit=1} {{hit}}",
    "\u202e<b>desrever</b>\u202c \u2066isolate\u2069 \x00\x07\x1b[31m <style>*{display:none}</style>",
]

# Every chip on view in order: [token index, classes, text, label of a small chip].
CHIPS = """panel => [...panel.querySelectorAll('.block')].flatMap(block => {
  const first = [...panel.querySelectorAll('.block')].slice(0, [...panel.querySelectorAll('.block')].indexOf(block))
    .reduce((sum, b) => sum + b.block.count, 0);
  return [...block.querySelectorAll('.t')].map(chip => [
    first + Number(chip.dataset.i),
    [...chip.classList].filter(c => !['lit', 'active', 'pinned'].includes(c)).sort().join(' '),
    chip.textContent, chip.dataset.label ?? '']);
})"""


# Of every chip its text and the colour of its ground.
GROUNDS = """panel => [...panel.querySelectorAll('.t')].map(
  chip => [chip.textContent, getComputedStyle(chip).backgroundColor])"""


@pytest.fixture(scope="module")
def view_address() -> Iterator[str]:
    with serving(APP) as address:
        yield address


@pytest.fixture
def view(request: pytest.FixtureRequest, page: Page) -> "View":
    """The view on a page of its own; for journeys on the playground, since they share the server of the app."""
    if request.node.get_closest_marker("journey"):
        return Playground(page, request.getfixturevalue("app_address"))
    return View(page, request.getfixturevalue("view_address"))


class View:
    """The page under test, in the words of its user."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.editor: Locator = page.locator("textarea#editor")
        self.tokens: Locator = page.locator("#tokens")
        self.list: Locator = page.locator("#list")
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on(
            "console", lambda message: self.errors.append(message.text) if "BidiComponent" in message.text else None
        )

    def open(self, text: str = "", **options: object) -> "View":
        query = urllib.parse.urlencode({"text": text, **options})
        self.page.goto(f"{self.address}/?{query}")
        return self.ready()

    def ready(self) -> "View":
        expect(self.page.locator(".view")).to_be_visible(timeout=30_000)
        expect(self.page.get_by_text("runs:")).to_be_visible()
        return self

    def chips(self, panel: str = "#tokens") -> list[tuple[int, str, str, str]]:
        return [tuple(chip) for chip in self.page.locator(panel).evaluate(CHIPS)]

    def count(self, name: str) -> str:
        return self.page.locator(f"[data-count={name}]").inner_text()

    def shows(self, text: str, tokenizer: str = "o200k_base", **options: object) -> None:
        """Wait for the numbers of this text; then check text, ids and colours of every token."""
        tok = tokviz.load(tokenizer)
        spans = tokviz.token_spans(tok, tok.encode(text, **options))
        expect(self.page.locator("[data-count=bytes]")).to_have_text(f"{len(spans.data):,}", timeout=15_000)
        expect(self.page.locator("[data-count=tokens]")).to_have_text(f"{len(spans):,}")
        expect(self.tokens.locator(".flow")).to_have_js_property("textContent", text)
        expect(self.page.locator(".pending")).to_have_count(0)
        assert not self.errors
        ids = spans.ids.tolist()
        wait_until(self.page, lambda: {chip[0] for chip in self.chips()} == set(range(len(ids))))
        chips = self.chips()
        special = set(tok.special_tokens.values())
        classes_of = ["special" if i in special else f"c{colour_index(tok.token_bytes(i))}" for i in ids]
        whole: dict[int, str] = {}
        for index, classes, chip_text, label in chips:
            assert classes_of[index] in classes.split()
            if not label:
                whole[index] = whole.get(index, "") + chip_text
        for index, chip_text in whole.items():
            token = spans.text[spans.char_starts[index] : spans.char_ends[index]]
            assert chip_text in token if spans.partial[index] else chip_text == token or has_small_chip(chips, index)
        show_tokens_as(self.page, "ids")
        listed = list(zip(ids, classes_of, strict=True))
        wait_until(self.page, lambda: [(int(chip[2]), chip[1].split()[0]) for chip in self.chips("#list")] == listed)
        show_tokens_as(self.page, "colour")
        for name, number in {"characters": len(text), "distinct": len(set(ids))}.items():
            assert self.count(name) == f"{number:,}"

    def server_has(self, text: str) -> None:
        """Wait until the page's script has run with this text, which it does when the typing rests."""
        expect(self.page.get_by_test_id("stCode").locator("code")).to_have_js_property("textContent", text)


class Playground(View):
    """The same view on the playground."""

    def open(self, text: str = "", tokenizer: str = "o200k_base") -> "View":
        packed = pack({"tokenizer": tokenizer, "text": text})
        self.page.goto(f"{self.address}/?s={packed}")
        return self.ready()

    def ready(self) -> "View":
        expect(self.page.locator(".view")).to_be_visible(timeout=30_000)
        wait_until_idle(self.page)
        return self


def has_small_chip(chips: list[tuple[int, str, str, str]], index: int) -> bool:
    return any(chip[0] == index and chip[3] for chip in chips)


@pytest.mark.parametrize("tokenizer", ["gpt2", "cl100k_base", "o200k_base"])
@pytest.mark.parametrize("text", [ENGLISH, THAI, CHINESE, CODE, EMOJI], ids=["en", "th", "zh", "code", "emoji"])
def test_colours_lie_on_the_characters_of_each_token(view: View, text: str, tokenizer: str):
    view.open(text, tokenizer=tokenizer).shows(text, tokenizer)


@pytest.mark.parametrize("text", [ENGLISH, THAI, CHINESE, CODE + THAI], ids=["en", "th", "zh", "code and th"])
def test_typing_recolours_and_keeps_the_caret(view: View, text: str):
    view.open("start end")
    view.editor.focus()
    view.editor.evaluate("e => e.setSelectionRange(5, 5)")
    for character in text:
        view.page.keyboard.insert_text(character)
    view.shows("start" + text + " end")
    caret = len(("start" + text).encode("utf-16-le")) // 2
    assert view.editor.evaluate("e => [e.selectionStart, e.selectionEnd]") == [caret, caret]


def test_a_paste_and_undo_and_redo(view: View):
    view.open("")
    expect(view.page.locator(".hint")).to_be_visible()
    view.editor.focus()
    view.page.keyboard.insert_text("one two")
    view.shows("one two")
    view.editor.press("Control+a")
    view.page.keyboard.insert_text(CHINESE)
    view.shows(CHINESE)
    view.editor.press("Control+z")
    view.shows("one two")
    view.editor.press("Control+Shift+z")
    view.shows(CHINESE)
    view.editor.fill("")
    expect(view.page.locator(".hint")).to_be_visible()
    expect(view.page.locator("[data-count=tokens]")).to_have_text("0")
    assert view.count("ratio") == "–"


@pytest.mark.slow
@pytest.mark.journey
def test_an_input_method_is_not_disturbed(view: View):
    view.open("水 ")
    view.editor.focus()
    view.editor.press("Control+End")
    session = view.page.context.new_cdp_session(view.page)
    for typed in ["n", "ni", "ni h", "ni ha", "ni hao"]:
        session.send(
            "Input.imeSetComposition", {"text": typed, "selectionStart": len(typed), "selectionEnd": len(typed)}
        )
        # The server's reply comes in between.
        expect(view.page.locator("[data-count=characters]")).to_have_text(str(2 + len(typed)))
        assert view.editor.input_value() == "水 " + typed
    session.send("Input.insertText", {"text": "你好"})
    view.shows("水 你好")
    assert view.editor.input_value() == "水 你好"


@pytest.mark.parametrize("delay", [0, 0.4])
def test_fast_typing_loses_nothing_on_a_slow_server(view: View, delay: float):
    view.open("", delay=delay)
    view.editor.focus()
    text = "the quick brown fox jumps over it"
    view.page.keyboard.type(text, delay=25)
    assert view.editor.input_value() == text
    # The typed text is on view before the slow server has cut it.
    expect(view.tokens.locator(".flow")).to_have_text(text, timeout=1000 if delay else 5000)
    view.shows(text)


def test_a_text_from_outside_replaces_the_editors_and_typing_goes_on(view: View):
    view.open("mine")
    view.page.get_by_role("button", name="Sample B").click()
    sample = "ตัวอย่าง B\n\n  你好"
    expect(view.editor).to_have_value(sample)
    view.shows(sample)
    view.editor.focus()
    view.editor.press("Control+End")
    view.page.keyboard.type("!")
    view.shows(sample + "!")
    # The same sample again is a change from outside all the same.
    view.page.get_by_role("button", name="Sample B").click()
    expect(view.editor).to_have_value(sample)
    view.shows(sample)


def test_two_quick_changes_from_outside_while_typing(view: View):
    view.open("mine", delay=0.3)
    view.editor.focus()
    view.page.keyboard.type("abc")
    view.page.get_by_role("button", name="Sample A").click()
    view.page.get_by_role("button", name="Sample B").click()
    expect(view.editor).to_have_value("ตัวอย่าง B\n\n  你好", timeout=10_000)
    view.shows("ตัวอย่าง B\n\n  你好")
    view.server_has("ตัวอย่าง B\n\n  你好")
    wait_until_idle(view.page)
    assert view.editor.input_value() == "ตัวอย่าง B\n\n  你好"


def test_a_rerun_of_the_page_amid_typing_changes_nothing(view: View):
    view.open("")
    view.editor.focus()
    for word in ("every", "word", "of", "this", "arrives"):
        view.page.keyboard.type(word + " ", delay=15)
        view.page.get_by_role("button", name="Rerun").click()
        view.editor.focus()
    text = "every word of this arrives "
    view.shows(text)
    assert view.editor.input_value() == text


def test_the_text_survives_a_change_of_page_and_a_reload(view: View):
    view.open("kept ", tokenizer="gpt2")
    view.editor.press("Control+End")
    view.page.keyboard.type("สวัสดี")
    view.shows("kept สวัสดี", "gpt2")
    view.page.get_by_role("link", name="Other").click()
    expect(view.page.get_by_text("Nothing here.")).to_be_visible()
    view.page.get_by_role("link", name="View").click()
    view.ready().shows("kept สวัสดี", "gpt2")
    view.page.goto(view.address)
    view.ready().shows("kept สวัสดี")
    view.server_has("kept สวัสดี")


def test_keys_struck_just_before_a_change_of_page_arrive(view: View):
    view.open("a")
    view.shows("a")
    view.editor.press("Control+End")
    view.page.keyboard.type("bcdefgh")
    view.page.get_by_role("link", name="Other").click()
    expect(view.page.get_by_text("Nothing here.")).to_be_visible()
    view.page.get_by_role("link", name="View").click()
    view.ready().shows("abcdefgh")
    assert view.editor.input_value() == "abcdefgh"


def test_a_reload_in_the_middle_of_typing_loses_no_key(view: View):
    view.open("", delay=0.3)
    view.editor.focus()
    text = "typed until the very moment of the reload"
    view.page.keyboard.type(text)
    view.page.goto(f"{view.address}/")
    view.ready().shows(text)
    assert view.editor.input_value() == text


def test_pointing_at_a_token_says_its_id_and_bytes_and_a_click_opens_the_inspector(view: View):
    view.open(ENGLISH)
    view.shows(ENGLISH)
    tokenizer = tokviz.load("o200k_base")
    ids = tokenizer.encode(ENGLISH)
    pointed, inspector = view.page.locator(".pointed"), view.page.locator(".inspector")
    view.tokens.locator(".t").nth(3).hover()
    expect(pointed).to_have_text(f"id {ids[3]} · bytes {tokenizer.token_bytes(ids[3]).hex(' ')}")
    expect(inspector).to_be_hidden()
    view.page.mouse.move(2, 2)
    expect(view.page.locator(".lit")).to_have_count(0)
    expect(pointed).to_be_empty()
    show_tokens_as(view.page, "ids")
    view.list.locator(".t").nth(6).click()
    expect(inspector).to_contain_text("7 of")
    expect(inspector).to_contain_text("pretoken")
    facts = inspector.locator("dl").first.element_handle()
    view.list.locator(".t").nth(6).hover()
    view.page.mouse.move(2, 2)
    expect(view.page.locator(".lit")).to_have_count(0)
    view.page.wait_for_timeout(100)  # for two frames
    assert facts.evaluate("(node) => node.isConnected")  # or a press that began on one of its buttons would be lost
    show_tokens_as(view.page, "colour")
    expect(view.tokens.locator(".pinned")).to_have_text(tokenizer.token_bytes(ids[6]).decode())
    inspector.get_by_role("button", name="Close").click()
    expect(inspector).to_be_hidden()


def test_the_keyboard_walks_pins_and_lets_go(view: View):
    view.open("low lower lowest", tokenizer="cl100k_base")
    view.shows("low lower lowest", "cl100k_base")
    view.tokens.focus()
    view.page.keyboard.press("ArrowRight")
    active = view.tokens.locator("#active")
    expect(active).to_have_attribute("aria-label", re.compile("token 2 of .*␣lower, id 4827, bytes 20 6c 6f 77 65 72"))
    assert view.tokens.get_attribute("aria-activedescendant") == "active"
    view.page.keyboard.press("Enter")
    expect(view.tokens.locator(".pinned")).to_have_text(" lower")
    inspector = view.page.locator(".inspector")
    for words in [
        "4827",
        "20 6c 6f 77 65 72",
        "merge 4,572 (merge 1 was learned first)",
        "before merging, by “letters”",
        "merges never cross",
    ]:
        expect(inspector).to_contain_text(words)
    assert inspector.locator(".tree .node .name").first.text_content() == " lower"
    view.page.keyboard.press("End")
    expect(active).to_have_attribute("aria-label", re.compile("␣lowest|est"))
    view.page.keyboard.press("Escape")
    expect(view.page.locator(".pinned")).to_have_count(0)


def test_a_pinned_token_moves_with_the_text(view: View):
    view.open("one two three")
    view.shows("one two three")
    view.tokens.locator(".t", has_text=" three").click()
    expect(view.tokens.locator(".pinned")).to_have_text(" three")
    view.editor.focus()
    view.editor.press("Control+Home")
    view.page.keyboard.type("zero, ")
    view.shows("zero, one two three")
    expect(view.tokens.locator(".pinned")).to_have_text(" three")
    index = len(tokviz.load("o200k_base").encode("zero, one two"))
    expect(view.tokens.locator(".pinned")).to_have_attribute("data-i", str(index))


def test_the_same_piece_has_the_same_colour_everywhere(view: View):
    text = "the cat, the hat: the the the"
    view.open(text, tokenizer="gpt2")
    view.shows(text, "gpt2")
    grounds = {ground for piece, ground in view.tokens.evaluate(GROUNDS) if piece == " the"}
    assert len(grounds) == 1
    show_tokens_as(view.page, "ids")
    wait_until(view.page, lambda: grounds <= {ground for _, ground in view.list.evaluate(GROUNDS)})


def test_a_character_of_several_tokens_is_drawn_once_and_each_token_names_its_bytes(view: View):
    view.open("我你", tokenizer="gpt2")
    view.shows("我你", "gpt2")
    groups = view.tokens.locator(".shared")
    tokenizer = tokviz.load("gpt2")
    for group, character in zip(groups.all(), "我你", strict=True):
        assert group.text_content() == character
        pieces = [token.hex(" ") for token in tokenizer.tokens_bytes(tokenizer.encode(character))]
        assert [chip.get_attribute("data-label") for chip in group.locator(".part").all()] == pieces
        assert group.locator(".glyph").get_attribute("data-count") == str(len(pieces))
    groups.nth(1).locator(".part").first.click()
    expect(view.page.locator(".inspector")).to_contain_text("bytes 1–2 of 3 of 你")


def test_invisible_characters_have_names_and_overrides_reorder_nothing(view: View):
    text = "a\u202ebcd\u202ce\u200bf\ufeffg\x00h"
    view.open(text, tokenizer="cl100k_base")
    view.shows(text, "cl100k_base")
    labels = view.tokens.locator(".k").evaluate_all("nodes => nodes.map(n => n.dataset.label)")
    assert labels == ["RLO", "PDF", "ZWSP", "BOM", "NUL"]
    # From left to right the chips stand in the order of the text.
    lefts = view.tokens.locator(".t, .k").evaluate_all(
        "nodes => nodes.filter(n => n.offsetWidth).map(n => n.getBoundingClientRect().left)"
    )
    assert lefts == sorted(lefts)


def test_tokens_are_there_at_once_when_the_list_gives_way_to_them(view: View):
    view.open(ENGLISH)
    view.shows(ENGLISH)
    show_tokens_as(view.page, "ids")
    expect(view.list.locator(".t").first).to_be_visible()
    wait_until_painted(view.page)
    drawn = "radio => { radio.click(); return radio.getRootNode().querySelectorAll('#tokens .t').length; }"
    assert view.page.locator("[name=mode][value=colour]").evaluate(drawn) > 20


def test_a_special_token_is_one_chip_of_its_own_look_only_where_allowed(view: View):
    text = "a<|endoftext|>b"
    view.open(text)
    view.shows(text)
    assert view.tokens.locator(".special").count() == 0
    view.open(text, special="all")
    view.shows(text, allowed_special="all")
    expect(view.tokens.locator(".special")).to_have_text("<|endoftext|>")


@pytest.mark.journey
def test_hostile_text_is_shown_literally_and_asks_no_host(view: View):
    hosts = set()
    view.page.on("request", lambda request: hosts.add(urllib.parse.urlsplit(request.url).netloc))
    view.page.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
    view.open("")
    for text in HOSTILE:
        view.editor.fill(text)
        view.shows(text)
        for way in ["text", "bytes", "ids", "colour"]:
            show_tokens_as(view.page, way)
        view.tokens.locator("[data-i='0']").click()
        expect(view.page.locator(".inspector")).to_contain_text("in this text")
        assert view.page.evaluate("window.hit") is None
        assert view.page.locator("#tokens").locator("img, script, iframe, svg, b").count() == 0
    assert hosts <= {urllib.parse.urlsplit(view.address).netloc, ""}


@pytest.mark.parametrize("tokenizer", ["o200k_base", "gpt2"])  # under gpt2 tokens share most characters
def test_sixty_random_edits_leave_what_a_fresh_view_shows(view: View, tokenizer: str):
    generator = random.Random(5)
    pieces = [
        "the ",
        "ที่",
        "ั",
        "你",
        "👩‍🍳",
        "🇹",
        "\n",
        "\n\n",
        "\t",
        " ",
        "    ",
        "x",
        "'s",
        "123",
        "\u200d",
        "é",
        "(",
        "ab\ncd",
    ]
    source = (ENGLISH + THAI + "\n" + CODE + CHINESE + "\n") * 2
    view.open("", height=6000, tokenizer=tokenizer)
    view.editor.fill(source)
    text = source
    view.shows(text, tokenizer)
    for number in range(60):
        place = generator.randrange(len(text) + 1)
        removed = generator.choice([0, 0, 1, 1, 3, 40])
        insert = "".join(generator.choices(pieces, k=generator.choice([0, 1, 1, 2, 8])))
        text = text[:place] + insert + text[place + removed :]
        end = len(text[: place + len(insert)].encode("utf-16-le")) // 2
        view.editor.evaluate(
            """(e, [value, at]) => {
              e.value = value; e.setSelectionRange(at, at); e.dispatchEvent(new Event('input'));
            }""",
            [text, end],
        )
        if number % 10 == 9:
            view.shows(text, tokenizer)
        else:
            time.sleep(generator.choice([0, 0.02, 0.09]))
    view.shows(text, tokenizer)
    edited = view.chips()
    view.page.reload()
    view.ready().shows(text, tokenizer)
    assert view.chips() == edited


def test_copying_gives_the_text_without_glyphs(view: View):
    view.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    text = "two  words\n\tสวัสดี 👨‍👩‍👧\u200b end\n"
    view.open(text, tokenizer="cl100k_base")
    view.shows(text, "cl100k_base")
    ids = tokviz.load("cl100k_base").encode(text)
    for way, panel, wanted in [("colour", view.tokens, text), ("ids", view.list, ", ".join(map(str, ids)))]:
        show_tokens_as(view.page, way)
        expect(panel.locator(".t").first).to_be_visible()
        panel.focus()
        view.page.keyboard.press("Control+a")
        view.page.keyboard.press("Control+c")
        assert view.page.evaluate("navigator.clipboard.readText()") == wanted


def test_glyphs_can_be_switched_off_and_the_choice_lasts(view: View):
    view.open("a b\n")
    newline = view.tokens.locator(".nl")
    content = "node => getComputedStyle(node, '::before').content"
    assert newline.evaluate(content) == '"↵"'
    view.page.get_by_text("Show spaces").click()
    assert newline.evaluate(content) != '"↵"'
    view.page.reload()
    view.ready()
    assert newline.evaluate(content) != '"↵"'


def test_carriage_returns_are_tokenized_though_a_textarea_hides_them(view: View):
    text = "one\r\ntwo\r\nthree"
    view.open(text)
    view.shows(text)
    view.editor.press("Control+End")
    view.page.keyboard.type("!")
    view.shows(text + "!")
    view.editor.evaluate("e => e.setSelectionRange(5, 5)")
    view.page.keyboard.type("X")
    view.shows("one\r\ntXwo\r\nthree!")


def test_ids_that_are_no_text_are_shown_by_their_bytes(view: View):
    # 19526 is the first two bytes of 你 in gpt2, here without the third.
    view.open(tokenizer="gpt2", ids="15496,19526,11")
    assert view.editor.is_hidden()
    expect(view.page.locator("[data-count=tokens]")).to_have_text("3")
    assert [chip[3] for chip in view.chips() if chip[3]] in ([], ["e4 bd"])
    view.tokens.locator("[data-i='1']").first.click()
    expect(view.page.locator(".inspector")).to_contain_text("e4 bd")


def test_a_text_beyond_the_limit_says_so_and_the_editor_keeps_it(view: View):
    view.open("")
    text = "word " * 200_100
    view.editor.evaluate("(e, t) => { e.value = t; e.dispatchEvent(new Event('input')); }", text)
    notice = view.page.locator(".notice[role=status]")
    expect(notice).to_contain_text("1,000,500 characters", timeout=60_000)
    expect(notice).to_contain_text("cover the first 1,000,000")
    assert view.count("characters") == "1,000,000"
    assert view.editor.evaluate("e => e.value.length") == len(text)


def test_the_numbers_are_announced_once_the_typing_rests(view: View):
    view.open("a")
    view.shows("a")
    view.editor.press("Control+End")
    view.page.keyboard.type(" b")
    expect(view.page.locator("[aria-live]")).to_have_text("2 tokens, 3 characters, 3 bytes", timeout=5000)


@pytest.mark.parametrize("text", [CODE * 3, THAI, EMOJI, "x" * 3000], ids=["code", "th", "emoji", "one word"])
def test_nothing_sticks_out_of_a_narrow_page(view: View, text: str):
    view.page.set_viewport_size({"width": 380, "height": 800})
    view.open(text, tokenizer="gpt2")
    expect(view.tokens.locator(".t").first).to_be_visible()
    for selector in [".view", "#tokens"]:
        wide = view.page.locator(selector).evaluate("e => e.scrollWidth - e.clientWidth")
        assert wide <= 1, selector


def test_a_token_keeps_its_place_while_the_pointer_passes(view: View):
    view.open(ENGLISH + THAI)
    places = "nodes => nodes.map(n => Object.values(n.getBoundingClientRect().toJSON()))"
    before = view.tokens.locator(".t").evaluate_all(places)
    view.tokens.locator(".t").nth(2).hover()
    expect(view.tokens.locator(".lit")).to_have_count(1)
    assert view.tokens.locator(".t").evaluate_all(places) == before
