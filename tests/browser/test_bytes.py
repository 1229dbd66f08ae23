"""Bytes and split patterns in a browser: what is typed is cut at once, and a switch cuts it anew."""

import pytest
from choosing import choose
from playwright.sync_api import Page, expect
from polling import wait_until
from violations import harmless

from tokviz.text.alternatives import alternatives, cuts, pattern_without
from tokviz.text.code_points import characters

HOSTILE = (
    '<img src="http://tokviz.invalid/a.png" onerror="window.hit = 1">![x](http://tokviz.invalid/b.png) '
    "\u202eabc\x07 IT'S 12345"
)

# Of every pretoken its text and the number of what cut it; a grapheme that several share has a chip for each.
CHIPS = """(root) => [...root.querySelectorAll('#tokens [data-i]')].map((chip) =>
  [chip.textContent, chip.style.getPropertyValue('--by') || 'none'])"""


@pytest.fixture
def opened(page: Page, app_address) -> Page:
    """The page, with an empty editor; no script error is overlooked, no other host asked."""
    with harmless(page, app_address, "bytes"):
        yield page


def write(page: Page, text: str) -> None:
    page.get_by_label("Text", exact=True).fill(text)


def test_every_character_has_its_bytes(opened: Page):
    text = "aก😀e\u0301 " + HOSTILE
    write(opened, text)
    rows = opened.locator(".unicode tbody.text tr")
    expect(rows).to_have_count(len(text), timeout=15_000)
    for i, character in enumerate(characters(text)[:6]):
        row = rows.nth(i)
        expect(row.locator(".point")).to_have_text(f"{character.code_point} {ord(character.text)}")
        for column, data in enumerate((character.utf8, character.utf16, character.utf32)):
            boxes = row.locator("td.bytes").nth(column).locator(".byte")
            assert boxes.all_text_contents() == [f"{byte:02x} {byte}" for byte in data]
            assert row.locator("td.bytes").nth(column).locator(".zero").count() == data.count(0)
    expect(opened.locator(".unicode .text td.seen").nth(3)).to_have_text("e\u0301")
    # A key changes the rows of its grapheme, and leaves the others as they are.
    last = rows.nth(len(text) - 1).element_handle()
    editor = opened.get_by_label("Text", exact=True)
    expect(editor).to_be_editable(timeout=15_000)
    editor.press("Control+Home")
    opened.keyboard.type("\u0301b")
    expect(rows).to_have_count(len(text) + 2)
    assert rows.locator(".point").all_text_contents() == [
        f"{character.code_point} {ord(character.text)}" for character in characters("\u0301b" + text)
    ]
    assert last.evaluate("row => row.isConnected")
    write(opened, "")
    expect(opened.locator(".unicode .hint")).to_be_visible(timeout=15_000)


@pytest.mark.parametrize("second", ["two " * 25 + "long " * 20, "long " * 18 + "two " * 25 + "long " * 2])
def test_edits_that_come_before_a_frame_leave_every_row_in_its_place(opened: Page, second: str):
    points = opened.locator(".unicode tbody.text .point")
    write(opened, "")
    expect(opened.locator(".unicode .hint")).to_be_visible(timeout=15_000)
    opened.evaluate("window.due = []; window.requestAnimationFrame = (frame) => due.push(frame); 0")
    write(opened, "long " * 20)
    wait_until(opened, lambda: 0 < points.count() < 100)
    write(opened, second)
    wait_until(opened, lambda: points.count() == len(second))
    opened.evaluate("due.splice(0).forEach((frame) => frame(0))")
    expected = [f"U+{ord(character):04X} {ord(character)}" for character in second]
    wait_until(opened, lambda: points.all_text_contents() == expected)


def test_the_byte_order_mark_that_an_encoder_puts_in_front_comes_last(opened: Page):
    write(opened, "aก")
    for column, (codec, n_mark) in enumerate((("utf-8", 0), ("utf-16", 2), ("utf-32", 4))):
        encoded = "aก".encode(codec)
        boxes = opened.locator(".unicode tbody tr").locator(f"td.bytes:nth-of-type({column + 4}) .byte")
        expect(boxes).to_have_text(
            [f"{byte:02x} {byte}" for byte in encoded[n_mark:] + encoded[:n_mark]], timeout=15_000
        )
    sizes = opened.locator(".unicode th.encoding")
    expect(sizes).to_have_text(["UTF-8 4 bytes", "UTF-16 4 bytes, 1 zero", "UTF-32 8 bytes, 5 zero"])


def test_pretokens_show_what_cut_them_and_follow_the_switches(opened: Page):
    text = "It's what we'll see: IT'S 12345  ok" + HOSTILE + "  "
    write(opened, text)
    expect(opened.locator(".unicode tbody.text tr")).to_have_count(len(text))
    opened.get_by_text("Split patterns", exact=True).click()
    root = opened.locator(".cuts")
    expect(root).to_be_visible(timeout=15_000)

    def shows(off: list[int]) -> None:
        found = cuts(text, "cl100k", off=off)
        expect(root.locator("[data-count=pretokens]")).to_have_text(str(len(found)), timeout=15_000)
        wait_until(opened, lambda: [shown for shown, _ in root.evaluate(CHIPS)] == [cut.pretoken for cut in found])
        shares = [str(sum(cut.alternative == i for cut in found)) for i in range(len(alternatives("cl100k")))]
        expect(root.locator(".share b")).to_have_text(shares)
        numbers = ["none" if cut.alternative is None else str(cut.alternative) for cut in found]
        assert [number for _, number in root.evaluate(CHIPS)] == numbers

    shows([])
    # Pointing at a pretoken lights its alternative, and at an alternative all it has cut.
    root.locator("#tokens [data-i='1']").hover()
    expect(root.locator(".alternatives li.lit .number")).to_have_text("1")
    root.locator(".alternatives li").nth(0).locator(".what").hover()
    expect(root.locator("#tokens .also")).to_have_count(sum(cut.alternative == 0 for cut in cuts(text, "cl100k")))
    for number, off in ((1, [0]), (3, [0, 2])):
        root.get_by_role("switch", name=f"Alternative {number}", exact=True).click()
        shows(off)
        expect(opened.get_by_test_id("stCode").first).to_have_text(pattern_without("cl100k", off))
    # What was pointed at is another pretoken once a key has turned a switch.
    root.locator("#tokens [data-i='3']").hover()
    expect(root.locator("#tokens .lit")).to_have_count(1)
    root.get_by_role("switch", name="Alternative 5", exact=True).press("Space")
    shows([0, 2, 4])
    expect(root.locator("#tokens .lit")).to_have_count(0)


def test_a_pattern_of_ones_own_that_goes_wrong_is_explained_and_then_mended(opened: Page):
    opened.get_by_text("Split patterns", exact=True).click()
    choose(opened.get_by_role("combobox", name="Split pattern"), "your own")
    field = opened.get_by_role("textbox", name="Regular expression")
    expect(field).to_be_visible(timeout=15_000)
    write(opened, "aab")
    field.fill("(a|b")
    field.press("Control+Enter")
    expect(opened.get_by_test_id("stCode").first).to_contain_text("not a regular expression", timeout=15_000)
    field.fill("a|b")
    field.press("Control+Enter")
    expect(opened.locator(".cuts [data-count=pretokens]")).to_have_text("3", timeout=15_000)
    assert opened.locator(".alternatives .regex").all_text_contents() == ["a", "b"]


def test_who_types_under_a_pattern_that_never_ends_is_told_and_types_on(opened: Page):
    opened.get_by_text("Split patterns", exact=True).click()
    choose(opened.get_by_role("combobox", name="Split pattern"), "your own")
    field = opened.get_by_role("textbox", name="Regular expression")
    field.fill("(a|aa)+$")
    field.press("Control+Enter")
    write(opened, "a" * 60 + "b")
    notice = opened.locator(".cuts .notice")
    # What does not end has the lowest priority of all, so on a busy machine its two seconds take long.
    expect(notice).to_contain_text("the split pattern '(a|aa)+$' did not end", timeout=60_000)
    other = opened.context.new_page()  # whose own keys are answered meanwhile
    other.goto(f"{opened.url.rsplit('/', 1)[0]}/bytes")
    editor = other.get_by_label("Text", exact=True)
    expect(editor).to_be_visible(timeout=30_000)
    opened.get_by_label("Text", exact=True).press("End")
    opened.keyboard.type("bbb", delay=50)
    editor.fill("e")
    expect(other.locator(".unicode tbody.text tr")).to_have_count(1, timeout=2_000)
    expect(opened.get_by_label("Text", exact=True)).to_have_value("a" * 60 + "bbbb")
    write(opened, "aa")
    expect(notice).to_be_hidden(timeout=15_000)
    expect(opened.locator(".cuts [data-count=pretokens]")).to_have_text("1")


def test_the_table_of_patterns_stays_open_and_follows_the_typing(opened: Page):
    opened.get_by_text("Split patterns", exact=True).click()
    expect(opened.locator(".cuts")).to_be_visible(timeout=15_000)
    write(opened, "one")
    opened.get_by_text("How many pretokens does each pattern make").click()
    table = opened.get_by_test_id("stDataFrame")
    cells = table.locator("canvas [role=gridcell]")  # what a screen reader is told
    expect(cells.nth(1)).to_have_text("1", timeout=15_000)
    editor = opened.get_by_label("Text", exact=True)
    expect(editor).to_be_editable(timeout=15_000)
    editor.press("End")
    opened.keyboard.type(" two 3")
    expect(cells.nth(1)).to_have_text("3")
    expect(table).to_be_visible()


def test_marks_that_a_pretoken_cuts_off_stand_on_a_circle(opened: Page):
    opened.get_by_text("Split patterns", exact=True).click()
    write(opened, "xa\u0301")
    on_circle = opened.locator(".cuts #tokens .onto")
    expect(on_circle).to_have_text("\u0301", timeout=15_000)
