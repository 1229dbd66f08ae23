"""The compare view in a browser: what is marked, folded, jumped to and lit, against a slow reckoning of its own."""

import random
import re
import time
import urllib.parse
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect
from polling import wait_until
from serving import serving

import tokviz
from tokviz.display.palette import colour_index

APP = "tests/browser/apps/compare_app.py"
NAMES = ("gpt2", "cl100k_base", "o200k_base")
MIXED = "unbelievable 3221+2334=5555\n\nดาราศาสตร์ น้ำ 今天天气 👩‍🍳 the same words here\n\tdef f(x):\n\t\treturn x\n"
HOSTILE = (
    '<script>window.hit = 1</script><img src="http://tokviz.invalid/a.png" onerror="window.hit = 1">'
    "</textarea></style>![x](http://tokviz.invalid/b.png)\u202e<b>desrever</b>\x00"
)

# Every chip of a column: [token, whether it is underlined, text, label].
CHIPS = """scroller => [...scroller.querySelectorAll('.block')].flatMap(({ block, node }, n, blocks) =>
  [...(blocks[n]).querySelectorAll('[data-i]')].map(chip => [block.first + Number(chip.dataset.i),
    chip.classList.contains('differs'), chip.textContent, chip.dataset.label ?? '', chip.className]))"""


@pytest.fixture(scope="module")
def view_address() -> Iterator[str]:
    with serving(APP) as address:
        yield address


@pytest.fixture
def view(page: Page, view_address: str) -> "View":
    return View(page, view_address)


Span = tuple[int, int]


def byte_spans(text: str, name: str) -> list[Span]:
    base, _, merges = name.partition("@")
    tokenizer = tokviz.load(base).truncated(int(merges)) if merges else tokviz.load(base)
    spans = tokviz.text_spans(tokenizer, text)
    return list(zip(spans.byte_starts.tolist(), spans.byte_ends.tolist(), strict=True))


def differences(text: str, columns: list[list[Span]]) -> list[Span]:
    """Return the stretches of text, as short as can be, that not all columns cut alike."""
    ends, total = [], 0
    for character in text:
        total += len(character.encode())
        if not any(start < total < end for spans in columns for start, end in spans):
            ends.append(total)
    cells = list(zip([0, *ends], ends, strict=False))

    def inside(spans: list[Span], cell: Span) -> list[Span]:
        return [span for span in spans if cell[0] <= span[0] < cell[1]]

    return [cell for cell in cells if any(inside(spans, cell) != inside(columns[0], cell) for spans in columns)]


class View:
    """The page under test, in the words of its user."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.editor: Locator = page.locator("textarea#editor")
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, text: str = "", names: tuple[str, ...] = NAMES) -> "View":
        self.page.goto(f"{self.address}/?{urllib.parse.urlencode({'text': text, 'tokenizers': ','.join(names)})}")
        expect(self.page.locator(".column")).to_have_count(len(names), timeout=30_000)
        return self

    def column(self, index: int) -> Locator:
        return self.page.locator(".column .scroller").nth(index)

    def chips(self, index: int) -> list[tuple[int, bool, str, str, str]]:
        return [tuple(chip) for chip in self.column(index).evaluate(CHIPS)]

    def shows(self, text: str, names: tuple[str, ...] = NAMES) -> None:
        """Wait for the text in every column; then check colours and underlines of every token."""
        columns = [byte_spans(text, name) for name in names]
        for index, name in enumerate(names):
            expect(self.column(index).locator(".flow")).to_have_js_property("textContent", text)
            expect(self.column(index).locator(".pending")).to_have_count(0)
            figure = self.page.locator(".column").nth(index).locator("[data-figure=tokens]")
            expect(figure).to_have_text(f"{len(columns[index]):,}")
            base, _, merges = name.partition("@")
            tokenizer = tokviz.load(base)
            tokens = None if merges else tokenizer.tokens_bytes(tokenizer.encode(text))
            marked = {chip[0]: chip[1] for chip in self.chips(index)}
            assert list(marked.values()) == [not all(span in other for other in columns) for span in columns[index]], (
                name
            )
            for number, *_, classes in self.chips(index):
                assert tokens is None or f"c{colour_index(tokens[number])}" in classes.split()
        assert not self.errors

    def in_class(self, name: str) -> list[list[int]]:
        """Return the tokens of each column that carry a class."""
        return [
            sorted({chip[0] for chip in self.chips(i) if name in chip[4].split()})
            for i in range(self.page.locator(".column").count())
        ]

    def jump(self, name: str) -> None:
        self.page.get_by_role("button", name=name).click()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (MIXED, NAMES),
        ("low lower lowest, 1234567", ("gpt2", "cl100k_base")),
        ("วิทยาศาสตร์ 你好", ("gpt2@0", "gpt2@300", "gpt2@3000", "gpt2", "cl100k_base", "o200k_base")),
    ],
    ids=["mixed", "two", "six"],
)
def test_a_token_is_underlined_where_not_all_columns_have_its_span(view: View, text: str, names: tuple[str, ...]):
    view.open(text, names).shows(text, names)
    found = differences(text, [byte_spans(text, name) for name in names])
    expect(view.page.locator(".found")).to_have_text(re.compile(rf"^{len(found)} differences?$"))


def test_underlines_against_a_reference_and_of_the_only_one(view: View):
    text = "unbelievable 3221+2334=5555 ดาราศาสตร์"
    view.open(text)
    view.shows(text)
    columns = [set(byte_spans(text, name)) for name in NAMES]
    choice = view.page.locator("select[name=marks]")

    def underlined(index: int) -> list[bool]:
        return list({chip[0]: chip[1] for chip in view.chips(index)}.values())

    choice.select_option("alone")
    for i, name in enumerate(NAMES):
        others = columns[(i + 1) % 3] | columns[(i + 2) % 3]
        assert underlined(i) == [span not in others for span in byte_spans(text, name)]
    choice.select_option("reference")
    view.page.get_by_role("button", name="reference: GPT-4 · cl100k_base").click()
    expect(view.page.get_by_role("button", name="reference: GPT-4 · cl100k_base")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(view.page.get_by_text(f"rested: {len(text)} characters, reference cl100k_base")).to_be_visible()
    for i in (0, 2):
        assert underlined(i) == [span not in columns[1] for span in byte_spans(text, NAMES[i])]
    everywhere = columns[0] & columns[2]
    assert underlined(1) == [span not in everywhere for span in byte_spans(text, NAMES[1])]


def test_pointing_lights_the_same_characters_in_every_column(view: View):
    text = "indivisibility 今天 end"
    view.open(text)
    view.shows(text)
    columns = [byte_spans(text, name) for name in NAMES]
    for index, token in ((1, 0), (0, 2), (0, len(columns[0]) - 1)):
        start, end = columns[index][token]
        view.column(index).locator(f"[data-i='{token}']").last.hover()
        wanted = [[i for i, (s, e) in enumerate(spans) if s < end and e > start] for spans in columns]
        wait_until(view.page, lambda wanted=wanted: view.in_class("lit") == wanted)
    for index, spans in enumerate(columns):
        first = next(i for i, (_, e) in enumerate(spans) if e > columns[0][-1][0])
        token_id = tokviz.load(NAMES[index]).encode(text)[first]
        expect(view.page.locator(".under").nth(index)).to_contain_text(str(token_id))
    view.page.mouse.move(2, 2)
    wait_until(view.page, lambda: view.in_class("lit") == [[], [], []])


def test_jumps_go_through_the_differences_in_order_by_buttons_and_keys(view: View):
    view.open(MIXED)
    view.shows(MIXED)
    columns = [byte_spans(MIXED, name) for name in NAMES]
    found = differences(MIXED, columns)

    def at(number: int) -> None:
        start, end = found[number]
        expect(view.page.locator(".found")).to_have_text(f"{number + 1} of {len(found)} differences")
        assert view.in_class("pinned") == [[i for i, (s, e) in enumerate(c) if s < end and e > start] for c in columns]

    view.jump("Next")
    at(0)
    view.jump("Next")
    at(1)
    view.jump("Previous")
    view.jump("Previous")
    at(len(found) - 1)
    view.column(2).focus()
    view.page.keyboard.press("n")
    at(0)
    view.page.keyboard.press("n")
    at(1)
    assert view.column(2).get_attribute("aria-activedescendant") == "active-2"
    view.page.keyboard.press("p")
    at(0)
    view.page.keyboard.press("Escape")
    assert view.in_class("pinned") == [[], [], []]


def test_what_is_pinned_moves_with_the_text_and_a_touched_token_is_let_go(view: View):
    view.open("one 3221+2334 end", ("gpt2", "cl100k_base"))
    view.shows("one 3221+2334 end", ("gpt2", "cl100k_base"))
    view.column(0).locator("[data-i]").last.click()
    last = [len(byte_spans("one 3221+2334 end", name)) - 1 for name in ("gpt2", "cl100k_base")]
    assert view.in_class("pinned") == [[last[0]], [last[1]]]
    view.editor.press("Control+Home")
    view.page.keyboard.type("ที่ ")
    text = "ที่ one 3221+2334 end"
    view.shows(text, ("gpt2", "cl100k_base"))
    last = [len(byte_spans(text, name)) - 1 for name in ("gpt2", "cl100k_base")]
    assert view.in_class("pinned") == [[last[0]], [last[1]]]
    view.editor.press("Control+End")
    view.page.keyboard.press("Backspace")
    view.shows(text[:-1], ("gpt2", "cl100k_base"))
    assert view.in_class("pinned") == [[], []]


def test_the_filter_leaves_what_differs_and_counts_the_rest(view: View):
    text = "The same words here, and then: indivisibility, 1234567, which each cuts in a way of its own."
    view.open(text, ("gpt2", "cl100k_base"))
    view.shows(text, ("gpt2", "cl100k_base"))
    columns = [byte_spans(text, name) for name in ("gpt2", "cl100k_base")]
    wanted = [[not all(span in other for other in columns) for span in spans] for spans in columns]
    view.page.get_by_text("Only where they differ").click()
    for index in range(2):
        expect(view.column(index).locator(".fold").first).to_be_visible()
        shown = {chip[0] for chip in view.chips(index)}
        different = {i for i, differs in enumerate(wanted[index]) if differs}
        signs = view.column(index).locator(".fold").evaluate_all("all => all.map(e => e.dataset.label)")
        folded = sum(int(sign.split()[1]) for sign in signs)
        assert different and different <= shown
        assert folded + len(shown) == len(columns[index]) and folded > len(shown)
        assert all(not {i, i + 1} <= shown or {i, i + 1} & different for i in range(len(columns[index]) - 1))
    view.editor.press("Control+Home")
    view.page.keyboard.type("3221+2334 ")
    expect(view.column(0).locator(".flow")).to_contain_text("322")
    view.page.get_by_text("Only where they differ").click()
    view.shows("3221+2334 " + text, ("gpt2", "cl100k_base"))


def test_random_edits_leave_what_a_fresh_view_shows(view: View):
    names = ("gpt2", "cl100k_base")
    generator = random.Random(7)
    pieces = [*MIXED, "ที่", "ั", "🇹", "the ", "\n", " 12345", "👩‍🍳"]
    text = MIXED * 2
    view.open(text, names)
    view.shows(text, names)
    for number in range(40):
        if number in (25, 32):
            view.page.get_by_text("Only where they differ").click()
        place, removed = generator.randrange(len(text) + 1), generator.choice([0, 0, 1, 3, 40])
        insert = "".join(generator.choices(pieces, k=generator.choice([0, 1, 2, 8])))
        text = text[:place] + insert + text[place + removed :]
        view.editor.evaluate("(e, value) => { e.value = value; e.dispatchEvent(new Event('input')); }", text)
        if number % 8 == 7 and not 25 <= number < 32:
            view.shows(text, names)
        else:
            time.sleep(generator.choice([0, 0.02, 0.09]))
    view.shows(text, names)
    edited = [view.chips(0), view.chips(1)]
    view.page.goto(f"{view.address}/?tokenizers={','.join(names)}")
    view.shows(text, names)
    assert [view.chips(0), view.chips(1)] == edited


def test_typing_recolours_every_column_keeps_the_caret_and_tells_when_it_rests(view: View):
    view.open("start end")
    view.shows("start end")
    view.editor.focus()
    view.editor.evaluate("e => e.setSelectionRange(5, 5)")
    for character in MIXED:
        view.page.keyboard.insert_text(character)
    text = "start" + MIXED + " end"
    view.shows(text)
    caret = len(("start" + MIXED).encode("utf-16-le")) // 2
    assert view.editor.evaluate("e => [e.selectionStart, e.selectionEnd]") == [caret, caret]
    expect(view.page.get_by_text(f"rested: {len(text)} characters")).to_be_visible()
    expect(view.page.locator("[aria-live]")).to_contain_text(
        f"GPT-2 · gpt2 {len(byte_spans(text, 'gpt2'))} tokens", timeout=5000
    )
    view.page.goto(f"{view.address}/")
    view.shows(text)
    assert view.editor.input_value() == text


def test_columns_scroll_together_by_the_place_in_the_text(view: View):
    text = "".join(f"line {i}: unbelievable, ที่นี่ {i * 7919} words\n" for i in range(400))
    view.open()
    view.editor.fill(text)
    figure = view.page.locator("[data-figure=tokens]").first
    expect(figure).to_have_text(f"{len(byte_spans(text, 'gpt2')):,}", timeout=15_000)
    # The line at the upper edge of a column: the number before the first chip in sight; null where none is drawn yet.
    line = """scroller => {
      const top = scroller.getBoundingClientRect().top + 12;
      const chip = [...scroller.querySelectorAll('[data-i]')].find(chip => chip.getBoundingClientRect().bottom > top);
      if (!chip) return null;
      const range = document.createRange();
      range.setStart(scroller.querySelector('.flow'), 0);
      range.setEndBefore(chip);
      return range.toString().split('\\n').length - 1;
    }"""
    # The columns may have followed the caret to the end.
    at_top = "scroller => scroller.scrollTop === 0"
    view.column(1).hover()
    view.page.mouse.wheel(0, -90_000)
    wait_until(view.page, lambda: all(view.column(i).evaluate(at_top) for i in range(3)))
    before = 0
    for leader, wheel in ((1, 3000), (2, 6000), (0, -8000)):
        view.column(leader).hover()
        view.page.mouse.wheel(0, wheel)

        def lines() -> list[int | None]:
            return [view.column(i).evaluate(line) for i in range(3)]

        wait_until(view.page, lambda lines=lines, before=before: lines()[0] not in (before, None))

        def are_together(lines: Callable[[], list[int | None]] = lines) -> bool:
            found = lines()
            return None not in found and max(found) - min(found) <= 1

        wait_until(view.page, are_together)
        before = lines()[0]
    view.column(2).hover()
    view.page.mouse.wheel(0, -90_000)
    wait_until(view.page, lambda: all(view.column(i).evaluate(at_top) for i in range(3)))


def test_hostile_text_is_text_and_asks_no_host(view: View):
    hosts = set()
    view.page.on("request", lambda request: hosts.add(urllib.parse.urlsplit(request.url).netloc))
    view.open()
    view.editor.fill(HOSTILE)
    view.shows(HOSTILE)
    view.column(0).locator("[data-i]").first.click()
    view.page.get_by_text("Only where they differ").click()
    assert view.page.evaluate("window.hit") is None
    assert view.page.locator(".columns :is(img, script, iframe, b)").count() == view.page.locator(".figures b").count()
    assert hosts <= {urllib.parse.urlsplit(view.address).netloc, ""}


def test_tokens_that_are_empty_or_leave_text_uncovered_are_drawn_with_all_of_the_text(view: View):
    text = " two  words\n"
    view.open(text, ("words", "gpt2"))
    expect(view.column(0).locator(".flow")).to_have_text(text, use_inner_text=False)
    assert view.column(0).locator(".flow").text_content() == text
    assert [chip[2:4] for chip in view.chips(0)] == [("", "<s>"), ("two", ""), ("words", "")]
    view.editor.press("Control+Home")
    view.page.keyboard.type("\nand")
    wait_until(view.page, lambda: [chip[2] for chip in view.chips(0)] == ["", "and", "two", "words"])
    assert view.column(0).locator(".flow").text_content() == "\nand" + text
    assert not view.errors


def test_nothing_sticks_out_of_a_narrow_page(view: View):
    view.page.set_viewport_size({"width": 380, "height": 800})
    view.open(MIXED + "x" * 500, ("gpt2@0", "gpt2@300", "gpt2@3000", "gpt2", "cl100k_base", "o200k_base"))
    expect(view.column(5).locator(".t").first).to_be_visible()
    for box in view.page.locator(".view, .tools, .column, .column .scroller").all():
        assert box.evaluate("e => e.scrollWidth - e.clientWidth") <= 1
