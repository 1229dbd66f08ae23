"""A lesson on the projector, from slide to slide by its keys, as a teacher goes through it."""

import re
from collections.abc import Iterator

from playwright.sync_api import Page, expect
from polling import wait_until_idle

from tokviz.exercises.lesson import Lesson
from tokviz.exercises.slides import Part, Slide, slides_of

WAIT = 30_000


def present(page: Page) -> None:
    """Press Present, and wait until the page is presented."""
    page.get_by_role("button", name="Present").click()
    expect(page.get_by_role("button", name="Leave")).to_be_visible(timeout=WAIT)
    wait_until_idle(page)


def each_slide(page: Page, lesson: Lesson) -> Iterator[Slide]:
    """Go through the slides of a lesson whose texts are the first examples; yield each once it is shown.

    From a question it goes on by the key of the answer. A game by hand is yielded anew after each of its moves.
    """
    slides = slides_of(lesson, [exercise.examples[0] for exercise in lesson.exercises])
    check = page.get_by_role("button", name=re.compile("^Check"))
    for n, slide in enumerate(slides):
        expect(page.get_by_text(re.compile(rf"· {n + 1}/{len(slides)}( ·|$)"))).to_be_visible(timeout=WAIT)
        _wait_until_shown(page)
        yield slide
        asks = slide.part is Part.EXERCISE and slide.asks
        if asks and lesson.exercises[slide.number - 1].by_hand:
            step = 1
            while check.count():
                page.keyboard.press("a")
                step += 1
                expect(page.get_by_text(re.compile(rf"· step {step} of \d+( ·|$)"))).to_be_visible(timeout=WAIT)
                _wait_until_shown(page)
                yield slide
            asks = False
        page.keyboard.press("a" if asks else "ArrowRight")


def _wait_until_shown(page: Page) -> None:
    """Wait until all components of a slide are drawn."""
    wait_until_idle(page)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=WAIT)
    expect(page.locator(".st-key-slide .view.unready")).to_have_count(0, timeout=WAIT)
    wait_until_idle(page)
