"""The page of seams in a browser: what is typed is followed, and a cut and a slider say at each place what is there."""

import re

import pytest
from browser.test_accessibility import serious_violations
from navigation import go_to
from playwright.sync_api import Locator, Page, expect
from polling import wait_until, wait_until_idle
from violations import harmless

import tokviz
from pages.ui.seams.sections import SECTIONS

CL100K = tokviz.load("cl100k_base")
WAIT = 15_000
HOSTILE = '<img src="http://tokviz.invalid/a.png" onerror="window.hit = 1"> \u202eabc\x07 {0} {again}'


@pytest.fixture
def opened(page: Page, app_address) -> Page:
    """The page; no script error is overlooked, no other host asked."""
    with harmless(page, app_address, "seams"):
        yield page


def write(page: Page, text: str, label: str = "Text") -> None:
    page.get_by_label(label, exact=True).fill(text)


def look_at(page: Page, section: str) -> None:
    """Choose a section, and once more if the page is told of a choice in that moment, when Streamlit loses a click."""
    radio = page.get_by_role("radio", name=SECTIONS[section].label, exact=True)
    radio.click()
    page.wait_for_timeout(600)  # a choice is kept half a second after it
    wait_until_idle(page)
    if not radio.is_checked():
        radio.click()


def words(page: Page) -> Locator:
    return page.locator(".seams .words").first


def ids_in(place: Locator) -> list[int]:
    """Return the ids below the tokens of a list."""
    return [int(each) for each in place.locator(".with-ids small").all_text_contents()]


def is_within(part: list[int], whole: list[int]) -> bool:
    """Return whether a list of ids stands in a longer one."""
    return any(whole[i : i + len(part)] == part for i in range(len(whole)))


@pytest.mark.slow
@pytest.mark.journey
def test_from_a_token_to_its_seams_a_cut_and_all_its_ways(page: Page, app_address):
    page.goto(app_address)
    write(page, "Feed the cat")
    page.locator("#tokens [data-i]", has_text="cat").click(timeout=30_000)  # there once the first text has gone
    page.get_by_role("button", name="See it on Seams: what can change").click(timeout=WAIT)
    expect(words(page)).to_contain_text("the first 2 of 3 tokens stay, up to character 8 of 12", timeout=30_000)
    expect(page.locator(".seams .flow .open")).to_have_text(" cat")
    example = page.locator(".seams .examples li")
    expect(example).to_contain_text("Followed by ch")
    assert ids_in(example) == [*CL100K.encode(" cat"), *CL100K.encode(" catch")]
    page.get_by_label("Text", exact=True).press("ControlOrMeta+End")
    page.keyboard.type(" ")
    expect(page.get_by_text("Leave out the space at the end")).to_be_visible(timeout=WAIT)

    look_at(page, "A cut")
    cut = page.get_by_role("slider", name="Where the text is cut")
    cut.press("Home", timeout=WAIT)
    for _ in "Feed the":
        cut.press("ArrowRight")
    cut.press("ArrowRight")
    expect(page.locator(".seams .extra")).to_have_text("+1", timeout=WAIT)
    parts = page.locator(".compared").nth(1)
    wait_until(page, lambda: ids_in(parts)[-3:] == [220, *CL100K.encode("cat ")])

    look_at(page, "All the ways")
    page.locator(".seams .pieces .t", has_text="cat").click(timeout=WAIT)
    expect(words(page)).to_contain_text("can be cut into tokens in 8 ways")
    page.get_by_role("button", name=re.compile("Single bytes")).click()
    expect(page.get_by_text("Single bytes: 4 tokens")).to_be_visible()


@pytest.mark.slow
def test_the_cut_goes_where_the_pointer_goes_and_stays_over_a_reload(opened: Page):
    text = "The answer is undoubtedly yes 👩‍🍳"
    write(opened, text)
    look_at(opened, "A cut")
    surface = opened.get_by_role("slider", name="Where the text is cut")
    expect(surface).to_contain_text("undoubtedly", timeout=WAIT)
    box = surface.bounding_box()
    opened.mouse.move(box["x"] + 20, box["y"] + box["height"] / 2)
    opened.mouse.down()
    seen = set()
    for x in range(20, 320, 15):
        opened.mouse.move(box["x"] + x, box["y"] + box["height"] / 2)
        at = int(surface.get_attribute("aria-valuenow"))
        extra = sum(len(CL100K.encode(part)) for part in (text[:at], text[at:])) - len(CL100K.encode(text))
        expect(opened.locator(".seams .extra")).to_have_text(
            f"+{extra}" if extra > 0 else "±0" if not extra else f"−{-extra}"
        )
        both = [*CL100K.encode(text[:at]), *CL100K.encode(text[at:])]
        parts = opened.locator(".compared").nth(1)
        wait_until(opened, lambda both=both, parts=parts: is_within(ids_in(parts), both))
        seen.add(at)
    opened.mouse.up()
    assert len(seen) > 10
    # The bar stands at the cut.
    bar, at = opened.locator(".seams .bar").bounding_box(), int(surface.get_attribute("aria-valuenow"))
    assert abs(bar["x"] - (box["x"] + 305)) < 15
    kept = f'"seams_cut":{at}'
    wait_until(opened, f"Object.values(sessionStorage).some((each) => each.includes({kept!r}))")
    opened.reload()
    expect(opened.get_by_role("slider", name="Where the text is cut")).to_have_attribute(
        "aria-valuenow", str(at), timeout=30_000
    )
    expect(opened.get_by_label("Text", exact=True)).to_have_value(text)


@pytest.mark.slow
def test_a_slider_leads_through_all_ways_and_each_is_the_text(opened: Page):
    write(opened, "lower antidisestablishmentarianism " + HOSTILE)
    look_at(opened, "All the ways")
    expect(words(opened)).to_contain_text("ways", timeout=WAIT)
    opened.locator(".seams .pieces .t", has_text="lower").click()
    ways = tokviz.Segmentations(CL100K, "lower")
    expect(words(opened)).to_contain_text(f"in {ways.count} ways")
    slider = opened.get_by_role("slider", name="Which way")
    slider.press("Home")
    for n in range(ways.count):
        shown = opened.locator(".seams .pane.tokens").nth(1).locator("[data-i]")
        wanted = [token.decode() for token in ways.tokens(ways.nth(n))]
        wait_until(opened, lambda shown=shown, wanted=wanted: shown.all_text_contents() == wanted)
        slider.press("ArrowRight")
    opened.get_by_role("button", name="The way before").click()
    expect(slider).to_have_attribute("aria-valuetext", f"way {ways.count - 1} of {ways.count}")
    opened.get_by_role("button", name="Draw one at random").click()
    drawn = opened.locator(".seams .pane.tokens").nth(1)
    expect(drawn.locator(".flow")).to_have_text("lower")
    # What is typed before the piece leaves it and its way; what is typed in it shows the longest pretoken instead.
    opened.get_by_role("button", name=re.compile("Single bytes")).click()
    expect(opened.get_by_text("Single bytes: 5 tokens")).to_be_visible()
    editor = opened.get_by_label("Text", exact=True)
    editor.press("ControlOrMeta+Home")
    opened.keyboard.type("a ")
    expect(words(opened)).to_contain_text(f"lower can be cut into tokens in {ways.count} ways")
    expect(opened.get_by_text("Single bytes: 5 tokens")).to_be_visible()
    opened.keyboard.press("ArrowRight")
    opened.keyboard.type("x")
    expect(words(opened)).to_contain_text("antidisestablishmentarianism", timeout=WAIT)


@pytest.mark.slow
def test_two_texts_and_ids_follow_what_is_typed(opened: Page):
    write(opened, HOSTILE)
    expect(words(opened)).to_contain_text("Whatever follows", timeout=WAIT)
    look_at(opened, "Two texts")
    expect(opened.get_by_label("Second text", exact=True)).to_be_visible(timeout=WAIT)
    write(opened, "Say one word: ", "First text")
    write(opened, "Say one word: yes", "Second text")
    expect(words(opened)).to_contain_text(
        "begin with the same 14 characters, but share only 4 tokens, which end at character 13", timeout=WAIT
    )
    expect(opened.locator(".seams .flow .open")).to_have_text(" ")
    opened.get_by_role("radio", name="16 (vLLM)").click()
    expect(words(opened)).to_contain_text("in whole blocks of 16 tokens saves 0 tokens", timeout=WAIT)
    look_at(opened, "Ids")
    write(opened, "64, 198 198", "Token ids")
    expect(opened.locator(".seams .examples li")).to_contain_text("writes that as [271]", timeout=WAIT)
    write(opened, "", "Token ids")
    expect(words(opened)).to_have_text("Paste ids, or take those of the text.")
    go_to(opened, "Playground")
    opened.get_by_test_id("stButtonGroup").get_by_role("radio", name="From ids", exact=True).click()
    # Those of the page are of the text.
    expect(opened.get_by_label("Token ids", exact=True)).to_have_value("[46864, 832, 3492, 25, 220]", timeout=WAIT)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_section_has_a_serious_violation(opened: Page, scheme):
    opened.emulate_media(color_scheme=scheme)
    write(opened, "The answer is yes ")
    for section in SECTIONS:
        look_at(opened, section)
        opened.mouse.move(0, 0)  # Streamlit's own buttons are paler below the pointer
        expect(opened.locator(".seams .section").first).to_be_visible()  # the one before goes a moment later
        wait_until(opened, "document.getAnimations().every(({ timeline }) => timeline !== document.timeline)")
        assert not serious_violations(opened), section


@pytest.mark.slow
def test_a_link_shows_the_same_cut_of_the_same_text(opened: Page, app_address):
    write(opened, "The answer is yes")
    look_at(opened, "A cut")
    cut = opened.get_by_role("slider", name="Where the text is cut")
    cut.press("Home", timeout=WAIT)
    cut.press("PageUp")  # past the end
    expect(cut).to_have_attribute("aria-valuenow", "17")
    cut.press("ArrowLeft")
    kept = '"seams_cut":16'
    wait_until(opened, f"Object.values(sessionStorage).some((each) => each.includes({kept!r}))")
    opened.get_by_role("button", name="Share").click()
    link = opened.get_by_test_id("stCode").inner_text(timeout=WAIT)
    page = opened.context.browser.new_page()
    page.goto(link.strip())
    expect(page.get_by_role("slider", name="Where the text is cut")).to_have_attribute(
        "aria-valuenow", "16", timeout=30_000
    )
    expect(page.get_by_label("Text", exact=True)).to_have_value("The answer is yes")
    page.close()
