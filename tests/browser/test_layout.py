"""Nothing is cut off at the sizes of screens that people have."""

from contextlib import suppress

import pytest
from layout import below_bar, cut_off, place_of_slide, small_type, type_sizes
from panels import show_more
from playwright.sync_api import Page, expect
from polling import wait_until, wait_until_idle
from presenting import each_slide, present

from pages.ui.frame.frame import TEXT_SIZES
from pages.ui.pages import BYTES, LEARN, PAGES, SEAMS, VOCABULARY
from tokviz.exercises.lesson import Lesson
from tokviz.exercises.slides import Part
from tokviz.lessons import LESSONS, lesson_named

WAIT = 30_000
PATHS = [page.url_path for page in PAGES.values() if page is not LEARN]  # the lessons have tests of their own
SCREENS = ((1024, 768), (1280, 720), (1366, 768))
PHONE = (390, 844)
# Of a presented page and its bar, in pixels.
MARGINS = """() => {
  const shown = ".st-key-presented, [data-testid=stMainBlockContainer] > [data-testid=stVerticalBlock]";
  return [...document.querySelectorAll(shown)].map((node) => {
    const { left, right } = node.getBoundingClientRect();
    return [left, innerWidth - right];
  });
}"""
IDS_AND_TOKENS = """columns => columns.map((column) => [...column.children].map((node) => {
  const { left, right, top, bottom } = node.getBoundingClientRect();
  return { middle: (left + right) / 2, top, bottom };
}))"""


def open_page(page: Page, address: str, path: str, screen: tuple[int, int]) -> None:
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    page.goto(f"{address}/{path}")
    expect(page.locator(".view:visible").first).to_be_visible(timeout=WAIT)
    wait_until_idle(page)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=WAIT)  # of what the script has shown last, too


def answer_all(page: Page, lesson: Lesson) -> None:
    """Open every answer of a lesson, once all its questions are there: they come in any order."""
    buttons = page.get_by_role("button", name="Show the answer", exact=True)
    n_left = sum(not exercise.by_hand for exercise in lesson.exercises)
    expect(buttons).to_have_count(n_left, timeout=WAIT)
    for n in reversed(range(n_left)):
        buttons.first.click()
        expect(buttons).to_have_count(n, timeout=WAIT)
        wait_until_idle(page)


def nothing_is_cut_off(page: Page) -> None:
    """Wait until the page is laid out, and see that nothing is cut off."""
    with suppress(TimeoutError):
        wait_until(page, lambda: not cut_off(page), seconds=5)
    assert not cut_off(page)


@pytest.mark.parametrize("screen", (*SCREENS, PHONE), ids=str)
@pytest.mark.parametrize("path", PATHS)
def test_a_page_is_cut_off_nowhere(page: Page, app_address, path, screen):
    open_page(page, app_address, path, screen)
    nothing_is_cut_off(page)


@pytest.mark.parametrize("screen", (*SCREENS, PHONE), ids=str)
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_a_lesson_is_cut_off_nowhere_with_all_answers_open(page: Page, app_address, lesson, screen):
    open_page(page, app_address, f"lessons?lesson={lesson.slug}", screen)
    answer_all(page, lesson)
    nothing_is_cut_off(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("screen", (*SCREENS, PHONE), ids=str)
@pytest.mark.parametrize("size", TEXT_SIZES)
def test_the_header_stays_in_sight_in_one_row_and_names_its_buttons(page: Page, app_address, screen, size):
    open_page(page, app_address, "merges", screen)
    page.get_by_role("button", name="Display").click()
    page.get_by_role("radio", name=size, exact=True).click()
    page.keyboard.press("Escape")
    wait_until_idle(page)
    page.evaluate("scrollTo(0, 10_000)")
    header = page.locator(".st-key-header").bounding_box()
    assert abs(header["y"]) < 1 and header["height"] < 1.25 * float(TEXT_SIZES[size][0].removesuffix("px")) * 3.25
    assert header["x"] == 0 and header["width"] == screen[0]
    for name in ("Display", "Glossary", "Present", "Share"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    expect(page.get_by_test_id("stMainMenu")).not_to_be_visible()


@pytest.mark.parametrize("screen", (*SCREENS, PHONE), ids=str)
def test_the_list_of_lessons_stays_in_sight(page: Page, app_address, screen):
    lesson = LESSONS[3]
    open_page(page, app_address, f"lessons?lesson={lesson.slug}", screen)
    page.evaluate("scrollTo(0, 10_000)")
    if screen == PHONE:
        page.get_by_role("button", name="Lessons").click()
    for number, other in enumerate(LESSONS, 1):
        expect(page.get_by_role("link", name=f"{number}. {other.title}")).to_be_in_viewport(ratio=0.9)


def test_a_menu_is_whole_however_far_the_page_is_scrolled(page: Page, app_address):
    open_page(page, app_address, "languages", (1280, 720))
    page.get_by_role("tab", name="The mix decides").click(timeout=WAIT)
    page.get_by_test_id("stPopover").get_by_role("button", name="Your own texts").click(timeout=WAIT)
    menu = page.get_by_test_id("stPopoverBody")
    expect(menu).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") > 300
    assert menu.evaluate("menu => menu.scrollHeight <= menu.clientHeight + 1")


@pytest.mark.parametrize("screen", (*SCREENS, PHONE), ids=str)
def test_the_inspector_holds_the_whole_merge_tree(page: Page, app_address, screen):
    open_page(page, app_address, "", screen)
    page.get_by_label("Text", exact=True).fill("unbelievable internationalization")
    page.locator("#tokens .t").filter(has_text="international").click(timeout=WAIT)
    tree = page.get_by_label("Merge tree")
    expect(tree).to_contain_text("merge")
    edges = "tree => tree.scrollWidth <= tree.clientWidth && tree.getBoundingClientRect().right <= innerWidth"
    assert tree.evaluate(edges)
    expect(page.get_by_role("button", name="Picture")).to_be_visible()
    nothing_is_cut_off(page)


@pytest.mark.parametrize("section", ("Side by side", "Vocabulary size", "Corpus"))
@pytest.mark.parametrize("screen", SCREENS[1:], ids=str)  # on narrower ones the names of three tokenizers need a row
def test_the_controls_of_compare_stand_in_one_row(page: Page, app_address, screen, section):
    open_page(page, app_address, "compare", screen)
    page.get_by_role("radio", name=section).click()
    wait_until_idle(page)
    names, opener = page.get_by_test_id("stMultiSelect"), page.get_by_test_id("stPopover").filter(has_text="Open")
    boxes = [shown.bounding_box() for shown in (names, page.get_by_role("radio", name=section), opener)]
    middles = [box["y"] + box["height"] / 2 for box in boxes]
    assert max(middles) - min(middles) < 12


@pytest.mark.parametrize(("path", "result"), (("compare", ".st-key-compare"), ("languages", ".st-key-years-plot")))
def test_on_a_phone_the_tokenizers_are_above_what_is_shown_of_them_and_can_be_read(
    page: Page, app_address, path, result
):
    open_page(page, app_address, path, PHONE)
    picker = page.get_by_test_id("stMultiSelect").first
    box = picker.bounding_box()
    assert box["y"] + box["height"] < page.locator(result).bounding_box()["y"]
    names = [name.bounding_box() for name in picker.locator("[data-tag]:visible").all()]
    assert len(names) == 3 and all(name["x"] + name["width"] <= box["x"] + box["width"] - 32 for name in names)


def test_on_a_phone_what_leads_through_the_differences_stays_above_columns_as_high_as_their_tokens(
    page: Page, app_address
):
    open_page(page, app_address, "compare", PHONE)
    boxes = page.locator(".compare .scroller")
    expect(boxes).to_have_count(3)
    cut = "node => [node.scrollHeight > node.clientHeight, getComputedStyle(node).maskImage != 'none']"
    assert [box.evaluate(cut)[0] for box in boxes.all()] == [False] * 3
    page.get_by_label("Text", exact=True).fill("ที่นี่ " * 200)
    wait_until(page, lambda: [box.evaluate(cut) for box in boxes.all()] == [[True, True]] * 3)
    following = page.get_by_role("button", name="Next ›")
    assert following.bounding_box()["y"] < boxes.first.bounding_box()["y"]
    boxes.last.evaluate("node => node.scrollIntoView({ block: 'start' })")
    expect(following).to_be_in_viewport(ratio=1)
    following.click()
    expect(page.locator(".found")).to_contain_text("1 of ")


def test_what_is_wider_than_a_phone_fades_until_one_has_scrolled_to_its_end(page: Page, app_address):
    open_page(page, app_address, "compare", PHONE)
    scroller = page.locator("[data-testid=stDataFrame] .dvn-scroller")
    place = "node => node.closest('[data-testid=stDataFrameResizable]') ?? node"
    fade = f"node => getComputedStyle(({place})(node)).maskPosition"
    scroller.scroll_into_view_if_needed()
    wait_until(page, lambda: scroller.evaluate(fade).startswith("100%"))
    scroller.evaluate("node => node.scrollTo(10_000, 0)")
    wait_until(page, lambda: scroller.evaluate(fade).startswith("0"))


@pytest.mark.parametrize("path", ("compare", "vocabulary", "bytes", "seams", "turns"))
def test_the_controls_of_a_page_are_in_one_row_or_in_two_but_for_phones(page: Page, app_address, path):
    open_page(page, app_address, path, PHONE)
    for width in (320, 390, 540, 768, 900, 1024, 1366):
        page.set_viewport_size({"width": width, "height": 800})
        height = page.locator(".st-key-choice-row").locator("xpath=../..").bounding_box()["height"]
        assert height < (45 if width >= 1200 else 90 if width > 480 else 215)


@pytest.mark.parametrize(
    ("path", "tokens", "lowest"),
    (
        ("", "#tokens", 476),
        ("compare", ".column .scroller", 600),
        ("languages", ".st-key-years-plot", 440),
        ("merges", ".machine #tokens", 480),
    ),
)
def test_on_a_phone_the_tokens_or_the_chart_begin_on_the_first_screen(page: Page, app_address, path, tokens, lowest):
    open_page(page, app_address, path, PHONE)
    shown = page.locator(tokens).first
    expect(shown).to_be_visible()
    assert shown.bounding_box()["y"] < lowest


@pytest.mark.parametrize(
    ("path", "boxes"),
    (
        ("", ("#editor", "#tokens")),
        ("train", ("#editor", ".st-key-learned-place")),
        ("seams", ("#editor", ".seams .section")),
    ),
)
def test_what_fills_the_window_ends_above_its_edge_whatever_is_above_it(page: Page, app_address, path, boxes):
    open_page(page, app_address, path, (1280, 720))
    for height in (700, 1080):
        page.set_viewport_size({"width": 1280, "height": height})
        for above in (0, 40):
            page.add_style_tag(content=f".st-key-header {{ min-height: {52 + above}px; }}")
            wait_until(page, "document.documentElement.scrollHeight <= innerHeight")
            for box in boxes:
                place = page.locator(box).bounding_box()
                assert height - 130 < place["y"] + place["height"] < height


def test_on_a_phone_the_first_text_is_whole(page: Page, app_address):
    open_page(page, app_address, "", PHONE)
    text = page.get_by_label("Text", exact=True)
    wait_until(page, lambda: text.evaluate("text => text.value.length && text.scrollHeight <= text.clientHeight"))


def test_on_a_phone_the_tokens_of_a_second_tokenizer_come_into_sight(page: Page, app_address):
    open_page(page, app_address, "", PHONE)
    page.get_by_role("button", name="GPT-2").click(timeout=WAIT)
    words = "more tokens than GPT\N{NON-BREAKING HYPHEN}4"
    expect(page.locator(".beside").get_by_role("status")).to_contain_text(words, timeout=WAIT)
    expect(page.locator(".beside")).to_be_in_viewport(ratio=1)
    present(page)
    tokens = page.get_by_role("listbox", name="Tokens of GPT-2")
    wait_until(page, lambda: tokens.evaluate("box => box.clientWidth > 350 && box.scrollHeight <= box.clientHeight"))


def test_on_a_phone_what_moves_through_the_merges_leaves_room_for_them(page: Page, app_address):
    open_page(page, app_address, "merges", PHONE)
    moves = page.locator(".moves")
    expect(moves).to_be_in_viewport(ratio=1)
    assert moves.bounding_box()["height"] <= 96
    page.locator(".pick").nth(1).click()
    merge = page.locator(".step-merge").bounding_box()
    assert merge["y"] + merge["height"] < moves.bounding_box()["y"]


def test_presented_the_pairs_of_merges_are_whole(page: Page, app_address):
    open_page(page, app_address, "merges", (1280, 720))
    present(page)
    page.locator(".pick").nth(1).click()
    expect(page.get_by_role("button", name="Next pair")).to_be_visible()
    table = page.get_by_role("region", name="Pairs")
    whole = table.evaluate("""table => {
      const box = table.getBoundingClientRect(), cut = ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth;
      const pairs = [...table.querySelectorAll("td.pair")];
      const seen = pairs.filter((each) => each.getBoundingClientRect().bottom <= box.bottom);
      return cut(table) || seen.some(cut) ? [] : seen.map((each) => each.textContent);
    }""")
    assert len(whole) >= 3, whole


@pytest.mark.parametrize("screen", SCREENS, ids=str)
def test_the_controls_of_merges_stand_in_one_row(page: Page, app_address, screen):
    open_page(page, app_address, "merges", screen)
    more = page.get_by_role("button", name="More", exact=True)
    expect(more).to_be_visible()
    assert page.locator(".st-key-merges-toolbar").bounding_box()["height"] < 48


@pytest.mark.parametrize("screen", ((1366, 768), PHONE), ids=str)
def test_the_box_of_a_text_on_merges_fills_its_room_or_is_as_high_as_its_lines_and_keeps_its_height(
    page: Page, app_address, screen
):
    open_page(page, app_address, "merges", screen)
    page.get_by_text("Change the text").click()
    page.get_by_label("Text", exact=True).fill("low")
    box = page.get_by_role("region", name="The text after")
    if screen == PHONE:
        wait_until(page, lambda: box.evaluate("box => box.clientHeight") < 90)
    page.get_by_label("Text", exact=True).fill("the weather of the feather " * 12)
    wait_until(page, lambda: box.evaluate("box => box.clientHeight") > 90)
    wait_until_idle(page)
    if screen != PHONE:
        beside, text = page.locator(".decision").bounding_box(), box.bounding_box()
        assert abs(beside["y"] + beside["height"] - text["y"] - text["height"]) <= 1
    height = box.bounding_box()["height"]
    page.get_by_role("slider").press("End")
    expect(page.locator("[data-figure=step]")).to_have_text("37")
    assert box.bounding_box()["height"] == height


def test_a_token_is_opened_without_a_move_of_the_editor_and_ids_can_still_be_copied(page: Page, app_address):
    open_page(page, app_address, "", (1024, 768))
    before = page.locator("#editor").bounding_box()
    page.locator("#tokens .t").first.click(timeout=WAIT)
    expect(page.locator(".inspector")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Copy ids")).to_be_in_viewport(ratio=1)
    assert page.locator("#editor").bounding_box() == before


@pytest.mark.parametrize("screen", ((1280, 720), (1366, 768), (1920, 1080)), ids=str)
def test_a_token_of_the_first_text_is_opened_with_every_token_in_sight(page: Page, app_address, screen):
    open_page(page, app_address, "", screen)
    before = page.locator("#editor").bounding_box()
    page.locator("#tokens .t").first.click(timeout=WAIT)
    expect(page.locator(".inspector")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("listbox", name="Tokens").get_by_text("return")).to_be_in_viewport(ratio=1)
    after = page.locator("#editor").bounding_box()
    assert all(after[side] == before[side] for side in ("x", "y", "width"))


@pytest.mark.parametrize("screen", (PHONE, (768, 1024)), ids=str)
def test_the_name_of_an_opened_token_stays_above_what_is_said_of_it(page: Page, app_address, screen):
    open_page(page, app_address, "", screen)
    page.locator("#tokens .t", has_text="strawberry").first.click(timeout=WAIT)
    last = page.locator(".facts").get_by_text("pretoken", exact=True)
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    name, close = page.locator(".facts .subject"), page.locator(".inspector").get_by_role("button", name="Close")
    expect(name).to_be_in_viewport(ratio=1)
    beside = name.locator(".gist").bounding_box()
    assert beside["x"] + beside["width"] <= close.bounding_box()["x"]


@pytest.mark.parametrize("screen", ((1280, 720), (1366, 768), (1920, 1080)), ids=str)
def test_presented_compare_shows_its_columns_whole(page: Page, app_address, screen):
    open_page(page, app_address, "compare", screen)
    present(page)
    expect(page.locator(".column:visible")).to_have_count(3, timeout=WAIT)
    box = page.locator(".column .scroller")
    whole = "all => all.map((box) => box.scrollHeight <= box.clientHeight)"
    wait_until(page, lambda: all(box.evaluate_all(whole)))
    for column in page.locator(".column:visible").all():
        expect(column.get_by_role("listbox")).to_be_in_viewport(ratio=1)
        assert not column.locator(".more").text_content()
    page.get_by_label("Text", exact=True).fill("def f(x):\n" + "        x = x + 1\n" * 6)
    wait_until(page, lambda: all(box.evaluate_all(whole)))
    for column in page.locator(".column:visible").all():
        expect(column.get_by_role("listbox")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("screen", ((1280, 720), (1366, 768), (1920, 1080)), ids=str)
def test_presented_the_tokens_of_two_tokenizers_are_whole(page: Page, app_address, screen):
    open_page(page, app_address, "", screen)
    present(page)
    page.get_by_role("button", name="GPT-2").click(timeout=WAIT)
    for name in ("Tokens GPT-4", "Tokens of GPT-2"):
        tokens = page.get_by_role("listbox", name=name)
        expect(tokens).to_be_in_viewport(ratio=1, timeout=WAIT)
        expect(tokens.locator(".t").last).to_have_text('")')
        wait_until(page, lambda tokens=tokens: tokens.evaluate("box => box.scrollHeight <= box.clientHeight"))


def test_presented_the_prompt_of_the_first_chat_is_whole(page: Page, app_address):
    open_page(page, app_address, "turns", (1280, 720))
    present(page)
    prompt = page.get_by_role("group", name="The prompt of this turn")
    expect(prompt).to_be_in_viewport(ratio=1, timeout=WAIT)
    expect(prompt).to_contain_text("And 18?")
    wait_until(page, lambda: prompt.evaluate("box => box.scrollTop === 0 && box.scrollHeight <= box.clientHeight"))


@pytest.mark.parametrize(("path", "n_lines"), (("", 4), (BYTES.url_path, 2), (SEAMS.url_path, 2)))
def test_presented_a_short_text_is_whole(page: Page, app_address, path, n_lines):
    open_page(page, app_address, path, (1280, 720))
    present(page)
    text = page.get_by_label("Text", exact=True)
    text.fill("\n".join(["strawberry"] * n_lines))
    wait_until(page, lambda: text.evaluate("text => text.scrollHeight <= text.clientHeight"))


def test_presented_a_training_shows_its_text_whole_and_then_large_what_it_learned(page: Page, app_address):
    open_page(page, app_address, "train", (1280, 720))
    present(page)
    text = page.get_by_label("Training text")
    wait_until(page, lambda: text.evaluate("text => text.scrollHeight <= text.clientHeight"))
    page.get_by_role("button", name="Train", exact=True).click()
    lines = page.locator(".line .flow")
    expect(lines).to_have_count(3, timeout=WAIT)
    wait_until(page, "document.documentElement.scrollHeight <= innerHeight")
    assert min(lines.evaluate_all("all => all.map((line) => parseFloat(getComputedStyle(line).fontSize))")) >= 40
    expect(page.get_by_role("button", name="Watch", exact=True)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("path", ("", VOCABULARY.url_path))
def test_presented_the_name_of_the_tokenizer_is_whole(page: Page, app_address, path):
    open_page(page, app_address, path, (1920, 1080))
    present(page)
    wait_until(page, lambda: "GPT-4 · cl100k_base" not in cut_off(page))


@pytest.mark.parametrize("path", PATHS)
def test_presented_a_page_fills_the_screen_evenly_and_has_no_menu(page: Page, app_address, path):
    open_page(page, app_address, path, (1920, 1080))
    present(page)
    assert all(left == right < 100 for left, right in page.evaluate(MARGINS))
    expect(page.get_by_test_id("stMainMenu")).not_to_be_visible()


@pytest.mark.parametrize(
    ("path", "last"), (("vocabulary", ".list-of-tokens"), ("seams", ".seams .aside"), ("turns", ".seams .section"))
)
def test_presented_all_that_is_said_is_in_the_window(page: Page, app_address, path, last):
    open_page(page, app_address, path, (1280, 720))
    present(page)
    expect(page.locator(last)).to_be_in_viewport(ratio=1)
    wait_until(page, "document.documentElement.scrollHeight <= innerHeight")


def is_at_the_top_or_a_title(page: Page, height: int) -> bool:
    """Return whether a slide begins at the top of a window, or is a title in its middle."""
    place = place_of_slide(page)
    is_title = page.locator(".st-key-slide h1").count()
    return (abs(place["above"] - place["below"]) if is_title else place["above"]) < 0.03 * height


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_presented_a_lesson_begins_at_the_top_of_each_slide_and_is_cut_off_nowhere(page: Page, app_address, lesson):
    open_page(page, app_address, f"lessons?lesson={lesson.slug}", (1920, 1080))
    present(page)
    for slide in each_slide(page, lesson):
        nothing_is_cut_off(page)
        assert all(abs(left - right) <= 1 and left < 100 for left, right in page.evaluate(MARGINS))
        wait_until(page, lambda: is_at_the_top_or_a_title(page, 1080))
        assert not small_type(page, 37 if slide.part is Part.ANSWER else 48)
        expect(page.get_by_test_id("stMainMenu")).not_to_be_visible()


@pytest.mark.parametrize("screen", ((1280, 720), (1920, 1080)), ids=str)
def test_presented_the_text_that_a_lesson_begins_with_is_whole(page: Page, app_address, screen):
    open_page(page, app_address, f"lessons?lesson={LESSONS[0].slug}", screen)
    present(page)
    page.keyboard.press("ArrowRight")
    text = page.get_by_label("Type anything")
    expect(text).to_have_value(LESSONS[0].live_text, timeout=WAIT)
    wait_until_idle(page)
    assert text.evaluate("text => text.scrollHeight <= text.clientHeight")
    tops = page.locator("#tokens .t").evaluate_all("all => all.map((token) => token.getBoundingClientRect().top)")
    assert tops and len(set(tops)) == 1


def test_presented_the_ids_of_the_first_lesson_are_in_type_for_the_last_row(page: Page, app_address):
    open_page(page, app_address, f"lessons?lesson={LESSONS[0].slug}", (1280, 720))
    present(page)
    for slide in range(2, 5):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_text(f"· {slide}/")).to_be_visible(timeout=WAIT)
        wait_until_idle(page)
    ids = page.locator(".over .id")
    expect(ids).to_have_count(13, timeout=WAIT)
    sizes = "all => all.map((id) => parseFloat(getComputedStyle(id).fontSize))"
    wait_until(page, lambda: min(ids.evaluate_all(sizes)) >= 32)


@pytest.mark.parametrize("screen", (*SCREENS, (1920, 1080), PHONE), ids=str)
@pytest.mark.parametrize("path", [*PATHS, "lessons?lesson=token"])
def test_the_bar_of_a_presented_page_lies_over_nothing(page: Page, app_address, path, screen):
    open_page(page, app_address, path, (1280, 720))
    present(page)
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    leave = page.get_by_role("button", name="Leave").bounding_box()
    assert leave["x"] >= 0 and leave["x"] + leave["width"] <= screen[0]
    for top in (0, 300, 10_000):
        page.evaluate("top => scrollTo(0, top)", top)
        assert not below_bar(page)


@pytest.mark.parametrize(("screen", "least"), (((1280, 720), 32), ((1920, 1080), 48)), ids=str)
def test_a_slide_is_as_wide_as_the_window_in_type_for_the_last_row(page: Page, app_address, screen, least):
    lesson = lesson_named("by-hand")  # with a game, a text to change, figures and words alone
    open_page(page, app_address, f"lessons?lesson={lesson.slug}", screen)
    present(page)
    for slide in each_slide(page, lesson):
        nothing_is_cut_off(page)
        wait_until(page, lambda: abs(place_of_slide(page)["left"] - place_of_slide(page)["right"]) <= 1)
        place = place_of_slide(page)
        assert place["left"] < 0.05 * screen[0]
        assert place["above"] >= 0 and is_at_the_top_or_a_title(page, screen[1])
        assert not small_type(page, 0.78 * least if slide.part is Part.ANSWER else least)


def test_a_slide_that_is_too_long_shrinks_and_grows_back(page: Page, app_address):
    open_page(page, app_address, "lessons?lesson=token", (1280, 720))
    present(page)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Type anything")).to_be_visible(timeout=WAIT)
    wait_until_idle(page)
    page.keyboard.press("ArrowRight")
    text = page.get_by_label("change it as you like")
    expect(text).to_have_count(1, timeout=WAIT)
    wait_until(page, lambda: min(type_sizes(page)) >= 32)
    example = text.input_value()
    text.fill("one word after another " * 25)
    wait_until(page, lambda: min(type_sizes(page)) < 30)
    wait_until(page, "document.documentElement.scrollHeight <= innerHeight")
    nothing_is_cut_off(page)
    text.fill(example)
    wait_until(page, lambda: min(type_sizes(page)) >= 32)


def test_ids_stand_below_their_tokens(page: Page, app_address):
    open_page(page, app_address, "lessons?lesson=token", (1366, 768))
    page.get_by_label("Your guess").first.press("Enter")
    columns = page.locator(".line .over")
    expect(columns).to_have_count(13, timeout=WAIT)
    for token, number in columns.evaluate_all(IDS_AND_TOKENS):
        assert abs(token["middle"] - number["middle"]) <= 1 and number["top"] >= token["bottom"] - 1


def test_a_dialog_closes_the_menu_it_was_opened_from(page: Page, app_address):
    open_page(page, app_address, "", (1366, 768))
    for _ in range(2):
        show_more(page, "Export")
        page.get_by_role("button", name="Show as code").click()
        expect(page.get_by_role("dialog")).to_be_visible(timeout=WAIT)
        expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_line_takes_no_line_end_typed_or_pasted(page: Page, app_address):
    open_page(page, app_address, "lessons?lesson=spelling", (1366, 768))
    line = page.get_by_label("change it as you like").first
    line.fill("two")
    line.press("Enter")
    page.keyboard.insert_text("\nlines")
    expect(line).to_have_value("two lines")
